"""The XML files: reproducible, well-formed, varied, and with exactly the planned citations."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from citescape.core.errors import CitescapeError
from citescape.demo.citations import SECTIONS
from citescape.demo.jats_writer import write_corpus, write_jats
from citescape.demo.markup import Markup, Target, choose_markup, group_ranges, number_heading
from citescape.demo.world import World, generate_world
from citescape.loaders.jats import read_jats

KEYWORDS = (
    ("R", ("result", "finding")),
    ("M", ("method", "material", "procedure", "experimental section")),
    ("D", ("discussion", "conclu", "remark", "summary")),
    ("I", ("introduction", "background", "related work", "review")),
)
DASH = re.compile(r"\s*[-\u2013]\s*")

VARIETY = (
    r"</xref>[\u2013-]<xref",  # a range as two pointers
    r">\d+[\u2013-]\d+</xref>",  # a range inside one pointer
    r'rid="b\d+-\d+"/>',  # an empty pointer inside a range
    r"\.<sup><xref",  # raised, after the full stop
    r">\[\d+\]</xref>",
    r">[^<]+, \d{4}</xref>",  # author and year linked
    r", <xref[^>]*>\d{4}</xref>",  # only the year linked
    r"<year>\d{4}a</year>",
    r"<etal",
    r"<collab>",
    r"<floats-group>",
    r"<table-wrap",
    r"<fn-group>",
    r"<app-group>",
    r"<notes>",
    r"<ext-link",
    r"<sub-article",
    r"<abstract><sec>",
    r'abstract-type="graphical"',
    r'sec-type="results\|discussion"',
    r"<title>1\.1\. ",
    r"<title>INTRODUCTION<",
    r"<mixed-citation",
    r"<element-citation",
    r"<body><p>",  # an introduction without a heading
    r"&#\d+;",  # characters as references in an ASCII file
    r"<italic>et al\.</italic>",
    r'contrib-type="editor"',
)


@pytest.fixture(scope="module")
def corpus(world: World, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_corpus(world, tmp_path_factory.mktemp("corpus") / "jats")


def test_the_same_world_gives_the_same_bytes(world: World, corpus: list[Path]) -> None:
    again = generate_world(papers=60, seed=7)
    assert [path.name for path in corpus] == [f"{w.pmcid}.xml" for w in world.works[:60]]
    some = range(0, 60, 3)
    assert [corpus[i].read_bytes() for i in some] == [write_jats(again, i) for i in some]


def test_numbers_of_markers_equal_the_plan(world: World, corpus: list[Path]) -> None:
    """Counts mentions in the XML independently of the loader."""
    place = {
        ends: pair
        for pair, ends in enumerate(
            zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True)
        )
    }
    titles = {letters(work.title): work.index for work in world.works}
    counts = np.zeros_like(world.counts)
    listed = 0
    for paper, path in enumerate(corpus):
        article = etree.parse(path).getroot()
        works = [titles[letters(entry_title(ref))] for ref in article.iter("ref")]
        listed += len(works)
        for column, number in citations(article):
            counts[place[paper, works[number - 1]], SECTIONS.index(column)] += 1
    assert listed == len(world.pairs)
    assert np.array_equal(counts, world.counts)


def letters(title: str) -> str:
    return "".join(c for c in title.casefold() if c.isalnum())


def entry_title(ref: etree._Element) -> str:
    result = next(ref.iter("article-title"), None)
    element = result if result is not None else next(ref.iter("source"))
    return text_of(element)


def text_of(element: etree._Element | None) -> str:
    assert element is not None
    return "".join(str(piece) for piece in element.itertext())


def citations(article: etree._Element) -> list[tuple[str, int]]:
    """Section type and position in the reference list of every in-text citation."""
    result: list[tuple[str, int]] = []
    order = {str(ref.get("id")): at for at, ref in enumerate(article.iter("ref"), start=1)}
    shown = (text_of(xref) for xref in bibliographic(article))
    numeric = any(re.fullmatch(r"\[?\d{1,3}\]?", text) for text in shown)
    for block in article.iter("p", "td"):
        if next(block.iterancestors("sub-article", "ref-list"), None) is None:
            column = column_of(block)
            result += [(column, number) for number in numbers(block, order, numeric)]
    return result


def bibliographic(element: etree._Element) -> list[etree._Element]:
    return [xref for xref in element.iter("xref") if xref.get("ref-type") == "bibr"]


def numbers(block: etree._Element, order: dict[str, int], numeric: bool) -> list[int]:
    """Positions cited in one block, including members of ranges."""
    result: list[int] = []
    previous: int | None = None
    for xref in bibliographic(block):
        at = order[str(xref.get("rid"))]
        text = text_of(xref)
        inside = re.fullmatch(r"\[?(\d+)[-\u2013](\d+)\]?", text)
        if inside and numeric:
            result += range(int(inside[1]), int(inside[2]) + 1)
        elif text:
            result += range(previous + 1, at) if previous is not None and numeric else ()
            result.append(at)
        previous = at if DASH.fullmatch(xref.tail or "") else None
    return result


def column_of(block: etree._Element) -> str:
    """Type of the top-level section of a block, by the words of its heading."""
    chain = [block, *block.iterancestors()]
    if chain[-2].tag != "body":
        return "other"
    top = chain[-3]
    if top.tag != "sec":
        return "I" if chain[-2].find("sec") is not None else "other"
    title = text_of(top.find("title")).lower()
    kinds = [kind for kind, words in KEYWORDS if any(word in title for word in words)]
    return kinds[0] if kinds else "I"  # `Theoretical background` and the like


def test_the_loader_finds_the_planned_citations(world: World, corpus: list[Path]) -> None:
    """The package's loader, on the same files."""
    counts: Counter[str] = Counter()
    for path in corpus:
        paper = read_jats(path.read_bytes(), path.name)
        counts.update(paper.sections[result.section].type for result in paper.occurrences)
        assert set(paper.losses.lost) <= {"sub-article"}
    planned = dict(zip(SECTIONS, world.counts.sum(axis=0).tolist(), strict=True))
    assert counts == planned


