"""Reading the source formats other than JATS: the loaders, other libraries, and parsing only.

    python benchmarks/sources.py              2,102 papers, ten minutes
    python benchmarks/sources.py --quick      every tenth paper
    python benchmarks/sources.py --quick --only TEI RIS

The papers of the crops corpus are written in each format, with the fields that real records have,
and read in a separate process for each reader. Ends with an error if a loader finds other numbers
of papers or references than were written. JATS is compared in `jats.py`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jats
import measure
import source_readers as readers
import source_records as records
import source_tables as tables
import source_texts as texts
from source_articles import Article, Counts, read_articles

from citescape.loaders.documents import of_file

LEAST_SECONDS = 1.0
"""CPU seconds of a measurement: small files are read again and again."""
WARM_UP = 5
"""Papers that are read before."""
COLUMNS = {
    "format": "format",
    "reader": "reader",
    "papers": "papers",
    "references": "references",
    "megabytes": "MB",
    "kilobytes_per_paper": "KB / paper",
    "cpu_seconds": "CPU s",
    "papers_per_cpu_second": "papers / CPU s",
    "times_slower": "times slower",
    "peak_mb": "peak MB",
}
NOTES = (
    "The papers of the crops corpus in each format. `citescape` reads files to `Paper` records, "
    "or entries of libraries; `citescape, Arrow tables` reads them as `platform ingest` does with "
    "one worker. CPU seconds are those of one reading, `times slower` is the time per paper "
    "relative to `citescape`. Full texts have all references, other formats those with title and "
    "year, each work once; references of PubMed, Scopus and Web of Science are printed entries. "
    "Papers of Retraction Watch are notices, those of RIS, BibTeX and CSL-JSON are entries. MB "
    "are those of decompressed files, but of Parquet as stored. Most peers give less than the "
    "loaders: grobid-client-python (`TEI2LossyJSON`, every tenth paper) no sentences, grobid-tei- "
    "xml (last release 2021) no in-text citations, pubmed_parser no DOIs of references, pyalex "
    "the parsed object and the joined abstract, wosfile, rispy and bibtexparser the fields as "
    "written. Not compared: metaknowledge (last release 2020, GPL), litstudy (`csv.DictReader` "
    "for Scopus, references not read; last release 2023, a dozen dependencies), pybliometrics and "
    "habanero (clients of web services), s2orc-doc2json (not on PyPI)."
)


@dataclass(frozen=True)
class SourceFormat:
    """Files of a format and the ways to read them."""

    write: Callable[[Path, Sequence[Article]], Counts]
    """Writes the papers in a folder; returns the numbers of papers and references."""
    reader_of: Mapping[str, readers.Reader]
    """Name -> reader. What `citescape` finds is checked; others are compared with the first."""


_DOCUMENTS = {
    "citescape": readers.read_documents,
    "citescape, Arrow tables": readers.load_documents,
}
_DATA_SET = {"citescape": readers.read_tables, "citescape, Arrow tables": readers.load_tables}
_LIBRARY = {"citescape": readers.read_library, "citescape, Arrow tables": readers.load_library}
_XML = {"lxml, parsing only": readers.parse_xml}
_JSON = {"orjson, parsing only": readers.parse_json}
_CSV = {
    "csv, parsing only": readers.parse_csv,
    "polars, parsing only": readers.parse_csv_with_polars,
}
_TAGS = {"splitting lines only": readers.parse_tags}
FORMATS = {
    "TEI": SourceFormat(
        texts.write_tei,
        _DOCUMENTS
        | _XML
        | {
            "grobid-client-python": readers.read_with_grobid_client,
            "grobid-tei-xml": readers.read_with_grobid_tei_xml,
        },
    ),
    "S2ORC, release 2019": SourceFormat(texts.write_s2orc(texts.release_2019), _DOCUMENTS | _JSON),
    "S2ORC, doc2json": SourceFormat(texts.write_s2orc(texts.doc2json), _DOCUMENTS | _JSON),
    "S2ORC, data set": SourceFormat(texts.write_s2orc(texts.dataset), _DOCUMENTS | _JSON),
    "unarXive": SourceFormat(texts.write_s2orc(texts.unarxive), _DOCUMENTS | _JSON),
    "PubMed": SourceFormat(
        records.write_pubmed, _DOCUMENTS | _XML | {"pubmed_parser": readers.read_with_pubmed_parser}
    ),
    "Crossref": SourceFormat(records.write_lines(records.crossref), _DOCUMENTS | _JSON),
    "OpenAlex": SourceFormat(
        records.write_lines(records.openalex),
        _DOCUMENTS | _JSON | {"pyalex": readers.read_with_pyalex},
    ),
    "OpenAlex, Parquet": SourceFormat(
        records.write_openalex_parquet,
        _DOCUMENTS | {"pyarrow, parsing only": readers.parse_parquet},
    ),
    "S2AG, API": SourceFormat(records.write_lines(records.s2_api), _DOCUMENTS | _JSON),
    "S2AG, data sets": SourceFormat(records.write_s2ag, _DATA_SET | _JSON),
    "Scopus": SourceFormat(tables.write_scopus, _DOCUMENTS | _CSV),
    "Web of Science": SourceFormat(
        tables.write_wos, _DOCUMENTS | _TAGS | {"wosfile": readers.read_with_wosfile}
    ),
    "CSV tables": SourceFormat(tables.write_tables, _DATA_SET | _CSV),
    "Retraction Watch": SourceFormat(
        tables.write_notices, {"citescape": readers.read_notices} | _CSV
    ),
    "RIS": SourceFormat(tables.write_ris, _LIBRARY | _TAGS | {"rispy": readers.read_with_rispy}),
    "BibTeX": SourceFormat(
        tables.write_bibtex, _LIBRARY | {"bibtexparser": readers.read_with_bibtexparser}
    ),
    "CSL-JSON": SourceFormat(
        tables.write_csl, _LIBRARY | _JSON | {"citeproc-py": readers.read_with_citeproc}
    ),
}


def child(format_: str, reader: str, folder: Path) -> None:
    """One reader's reading of the files, after a warm-up."""
    read = FORMATS[format_].reader_of[reader]
    read(folder / "few")
    jats.prepare()
    passes, begun = 0, time.process_time()
    with measure.metered() as cost:
        while not passes or time.process_time() - begun < LEAST_SECONDS:
            papers, references = read(folder / "all")
            passes += 1
    measure.report(
        cost,
        papers=papers,
        references=references or None,
        cpu_seconds=round(cost.cpu_seconds / passes, 4),
        papers_per_cpu_second=round(papers * passes / cost.cpu_seconds, 1),
    )


