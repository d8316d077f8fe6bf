"""Pages of the documentation, and code blocks in them."""

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
    """Reason why no test runs the block: `<!-- not run: REASON -->` on the line before it."""
    run_by: str = ""
    """The separate test that runs the block: `<!-- run by: PATH -->`."""
    setup: str = ""
    """Commands to run before the block: `<!-- setup: COMMANDS -->`."""

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def list_pages() -> list[Path]:
    """Markdown files at the top and below `docs/`, except generated pages."""
    below = [
        path
        for path in DOCS.rglob("*.md")
        if not path.relative_to(DOCS).as_posix().startswith(_GENERATED)
        and path != DOCS / "reference" / "cookbook.md"
    ]
    return sorted([*ROOT.glob("*.md"), *below])


def list_current_pages() -> list[Path]:
    """Pages about the current program: the changelog names old commands."""
    return [path for path in list_pages() if path.name != "CHANGELOG.md"]


def list_blocks(*languages: str) -> Iterator[Block]:
    """Code blocks in these languages."""
    for page in list_pages():
        yield from split_page(page, page.read_text(encoding="utf-8"), *languages)


def list_generated_blocks(*languages: str) -> Iterator[Block]:
    """Code blocks of generated pages.

    Examples in help texts are excluded: their names and options are checked elsewhere.
    """
    for name, text in generated_pages().items():
        if not name.startswith("reference/commands/"):
            yield from split_page(DOCS / name, text, *languages)


def split_page(page: Path, text: str, *languages: str) -> Iterator[Block]:
    """Code blocks of one page."""
    for result in _FENCE.finditer(text):
        if result[3] in languages:
            before = text[: result.start()]
            mark = _MARK.search(before)
            marks = {mark[1].replace(" ", "_"): mark[2]} if mark else {}
            yield Block(page, before.count("\n") + 1, result[3], dedent(result[4]), **marks)


def import_code(code: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Writes the code of a block to `path` and imports it during a test."""
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module


def without_blocks(text: str) -> str:
    """Text of a page without code blocks."""
    return _FENCE.sub("", text)


def generated_pages() -> dict[str, str]:
    """Generated pages, by path below `docs/`."""
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
