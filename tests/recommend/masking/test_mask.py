"""Masked sentences: examples, generated sentences, and a slice of the crops corpus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citescape.loaders.jats import read_jats
from citescape.loaders.sources import iter_documents
from citescape.recommend.masking.mask import MaskedSentence, mask, strip_placeholders
from citescape.recommend.masking.places import AMBIGUOUS, EXACT, MISSING, CitationMarker

SentenceWithCitations = tuple[str, list[CitationMarker]]


def number(printed: int | str, *surnames: str, year: int | None = None) -> CitationMarker:
    return CitationMarker(f"{printed}", f"w{printed}", surnames, year)


def dated(marker: str, cited: str, *surnames: str, year: int = 2001) -> CitationMarker:
    return CitationMarker(marker, cited, surnames, year)


SMITH = dated("2001", "smith", "Smith", "Lee")
OTHER = dated("2001", "jones", "Jones")


@pytest.mark.parametrize(
    ("text", "citations", "work", "expected"),
    [
        ("Rice grew [3, 7–9].", [number(3), number(7), number(9)], "w7",
         "Rice grew [OTHERCIT, TARGETCIT, OTHERCIT]."),
        ("Rice grew [3,7].", [number(3), number(7)], "w3", "Rice grew [TARGETCIT, OTHERCIT]."),
        ("Rice grew 12 cm in 12 days [12].", [number(12)], "w12",
         "Rice grew 12 cm in 12 days [TARGETCIT]."),
        ("Of 29 plants by Belda et al. (29) most died.", [number(29, "Belda")], "w29",
         "Of 29 plants by TARGETCIT most died."),
        ("It was 12.5 in IL12 and (see 12 and 13)", [number(12), number(13)], "w12",
         "It was 12.5 in IL12 and (see TARGETCIT and OTHERCIT)"),
        ("Smith [4] and Lee and Kim [5]", [number(4, "Smith"), number(5, "Kim", "Lee")], "w5",
         "OTHERCIT and TARGETCIT"),
        ("Wheat and Barley [4] grew", [number(4, "Smith")], "w4",
         "Wheat and Barley [TARGETCIT] grew"),
        ("It grew (Léonard 1991).", [dated("1991", "l", "Léonard", year=1991)], "l",
         "It grew (TARGETCIT)."),
        ("In 2001 Smith and Lee (2001) saw it.", [SMITH], "smith", "In 2001 TARGETCIT saw it."),
        ("It grew (Smith & Lee, 2001; Jones, 2001)", [SMITH, OTHER], "jones",
         "It grew (OTHERCIT; TARGETCIT)"),
        ("Smith, Kim, and Lee (2001; a review) say", [SMITH], "smith",
         "(TARGETCIT; a review) say"),
        ("By Smith and Lee (2001a,b)", [dated("2001a", "a", "Smith"), dated("b", "b", "Smith")],
         "b", "By (OTHERCIT, TARGETCIT)"),
        ("As J. R. Smith et al. 2001a say", [dated("Smith et al.", "a", "Smith")], "a",
         "As TARGETCIT say"),
        ("By Smith et al., 2001", [dated("Smith et\u00a0al., 2001", "a", "Smith")], "a",
         "By TARGETCIT"),
        ("They saw it [4567].", [number(n) for n in (45, 6, 7)], "w6", "They saw it [TARGETCIT]."),
        ("As in rats.1314", [number(13), number(14)], "w13", "As in rats.TARGETCIT"),
        ("Smith (2001) saw what Smith (2001) said", [SMITH], "smith",
         "TARGETCIT saw what OTHERCIT said"),
        ("The group (United Nations, 2001)", [dated("2001", "un")], "un", "The group (TARGETCIT)"),
        ("By (Hu et al., 2001 ▸) it", [CitationMarker("▸", "hu")], "hu", "By (TARGETCIT) it"),
    ],
)  # fmt: skip
def test_citations_are_masked(
    text: str, citations: list[CitationMarker], work: str, expected: str
) -> None:
    masked = mask(text, citations)
    assert masked.texts[work] == expected
    assert set(masked.outcomes) == {EXACT}


def test_works_inside_a_range_are_masked_at_its_end() -> None:
    """Works 5 and 6 of `[4–7]` have the marker of the last work."""
    citations = [number(4), *(CitationMarker("7", f"w{n}") for n in (5, 6, 7))]
    masked = mask("So it is [4–7].", citations)
    assert masked.texts["w4"] == "So it is [TARGETCIT, OTHERCIT]."
    for inside in ("w5", "w6", "w7"):
        assert masked.texts[inside] == "So it is [OTHERCIT, TARGETCIT]."


def test_markers_missing_from_the_sentence_are_counted() -> None:
    masked = mask("It grew [3].", [number(3), number(8)])
    assert masked == MaskedSentence({"w3": "It grew [TARGETCIT].", "w8": "It grew [OTHERCIT]."},
                            (EXACT, MISSING))  # fmt: skip
    assert mask("It grew 8 or 8 cm.", [number(8)]).outcomes == (AMBIGUOUS,)


def test_citations_of_unknown_works_become_other_citations() -> None:
    assert mask("It grew [3, 4].", [number(3), CitationMarker("4", None)]).texts == {
        "w3": "It grew [TARGETCIT, OTHERCIT]."
    }


def test_ambiguous_names_take_no_time() -> None:
    name = "A-" * 50
    text = f"see ({name} x {name} 2001) and ({name}; {name[:-1]}b 2001)"
    assert mask(text, [dated("2001", "a", "A")]).outcomes == (EXACT,)


WORDS = st.sampled_from(["rice", "12 cm", "2.5 kg", "in 1999", "grew,", "IL-6", "(n = 7)", "of it"])
NAMES = st.sampled_from(["Smith", "van Dam", "Léonard", "Moreno-Hagelsieb", "O'Neil", "Ng"])


@st.composite
def sentences(draw: st.DrawFn) -> SentenceWithCitations:
    """Words with lists of citations in one style between them."""
    style = draw(st.sampled_from(["[]", "()", "year", "narrative"]))
    works = iter(draw(st.permutations(range(20, 40))))
    pieces: list[str] = []
    citations: list[CitationMarker] = []
    for _ in range(draw(st.integers(1, 4))):
        pieces += draw(st.lists(WORDS, min_size=1, max_size=6))
        group = [next(works) for _ in range(draw(st.integers(1, 4)))]
        names = [draw(NAMES) for _ in group]
        if style in ("[]", "()"):
            pieces.append(f"{style[0]}{', '.join(map(str, group))}{style[1]}")
            citations += [number(n, name) for n, name in zip(group, names, strict=True)]
        else:
            printed = [(name, 1950 + n) for name, n in zip(names, group, strict=True)]
            inside = "; ".join(f"{name} et al., {year}" for name, year in printed)
            apart = " and ".join(f"{name} et al. ({year})" for name, year in printed)
            pieces.append(f"({inside})" if style == "year" else apart)
            citations += [dated(f"{year}", f"w{year}", name, year=year) for name, year in printed]
    return " ".join(pieces) + ".", citations


def find_leaks(text: str, citation: CitationMarker) -> list[str]:
    """Find surnames of a work followed by its year, or its number in a list of numbers."""
    name = re.escape(citation.surnames[0]) if citation.surnames else "(?!)"
    passed = r"(?:[^\w;]+|\b(?:and|et|al)\b|[A-Z]\w*){0,12}?"
    leaks = re.findall(rf"(?<!\w){name}(?!\w){passed}\b{citation.year}[a-z]?\b", text)
    lists = re.findall(r"\[[\d\s,;–-]+\]", text) if len(citation.marker) < 4 else []
    return leaks + [listed for listed in lists if citation.marker in re.findall(r"\d+", listed)]


def check(text: str, citations: list[CitationMarker], masked: MaskedSentence) -> None:
    """Assert that no masked text reveals its work and that all other words are kept in order."""
    lost = {
        citation.cited
        for citation, how in zip(citations, masked.outcomes, strict=True)
        if how == MISSING
    }
    for citation in citations:
        if citation.cited is None or citation.cited in lost:
            continue
        found = masked.texts[citation.cited]
        assert found.count("TARGETCIT") == 1, text
        assert not find_leaks(found, citation), (text, found)
        kept = iter(text)  # remaining words occur in the sentence in the same order
        words = re.sub(r"TARGETCIT|OTHERCIT", "", found)
        assert all(c in kept for c in words if c.isalnum()), (text, found)


@given(sentences())
@example(("Ng et al. (1970) and Ng et al. (1971).",
          [dated("1970", "a", "Ng", year=1970), dated("1971", "b", "Ng", year=1971)]))  # fmt: skip
def test_masked_sentences_do_not_reveal_the_work(sentence: SentenceWithCitations) -> None:
    text, citations = sentence
    masked = mask(text, citations)
    assert MISSING not in masked.outcomes
    check(text, citations, masked)
    assert masked == mask(text, citations)
    places = re.compile(r"[\[(]?(?:TARGETCIT|OTHERCIT)[\])]?(?:[,;]| and)?")
    words = [places.sub("", found).split() for found in masked.texts.values()]
    assert all(text_words == words[0] for text_words in words)


@given(st.text(st.sampled_from("aB1 2,.;()[]-–and"), max_size=40), st.lists(
    st.builds(CitationMarker, st.text(st.sampled_from("aB12 (,)–"), max_size=5),
              st.sampled_from(["w", "x", None]),
              st.tuples(st.sampled_from(["B", "Ba", "a", ""])), st.sampled_from([None, 1211])),
    max_size=6))  # fmt: skip
def test_any_text_and_markers_are_masked(text: str, citations: list[CitationMarker]) -> None:
    masked = mask(text, citations)
    assert len(masked.outcomes) == len(citations)
    assert set(masked.texts) == {citation.cited for citation in citations} - {None}
    for found in masked.texts.values():
        assert found.count("TARGETCIT") <= 1


def sentences_of(data: Path, *, every: int, at_most: int) -> Iterator[SentenceWithCitations]:
    """Sentences of some articles of the crops corpus."""
    archive = data / "oa_crops.tar.xz"
    if not archive.exists():
        pytest.skip(f"no {archive}")
    for count, document in enumerate(iter_documents([archive])):
        if count == every * at_most:
            return
        if count % every:
            continue
        paper = read_jats(document.read(), document.path)
        by_context: dict[tuple[int, str], list[CitationMarker]] = {}
        for found in paper.occurrences:
            work = paper.references[found.reference]
            names = tuple(author.surname for author in work.authors)
            citation = CitationMarker(found.marker, f"{found.reference}", names, work.year)
            by_context.setdefault((found.section, found.context), []).append(citation)
        yield from ((text, citations) for (_, text), citations in by_context.items())


def test_masked_sentences_of_the_crops_corpus_do_not_reveal_works(data: Path) -> None:
    found: Counter[str] = Counter()
    for text, citations in sentences_of(data, every=5, at_most=30):
        masked = mask(text, citations)
        found.update(masked.outcomes)
        check(text, citations, masked)
    assert found.total() > 1000
    assert found[EXACT] / found.total() > 0.995


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It grew [TARGETCIT, OTHERCIT].", "It grew."),
        ("It grew (see TARGETCIT) well", "It grew well"),
        ("by TARGETCIT and OTHERCIT, f(x) [ ]", "by, f(x) []"),
        ("a statistical parser OTHERCIT was built TARGETCIT with it", "a statistical parser was "
         "built with it"),
        ("(TARGETCIT; OTHERCIT and OTHERCIT) first", "first"),
        ("recordingsTARGETCIT (n = 3)", "recordings (n = 3)"),
        ("rust (e.g., TARGETCIT), mould (reviewed in OTHERCIT) , f()", "rust, mould, f()"),
        ("rust (a fungus; see also TARGETCIT) .", "rust (a fungus; see also)."),
        ("", ""),
    ],
)  # fmt: skip
def test_placeholders_are_removed_with_empty_brackets(text: str, expected: str) -> None:
    assert strip_placeholders(pa.array([text, None])).to_pylist() == [expected, None]


@given(st.lists(sentences(), min_size=1, max_size=4))
def test_stripping_removes_all_placeholders_and_is_idempotent(
    generated: list[SentenceWithCitations],
) -> None:
    texts = pa.chunked_array([[*mask(*sentence).texts.values()] for sentence in generated])
    stripped = strip_placeholders(texts)
    assert len(stripped) == len(texts)
    assert not any(re.search("TARGETCIT|OTHERCIT|  ", text) for text in stripped.to_pylist())
    assert strip_placeholders(stripped).equals(stripped)
