"""Readers of source formats for `sources.py`: the loaders, plain parsers, and other libraries.

Each reads the files of a folder and returns what it found. Libraries are imported where they are
used, so that a process holds only its own.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from citescape.core.errors import SourceError

Counts = tuple[int, int]
"""Papers and references; 0 references for readers that leave them in the parsed data."""
Reader = Callable[[Path], Counts]
SLOW_PEER_EVERY = 10


def files_of(folder: Path) -> list[Path]:
    """The files in name order."""
    return sorted(folder.iterdir())


def file_of(folder: Path) -> Path:
    """The single file."""
    (file,) = folder.iterdir()
    return file


def read_documents(folder: Path) -> Counts:
    """The loaders of documents: files -> `Paper`."""
    from citescape.loaders.document_formats import read_document
    from citescape.loaders.sources import iter_documents

    papers = references = 0
    for document in iter_documents(files_of(folder)):
        paper = read_document(document.read(), document.path)
        papers += 1
        references += len(paper.references)
    return papers, references


def load_documents(folder: Path) -> Counts:
    """Files -> Arrow tables, as `platform ingest` reads them with one worker."""
    from citescape.ingest.parse import parse_documents
    from citescape.loaders.sources import iter_documents

    return _count(parse_documents(iter_documents(files_of(folder)), workers=1))


def read_tables(folder: Path) -> Counts:
    """The readers of data sets: rows -> `Paper`, and citations with their sentences."""
    from citescape.loaders.lines import TextLines

    data_set = _data_set(folder)
    own = data_set.table_format
    papers = references = 0
    for file in data_set.all_papers:
        for row in own.read_papers(TextLines(file)):
            if not isinstance(row, SourceError):
                own.record_of(row, path=str(file), sha256="", own_id=row.id, loader=own.version)
                papers += 1
    for file in data_set.citations:
        for batch in own.read_citations(TextLines(file)):
            references += len(batch.citing)
    return papers, references


def load_tables(folder: Path) -> Counts:
    """A data set -> Arrow tables, as `platform ingest` reads it."""
    from citescape.ingest.table_papers import TablePapers

    return _count(TablePapers(_data_set(folder)).parse(lambda _: {}))


def _data_set(folder: Path) -> Any:
    from citescape.loaders.datasets import find_sources

    (data_set,) = find_sources(files_of(folder)).data_sets
    return data_set


def _count(parsed: Iterator[Any]) -> Counts:
    """Papers that are loaded and their references, by the reports."""
    papers = references = 0
    for part in parsed:
        for row in part.report.select(["status", "references"]).to_pylist():
            if row["status"] == "loaded":
                papers += 1
                references += row["references"]
    return papers, references


def read_notices(folder: Path) -> Counts:
    """The reader of tables of notices."""
    from citescape.loaders.lines import TextLines
    from citescape.loaders.notice_tables import read_notices as read

    notices = read(TextLines(file_of(folder)))
    return sum(not isinstance(notice, SourceError) for notice in notices), 0


def read_library(folder: Path) -> Counts:
    """The readers of reference managers' files."""
    from citescape.papers.reference_files import read_references

    return len(read_references([str(file_of(folder))], {}).references), 0


def load_library(folder: Path) -> Counts:
    """The same as an Arrow table."""
    from citescape.papers.reference_files import read_references

    return read_references([str(file_of(folder))], {}).table.num_rows, 0


def parse_xml(folder: Path) -> Counts:
    """Only builds the trees with lxml; records of a set are counted."""
    from lxml import etree

    from citescape.loaders.documents import of_file

    roots = (etree.parse(of_file(file).open()).getroot() for file in files_of(folder))
    return sum(len(root) if root.tag == "PubmedArticleSet" else 1 for root in roots), 0


def parse_json(folder: Path) -> Counts:
    """Only parses JSON, lines or a list, with orjson; of a data set counts the papers."""
    parsed = {}
    for file in files_of(folder):
        with file.open("rb") as lines:
            parsed[file.stem] = sum(_size(orjson.loads(line)) for line in lines)
    return parsed.get("papers") or sum(parsed.values()), 0


