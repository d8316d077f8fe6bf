"""Small JATS papers, and content of a store, for tests of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import pyarrow as pa

from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import IngestResult, ingest
from citescape.store.graph_store import GraphStore
from citescape.store.schema import TABLE
from citescape.store.statements import read_text

Name = tuple[str, str] | tuple[str, str, str]
"""Surname, given names, and perhaps an ORCID."""

ORCID = "0000-0001-7767-3930"
OTHER_ORCID = "0000-0002-1825-0097"


@dataclass(frozen=True)
class Cited:
    """A reference list entry; empty fields are not printed."""

    title: str = ""
    doi: str = ""
    pmid: str = ""
    year: int | None = 2001
    authors: tuple[Name, ...] = (("Mendel", "G"),)
    source: str = "J Peas"
    volume: str = ""
    page: str = ""


def jats(
    number: int,
    cited: Sequence[Cited] = (),
    *,
    authors: Sequence[Name] = (("Shull", "George H"),),
    title: str = "",
    text: str = "",
    doi: str | None = None,
) -> bytes:
    """A paper with DOI 10.1/{number}, which cites each reference once in its introduction."""
    names = "".join(f'<contrib contrib-type="author">{_name(a)}</contrib>' for a in authors)
    marks = " ".join(
        f'It was shown before <xref ref-type="bibr" rid="B{i}">[{i}]</xref>.'
        for i in range(len(cited))
    )
    entries = "".join(f'<ref id="B{i}">{_entry(ref)}</ref>' for i, ref in enumerate(cited))
    heading = title or f"Paper number {number}"
    doi = f"10.1000/{number}" if doi is None else doi
    doi_tag = f'<article-id pub-id-type="doi">{doi}</article-id>' if doi else ""
    return f"""<article article-type="research-article"><front>
<journal-meta><journal-title-group><journal-title>Heredity Letters</journal-title>
</journal-title-group></journal-meta><article-meta>{doi_tag}
<title-group><article-title>{escape(heading)}</article-title></title-group>
<contrib-group>{names}</contrib-group><pub-date><year>2010</year></pub-date>
<kwd-group><kwd>maize</kwd><kwd>word {number % 3}</kwd></kwd-group></article-meta></front>
<body><sec sec-type="intro"><title>Introduction</title><p>{escape(text)} {marks}</p></sec></body>
<back><ref-list>{entries}</ref-list></back></article>""".encode()


def _name(author: Name) -> str:
    orcid = (
        f'<contrib-id contrib-id-type="orcid">https://orcid.org/{author[2]}</contrib-id>'
        if len(author) > 2
        else ""
    )
    return (
        f"{orcid}<name><surname>{escape(author[0])}</surname>"
        f"<given-names>{escape(author[1])}</given-names></name>"
    )


def _entry(ref: Cited) -> str:
    fields = {
        "article-title": ref.title,
        "source": ref.source,
        "year": "" if ref.year is None else str(ref.year),
        "volume": ref.volume,
        "fpage": ref.page,
    }
    tags = "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in fields.items() if text)
    ids = "".join(
        f'<pub-id pub-id-type="{kind}">{value}</pub-id>'
        for kind, value in (("doi", ref.doi), ("pmid", ref.pmid))
        if value
    )
    names = "".join(_name(author) for author in ref.authors)
    return f"<element-citation><person-group>{names}</person-group>{tags}{ids}</element-citation>"


def small_corpus(count: int = 8) -> list[bytes]:
    """Papers that cite each other and share references, authors and mistakes."""
    people: list[Name] = [("Shull", "George H"), ("East", "Edward M", ORCID), ("Emerson", "R A")]
    papers = []
    for i in range(count):
        cited = [
            Cited("Paper number 0", year=2010, authors=(people[0],)),
            Cited(f"Paper number {i - 1}", doi=f"10.1000/{i - 1}"),
            Cited("Experiments in plant hybridization", pmid="77", year=1866),
            Cited("Experiments in plant hybridization", doi="10.9999/peas1", pmid="77", year=1866),
            Cited("A book", year=1900 + i % 2, authors=(("Bateson", "W"), ("Saunders", "E R"))),
            Cited("", doi="", pmid=str(100 + i % 3)),
        ]
        papers.append(
            jats(i, cited[: 3 + i % 4], authors=[*people[: 1 + i % 3], ("Jones", "Donald F")])
        )
    return papers


def write_files(folder: Path, papers: Sequence[bytes]) -> list[Path]:
    """The papers as files `00.xml`, `01.xml`, ..."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{i:02}.xml" for i in range(len(papers))]
    for path, paper in zip(paths, papers, strict=True):
        path.write_bytes(paper)
    return paths


def load(
    store: GraphStore, *paths: Path, strict: bool = False, batch: int | None = None
) -> IngestResult:
    """Ingests in this process."""
    return ingest(store, paths, IngestConfig(workers=1, strict=strict, batch_papers=batch))


def snapshot(store: GraphStore, *, without: Sequence[str] = ()) -> dict[str, list[str]]:
    """Sorted rows of every table, without the properties named in `without`.

    The id of a file is its path. Of the stamp of derived data only remains whether it is current.
    """
    tables = {}
    for name, table in TABLE.items():
        rows = store.read(read_text(table))
        hidden = [*without, "id"] if name == "File" and "path" in without else without
        columns = [c for c in rows.column_names if c not in hidden]
        listed = rows.select(columns).to_pylist()
        for row in listed if name == "Meta" else ():
            row["value"] = "yes" if is_stamp(row) else row["value"]
        tables[name] = sorted(map(repr, listed))
    return tables


def is_stamp(meta: dict[str, str]) -> bool:
    """Whether a row of Meta is the stamp of derived data."""
    return meta["id"] == "resolved" and meta["value"] != "no"


def one_column(store: GraphStore, text: str) -> list[object]:
    """The values of a query with one column, sorted."""
    table: pa.Table = store.read(text)
    values: list[object] = table.column(0).to_pylist()
    return sorted(values, key=repr)
