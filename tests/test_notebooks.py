"""Every notebook runs from top to bottom in an empty folder; what is saved in it is fit to read."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
_MACHINE = re.compile(r"/tmp/|/home/|/root/|/Users/|/work/|[A-Z]:\\\\")


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
    assert all(re.fullmatch(r"\d\d_\w+", path.stem) for path in NOTEBOOKS)


def test_it_runs_in_an_empty_folder(notebook: Path, tmp_path: Path) -> None:
    read = nbformat.read(notebook, as_version=4)
    place = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(read, timeout=300, kernel_name="python3", resources=place).execute()


def test_it_calls_the_library_and_defines_nothing(notebook: Path) -> None:
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code":
            assert not re.search(r"^\s*(def|class|lambda)\b", cell.source, re.MULTILINE)


def test_it_is_saved_with_outputs_and_without_traces_of_a_machine(notebook: Path) -> None:
    nbformat.validate(nbformat.read(notebook, as_version=4))
    text = notebook.read_text(encoding="utf-8")
    assert not _MACHINE.search(text.replace("image/png", ""))
    assert "image/png" in text or "image/svg+xml" in text
    assert '"output_type": "error"' not in text
    assert len(text) < 300_000
