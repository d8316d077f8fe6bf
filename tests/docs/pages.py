"""The pages that people read, and the blocks of code in them."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^(`{3,})(\{?[\w:-]*\}?)[^\n]*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_GENERATED = ("reference/commands", "reference/python", "notebooks", "_build")
RUN = "<!-- run -->"
"""Stands on the line before a block of Python that tests run."""


@dataclass(frozen=True)
class Block:
    """A block of code in a page."""

    page: Path
    line: int
    language: str
    text: str
    runs: bool

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def list_pages() -> list[Path]:
    """Markdown files at the top and below `docs/`, without those that are made from the code."""
    below = [
        path
        for path in DOCS.rglob("*.md")
        if not path.relative_to(DOCS).as_posix().startswith(_GENERATED)
        and path != DOCS / "reference" / "cookbook.md"
    ]
    return sorted([*ROOT.glob("*.md"), *below])


def list_current_pages() -> list[Path]:
    """Pages on the program as it is: the changelog names commands that have moved."""
    return [path for path in list_pages() if path.name != "CHANGELOG.md"]


def list_blocks(*languages: str) -> Iterator[Block]:
    """Blocks of code in these languages."""
    for page in list_pages():
        yield from split_page(page, page.read_text(encoding="utf-8"), *languages)


def split_page(page: Path, text: str, *languages: str) -> Iterator[Block]:
    """Blocks of code of one page."""
    for found in _FENCE.finditer(text):
        if found[2] in languages:
            before = text[: found.start()]
            runs = before.rstrip().endswith(RUN)
            yield Block(page, before.count("\n") + 1, found[2], found[3], runs)


def import_code(code: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of a block, written to `path` and imported for the length of a test."""
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module


def without_blocks(text: str) -> str:
    """A page without its blocks of code."""
    return _FENCE.sub("", text)


def made_pages() -> dict[str, str]:
    """Pages that are made from the code, by path below `docs/`."""
    folder = str(DOCS / "_ext")
    sys.path.insert(0, folder)
    try:
        import pages_of_commands
        import pages_of_cypher
        import pages_of_python
    finally:
        sys.path.remove(folder)
    pages: dict[str, str] = pages_of_commands.make_pages() | pages_of_python.make_pages()
    notebooks = {f"notebooks/{path.name}": "" for path in (ROOT / "notebooks").glob("*.ipynb")}
    return {**pages, **notebooks, "reference/cookbook.md": pages_of_cypher.make_page()}
