"""Invariants on real files, checked by counts that share no code with the loader."""

from __future__ import annotations

import os
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from citescape.loaders.jats import read_jats
from citescape.types import Paper
from tests.loaders.articles import is_balanced

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("CITESCAPE_DATA", ROOT.parent / "shared" / "data"))
CROPS = DATA / "oa_crops.tar.xz"
SAMPLE_EVERY = 40


def corpus(every: int) -> Iterator[tuple[str, bytes]]:
    if not CROPS.exists():
        pytest.skip(f"no {CROPS}; set CITESCAPE_DATA to the folder that holds it")
    number = 0
    with tarfile.open(CROPS, mode="r|xz") as archive:
        for member in archive:
            if not member.name.endswith(".xml"):
                continue
            number += 1
            stream = archive.extractfile(member) if number % every == 0 else None
            if stream is not None:
                yield member.name, stream.read()


def formats() -> Iterator[tuple[str, bytes]]:
    files = sorted((DATA / "formats").glob("*.nxml"))
    if not files:
        pytest.skip(f"no JATS files in {DATA / 'formats'}; set CITESCAPE_DATA")
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
    found: Counter[str] = Counter()
    for part in article:
        where = "inside" if part.tag in ("sub-article", "response") else "here"
        for xref in part.iter("xref"):
            names = (xref.get("rid") or "").split()
            if xref.get("ref-type") == "bibr" or ids.intersection(names):
                found[where] += max(len(names), 1)
    return found


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


def test_formats() -> None:
    for name, data in formats():
        assert check(name, data).occurrences


def test_every_pointer_of_the_crops_corpus_is_accounted_for() -> None:
    papers = occurrences = 0
    lost: Counter[str] = Counter()
    for name, data in corpus(every=1):
        paper = check(name, data)
        papers += 1
        occurrences += len(paper.occurrences)
        lost.update(paper.losses.lost)

    assert papers == 2103
    assert lost.total() < 0.001 * occurrences
    assert set(lost) <= {"range-unclear", "sub-article", "unknown-target", "no-target"}


def test_contexts_hold_their_marker_and_come_from_the_text() -> None:
    for name, data in corpus(every=SAMPLE_EVERY):
        paper = read_jats(data, name)
        pieces = list(ElementTree.fromstring(data).itertext())
        words = {*"".join(pieces).split(), *" ".join(pieces).split()}
        for o in paper.occurrences:
            assert " ".join(o.marker.split()) in o.context, name
            assert len(o.context) < 3000, name
        inner = [w for o in paper.occurrences for w in o.context.split()[1:-1]]
        # Text that goes on behind a float is joined, so a few words are new.
        assert sum(word in words for word in inner) >= 0.98 * len(inner), name


def test_reading_twice_gives_the_same() -> None:
    for name, data in corpus(every=SAMPLE_EVERY * 10):
        assert read_jats(data, name) == read_jats(data, name)