def compare(name: str, articles: Sequence[Article]) -> tuple[list[measure.Row], list[str]]:
    """A row for each reader of a format, and the counts of citescape that are wrong."""
    rows: list[measure.Row] = []
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for part, written in (("few", articles[:WARM_UP]), ("all", articles)):
            (folder / part).mkdir()
            expected = FORMATS[name].write(folder / part, written)
        files = (folder / "all").iterdir()
        size = sum(len(of_file(file).open().read()) for file in files)  # not compressed
        for reader in FORMATS[name].reader_of:
            row = measure.run_alone(__file__, "--child", name, reader, folder)
            found = row["papers"], row["references"] or 0
            if reader.startswith("citescape") and found != expected:
                wrong.append(f"{name}, {reader}: found {found}, expected {expected}")
            row |= {"format": name, "reader": reader, "megabytes": round(size / 1e6, 2)}
            row["kilobytes_per_paper"] = round(size / 1e3 / len(articles), 2)
            rows.append(row)
    for row in rows:
        speeds = rows[0]["papers_per_cpu_second"], row["papers_per_cpu_second"]
        row["times_slower"] = round(speeds[0] / speeds[1], 3)
    return rows, wrong


def read_corpus(every: int) -> list[Article]:
    """The papers of the archive, or every n-th of them."""
    with tempfile.TemporaryDirectory() as name:
        jats.unpack(Path(name), every)
        return read_articles(sorted(Path(name).glob("*.xml")))


def main() -> int:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every tenth paper")
    parser.add_argument("--only", nargs="+", choices=FORMATS, help="formats; results not kept")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        format_, reader, folder = options.child
        child(format_, reader, Path(folder))
        return 0
    if not jats.ARCHIVE.exists():
        raise SystemExit(f"no {jats.ARCHIVE}; set CITESCAPE_DATA to the folder that holds it")
    sys.path.insert(0, str(Path(__file__).parents[1]))  # for the converters in tests
    articles = read_corpus(10 if options.quick else 1)
    rows: list[measure.Row] = []
    wrong: list[str] = []
    for name in options.only or FORMATS:
        found, errors = compare(name, articles)
        rows += found
        wrong += errors
        print(f"{name}: {found[0]['papers_per_cpu_second']:,} papers / CPU s", flush=True)
    measure.print_table(rows, COLUMNS)
    print(*wrong, sep="\n")
    if not options.only:
        libraries = (
            *("lxml", "orjson", "pyarrow", "polars", "grobid-client-python", "grobid-tei-xml"),
            *("pubmed-parser", "pyalex", "wosfile", "rispy", "bibtexparser", "citeproc-py"),
        )
        path = measure.write_results(
            "sources-quick" if options.quick else "sources",
            rows,
            libraries=libraries,
            notes=NOTES,
            columns=COLUMNS,
        )
        print(f"\nwritten to {path}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
