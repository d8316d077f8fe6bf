from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import CitescapeError, ConfigError, SourceError
from citescape.recommend.drafts.draft import DraftPlace, read_draft
from citescape.recommend.drafts.marks import MARKERS


@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("text", ["Rust spreads {}.", "\\section{{A}} Rust spreads {}."])
def test_markers_are_found_in_any_text(marker: str, text: str) -> None:
    (place,) = read_draft(text.format(marker)).places
    assert (place.sentence, place.marker) == ("Rust spreads.", marker)


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("It grew. Smith et al. measured rust, e.g. in Fig. 3", "measured rust, e.g. in Fig. 3."),
        ("It grew. Of T. aestivum approx. 5% grew", "Of T. aestivum approx. 5% grew."),
        ("It grew.\nOver two\nlines it grew", "Over two lines it grew."),
        ("It grew [3]. (As it did [4].) It", "It."),
    ],
)
def test_the_sentence_around_a_marker(before: str, sentence: str) -> None:
    (place,) = read_draft(f"{before} [?]. Next one.").places
    assert place.sentence.endswith(sentence)
    assert "It grew" not in place.sentence.replace(sentence, "")


def test_a_marker_without_a_sentence_is_reported() -> None:
    found = read_draft("Rust spreads [?].\n\n[?]\n\n(12) [CITE].")
    assert len(found.places) == 1
    assert found.notes == (
        "line 3: [?] is not in a sentence; skipped",
        "line 5: [CITE] is not in a sentence; skipped",
    )


@pytest.mark.parametrize("suffix", [".txt", ".md", ".tex"])
def test_each_marked_place_of_a_sentence_is_a_query(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"draft{suffix}"
    path.write_text("Rust [?]\nspreads [?,?], too [CITE]. It grows [?; ?].")
    assert read_draft(path).places == (
        DraftPlace(1, "Rust spreads, too.", "[?]", "", "", "Rust"),
        DraftPlace(2, "Rust spreads, too.", "[?,?]", "", "", "spreads"),
        DraftPlace(2, "Rust spreads, too.", "[CITE]", "", "", "too."),
        DraftPlace(2, "It grows.", "[?; ?]", ""),
    )
    rust, mould = read_draft(r"Rust \cite{} and mould \citep{TODO} grow.").places
    assert (rust.marker, rust.part) == (r"\cite{}", "Rust")
    assert (mould.marker, mould.part) == (r"\citep{TODO}", "and mould grow.")
    (both,) = read_draft(r"Rust grows \cite{}, \citep{TODO} and [?].").places
    assert (both.marker, both.part) == (r"\cite{}, \citep{TODO}, [?]", "")


def test_an_error_without_markers_lists_all_markers(tmp_path: Path) -> None:
    path = tmp_path / "draft.md"
    path.write_text("Rust spreads [12].")
    with pytest.raises(ConfigError) as failed:
        read_draft(path)
    assert str(failed.value) == (
        f"{path} has no marker; expected a marker in a sentence that needs a citation: [?], "
        "[CITE], [citation needed], [@?], TARGETCIT, in LaTeX also \\cite{}, \\cite{?}, "
        "\\cite{TODO} or \\todo{cite}"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; expected a manuscript"),
        (b" \n\n", "is empty; expected a manuscript"),
        (b"%PDF-1.7 \x00", "found a PDF file; expected text: convert it with pdftotext"),
        (b"PK\x03\x04\x00", "found a compressed file, such as one of a word processor"),
        (b"{\\rtf1 x}", "found a file of a word processor"),
        (b"\x00\x01\x02", "found binary data; expected UTF-8"),
        (b"Rust\nM\xfcller [?].", "line 2 is not UTF-8; save it as UTF-8, for example with iconv"),
        (b"<!DOCTYPE html><html>Rust [?]</html>", "is a web page; expected LaTeX, Markdown"),
        (b"\xff\xfeR\x00u\x00", "has no marker"),
        (b"\xff\xfeR\x00u\x00s", "line 1 is not UTF-16"),
    ],
)
def test_files_that_are_no_drafts_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(data)
    with pytest.raises((SourceError, ConfigError), match=str(path)) as failed:
        read_draft(path)
    assert message in str(failed.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.tex", tmp_path):
        with pytest.raises(ConfigError, match=r"cannot be read: .*; expected a file"):
            read_draft(path)


def test_too_long_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "draft.txt"
    with path.open("wb") as sink:
        sink.truncate(20_000_001)
    with pytest.raises(SourceError, match="found 20,000,001 bytes; expected at most 20,000,000"):
        read_draft(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_are_detected(tmp_path: Path, encoding: str, end: str) -> None:
    text = "Title\n\nMu\u0308ller\x07s rust\u200b spreads [?].\n"
    path = tmp_path / "draft.txt"
    path.write_bytes(text.replace("\n", end).encode(encoding))
    found = read_draft(path)
    assert [(place.line, place.sentence) for place in found.places] == [
        (3, "Müllers rust spreads.")
    ]


@pytest.mark.parametrize("start", ["", "\\section{A} "])
def test_a_very_long_sentence_is_cut_around_its_marker(start: str) -> None:
    text = "a " * 25_000 + "needle [?] here" + " b" * 25_000
    (place,) = read_draft(start + text).places
    assert len(place.sentence) <= 2_000
    assert "needle here" in place.sentence


def test_a_very_long_word_is_no_sentence() -> None:
    with pytest.raises(ConfigError, match="is not in a sentence"):
        read_draft("x" * 50_000 + "[?]")


SIGNS = ("\\", "{", "}", "[", "]", "$", "%", "#", "@", "\n", "\n\n", "<", "`", "*", "_", "&", "~")
COMMANDS = ("\\cite{?}", "\\cite{", "\\begin{", "\\section{", "\\input{x}")
WORDS = (*SIGNS, *COMMANDS, "[?]", "| ", "rust ", ". ")


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=30).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_draft(text)
    except CitescapeError:
        return
    for place in found.places:
        assert 1 <= place.line <= len(text.splitlines()) + 1
        assert any(map(str.isalpha, place.sentence))
        assert place.sentence == " ".join(place.sentence.split())
