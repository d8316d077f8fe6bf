"""What is left of sentences: by example, of generated ones, and of a slice of the crops corpus."""

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

Told = tuple[str, list[CitationMarker]]


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
def test_sentences(text: str, citations: list[CitationMarker], work: str, expected: str) -> None:
    masked = mask(text, citations)
    assert masked.texts[work] == expected
    assert set(masked.outcomes) == {EXACT}


def test_the_inside_of_a_range_stands_at_its_end() -> None:
    """Works 5 and 6 of `[4–7]` bear the marker of the last."""
    citations = [number(4), *(CitationMarker("7", f"w{n}") for n in (5, 6, 7))]
    masked = mask("So it is [4–7].", citations)
    assert masked.texts["w4"] == "So it is [TARGETCIT, OTHERCIT]."
    for inside in ("w5", "w6", "w7"):
        assert masked.texts[inside] == "So it is [OTHERCIT, TARGETCIT]."


def test_what_is_not_in_the_sentence_is_counted_and_leaves_it_alone() -> None:
    masked = mask("It grew [3].", [number(3), number(8)])
    assert masked == MaskedSentence({"w3": "It grew [TARGETCIT].", "w8": "It grew [OTHERCIT]."},
                            (EXACT, MISSING))  # fmt: skip
    assert mask("It grew 8 or 8 cm.", [number(8)]).outcomes == (AMBIGUOUS,)


def test_a_citation_of_an_unknown_work_is_another_one() -> None:
    assert mask("It grew [3, 4].", [number(3), CitationMarker("4", None)]).texts == {
        "w3": "It grew [TARGETCIT, OTHERCIT]."
    }


def test_names_that_could_be_read_in_many_ways_take_no_time() -> None:
    name = "A-" * 50
    text = f"see ({name} x {name} 2001) and ({name}; {name[:-1]}b 2001)"
    assert mask(text, [dated("2001", "a", "A")]).outcomes == (EXACT,)


WORDS = st.sampled_from(["rice", "12 cm", "2.5 kg", "in 1999", "grew,", "IL-6", "(n = 7)", "of it"])
NAMES = st.sampled_from(["Smith", "van Dam", "Léonard", "Moreno-Hagelsieb", "O'Neil", "Ng"])


@st.composite
def sentences(draw: st.DrawFn) -> Told:
    """Words with lists of citations between them, all of one style."""
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


def find_leaks(text: str, one: CitationMarker) -> list[str]:
    """Names of a work followed by its year, and its number in a list of numbers."""
    name = re.escape(one.surnames[0]) if one.surnames else "(?!)"
    passed = r"(?:[^\w;]+|\b(?:and|et|al)\b|[A-Z]\w*){0,12}?"
    leaks = re.findall(rf"(?<!\w){name}(?!\w){passed}\b{one.year}[a-z]?\b", text)
    lists = re.findall(r"\[[\d\s,;–-]+\]", text) if len(one.marker) < 4 else []
    return leaks + [listed for listed in lists if one.marker in re.findall(r"\d+", listed)]


def check(text: str, citations: list[CitationMarker], masked: MaskedSentence) -> None:
    """Nothing tells a work whose markers were found; the words are those of the sentence."""
    lost = {
        one.cited for one, how in zip(citations, masked.outcomes, strict=True) if how == MISSING
    }
    for one in citations:
        if one.cited is None or one.cited in lost:
            continue
        found = masked.texts[one.cited]
        assert found.count("TARGETCIT") == 1, text
        assert not find_leaks(found, one), (text, found)
        kept = iter(text)  # what is left stands in the sentence, in that order
        words = re.sub(r"TARGETCIT|OTHERCIT", "", found)
        assert all(c in kept for c in words if c.isalnum()), (text, found)


@given(sentences())
@example(("Ng et al. (1970) and Ng et al. (1971).",
          [dated("1970", "a", "Ng", year=1970), dated("1971", "b", "Ng", year=1971)]))  # fmt: skip
def test_nothing_tells_the_work_and_all_else_stays(told: Told) -> None:
    text, citations = told
    masked = mask(text, citations)
    assert MISSING not in masked.outcomes
    check(text, citations, masked)
    assert masked == mask(text, citations)
    places = re.compile(r"[\[(]?(?:TARGETCIT|OTHERCIT)[\])]?(?:[,;]| and)?")
    words = [places.sub("", found).split() for found in masked.texts.values()]
    assert all(one == words[0] for one in words)


@given(st.text(st.sampled_from("aB1 2,.;()[]-–and"), max_size=40), st.lists(
    st.builds(CitationMarker, st.text(st.sampled_from("aB12 (,)–"), max_size=5),
              st.sampled_from(["w", "x", None]),
              st.tuples(st.sampled_from(["B", "Ba", "a", ""])), st.sampled_from([None, 1211])),
    max_size=6))  # fmt: skip
def test_any_text_and_markers_are_survived(text: str, citations: list[CitationMarker]) -> None:
    masked = mask(text, citations)
    assert len(masked.outcomes) == len(citations)
    assert set(masked.texts) == {one.cited for one in citations} - {None}
    for found in masked.texts.values():
        assert found.count("TARGETCIT") <= 1


def sentences_of(data: Path, *, every: int, at_most: int) -> Iterator[Told]:
    """Of some articles of the crops corpus."""
    archive = data / "oa_crops.tar.xz"
    if not archive.exists():
        pytest.skip(f"no {archive}")
    for count, document in enumerate(iter_documents([archive])):
        if count == every * at_most:
            return
        if count % every:
            continue
        paper = read_jats(document.read(), document.path)
        told: dict[tuple[int, str], list[CitationMarker]] = {}
        for found in paper.occurrences:
            work = paper.references[found.reference]
            names = tuple(author.surname for author in work.authors)
            one = CitationMarker(found.marker, f"{found.reference}", names, work.year)
            told.setdefault((found.section, found.context), []).append(one)
        yield from ((text, citations) for (_, text), citations in told.items())


def test_nothing_tells_the_works_of_the_crops_corpus(data: Path) -> None:
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
def test_placeholders_go_with_brackets_that_hold_nothing_else(text: str, expected: str) -> None:
    assert strip_placeholders(pa.array([text, None])).to_pylist() == [expected, None]


@given(st.lists(sentences(), min_size=1, max_size=4))
def test_what_is_stripped_holds_no_placeholder_and_stays_so(told: list[Told]) -> None:
    texts = pa.chunked_array([[*mask(*one).texts.values()] for one in told])
    stripped = strip_placeholders(texts)
    assert len(stripped) == len(texts)
    assert not any(re.search("TARGETCIT|OTHERCIT|  ", text) for text in stripped.to_pylist())
    assert strip_placeholders(stripped).equals(stripped)
