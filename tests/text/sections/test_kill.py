"""A labelling that is killed and run again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from citescape.importance.titles import HashedWords
from citescape.store.graph_store import open_store
from citescape.text.sections.label import label
from citescape.text.sections.model import train
from citescape.text.sections.steps import TrainSections

CONFIG = TrainSections(body=False, epochs=2, fewest_steps=1, threads=1)
ALL = (
    "MATCH (s:Section) RETURN s.id AS id, s.type AS type, s.type_source AS type_source, "
    "s.type_probability AS type_probability, s.type_run AS type_run ORDER BY id"
)
SLOWLY = """
import sys, time
from pathlib import Path
from citescape.importance.titles import HashedWords
from citescape.store.graph_store import open_store
from citescape.text.sections import label as labelling
from citescape.text.sections.model import resolve_model

def report(text):
    print(text, flush=True)
    time.sleep(0.1)

labelling._PAPERS = 4
model = resolve_model(Path(), sys.argv[2])
vars(model)["encoder"] = HashedWords(16)
labelling.label(open_store(sys.argv[1]), model, progress=report)
"""


def test_a_killed_labelling_continues(corpus: Path, tiny: Path, tmp_path: Path) -> None:
    """Killed within its batches, the same command completes the work as if undisturbed.

    Titles are encoded by their words; importing transformers would take most of the time.
    """
    killed, quiet = (Path(shutil.copy(corpus, tmp_path / name)) for name in ("a.lbug", "b.lbug"))
    store = open_store(str(quiet))
    model = train(store, replace(CONFIG, encoder=str(tiny)), runs=tmp_path / "runs")
    vars(model)["encoder"] = HashedWords(16)
    undisturbed = label(store, model)
    expected = store.read(ALL)
    store.close()
    words = [sys.executable, "-c", SLOWLY, str(killed), str(model.path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        while program.stdout.readline() != "labelling: 16 of 50 papers\n":
            assert program.poll() is None
        program.kill()
    store = open_store(str(killed))
    done = sum(run is not None for run in store.read(ALL)["type_run"].to_pylist())
    assert 0 < done < undisturbed.written
    again = label(store, model)
    assert again == replace(undisturbed, written=undisturbed.written - done)
    assert store.read(ALL).equals(expected)
    runs = store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    store.close()
    assert runs == [model.run]
