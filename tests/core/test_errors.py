"""Messages of libraries about unsafe files and their redaction; lists in messages."""

from __future__ import annotations

import io
import json
import os
import pickle
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from scipy.sparse import load_npz

from citescape.core.errors import CitescapeError, library_reason, list_some
from citescape.encoders.files import load_classifier, load_generator, load_transformer
from citescape.encoders.graph_checkpoint import load_checkpoint
from citescape.encoders.graph_tables import EmbeddingTable
from citescape.recommend.profiles import ProfileRun
from citescape.runs.directory import RunRecord
from citescape.search.vectors import read_vectors
from citescape.training.base import read_tokens
from citescape.training.checkpoint import STATE, load_state

ADVICE = ("weights_only", "allow_pickle", "remote_code", "pickle.load", "unsafely", "[y/N]")
PICKLE = "a damaged file, or one of Python objects (pickle), which may run any program"
CODE = "a model with program code of its own, which citescape does not run"
Loader = Callable[[Path], object]


class Program:
    """Runs a command when it is unpickled."""

    def __init__(self, ran: Path) -> None:
        self.ran = ran

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"touch {self.ran}",)


def read_checkpoint(folder: Path, program: object) -> None:
    torch.save({"run": program}, folder / STATE)
    load_state(folder, "train-1")


def read_old_checkpoint(folder: Path, program: object) -> None:
    (folder / STATE).write_bytes(pickle.dumps({"run": program}, protocol=2))
    load_state(folder, "train-1")


def read_graph_checkpoint(folder: Path, program: object) -> None:
    path = folder / "checkpoint-000001-000000001"
    path.mkdir()
    (path / "state.json").write_text(json.dumps({"of": {}, "losses": []}))
    np.save(path / "vectors-0.npy", np.array([program], object), allow_pickle=True)
    load_checkpoint(folder, [EmbeddingTable(torch.zeros(1, 2), torch.zeros(1, 2))], identity={})


def read_vectors_of_objects(folder: Path, program: object) -> None:
    (folder / "vectors.npy").write_bytes(pickle.dumps(program))
    pq.write_table(pa.table({"id": ["a"]}), folder / "papers.parquet")
    read_vectors(folder)


def read_profiles(folder: Path, program: object) -> None:
    (folder / "profiles.npy").write_bytes(pickle.dumps(program))
    record = RunRecord("profile-1", "profile", {}, {"encoder": ""}, counts={"computed": 0})
    ProfileRun(folder, record).profiles  # noqa: B018


def read_token_ids(folder: Path, program: object) -> None:
    (folder / "flat.npy").write_bytes(pickle.dumps(program))
    read_tokens(folder)


def read_weights(folder: Path, program: object) -> None:
    """All other models are read by the same function."""
    write_model(folder, {"model_type": "bert", "architectures": ["BertModel"]})
    torch.save({"embeddings.word_embeddings.weight": program}, folder / "pytorch_model.bin")
    load_transformer(str(folder))


def write_model(folder: Path, config: dict[str, object]) -> None:
    small = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "vocab_size": 9}
    (folder / "config.json").write_text(json.dumps({**small, "intermediate_size": 8, **config}))


def check_silent(error: CitescapeError, capfd: pytest.CaptureFixture[str]) -> None:
    """Message, traceback and output contain no unsafe advice."""
    assert "\n" not in str(error)
    printed = "".join(capfd.readouterr())
    for text in (str(error), "".join(traceback.format_exception(error)), printed):
        own = text.replace("weights_only=True", "").replace("allow_pickle=False", "")
        assert not [word for word in ADVICE if word in own]


@pytest.mark.parametrize(
    "read",
    [
        *(read_checkpoint, read_old_checkpoint, read_graph_checkpoint, read_vectors_of_objects),
        *(read_profiles, read_token_ids, read_weights),
    ],
)
def test_a_file_that_would_run_a_program_is_refused_without_advice_to_run_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], read: Callable[[Path, object], None]
) -> None:
    folder, ran = tmp_path / "files", tmp_path / "ran"
    folder.mkdir()
    with pytest.raises(CitescapeError) as caught:
        read(folder, Program(ran))
    assert str(folder) in str(caught.value)
    if read is not read_vectors_of_objects:
        assert PICKLE in str(caught.value)
    check_silent(caught.value, capfd)
    assert not ran.exists()


@pytest.mark.parametrize("load", [load_transformer, load_classifier, load_generator])
def test_a_model_with_custom_code_is_refused_without_a_prompt(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    load: Callable[[str], object],
) -> None:
    folder, ran = tmp_path / "model", tmp_path / "ran"
    folder.mkdir()
    names = ("AutoConfig", "AutoModel", "AutoModelForSequenceClassification", "AutoTokenizer")
    own = dict.fromkeys((*names, "AutoModelForCausalLM"), "own.Anything")
    write_model(folder, {"model_type": "unheard-of", "auto_map": own})
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w')\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\ny\n"))
    with pytest.raises(CitescapeError) as caught:
        load(str(folder))
    assert CODE in str(caught.value)
    check_silent(caught.value, capfd)
    assert not ran.exists()
    assert sys.stdin.read() == "y\ny\ny\n"


def test_reasons_are_one_line_and_without_advice(tmp_path: Path) -> None:
    np.savez(tmp_path / "objects.npz", format=np.array([{}], object))
    with pytest.raises(ValueError, match="allow_pickle") as caught:
        load_npz(tmp_path / "objects.npz")
    assert library_reason(caught.value).startswith(PICKLE)
    with pytest.raises(ValueError, match="set_int_max_str_digits") as too_long:
        json.loads("1" * 5_000)
    assert library_reason(too_long.value) == "a number of too many digits"
    assert library_reason(ValueError("two\nlines.")) == "two"
    assert library_reason(KeyError()) == "KeyError"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, ""),
        (1, "0"),
        (3, "0, 1, 2"),
        (4, "0, 1, 2 and 1 more"),
        (5000, "0, 1, 2 and 4,997 more"),
    ],
)
def test_long_lists_are_cut_and_counted(count: int, text: str) -> None:
    assert list_some(range(count), 3) == text