def test_front_matter_is_read_back(world: World, corpus: list[Path]) -> None:
    for work, path in zip(world.works, corpus, strict=False):
        paper = read_jats(path.read_bytes(), path.name)
        assert (paper.title, paper.year) == (work.title, work.year)
        assert (paper.ids.doi, paper.ids.pmid, paper.ids.pmcid) == (work.doi, work.pmid, work.pmcid)
        people = [a for a in paper.authors if a.role == "author"]
        persons = [world.society.persons[i] for i in work.authors]
        assert [a.surname for a in people] == [p.surname for p in persons]
        assert all(a.orcid in (None, p.orcid) for a, p in zip(people, persons, strict=True))
        assert paper.venue
        assert paper.venue.title == world.vocabulary.venues[work.venue].title
        assert len(paper.keywords) == 4


def test_markup_is_as_varied_as_real_files() -> None:
    world = generate_world(papers=100, seed=3)
    files = [write_jats(world, paper).decode() for paper in range(world.papers)]
    text = "\n".join(files)
    missing = [pattern for pattern in VARIETY if not re.search(pattern, text)]
    assert missing == []
    with_types = sum("sec-type=" in file for file in files)
    assert 0.2 < with_types / len(files) < 0.7


def test_targets_and_ids_are_complete(corpus: list[Path]) -> None:
    for path in corpus:
        article = etree.parse(path).getroot()
        ids = [element.get("id") for element in article.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        rids = {x.get("rid") for x in article.iter("xref") if x.get("ref-type") == "bibr"}
        assert rids <= set(ids)


def test_ranges_need_three_numbers() -> None:
    targets = [Target(f"b{n}", n, "Wang", "2010") for n in (1, 3, 4, 5, 8, 9)]
    joined = [[t.number for t in run] for run in group_ranges(targets, spelt_out=False)]
    assert joined == [[1], [3, 4, 5], [8], [9]]
    assert [len(run) for run in group_ranges(targets, spelt_out=True)] == [1] * 6


def test_headings_are_numbered() -> None:
    assert number_heading("1.", "Methods", (2,)) == "2. Methods"
    assert number_heading("1", "Sampling", (2, 1)) == "2.1 Sampling"
    assert number_heading("I.", "Results", (3,)) == "III. Results"
    assert number_heading("CAPITALS", "Results", (3,)) == "RESULTS"
    assert number_heading("", "Results", (3,)) == "Results"


def test_markup_depends_only_on_the_generator() -> None:
    styles: list[Markup] = [choose_markup(np.random.default_rng(5)) for _ in range(2)]
    assert styles[0] == styles[1]
    assert len({choose_markup(np.random.default_rng(i)).citing for i in range(60)}) == 6


def test_unplaced_citations_are_an_error(world: World) -> None:
    with pytest.raises((CitescapeError, ValueError)):
        write_jats(world, world.papers + 1)
