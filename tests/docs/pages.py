"""The pages that people read, and the blocks of code in them."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^( *)(`{3,})(\{?[\w:-]*\}?)[^\n]*\n(.*?)^\1\2$", re.MULTILINE | re.DOTALL)
_GENERATED = ("reference/commands", "reference/python", "notebooks", "_build")
LANGUAGES = ("python", "bash", "sh", "console", "cypher")
"""Languages of blocks that tests run."""
_MARK = re.compile(r"<!-- (setup|not run|run by): ([^\n]+) -->\s*\Z")


@dataclass(frozen=True)
class Block:
    """A block of code in a page."""

    page: Path
    line: int
    language: str
    text: str
    not_run: str = ""
    """Why no test runs it: `<!-- not run: REASON -->` on the line before it."""
    run_by: str = ""
    """The test of its own that runs it: `<!-- run by: PATH -->`."""
    setup: str = ""
    """Commands that the page takes for granted, run before it: `<!-- setup: COMMANDS -->`."""

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


def list_made_blocks(*languages: str) -> Iterator[Block]:
    """The same of pages that are made from the code.

    Examples in help texts are not among them: their names and options are checked.
    """
    for name, text in made_pages().items():
        if not name.startswith("reference/commands/"):
            yield from split_page(DOCS / name, text, *languages)


def split_page(page: Path, text: str, *languages: str) -> Iterator[Block]:
    """Blocks of code of one page."""
    for found in _FENCE.finditer(text):
        if found[3] in languages:
            before = text[: found.start()]
            mark = _MARK.search(before)
            marks = {mark[1].replace(" ", "_"): mark[2]} if mark else {}
            yield Block(page, before.count("\n") + 1, found[3], dedent(found[4]), **marks)


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