def _size(value: object) -> int:
    return len(value) if isinstance(value, list) else 1


def parse_parquet(folder: Path) -> Counts:
    """Only reads rows with pyarrow."""
    import pyarrow.parquet as pq

    batches = pq.ParquetFile(file_of(folder)).iter_batches(256)
    return sum(len(batch.to_pylist()) for batch in batches), 0


def parse_csv(folder: Path) -> Counts:
    """Only reads rows with the `csv` module; of a data set counts the papers."""
    csv.field_size_limit(sys.maxsize)
    rows = {}
    for file in files_of(folder):
        with file.open(encoding="utf-8", newline="") as lines:
            rows[file.stem] = sum(1 for _ in csv.DictReader(lines))
    return rows.get("papers") or sum(rows.values()), 0


def parse_csv_with_polars(folder: Path) -> Counts:
    """Only reads columns with polars; of a data set counts the papers."""
    import polars

    rows = {
        file.stem: polars.read_csv(file, infer_schema=False).height for file in files_of(folder)
    }
    return rows.get("papers") or sum(rows.values()), 0


def parse_tags(folder: Path) -> Counts:
    """Only splits lines into tags and values: Web of Science and RIS have no common parser."""
    papers = 0
    record: dict[str, list[str]] = {}
    tag = ""
    with file_of(folder).open(encoding="utf-8-sig") as lines:
        for line in lines:
            tag = line[:2].strip() or tag
            record.setdefault(tag, []).append(line[3:].rstrip("\n"))
            if line.startswith("ER"):
                papers += 1
                record = {}
    return papers, 0


def read_with_grobid_client(folder: Path) -> Counts:
    """Header, paragraphs with in-text citations, and references; some files only: it is slow."""
    from grobid_client.format.TEI2LossyJSON import TEI2LossyJSONConverter

    convert = TEI2LossyJSONConverter().convert_tei_file
    found = [len(convert(file)["references"]) for file in files_of(folder)[::SLOW_PEER_EVERY]]
    return len(found), sum(found)


def read_with_grobid_tei_xml(folder: Path) -> Counts:
    """Header, text without its citations, and references."""
    from grobid_tei_xml.parse import parse_document_xml

    documents = (parse_document_xml(f.read_bytes()) for f in files_of(folder))
    found = [len(document.citations or ()) for document in documents]
    return len(found), sum(found)


def read_with_pubmed_parser(folder: Path) -> Counts:
    """Metadata, and references as printed, with PMID."""
    import pubmed_parser

    records = pubmed_parser.parse_medline_xml(
        str(file_of(folder)), author_list=True, reference_list=True
    )
    found = [len(record["references"]) for record in records]
    return len(found), sum(found)


def read_with_pyalex(folder: Path) -> Counts:
    """Wraps the parsed object and joins the abstract; all other fields are those of JSON."""
    import pyalex

    papers = references = 0
    with file_of(folder).open("rb") as lines:
        for line in lines:
            work = pyalex.Work(orjson.loads(line))
            work["abstract"]
            papers += 1
            references += len(work["referenced_works"])
    return papers, references


def read_with_wosfile(folder: Path) -> Counts:
    """Fields as texts or lists; references as printed."""
    import wosfile

    records = wosfile.records_from(str(file_of(folder)))
    found = [len(record.get("CR", ())) for record in records]
    return len(found), sum(found)


def read_with_rispy(folder: Path) -> Counts:
    """Fields by name."""
    import rispy

    with file_of(folder).open(encoding="utf-8") as file:
        return len(rispy.load(file)), 0


def read_with_bibtexparser(folder: Path) -> Counts:
    """Fields as written; neither names nor LaTeX are converted."""
    from bibtexparser.entrypoint import parse_file

    return len(parse_file(str(file_of(folder))).entries), 0


def read_with_citeproc(folder: Path) -> Counts:
    """Names, dates and texts as its formatter uses them."""
    from citeproc.source.json import CiteProcJSON

    return len(CiteProcJSON(orjson.loads(file_of(folder).read_bytes()))), 0
