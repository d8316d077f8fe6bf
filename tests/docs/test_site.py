"""The site builds without warnings and without a network, and loads nothing from elsewhere."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT

NEEDS = ("sphinx", "myst_nb", "furo")
MISSING = [name for name in NEEDS if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.filterwarnings("ignore:.* is deprecated"),  # warnings of Sphinx about calls of MyST
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once as by `make docs`, but in this process, which is faster."""
    from sphinx.cmd.build import build_main

    folder = tmp_path_factory.mktemp("docs") / "html"
    words = ["-W", "--keep-going", "--quiet", "-b", "html", str(DOCS), str(folder)]
    path, errors = [*sys.path], io.StringIO()
    with no_network(), contextlib.redirect_stderr(errors):
        status = build_main(words)
    sys.path[:] = path
    assert status == 0, errors.getvalue()
    return folder


@contextlib.contextmanager
def no_network() -> Iterator[None]:
    """A connection to another machine is an error."""

    def refuse(*_arguments: object) -> None:
        raise AssertionError("the site is built with a network connection")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        yield


def test_every_page_exists(site: Path) -> None:
    names = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert {
        "index.html",
        "quickstart.html",
        "guides/text.html",
        "reference/commands/score.html",
        "reference/python/index.html",
        "reference/cookbook.html",
        "notebooks/01_ingest_and_ask.html",
    } <= names


def test_no_page_loads_anything_from_another_server(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"([^\"]+)\"", text)
        loaded += re.findall(r"<link\b[^>]*\brel=\"stylesheet\"[^>]*\bhref=\"([^\"]+)\"", text)
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], page.name
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"@import[^;]*https?:|url\(['\"]?https?:", text), sheet.name


def test_a_widget_is_shown_by_its_saved_form(site: Path) -> None:
    page = (site / "notebooks" / "07_explore_edges.html").read_text(encoding="utf-8")
    assert 'src="data:image/svg+xml;base64,' in page
    assert "title of the cited work" in page


def test_pages_contain_no_local_paths(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert str(ROOT) not in page.read_text(encoding="utf-8"), page.name


def test_the_schema_picture_has_every_label_and_relationship(site: Path) -> None:
    from citescape.store.schema import RELS

    (picture,) = site.rglob("graph.svg")
    text = picture.read_text(encoding="utf-8")
    assert "graph.svg" in (site / "schema.html").read_text(encoding="utf-8")
    for rel in RELS:
        assert {f">{name}<" in text for name in (rel.name, rel.source, rel.target)} == {True}
