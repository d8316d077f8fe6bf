"""Links, pictures and paths in README and docs have a target."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, generated_pages, list_pages, without_blocks

LINK = re.compile(r"\]\(([^)\s]+)\)")
TOP = "tests|benchmarks|docs|cypher|loaders|notebooks|platform/citescape"
PATH = re.compile(rf"`((?:{TOP})/[\w/.*-]*)`")
EXAMPLES = {"loaders/json_lines.py", "loaders/NAME.py"}
"""Files that a reader creates."""


@pytest.fixture(scope="module")
def anchors() -> dict[Path, set[str]]:
    """Anchors of the headings of all pages."""
    texts = {path: path.read_text(encoding="utf-8") for path in list_pages()}
    texts |= {DOCS / name: text for name, text in generated_pages().items()}
    return {path: {slug(line) for line in headings(text)} for path, text in texts.items()}


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", without_blocks(text), re.MULTILINE)


def slug(heading: str) -> str:
    """The anchor of a heading in GitHub and MyST."""
    kept = re.sub(r"[^\w\s-]", "", heading.lower().strip())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("page", list_pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_targets_of_links_exist(page: Path, anchors: dict[Path, set[str]]) -> None:
    for link in LINK.findall(without_blocks(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, heading = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists() or target in anchors, f"{link}: no such file"
        if heading:
            assert heading in anchors[target], f"{link}: no such heading"


@pytest.mark.parametrize("page", list_pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_of_the_repository_exist(page: Path) -> None:
    for path in PATH.findall(page.read_text(encoding="utf-8")):
        if path not in EXAMPLES and not path.startswith("docs/_build"):
            assert [*ROOT.glob(path.rstrip("/"))], f"{path}: no such file"
