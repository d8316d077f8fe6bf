"""Hostile and damaged files: one clear line each, and no exception except `SourceError`."""

from __future__ import annotations

import hashlib
import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.loaders import xml
from citescape.loaders.jats import read_jats
from tests.loaders.articles import article, cite, is_balanced

VALID = article(
    f"<sec sec-type='intro'><title>Introduction</title><p>Seen [{cite(1)}-{cite(4)}].</p>"
    f"<table-wrap><table><tr><td>1</td><td>{cite(2)}</td></tr></table></table-wrap></sec>",
    meta="<abstract><p>Rice.</p></abstract><pub-date><year>2019</year></pub-date>",
)

BILLION_LAUGHS = b"""<!DOCTYPE article [
<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;">
]><article><front/><body><p>&e;&e;&e;&e;</p></body></article>"""
EXTERNAL = b"""<!DOCTYPE article [<!ENTITY x SYSTEM "%s">]>
<article><front/><body><p>&x;</p></body></article>"""
PARAMETER = b"""<!DOCTYPE article [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>
<article><front/><body><p>a</p></body></article>"""


def reason(data: bytes) -> str:
    """Reason why a file is refused; the message must be one line that names the file."""
    with pytest.raises(SourceError) as caught:
        read_jats(data, "bad.xml")
    message = str(caught.value)
    assert message.startswith("bad.xml: ")
    assert "\n" not in message
    assert len(message) < 300
    return caught.value.reason


REFUSED = {
    "no bytes": (b"", "empty"),
    "blanks": (b"  \n\t ", "empty"),
    "words": (b"plain words", "not-xml"),
    "JSON": (b'{"title": "rice"}', "not-xml"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "not-xml"),
    "gzip": (b"\x1f\x8b\x08\x00\x00\x00", "not-xml"),
    "all bytes": (bytes(range(256)), "not-xml"),
    "NUL bytes": (b"\x00" * 64, "not-xml"),
    "HTML": (b"<!DOCTYPE html><html><body><p>Hello<br></body></html>", "broken-xml"),
    "XHTML": (b"<html><body><p>Hello</p></body></html>", "not-jats"),
    "TEI": (b"<TEI xmlns='http://www.tei-c.org/ns/1.0'><text/></TEI>", "not-jats"),
    "HTML article": (b"<article><h1>Not this kind of article</h1></article>", "not-jats"),
    "half": (VALID[: len(VALID) // 2], "broken-xml"),
    "last bytes missing": (VALID[:-3], "broken-xml"),
    "NUL inside": (VALID.replace(b"<p>Rice", b"<p>Ri\x00ce"), "broken-xml"),
    "not UTF-8": (VALID.replace(b"<p>Rice", b"<p>Ri\xff\xfece"), "broken-xml"),
    "undeclared name": (VALID.replace(b"<p>Rice", b"<p>&undeclared;"), "broken-xml"),
    "attribute": (VALID.replace(b"rid=", b"rid"), "broken-xml"),
    "100,000 levels": (b"<article>" * 100_000 + b"</article>" * 100_000, "broken-xml"),
    "billion laughs": (BILLION_LAUGHS, "declares-entities"),
    "local file": (EXTERNAL % b"file:///etc/passwd", "declares-entities"),
    "network": (EXTERNAL % b"http://127.0.0.1:9/x", "declares-entities"),
    "parameter entity": (PARAMETER, "declares-entities"),
    "articles in a wrapper": (
        b"<pmc-articleset>" + VALID * 2 + b"</pmc-articleset>",
        "several-articles",
    ),
    "unknown encoding": (b'<?xml version="1.0" encoding="none"?>' + VALID, "broken-xml"),
}


@pytest.mark.parametrize(("data", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_hostile_files_are_refused_in_one_line(data: bytes, expected: str) -> None:
    assert reason(data) == expected


def test_an_external_dtd_is_never_fetched(tmp_path: Path) -> None:
    dtd = tmp_path / "evil.dtd"
    dtd.write_text('<!ENTITY alpha "LEAKED">')
    data = f'<!DOCTYPE article SYSTEM "{dtd.as_uri()}">'.encode() + VALID.replace(
        b"<p>Rice", b"<p>&alpha;"
    )

    assert read_jats(data, "p.xml").abstract == "α."


def test_unknown_named_characters_stay_readable() -> None:
    data = b'<!DOCTYPE article SYSTEM "x.dtd">' + VALID.replace(b"<p>Rice", b"<p>&nosuchname;")

    assert read_jats(data, "p.xml").abstract == "&nosuchname;."


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_without_a_declaration_are_detected(encoding: str) -> None:
    text = VALID.decode().replace("Rice", "Río\ufdd0")
    if encoding.startswith("utf-16-"):
        text = "<?xml version='1.0'?>" + text

    assert read_jats(text.encode(encoding), "p.xml").abstract == "Río."


def test_a_declared_encoding_is_followed() -> None:
    data = "<?xml version='1.0' encoding='iso-8859-1'?>" + VALID.decode().replace("Rice", "Río")

    assert read_jats(data.encode("latin-1"), "p.xml").abstract == "Río."


MARKS = "\ufdd0E\ufdd1\ufdd2\ufdd0S\ufdd0R9;\ufdef"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "utf-16", "utf-16-le", "utf-32"])
def test_internal_markers_in_a_file_are_removed_in_any_encoding(encoding: str) -> None:
    def written(marks: str) -> bytes:
        text = VALID.decode().replace("Seen", f"Se{marks}en").replace("Rice", f"Ri{marks}ce")
        return f"<?xml version='1.0' encoding='{encoding}'?>{text}".encode(encoding)

    paper = read_jats(written(MARKS), "p.xml")
    without = read_jats(written("ESR9;"), "p.xml")
    assert paper == replace(without, sha256=paper.sha256)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "gb18030"])
