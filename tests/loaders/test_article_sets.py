"""Files of several articles are read article by article."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.loaders import xml
from citescape.loaders.article_sets import may_hold_several
from citescape.loaders.documents import SourceDocument
from citescape.loaders.jats import read_jats
from citescape.loaders.sources import iter_documents
from citescape.store.graph_store import open_store
from tests.ingest.papers import jats, load, small_corpus

Wrap = Callable[..., bytes]

DECLARATION = b'<?xml version="1.0"?>\n'
DOCTYPE = b'<!DOCTYPE pmc-articleset PUBLIC "-//NLM//DTD ARTICLE SET 2.0//EN" "x.dtd">\n'


def efetch(*articles: bytes) -> bytes:
    """Response of NCBI's efetch."""
    return DECLARATION + DOCTYPE + b"<pmc-articleset>" + b"\n".join(articles) + b"</pmc-articleset>"


def oai(*articles: bytes) -> bytes:
    """Response of an OAI-PMH server; its articles have a namespace of their own."""
    records = b"".join(
        b"<record><header><identifier>x</identifier></header><metadata>"
        + article.replace(b"<article ", b'<article xmlns="https://jats.nlm.nih.gov/ns/" ')
        + b"</metadata></record>"
        for article in articles
    )
    space = b'xmlns="http://www.openarchives.org/OAI/2.0/"'
    return (
        DECLARATION
        + b"<OAI-PMH "
        + space
        + b"><ListRecords>"
        + records
        + b"""
</ListRecords></OAI-PMH>"""
    )


def documents(path: Path, data: bytes) -> list[SourceDocument]:
    path.write_bytes(data)
    return list(iter_documents([path]))


@pytest.mark.parametrize("wrap", [efetch, oai])
def test_each_article_of_a_set_is_a_document(tmp_path: Path, wrap: Wrap) -> None:
    articles = small_corpus(3)
    result = documents(tmp_path / "set.xml", wrap(*articles))

    assert [d.path for d in result] == [f"{tmp_path}/set.xml#{i}" for i in (1, 2, 3)]
    for document, article in zip(result, articles, strict=True):
        paper, alone = read_jats(document.read(), "p"), read_jats(article, "p")
        assert paper.occurrences == alone.occurrences
        assert (paper.ids, paper.references) == (alone.ids, alone.references)


def test_a_set_is_ingested_and_a_second_ingest_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "set.xml"
    path.write_bytes(efetch(jats(1), jats(2), b"<article><sub/></article>"))
    store = open_store(str(tmp_path / "s.lbug"))
    first, second = load(store, path), load(store, path)
    with pytest.raises(SourceError, match=r"set\.xml#3"):
        load(store, path, strict=True)
    store.close()

    assert (first.status["loaded"], first.status["rejected"]) == (2, 1)
    assert (second.status["unchanged"], second.status["rejected"]) == (2, 1)
    assert [name for name, _ in first.rejected] == [f"{path}#3"]
    assert len(set(first.report["sha256"].to_pylist()[:2])) == 2


@pytest.mark.parametrize("wrap", [efetch, oai])
def test_a_wrapper_of_one_article_is_one_document(tmp_path: Path, wrap: Wrap) -> None:
    (result,) = documents(tmp_path / "one.xml", wrap(jats(1)))

    assert result.path == str(tmp_path / "one.xml")
    assert read_jats(result.read(), "p").ids.doi == "10.1000/1"


def test_a_file_without_articles_is_one_document(tmp_path: Path) -> None:
    for data in (b"", b"text", b"<a/>", b"<a><b>", b"<html><body/></html>", efetch()):
        (result,) = documents(tmp_path / "a.xml", data)
        assert result.read() == data


@pytest.mark.parametrize(
    ("head", "several"),
    [
        (b"<article>", False),
        (b"<j:article xmlns:j='x'>", False),
        (DECLARATION + b"<!-- <a> --><!DOCTYPE article><article>", False),
        (b"\xef\xbb\xbf\n<article>", False),
        ("<article>".encode("utf-16"), False),
        (b"", False),
        (b"text", False),
        (efetch(), True),
        (b"<articles>", True),
        (efetch().decode().encode("utf-16"), True),
    ],
)
def test_first_bytes_decide_whether_a_file_is_a_set(head: bytes, several: bool) -> None:
    assert may_hold_several(head) is several


def test_named_characters_of_a_set_are_resolved(tmp_path: Path) -> None:
    title = jats(1, title="Rice").replace(b"Rice", b"&alpha;-rice")
    first, _ = documents(tmp_path / "set.xml", efetch(title, jats(2)))

    assert read_jats(first.read(), "p").title == "\u03b1-rice"


def test_sets_in_other_encodings_archives_and_gzip(tmp_path: Path) -> None:
    data = efetch(jats(1), jats(2))
    utf16 = data.decode().replace('"1.0"', '"1.0" encoding="utf-16"').encode("utf-16")
    for name, written in (("a.xml", utf16), ("b.xml.gz", gzip.compress(data)), ("c", b"\n" + data)):
        result = documents(tmp_path / name, written)
        assert [read_jats(d.read(), "p").ids.doi for d in result] == ["10.1000/1", "10.1000/2"]


def test_a_truncated_set_keeps_its_complete_articles(tmp_path: Path) -> None:
    numbers = (" ".join(map(str, range(n, n + 20_000))) for n in (1, 2, 3))
    whole = efetch(*(jats(i, text=text) for i, text in enumerate(numbers, start=1)))
    for data in (whole[:-200], gzip.compress(whole)[:-200]):
        *good, last = documents(tmp_path / "set.xml", data)
        assert good[0].path.endswith("set.xml#1")
        with pytest.raises(SourceError) as caught:
            last.read()
        assert caught.value.path == str(tmp_path / "set.xml")
        assert caught.value.reason in ("broken-xml", "damaged-archive")


def test_entities_of_a_set_are_refused(tmp_path: Path) -> None:
    declared = b'<!DOCTYPE s [<!ENTITY a "b">]><s>' + jats(1) + jats(2) + b"</s>"
    (result,) = documents(tmp_path / "set.xml", declared)
    with pytest.raises(SourceError) as caught:
        read_jats(result.read(), "p")

    assert caught.value.reason == "declares-entities"


def test_the_size_limit_applies_to_articles_of_a_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    article, huge = (jats(1, text="word " * words) for words in (20_000, 80_000))
    monkeypatch.setattr(xml, "MAX_BYTES", 3 * len(article))
    many = efetch(*[article] * 50)
    (tmp_path / "set.xml").write_bytes(many)
    tracemalloc.start()
    count = sum(1 for _ in iter_documents([tmp_path / "set.xml"]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    *_, last = documents(tmp_path / "huge.xml", efetch(article, article, huge))

    assert count == 50
    assert peak < 10 * len(article)
    with pytest.raises(SourceError) as caught:
        last.read()
    assert caught.value.reason == "too-large"
