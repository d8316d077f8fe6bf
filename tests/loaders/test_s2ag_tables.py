"""Files of Semantic Scholar's bulk data sets."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest

from citescape.core.errors import SourceError
from citescape.loaders.datasets import find_sources
from citescape.loaders.lines import TextLines
from citescape.loaders.s2ag_tables import (
    kind_of,
    read_abstracts,
    read_citations,
    read_orcids,
    read_papers,
)
from citescape.loaders.table_rows import Mention, PaperRow
from tests.ingest.s2ag_files import ORCID, s2ag_citation, s2ag_paper, write_lines
from tests.loaders.test_s2ag import ABSTRACT, ANSWER, PAPER

AUTHOR: dict[str, Any] = {
    "authorid": "77",
    "externalids": {"DBLP": ["x"], "ORCID": [f"https://orcid.org/{ORCID}"]},
    "name": "George H. Shull",
    "aliases": ["G. H. Shull"],
}
VECTOR = {"corpusid": 1, "model": "specter_v2", "vector": "[0.5, 1]"}


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (PAPER, "papers"),
        (s2ag_citation(1, 2), "citations"),
        ({"citingCorpusId": 1, "citedCorpusId": 2}, "citations"),
        (AUTHOR, "authors"),
        (ABSTRACT, "abstracts"),
        (VECTOR, "embeddings"),
        ({**VECTOR, "vector": [0.5, 1]}, "embeddings"),
        (ANSWER, None),
        ({"corpusid": 1, "title": "x", "body": {"text": "x"}}, None),
        ({"corpusid": 1, "content": {"text": "x"}, "externalids": {}}, None),
        ({"id": "W1", "title": "x"}, None),
    ],
)
def test_files_are_recognised_by_the_keys_of_a_line(record: object, kind: str | None) -> None:
    assert kind_of(orjson.dumps(record).decode()) == kind


def test_a_line_may_be_cut_off() -> None:
    long = {**PAPER, "authors": [{"authorId": "1", "name": "A"}] * 500}
    assert kind_of(orjson.dumps(long).decode()[:4096]) == "papers"
    long = s2ag_citation(1, 2, "x" * 9000)
    assert kind_of(orjson.dumps(long).decode()[:4096]) == "citations"


@pytest.mark.parametrize("line", ["", "{", "[1]", "corpusid", "id,title", '"citingcorpusid":'])
def test_other_lines_are_not_recognised(line: str) -> None:
    assert kind_of(line) is None


def citations(folder: Path, *records: Any) -> list[tuple[Any, ...]]:
    """Pairs, mentions with their pairs, flags, broken and unidentified lines."""
    (batch,) = read_citations(TextLines(write_lines(folder / "c.jsonl", records)))
    mentions = list(zip(batch.mentioned or [], batch.mentions, strict=True))
    pairs = list(zip(batch.citing, batch.cited, strict=True))
    return [pairs, mentions, batch.influential, batch.broken, batch.unidentified]


def test_each_context_is_a_mention_with_its_intents(tmp_path: Path) -> None:
    intents = [["background", "methodology"], None, ["result"]]
    pairs, mentions, influential, *lost = citations(
        tmp_path,
        s2ag_citation(1, "2", " Rice\ngrows. ", "Wheat\x00 too.", "", intents=intents),
        s2ag_citation("3", 4.0, influential=True),
    )
    assert pairs == [("1", "2"), ("3", "4")]
    assert mentions == [
        (0, Mention("Rice grows.", "", "background; methodology")),
        (0, Mention("Wheat too.", "", "")),
        (0, Mention("", "", "result")),
    ]
    assert (influential, lost) == ([False, True], [0, 0])


@pytest.mark.parametrize(
    ("intents", "expected"),
    [
        (["background", "result"], "background; result"),
        ([["background"], ["result"], ["result"]], "background; result"),
        ('[["method"]]', "method"),
        ("method", "method"),
        (None, ""),
        (7, "7"),
    ],
)
def test_intents_that_do_not_fit_the_contexts_are_those_of_all(
    tmp_path: Path, intents: object, expected: str
) -> None:
    _, mentions, *_ = citations(tmp_path, s2ag_citation(1, 2, "A.", "B.", intents=intents))
    assert [mention for _, mention in mentions] == [
        Mention("A.", "", expected),
        Mention("B.", "", expected),
    ]


def test_intents_without_a_context_are_kept(tmp_path: Path) -> None:
    _, mentions, *_ = citations(tmp_path, s2ag_citation(1, 2, intents=[["method"]]))
    assert mentions == [(0, Mention("", "", "method"))]


def test_lines_without_two_ids_are_counted(tmp_path: Path) -> None:
    pairs, _, _, broken, unidentified = citations(
        tmp_path,
        s2ag_citation(1, None),
        s2ag_citation(1, ""),
        s2ag_citation(None, 1),
        s2ag_citation(1, "x"),
        s2ag_citation(True, 2),
        b"{",
        b"[1]",
        b"",
        {"citingcorpusid": 1},
    )
    assert (pairs, broken, unidentified) == ([], 5, 3)


def test_batches_are_small_if_contexts_are_long(tmp_path: Path) -> None:
    long = [s2ag_citation(1, n, *["x" * 5000] * 1000) for n in range(2, 32)]
    batches = list(read_citations(TextLines(write_lines(tmp_path / "c.jsonl", long))))
    assert [len(batch.citing) for batch in batches] == [10, 10, 10, 0]
    contexts = [mention.context for batch in batches for mention in batch.mentions]
    assert {len(context) for context in contexts} == {2001}
    assert len(contexts) == 30_000


def test_papers_are_rows_by_corpus_id(tmp_path: Path) -> None:
    file = write_lines(
        tmp_path / "p.jsonl", [PAPER, b"{", {"paperId": "x", "title": "y"}, {"x": 1}]
    )
    rows = list(read_papers(TextLines(file)))
    assert [row.id for row in rows if isinstance(row, PaperRow)] == ["18980463", ""]
    errors = [row for row in rows if isinstance(row, SourceError)]
    assert [(error.path, error.reason) for error in errors] == [
        (f"{file}:2", "broken-record"),
        (f"{file}:4", "broken-record"),
    ]


def test_orcids_of_authors_and_abstracts_of_papers(tmp_path: Path) -> None:
    others = [
        {"authorid": 78, "externalids": None},
        {"authorid": "79", "externalids": {"ORCID": 3}},
    ]
    file = write_lines(tmp_path / "a.jsonl", [AUTHOR, *others, b"{", {"name": "x"}])
    (batch,) = read_orcids(TextLines(file))
    assert batch == (["77", "78", "79"], [ORCID, "", ""], 2)
    file = write_lines(tmp_path / "b.jsonl", [ABSTRACT, {"corpusid": 2}, {"abstract": "x"}])
    (batch,) = read_abstracts(TextLines(file))
    assert batch == (["18980463", "2"], ["Rice grows. Wheat too.", ""], 1)


def files(folder: Path, *names: str) -> list[Path]:
    """Files of one line, named by their content."""
    records = {
        "papers": PAPER,
        "more": s2ag_paper(2),
        "citations": s2ag_citation(1, 2),
        "authors": AUTHOR,
        "abstracts": ABSTRACT,
        "embeddings": VECTOR,
    }
    return [write_lines(folder / f"{name}.jsonl", [records[name]]) for name in names]


def test_papers_with_citations_are_a_data_set(tmp_path: Path) -> None:
    given = files(tmp_path, "citations", "papers", "more", "authors", "abstracts")
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "https://openalex.org/W1", "authorships": []}\n')
    for format_ in ("auto", "s2ag"):
        sources = find_sources([other, *given], format_=format_)
        assert sources.documents == (other,)
        (data_set,) = sources.data_sets
        assert (data_set.format, data_set.name, data_set.named) == ("s2ag", "s2ag", True)
        assert [path.name for path in data_set.all_papers] == ["papers.jsonl", "more.jsonl"]
        assert [path.name for path in data_set.citations] == ["citations.jsonl"]
        assert [content for content, _ in data_set.values] == ["authors", "abstracts"]


def test_files_of_a_folder_are_a_data_set(tmp_path: Path) -> None:
    files(tmp_path, "papers", "citations", "embeddings")
    (tmp_path / "more.jsonl.gz").write_bytes(gzip.compress(orjson.dumps(s2ag_paper(2))))
    sources = find_sources([tmp_path])
    assert [path.name for path in sources.data_sets[0].all_papers] == [
        "more.jsonl.gz",
        "papers.jsonl",
    ]
    assert (sources.documents, sources.passed_over) == ((), {".jsonl": 1})


@pytest.mark.parametrize("name", ["papers", "abstracts"])
def test_papers_alone_are_documents(tmp_path: Path, name: str) -> None:
    (file,) = files(tmp_path, name)
    assert find_sources([file]).documents == (file,)
    assert find_sources([tmp_path]).documents == (tmp_path,)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("citations",), "citations without papers"),
        (("authors",), "authors without papers"),
        (("papers", "embeddings"), "platform embed --vectors"),
        (("embeddings",), "embeddings without papers"),
    ],
)
def test_files_that_cannot_be_loaded_are_refused(
    tmp_path: Path, names: tuple[str, ...], found: str
) -> None:
    with pytest.raises(SourceError, match=found):
        find_sources(files(tmp_path, *names))


def test_a_damaged_first_line_does_not_hide_the_content(tmp_path: Path) -> None:
    papers = write_lines(tmp_path / "p.jsonl", [b'{"corpusid": 1, "ti', s2ag_paper(2)])
    lines = write_lines(tmp_path / "c.jsonl", [b"{", s2ag_citation(1, 2)])
    assert find_sources([papers, lines]).data_sets[0].citations == (lines.absolute(),)
