"""Invariants on real files, checked by counts that share no code with the loader."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from citescape.core.types import Paper
from citescape.loaders.jats import read_jats
from citescape.loaders.sentences import LONGEST
from citescape.loaders.sources import iter_documents
from tests.loaders.articles import is_balanced

EVERY = 10


@pytest.fixture(scope="module")
def corpus(data: Path) -> list[tuple[str, bytes]]:
    """Path and bytes of every tenth article of the crops corpus: the archive is read once."""
    archive = data / "oa_crops.tar.xz"
    if not archive.exists():
        pytest.skip(f"no {archive}")
    documents = enumerate(iter_documents([archive]), start=1)
    return [(item.path, item.read()) for number, item in documents if number % EVERY == 0]


def formats(data: Path) -> Iterator[tuple[str, bytes]]:
    files = sorted((data / "formats").glob("*.nxml"))
    if not files:
        pytest.skip(f"no JATS files in {data / 'formats'}")
    for file in files:
        yield file.name, file.read_bytes()


def pointers_in(data: bytes) -> Counter[str]:
    """Pointers of an article: in its text, and in its sub-articles and responses."""
    root = ElementTree.fromstring(data)
    article = root if root.tag == "article" else root.find(".//article")
    assert article is not None
    ids = {
        element.get("id")
        for part in article
        if part.tag in ("body", "back", "floats-group")
        for ref in part.iter("ref")
        for element in ref.iter()
    }
    pointers: Counter[str] = Counter()
    for part in article:
        where = "inside" if part.tag in ("sub-article", "response") else "here"
        for xref in part.iter("xref"):
            names = (xref.get("rid") or "").split()
            if xref.get("ref-type") == "bibr" or ids.intersection(names):
                pointers[where] += max(len(names), 1)
    return pointers


def check(name: str, data: bytes) -> Paper:
    paper = read_jats(data, name, contexts=False)
    pointers = pointers_in(data)
    assert is_balanced(paper), name
    assert paper.losses.anchors - paper.losses.implied == pointers.total(), name
    assert paper.losses.lost.get("sub-article", 0) == pointers["inside"], name
    positions = [o.position for o in paper.occurrences if o.position is not None]
    assert positions == sorted(positions), name
    assert all(0 <= position <= 1 for position in positions), name
    return paper


def test_citations_are_read_from_every_format(data: Path) -> None:
    for name, file in formats(data):
        assert check(name, file).occurrences


def test_every_pointer_of_the_crops_corpus_is_accounted_for(
    corpus: list[tuple[str, bytes]],
) -> None:
    """Every tenth article: frequent markup of any journal occurs among them."""
    papers = occurrences = 0
    lost: Counter[str] = Counter()
    for name, file in corpus:
        paper = check(name, file)
        papers += 1
        occurrences += len(paper.occurrences)
        lost.update(paper.losses.lost)

    assert papers == 2103 // EVERY
    assert lost.total() < 0.001 * occurrences
    assert set(lost) <= {"range-unclear", "sub-article", "unknown-target", "no-target"}


def test_contexts_hold_their_marker_and_come_from_the_text(
    corpus: list[tuple[str, bytes]],
) -> None:
    for name, file in corpus[3::4]:
        paper = read_jats(file, name)
        text = squeeze("".join(ElementTree.fromstring(file).itertext()))
        for o in paper.occurrences:
            assert " ".join(o.marker.split()) in o.context, name
            assert len(o.context) <= LONGEST, name
        contexts = {squeeze(o.context) for o in paper.occurrences}
        # Text that continues after a float is joined, and the LaTeX of formulas is removed.
        assert sum(context in text for context in contexts) >= 0.98 * len(contexts), name


def squeeze(text: str) -> str:
    """Text without spaces and without the brackets around superscripts."""
    return re.sub(r"[\s\[\]…]", "", text)


def test_reading_twice_gives_the_same(corpus: list[tuple[str, bytes]]) -> None:
    for name, file in corpus[39::40]:
        assert read_jats(file, name) == read_jats(file, name)
