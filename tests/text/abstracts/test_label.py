"""Labelling a store: changes in the graph, repeated runs, kills and corrections."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import StoreError
from citescape.core.types import FACETS
from citescape.runs.directory import RunRecord
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.queries import query
from citescape.text.abstracts.abstract import MainAbstract, abstract_papers
from citescape.text.abstracts.facets import FacetLabels, Sentences
from citescape.text.abstracts.label import WRITTEN, label
from citescape.text.abstracts.rules import RuleSplitter
from tests.ingest.papers import jats, load, write_files
from tests.text.abstracts.planted import fill, structured, unstructured

HEADED = MainAbstract(
    "doi:10.1/headed",
    "Rice is old. We sowed it. It grew. NCT 12. ",
    ("Aim", "Methods", "Conclusions", "Trial registration"),
    ("Rice is old.", "We sowed it.", "It grew.", "NCT 12. "),
)
ABSTRACTS = [*(unstructured(k) for k in range(5)), *(structured(k) for k in range(5, 8)), HEADED]
Rows = dict[str, dict[str, Any]]


class Alternating:
    """A splitter that cycles through the facets and fails after a number of batches."""

    def __init__(self, run: str = "split-a", *, fails_after: int = 1_000) -> None:
        self.record = RunRecord(run, "split label", {}, {}, started="2026-01-01")
        self.left = fails_after

    def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
        self.left -= len(abstracts)
        if self.left < 0:
            raise KeyboardInterrupt
        return [
            FacetLabels(self.facets(len(abstract)), "model", self.record.id)
            for abstract in abstracts
        ]

    @staticmethod
    def facets(n: int) -> tuple[str, ...]:
        return tuple(FACETS[k % 3] for k in range(n))


def rows(store: GraphStore) -> Rows:
    result = store.read(query("text/abstracts"), papers=abstract_papers(store)).to_pylist()
    return {row["id"]: row for row in result}


def test_parts_are_written_in_text_order(store: GraphStore) -> None:
    fill(store, [*ABSTRACTS, MainAbstract("doi:10.1/blank", " \n "), "doi:10.1/none"])
    result = label(store, Alternating())
    rows_ = rows(store)
    for abstract in ABSTRACTS[:5]:
        row, facets = rows_[abstract.id], list(Alternating.facets(len(abstract.ends)))
        assert (row["abstract_ends"], row["abstract_facets"]) == (abstract.ends, facets)
        begins = [0, *abstract.ends]
        for facet in FACETS:
            sentences = [
                abstract.text[begin:end]
                for begin, end, expected_facet in zip(begins, abstract.ends, facets, strict=False)
                if expected_facet == facet
            ]
            assert row[f"abstract_{facet}"] == "".join(sentences).strip()
        assert (row["split_source"], row["split_run"]) == ("model", "split-a")
        assert row["abstract"] == abstract.text
    for name in ("blank", "none"):
        assert [rows_[f"doi:10.1/{name}"][column] or None for column in WRITTEN] == [None] * 7
    assert (result.papers, result.abstracts, result.without_abstract, result.written) == (
        11,
        9,
        2,
        9,
    )
    assert result.sources == {"model": 5, "headings": 4}
    assert sum(result.sentences.values()) == sum(len(abstract.ends) for abstract in ABSTRACTS)
    assert store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist() == ["split-a"]


def test_headings_decide_and_the_splitter_labels_the_rest(store: GraphStore) -> None:
    result = label(fill(store, ABSTRACTS), Alternating())
    rows_ = rows(store)
    for abstract in ABSTRACTS[5:8]:
        assert rows_[abstract.id]["abstract_facets"] == abstract.heading_facets
        assert [rows_[abstract.id][f"abstract_{facet}"] for facet in FACETS] == list(abstract.parts)
    headed = rows_[HEADED.id]
    assert headed["abstract_facets"] == ["background", "method", "result", "background"]
    assert headed["abstract_background"] == "Rice is old. NCT 12."
    assert (headed["split_source"], headed["split_run"]) == ("headings", "split-a")
    assert result.unmapped == 1


def test_a_second_run_writes_nothing(store: GraphStore) -> None:
    fill(store, [*ABSTRACTS, MainAbstract("doi:10.1/one", "All of it.")])
    first = label(store, RuleSplitter())
    before = rows(store)
    only = [before["doi:10.1/one"][f"abstract_{facet}"] for facet in FACETS]
    assert sorted(only) == ["", "", "All of it."]
    again = label(store, RuleSplitter())
    assert (again.written, rows(store)) == (0, before)
    assert (again.sources, again.sentences) == (first.sources, first.sentences)
    other = label(store, Alternating())
    assert other.written == len(ABSTRACTS) + 1
    label(store, RuleSplitter())
    assert rows(store) == before


def test_a_stopped_labelling_continues(store: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.text.abstracts.label._BATCH", 2)
    fill(store, ABSTRACTS)
    messages: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        label(store, Alternating(fails_after=4), progress=messages.append)
    assert messages == ["labelling: 2 of 9 papers", "labelling: 4 of 9 papers"]
    done = [row["id"] for row in rows(store).values() if row["split_run"]]
    assert len(done) == 4
    again = Alternating(fails_after=2)  # the remaining papers without headings
    result = label(store, again)
    assert (result.written, result.abstracts) == (5, 9)
    whole = rows(store)
    label(store, RuleSplitter())
    label(store, Alternating())
    assert rows(store) == whole


SLOWLY = """
import sys, time
from citescape.store.graph_store import open_store
from citescape.text.abstracts import label as labelling
from citescape.text.abstracts.rules import RuleSplitter

