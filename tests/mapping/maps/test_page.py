"""The page of a map: contents and security. `tests/server/pages` shows it to a browser."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode, b64encode
from hashlib import sha256

import pytest
from lxml import html

pytest.importorskip("matplotlib")

from citescape.mapping.maps.atlas import Atlas
from citescape.mapping.maps.overlays import paint
from citescape.mapping.maps.packing import order_papers, pack_points, pack_texts
from citescape.mapping.maps.page import build_page
from tests.mapping.maps.packed import read_texts
from tests.mapping.maps.points import HOSTILE, make_atlas

MODULE = '<script type="module">'


def pack(atlas: Atlas) -> tuple[bytes, bytes]:
    order = order_papers(atlas)
    return pack_points(atlas, paint(atlas), {}, order), pack_texts(atlas, order)


def unpack(page: str, name: str) -> bytes:
    found = re.search(f'<script type="application/octet-stream" id="{name}">([^<]*)</script>', page)
    assert found
    return gzip.decompress(b64decode(found[1], validate=True))


def test_the_page_holds_both_files() -> None:
    points, texts = pack(make_atlas())
    page = build_page(points, texts)
    assert unpack(page, "points") == points
    assert unpack(page, "texts") == texts


def test_hostile_titles_are_escaped() -> None:
    atlas = make_atlas(titles=HOSTILE, labels=[HOSTILE[k % 7] for k in range(12)])
    plain = build_page(*pack(make_atlas()))
    page = build_page(*pack(atlas))
    assert set(read_texts(unpack(page, "texts"), "title")) == set(HOSTILE)
    for text in HOSTILE:
        assert page.count(text) == plain.count(text)
    assert page.count("<script") == plain.count("<script")
    hostile = build_page(*pack(atlas), title=HOSTILE[0])
    assert HOSTILE[0] not in hostile
    assert html.fromstring(hostile).findtext(".//title") == HOSTILE[0]


def test_the_page_loads_nothing_from_the_network() -> None:
    document = html.fromstring(build_page(*pack(make_atlas())))
    for name in ("src", "href", "srcset", "action", "poster", "data"):
        assert not document.xpath(f"//@{name}")
    style = document.findtext(".//style")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_only_the_own_style_and_script() -> None:
    page = build_page(*pack(make_atlas()))
    document = html.fromstring(page)
    (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert set(rules) == {
        *("default-src", "script-src", "style-src", "img-src", "base-uri", "form-action")
    }
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    script = re.search(f"{MODULE}(.*?)</script>", page, re.DOTALL)
    assert style
    assert script
    for name, text in (("style-src", style[1]), ("script-src", script[1])):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert not document.xpath("//@style|//@onclick|//@onload")


def test_the_script_ends_where_it_ends() -> None:
    """Neither an end of a script nor the start of a comment is within it."""
    page = build_page(*pack(make_atlas()))
    script = page[page.index(MODULE) + len(MODULE) : page.rindex("</script>")]
    assert "</script" not in script
    assert "<!--" not in script
    assert len(script) > 100_000


def test_the_page_names_its_language_and_says_what_it_needs() -> None:
    document = html.fromstring(build_page(*pack(make_atlas())))
    assert document.get("lang") == "en"
    assert "Allow scripts" in document.xpath("string(//noscript)")


def test_the_licences_of_libraries_are_in_the_page() -> None:
    page = build_page(*pack(make_atlas()))
    for name in ("@cosmos.gl/graph", "@luma.gl/core", "preact", "MIT License"):
        assert name in page
    assert "@codemirror/view" not in page  # a library of another page


def test_the_same_atlas_gives_the_same_page() -> None:
    assert build_page(*pack(make_atlas())) == build_page(*pack(make_atlas()))
