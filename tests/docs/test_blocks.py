"""Every block of code in README and docs runs, page by page, or states why it does not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import citescape
from tests.conftest import empty_neo4j
from tests.docs.pages import DOCS, LANGUAGES, ROOT, Block, list_blocks, list_generated_blocks
from tests.docs.reader import Reader

BLOCKS = [*list_blocks(*LANGUAGES), *list_generated_blocks(*LANGUAGES)]
NOT_RUN = {
    "installs packages": 2,
    "sets up an environment; `make test` is what runs these blocks": 3,
    "needs Slurm": 1,
    "needs Docker": 2,
    "needs cypher-shell": 1,
    "needs a manuscript": 1,
    "needs such papers": 2,
    "needs the data of SciDocs": 1,
    "needs SciDocs and two encoders": 1,
    "needs such a paper": 1,
    "needs such a list": 1,
    "needs such a collection": 1,
    "serves until it is stopped": 2,
    "answers until its client ends": 1,
}
"""Reason for not running a block -> number of such blocks."""
LOCAL_NEO4J = "bolt://localhost:7687"


def group_pages() -> dict[Path, list[Block]]:
    """Blocks to run, in order, by page."""
    pages: dict[Path, list[Block]] = {}
    for block in BLOCKS:
        if not block.not_run and not block.run_by:
            pages.setdefault(block.page, []).append(block)
    return pages


PAGES = group_pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_blocks_of_a_page_run_in_order(
    page: Path, reader: Reader, request: pytest.FixtureRequest
) -> None:
    blocks = PAGES[page]
    if page.name == "own-vectors.md":
        from tests.docs.own_model import OwnModel

        reader.names["model"] = OwnModel()
    if any(LOCAL_NEO4J in block.text and block.language != "python" for block in blocks):
        uri = request.getfixturevalue("neo4j_server").uri
        empty_neo4j(uri)
        reader.replaced = {LOCAL_NEO4J: uri}
    with citescape.open("citescape.lbug") as corpus:  # for pages with calls but without `open`
        reader.names["corpus"] = corpus
        for block in blocks:
            reader.read(block)


def test_every_block_runs_or_states_why_it_does_not() -> None:
    assert Counter(block.not_run for block in BLOCKS if block.not_run) == NOT_RUN
    for block in BLOCKS:
        assert not block.run_by or (ROOT / block.run_by).is_file(), f"{block}: {block.run_by}"


def test_code_blocks_name_their_language() -> None:
    """Blocks without a language would not run; `text` is for output and usage."""
    for block in list_blocks(""):
        pytest.fail(f"{block}: a block without a language")


def test_most_blocks_run() -> None:
    own = [block for block in BLOCKS if not block.run_by]
    assert sum(map(len, PAGES.values())) >= 0.9 * len(own)
    assert {ROOT / "README.md", DOCS / "quickstart.md", DOCS / "guides" / "neo4j.md"} <= {*PAGES}