def report(text):
    print(text, flush=True)
    time.sleep(0.1)

labelling._BATCH = 2
labelling.label(open_store(sys.argv[1]), RuleSplitter(), progress=report)
"""


def test_a_killed_labelling_continues(tmp_path: Path) -> None:
    """Killed within its batches, the same command completes the work as if undisturbed."""
    paths = [str(tmp_path / name / "s.lbug") for name in ("killed", "quiet")]
    for path in paths:
        Path(path).parent.mkdir()
        fill(open_store(path), [*ABSTRACTS, *(unstructured(k) for k in range(20, 40))]).close()
    with subprocess.Popen([sys.executable, "-c", SLOWLY, paths[0]], stdout=-1) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"labelling: 2 of 29 papers\n"
        program.kill()
    killed, quiet = (open_store(path) for path in paths)
    done = [row["id"] for row in rows(killed).values() if row["split_run"]]
    assert 2 <= len(done) < 29
    assert {row["split_run"] for row in rows(killed).values()} - {None} == {
        RuleSplitter().record.id
    }
    nodes = "MATCH (r:Run) RETURN r.id AS id"
    assert killed.read(nodes)["id"].to_pylist() == [RuleSplitter().record.id]
    result = label(killed, RuleSplitter())
    assert (result.written, result.abstracts) == (29 - len(done), 29)
    label(quiet, RuleSplitter())
    assert rows(killed) == rows(quiet)
    assert killed.read(nodes).equals(quiet.read(nodes))
    killed.close()
    quiet.close()


def test_a_split_of_another_run_is_replaced(store: GraphStore) -> None:
    """Same as abstracts of an LLM that fell back."""

    class Failing(Alternating):
        def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
            own = super().__call__(abstracts)
            return [
                FacetLabels(x.facets, "rules", "split-rules") if k % 2 else x
                for k, x in enumerate(own)
            ]

    fill(store, ABSTRACTS[:5])
    first = label(store, Failing("split-llm"))
    assert (first.fell_back, first.sources) == (2, {"model": 3, "rules": 2})
    second = label(store, Alternating("split-llm", fails_after=2))
    assert (second.written, second.fell_back, second.sources) == (2, 0, {"model": 5})


def test_a_reloaded_paper_is_split_again(store: GraphStore, tmp_path: Path) -> None:
    def paper(number: int, text: str) -> bytes:
        front = b"<abstract><p>%s</p></abstract><kwd-group>" % text.encode()
        return jats(number, title=f"On plant {number}").replace(b"<kwd-group>", front, 1)

    papers = [paper(1, "Rice is old. It grew."), paper(2, "Oats are old. They grew.")]
    paths = write_files(tmp_path / "in", papers)
    load(store, tmp_path / "in")
    label(store, Alternating())
    before = rows(store)
    assert [row["abstract_ends"] for row in before.values()] == [[13, 21], [14, 24]]
    paths[0].write_bytes(paper(1, "Rice is new."))
    load(store, tmp_path / "in")
    after = rows(store)
    corrected, untouched = sorted(after)
    assert after[untouched] == before[untouched]
    assert after[corrected]["abstract"] == "Rice is new."
    assert [after[corrected][column] or None for column in WRITTEN] == [None] * 7
    result = label(store, Alternating())
    assert (result.written, rows(store)[corrected]["abstract_ends"]) == (1, [12])


def test_a_store_without_abstracts_is_reported(store: GraphStore) -> None:
    with pytest.raises(StoreError, match=r"holds no abstract.*platform ingest PATH"):
        label(fill(store, ["doi:10.1/none"]), RuleSplitter())


def test_a_text_of_100k_characters_is_labelled(store: GraphStore) -> None:
    text = "Rice (Oryza sativa) grew by 3.5%. " * 3000
    result = label(fill(store, [MainAbstract("doi:10.1/long", text)]), RuleSplitter())
    row = rows(store)["doi:10.1/long"]
    assert row["abstract_ends"] == list(range(34, len(text) + 1, 34))
    assert sum(result.sentences.values()) == 3000
    kept = sum(row[f"abstract_{facet}"].count("Rice") for facet in FACETS)
    assert kept == 3000