def test_latex_is_removed_in_any_encoding(encoding: str) -> None:
    text = VALID.decode().replace("Rice", "Rice<tex-math>x^2</tex-math>")
    data = f"<?xml version='1.0' encoding='{encoding}'?>{text}".encode(encoding)

    assert read_jats(data, "p.xml").abstract == "Rice."


def test_a_wrong_encoding_declaration_is_refused() -> None:
    data = b"<?xml version='1.0' encoding='ascii'?>" + VALID.replace(b"Rice", "Río".encode())

    assert reason(data) == "broken-xml"


def test_size_is_checked_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "MAX_BYTES", len(VALID) - 1)

    assert reason(VALID) == "too-large"


def test_the_message_for_a_large_file_names_both_sizes() -> None:
    assert str(xml.too_large("a.xml", 1_000_000_000)) == (
        "a.xml: 1,000 MB; an article of more than 100 MB is refused"
    )


def test_a_text_too_long_for_libxml2_is_refused() -> None:
    assert reason(VALID.replace(b"Rice", b"x" * 10_000_001)) == "broken-xml"


def test_comments_and_processing_instructions_are_skipped() -> None:
    data = VALID.replace(b"Rice", b"Ri<!-- not this --><?nor this?>ce")

    assert read_jats(data, "p.xml").abstract == "Rice."


@pytest.mark.parametrize("space", [b"\n", b" \r\n\t", b"\xef\xbb\xbf\n"])
def test_white_space_before_the_declaration_is_skipped(space: bytes) -> None:
    data = space + b'<?xml version="1.0" encoding="UTF-8"?>' + article("<p>Rice</p>")
    paper = read_jats(data, "paper.xml")

    assert paper.sections[0].opening == "Rice"
    assert paper.sha256 == hashlib.sha256(data).hexdigest()


def test_cdata_is_text() -> None:
    assert read_jats(VALID.replace(b"Rice", b"<![CDATA[a < b]]>"), "p.xml").abstract == "a < b."


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Deletes, duplicates, moves or overwrites a few parts."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data))
        end = min(start + chance.choice((1, 2, 8, 60)), len(data))
        piece = data[start:end]
        other = chance.choice((b"", piece * 2, b"<", b"&", b'"', b"\x00", b"<p>", b"</sec>", b"]"))
        data = data[:start] + other + data[end:]
        at = chance.randrange(len(data) + 1)
        if chance.random() < 0.3:
            data = data[:at] + piece + data[at:]
        data = data or b"<"
    return data


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_mutated_files_raise_only_source_errors(seed: int) -> None:
    paper = None
    with suppress(SourceError):
        paper = read_jats(mutate(VALID, random.Random(seed)), "p.xml")

    assert paper is None or is_balanced(paper)


TAGS = st.sampled_from(
    ["p", "sec", "title", "label", "xref", "fig", "caption", "table-wrap", "table", "tr", "td",
     "list", "list-item", "fn", "boxed-text", "ref-list", "ref", "mixed-citation", "sup", "break",
     "disp-formula", "tex-math", "name", "surname", "collab", "contrib-group", "back", "body",
     "abstract", "sub-article", "floats-group", "app-group", "notes"]
)  # fmt: skip
TEXTS = st.sampled_from(
    ["", " ", "Rice. ", "1", "-", "[", "]", "\n  ", "C", "\u00a0.", "\u2009", "é", "1–9999",
     "&#xFDD0;", "\ufdd1E", "\ufdd2", "10.1000/1", ")"]
)  # fmt: skip
TREES = st.recursive(
    TEXTS,
    lambda inside: st.tuples(TAGS, st.lists(inside, max_size=4), TEXTS).map(
        lambda t: f'<{t[0]} rid="B1" id="B1" ref-type="bibr">{"".join(t[1])}</{t[0]}>{t[2]}'
    ),
    max_leaves=40,
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(TREES, TREES, TREES)
def test_any_nesting_of_known_elements_is_read(meta: str, body: str, back: str) -> None:
    paper = read_jats(article(body, meta=meta, back=back), "p.xml")

    assert is_balanced(paper)
    positions = [o.position for o in paper.occurrences if o.position is not None]
    assert positions == sorted(positions)
    assert all(0 <= position <= 1 for position in positions)
