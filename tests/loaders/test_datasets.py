"""Files that form a data set, and its name."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.loaders.datasets import TABLE_FORMATS, find_sources
from citescape.loaders.formats import TABLES, TABLES_TOO
from citescape.loaders.sources import iter_documents, iter_files
from tests.ingest.data_sets import titled, write_citations, write_papers, write_table
from tests.loaders.articles import article


def make_aan(folder: Path) -> list[Path]:
    files = [folder / "acl-metadata.txt", folder / "acl.txt"]
    files[0].write_text("id = {A1}\ntitle = {x}\n")
    files[1].write_text("A1 , A2\n")
    return files


def cut(text: bytes) -> bytes:
    """A truncated gzip file of a table, without a complete line."""
    return gzip.compress(text * 9)[:25]


def test_every_format_of_tables_has_a_reader() -> None:
    assert {*TABLE_FORMATS} == {*TABLES, *TABLES_TOO}


def test_first_lines_distinguish_tables_and_documents(tmp_path: Path) -> None:
    papers, citations = write_papers(tmp_path, *titled("a")), write_citations(tmp_path, ("a", "b"))
    text = tmp_path / "paper"
    text.write_bytes(article("<p>One.</p>"))
    sources = find_sources([citations, text, papers, *make_aan(tmp_path)])
    assert sources.documents == (text,)
    assert [(s.format, s.name, s.papers.name, len(s.citations)) for s in sources.data_sets] == [
        ("csv", "papers", "papers.csv", 1),
        ("aan", "aan", "acl-metadata.txt", 1),
    ]


def test_a_folder_with_a_table_of_papers_is_a_data_set(
    tmp_path: Path,
) -> None:
    (tmp_path / "texts").mkdir()
    write_table(tmp_path / "texts" / "oa_file_list.csv", [{"File": "x", "Title": "y"}])
    (tmp_path / "texts" / "readme.txt").write_text("hello , world\n")
    make_aan(tmp_path)
    sources = find_sources([tmp_path / "texts", tmp_path])
    assert sources.documents == (tmp_path / "texts",)
    assert [data_set.name for data_set in sources.data_sets] == ["aan"]


def test_names_of_data_sets(tmp_path: Path) -> None:
    papers = write_table(tmp_path / "my papers (2).csv", titled("a"))
    assert find_sources([papers]).data_sets[0].name == "my-papers-2-"
    assert find_sources([papers], name="aps").data_sets[0].name == "aps"
    for name in ("doi", "a b", "x:y", ""):
        with pytest.raises(ConfigError, match="expected a name"):
            find_sources([papers], name=name)
    with pytest.raises(ConfigError, match="but found 2; expected one"):
        find_sources([papers, *make_aan(tmp_path)], name="aps")
    with pytest.raises(ConfigError, match="choose one with --dataset"):
        find_sources([write_table(tmp_path / "key.csv", titled("a"))])


def test_unknown_tables_are_refused(tmp_path: Path) -> None:
    unknown = write_table(tmp_path / "odd.csv", [{"paper": "a", "name": "b"}])
    with pytest.raises(SourceError, match=r"begins with 'paper,name'; not a known table; .* id"):
        find_sources([unknown])
    unknown = write_table(tmp_path / "odd.csv", [{"paper_id": "a", "title": "b"}])
    with pytest.raises(SourceError, match=r"table \(rename paper_id to id\?\); expected") as error:
        find_sources([unknown])
    assert "acl-metadata" not in error.value.message
    citations = write_citations(tmp_path, ("a", "b"))
    with pytest.raises(SourceError, match="citations without papers"):
        find_sources([citations])
    papers = write_papers(tmp_path, *titled("a"))
    (tmp_path / "b").mkdir()
    with pytest.raises(SourceError, match="2 tables of papers"):
        find_sources([papers, write_papers(tmp_path / "b", *titled("a"))])
    with pytest.raises(SourceError, match="a folder without a known table"):
        find_sources([tmp_path], format_="aan")
    with pytest.raises(ConfigError, match="expected one of: aan, auto, crossref, csv, jats"):
        find_sources([papers], format_="pdf")
    assert find_sources([unknown], format_="jats").documents == (unknown,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (cut(b"id,title\na,On a\n"), "compressed by gzip, but cut off"),
        ("id,title\na,On a\n".encode("utf-16-le"), "holds zero bytes.* save it as CSV in UTF-8"),
        (b"", "holds no line"),
    ],
    ids=["cut", "utf-16", "empty"],  # gzip data hold the time and would make test ids unstable
)
def test_unreadable_tables_are_reported_with_the_reason(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "papers.csv.gz"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=message):
        find_sources([path])


def test_unread_files_of_a_data_set_are_counted(tmp_path: Path) -> None:
    write_papers(tmp_path, *titled("a"))
    (below := tmp_path / "below").mkdir()
    for folder in (tmp_path, below):
        (folder / "readme.md").write_text("hello\n")
    sources = find_sources([tmp_path])
    assert (len(sources.data_sets), sources.documents) == (1, ())
    assert sources.passed_over == {".md": 2}


@pytest.mark.parametrize(
    "place", ["a.xml", "below/b.xml", "works.jsonl", "texts.zip", "scopus.csv"]
)
def test_documents_in_the_folder_of_a_data_set_are_read(tmp_path: Path, place: str) -> None:
    """Documents at any depth and exports; tables are no documents, and are not read twice."""
    papers = write_papers(tmp_path, *titled("a"))
    assert find_sources([tmp_path]).documents == ()
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("Title,Source title,EID\n")
    (tmp_path / "readme.md").write_text("hello\n")
    sources = find_sources([tmp_path])
    assert (sources.tables, sources.documents) == ({papers}, (tmp_path,))
    found = [*iter_files(tmp_path, sources.passed_over, sources.tables)]
    assert (found, sources.passed_over) == ([tmp_path / place], {".md": 1})
    assert find_sources([tmp_path], format_="csv").documents == (), "tables alone"


@pytest.mark.parametrize("name", ["papers.csv", "acl-metadata.txt"])
@pytest.mark.parametrize(
    ("links", "content", "message"),
    [
        ("links.csv", b"source,target\na,b\n", "begins with 'source,target'; not a known table"),
        ("links.csv", b"citing_id,cited\na,b\n", r"\(rename citing_id to citing\?\); expected"),
        ("links.tsv", b" \n", "holds no line"),
        ("links.csv.gz", cut(b"citing,cited\na,b\n"), "compressed by gzip, but cut off"),
        ("acl.txt.gz", cut(b"a , b\n"), "compressed by gzip, but cut off"),
    ],
    ids=["other-columns", "near-columns", "empty", "cut", "cut-text"],
)
def test_unknown_tables_next_to_papers_are_refused(
    tmp_path: Path, name: str, links: str, content: bytes, message: str
) -> None:
    """Skipped citations would be missing in all later steps."""
    papers = tmp_path / name
    papers.write_text("id,title\na,x\n" if name == "papers.csv" else "id = {a}\ntitle = {x}\n")
    (tmp_path / links).write_bytes(content)
    with pytest.raises(SourceError, match=message) as error:
        find_sources([tmp_path])
    assert error.value.path == str(tmp_path / links)
    (tmp_path / links).rename(tmp_path / "links.md")
    assert find_sources([tmp_path]).passed_over == {".md": 1}


def test_without_papers_other_tables_are_ignored(tmp_path: Path) -> None:
    for name, content in (
        ("a.csv.gz", cut(b"id,note\na,b\n")),
        ("b.csv", b""),
        ("c.csv", b"citing,cited\n"),
    ):
        (tmp_path / name).write_bytes(content)
    assert find_sources([tmp_path]).documents == (tmp_path,)
    make_aan(tmp_path)
    assert find_sources([tmp_path], format_="aan").passed_over == {".gz": 1, ".csv": 2}


def test_tables_of_notices_are_read_beside_documents(tmp_path: Path) -> None:
    (tmp_path / "paper.xml").write_bytes(b"<article/>")
    (tmp_path / "notes.csv").write_text("id,note\n")
    notices = tmp_path / "retractions.csv"
    notices.write_text("OriginalPaperDOI,RetractionNature\n")
    sources = find_sources([tmp_path])
    assert (sources.documents, sources.notices) == ((tmp_path,), (notices,))
    passed_over = sources.passed_over
    found = iter_documents([tmp_path], tables=sources.tables, passed_over=passed_over)
    assert [Path(document.path).name for document in found] == ["paper.xml"]
    assert passed_over == {".csv": 1}, "only the other table"


def test_paths_with_dots_name_the_same_files(tmp_path: Path) -> None:
    """Also through a link, where the folder above is not that of the text."""
    (folder := tmp_path / "a" / "b").mkdir(parents=True)
    papers = write_papers(folder, *titled("a"))
    (data_set,) = find_sources([tmp_path / "a" / "b" / ".." / "b" / "papers.csv"]).data_sets
    assert data_set.papers == papers
    (other := tmp_path / "other").mkdir()
    (other / "link").symlink_to(folder)
    write_papers(tmp_path / "a", *titled("b"))
    (data_set,) = find_sources([other / "link" / ".." / "papers.csv"]).data_sets
    assert data_set.papers == tmp_path / "a" / "papers.csv"
