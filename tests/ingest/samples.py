"""Small papers written in every format, for tests of what all formats have in common."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import orjson

Names = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Work:
    """One paper; a format writes what it has fields for."""

    number: int
    doi: str | None = ""
    """By default made of the number; None for a paper without ids."""
    pmid: str | None = None
    title: str | None = None
    """By default made of the number."""
    abstract: str = "Café yields rose."
    year: str = "2019"
    authors: Names = (("Núñez", "Ana"),)
    cites: Sequence[str] = ()
    """DOIs."""

    @property
    def own_doi(self) -> str:
        """Its DOI; empty if it has none."""
        return "" if self.doi is None else self.doi or f"10.1000/paper{self.number}"

    @property
    def heading(self) -> str:
        """Its title."""
        return f"Études of rice number {self.number}" if self.title is None else self.title


@dataclass(frozen=True)
class Sample:
    """How papers are written in one format."""

    record: Callable[[Work], bytes]
    join: Callable[[Sequence[bytes]], bytes] | None
    """A file of several records; None for formats with one paper in each file."""
    name: str
    """Name of the file."""
    kind: str
    """`xml`, `json`, or `table`."""
    has: frozenset[str] = frozenset()
    """Some of: abstract, authors, doi, pmid, references, year."""
    beside: Callable[[Sequence[Work]], dict[str, bytes]] = lambda _: {}
    """Further files of a data set of these works, by name."""
    broken: bytes = b"neither one nor the other\n"
    """A record that cannot be read."""

    def write(self, folder: Path, works: Sequence[Work]) -> list[Path]:
        """The files of some works; the one with the papers comes first."""
        return self.write_records(folder, [self.record(work) for work in works], works)

    def write_records(
        self, folder: Path, records: Sequence[bytes], works: Sequence[Work] = ()
    ) -> list[Path]:
        """The files of records that are written already, which may be damaged."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.join is None:
            files = {f"{i:03}-{self.name}": record for i, record in enumerate(records)}
        else:
            files = {self.name: self.join(records)}
        files |= self.beside(works)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return [folder / name for name in files]


def _jats(work: Work) -> bytes:
    names = "".join(
        f'<contrib contrib-type="author"><name><surname>{escape(a)}</surname><given-names>'
        f"{escape(b)}</given-names></name></contrib>"
        for a, b in work.authors
    )
    ids = "".join(
        f"<article-id pub-id-type={quoteattr(kind)}>{escape(id_)}</article-id>"
        for kind, id_ in (("doi", work.own_doi), ("pmid", work.pmid))
        if id_
    )
    cites = "".join(f'<xref ref-type="bibr" rid="B{i}">{i}</xref> ' for i in range(len(work.cites)))
    entries = "".join(
        f'<ref id="B{i}"><element-citation><pub-id pub-id-type="doi">{escape(doi)}</pub-id>'
        "</element-citation></ref>"
        for i, doi in enumerate(work.cites)
    )
    return (
        f"<article><front><article-meta>{ids}<title-group><article-title>{escape(work.heading)}"
        f"</article-title></title-group><contrib-group>{names}</contrib-group><pub-date><year>"
        f"{escape(work.year)}</year></pub-date><abstract><p>{escape(work.abstract)}</p></abstract>"
        f"</article-meta></front><body><sec><title>Results</title><p>Seen {cites}.</p></sec></body>"
        f"<back><ref-list>{entries}</ref-list></back></article>"
    ).encode()


def _tei(work: Work) -> bytes:
    names = "".join(
        f"<author><persName><forename>{escape(b)}</forename><surname>{escape(a)}</surname>"
        "</persName></author>"
        for a, b in work.authors
    )
    ids = "".join(
        f"<idno type={quoteattr(kind)}>{escape(id_)}</idno>"
        for kind, id_ in (("DOI", work.own_doi), ("PMID", work.pmid))
        if id_
    )
    cites = "".join(f'<ref type="bibr" target="#b{i}">{i}</ref> ' for i in range(len(work.cites)))
    entries = "".join(
        f'<biblStruct xml:id="b{i}"><monogr><title>Cited {i}</title></monogr><idno type="DOI">'
        f"{escape(doi)}</idno></biblStruct>"
        for i, doi in enumerate(work.cites)
    )
    return (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>'
        f'<title type="main">{escape(work.heading)}</title></titleStmt><sourceDesc><biblStruct>'
        f'<analytic>{names}</analytic><monogr><imprint><date type="published" '
        f"when={quoteattr(work.year)}/></imprint></monogr>{ids}</biblStruct></sourceDesc></fileDesc>"
        f"<profileDesc><abstract><p>{escape(work.abstract)}</p></abstract></profileDesc></teiHeader>"
        f"<text><body><div><head>Results</head><p>Seen {cites}.</p></div></body><back>"
        f'<div type="references"><listBibl>{entries}</listBibl></div></back></text></TEI>'
    ).encode()


def _pubmed(work: Work) -> bytes:
    names = "".join(
        f"<Author><LastName>{escape(a)}</LastName><ForeName>{escape(b)}</ForeName></Author>"
        for a, b in work.authors
    )
    doi = f'<ELocationID EIdType="doi">{escape(work.own_doi)}</ELocationID>' if work.own_doi else ""
    pmid = f"<PMID>{escape(work.pmid)}</PMID>" if work.pmid else ""
    entries = "".join(
        f'<Reference><ArticleIdList><ArticleId IdType="doi">{escape(doi)}</ArticleId>'
        "</ArticleIdList></Reference>"
        for doi in work.cites
    )
    return (
        f"<PubmedArticle><MedlineCitation>{pmid}<Article><Journal><JournalIssue><PubDate><Year>"
        f"{escape(work.year)}</Year></PubDate></JournalIssue><Title>Rice</Title></Journal>"
        f"<ArticleTitle>{escape(work.heading)}</ArticleTitle>{doi}<Abstract><AbstractText>"
        f"{escape(work.abstract)}</AbstractText></Abstract><AuthorList>{names}</AuthorList></Article>"
        f"</MedlineCitation><PubmedData><ReferenceList>{entries}</ReferenceList></PubmedData>"
        "</PubmedArticle>"
    ).encode()


def _json(record: dict[str, Any]) -> bytes:
    return orjson.dumps(record)


def _s2orc(work: Work) -> bytes:
    spans = [
        {"start": 5 + 2 * i, "end": 6 + 2 * i, "text": "x", "ref_id": f"BIBREF{i}"}
        for i in range(len(work.cites))
    ]
    text = f"Seen {'x ' * len(work.cites)}."
    metadata = {
        "title": work.heading,
        "authors": [{"first": b, "middle": [], "last": a, "suffix": ""} for a, b in work.authors],
        "abstract": work.abstract,
        "year": work.year,
        "doi": work.own_doi or None,
        "pubmed_id": work.pmid,
    }
    parse = {
        "abstract": [],
        "body_text": [{"text": text, "cite_spans": spans, "section": "Results"}],
        "ref_entries": {},
        "bib_entries": {
            f"BIBREF{i}": {"title": f"Cited {i}", "authors": [], "other_ids": {"DOI": [doi]}}
            for i, doi in enumerate(work.cites)
        },
    }
    return _json({"paper_id": "f" * 40, "metadata": metadata, "grobid_parse": parse})


def _unarxive(work: Work) -> bytes:
    marks = " ".join(f"{{{{cite:c{i}}}}}" for i in range(len(work.cites)))
    paragraph = {
        **{"section": "Results", "sec_number": "1", "sec_type": "section"},
        **{"content_type": "paragraph", "text": f"Seen {marks}.", "cite_spans": []},
    }
    metadata = {
        "title": work.heading,
        "doi": work.own_doi or None,
        "authors_parsed": [[a, b, ""] for a, b in work.authors],
        "abstract": work.abstract,
        "versions": [{"version": "v1", "created": f"Thu, 2 Dec {work.year} 17:01:56 GMT"}],
    }
    return _json(
        {
            "paper_id": "",
            "_source_hash": "1b58",
            "metadata": metadata,
            "abstract": {"section": "Abstract", "text": work.abstract},
            "body_text": [paragraph],
            "bib_entries": {
                f"c{i}": {"bib_entry_raw": f"Cited {i}", "ids": {"doi": doi}}
                for i, doi in enumerate(work.cites)
            },
        }
    )


def _crossref(work: Work) -> bytes:
    return _json(
        {
            "DOI": work.own_doi or None,
            "type": "journal-article",
            "title": [work.heading],
            "abstract": f"<jats:p>{escape(work.abstract)}</jats:p>",
            "author": [{"family": a, "given": b} for a, b in work.authors],
            "issued": {"date-parts": [[work.year]]},
            "container-title": ["Rice"],
            "reference": [{"key": f"r{i}", "DOI": doi} for i, doi in enumerate(work.cites)],
        }
    )


def _openalex(work: Work) -> bytes:
    return _json(
        {
            "id": f"https://openalex.org/W{work.number}000" if work.doi is not None else None,
            "doi": f"https://doi.org/{work.own_doi}" if work.own_doi else None,
            "ids": {"pmid": work.pmid},
            "title": work.heading,
            "publication_year": work.year,
            "abstract_inverted_index": {word: [i] for i, word in enumerate(work.abstract.split())},
            "authorships": [{"author": {"display_name": f"{b} {a}"}} for a, b in work.authors],
            "referenced_works": [],
        }
    )


def _s2ag(work: Work) -> bytes:
    return _json(
        {
            "corpusid": work.number if work.doi is not None else None,
            "paperId": "x",
            "externalids": {"DOI": work.own_doi or None, "PubMed": work.pmid},
            "title": work.heading,
            "abstract": work.abstract,
            "year": work.year,
            "authors": [{"name": f"{b} {a}"} for a, b in work.authors],
        }
    )


def _s2ag_citations(works: Sequence[Work]) -> dict[str, bytes]:
    numbers = {work.own_doi: work.number for work in works}
    lines = [
        _json({"citingcorpusid": work.number, "citedcorpusid": numbers.get(doi, 9_999)})
        for work in works
        for doi in work.cites
    ]
    lines.append(_json({"citingcorpusid": 1, "citedcorpusid": None}))
    return {"citations.jsonl": b"\n".join(lines)}


def _pmc(work: Work) -> bytes:
    return _json(
        {
            "pmcid": f"PMC{work.number}000" if work.doi is not None else None,
            "version": 1,
            "doi": work.own_doi or None,
            "pmid": work.pmid,
            "title": work.heading,
            "is_manuscript": False,
            "license_code": "CC BY",
        }
    )


def _csv(cells: Sequence[str], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerow(cells)
    return text.getvalue().encode()


_SCOPUS = ("Authors", "Title", "Year", "Source title", "DOI", "PubMed ID", "References", "EID")
_SCOPUS += ("Abstract",)
_TABLE = ("id", "title", "year", "authors", "doi", "pmid", "abstract")


def _scopus(work: Work) -> bytes:
    cited = "; ".join(f"Doe A., Cited, Rice, 1, p. 2, (2001), DOI: {doi}" for doi in work.cites)
    names = "; ".join(f"{a} {b[:1]}." for a, b in work.authors)
    cells = [names, work.heading, work.year, "Rice", work.own_doi, work.pmid or "", cited]
    return _csv([*cells, f"2-s2.0-{work.number}", work.abstract])


def _wos(work: Work) -> bytes:
    fields = {
        "PT": ["J"],
        "AU": [f"{a}, {b}" for a, b in work.authors],
        "TI": [work.heading],
        "SO": ["RICE"],
        "AB": [work.abstract],
        "PY": [work.year],
        "CR": [f"Doe A, 2001, RICE, V1, P2, DOI {doi}" for doi in work.cites],
        "DI": [work.own_doi] if work.own_doi else [],
        "PM": [work.pmid] if work.pmid else [],
        "UT": [f"WOS:{work.number}"],
    }
    lines = [
        f"{tag if i == 0 else '  '} {value}"
        for tag, values in fields.items()
        for i, value in enumerate(values)
    ]
    return ("\n".join([*lines, "ER"]) + "\n\n").encode()


def _aan(work: Work) -> bytes:
    names = "; ".join(f"{a}, {b}" for a, b in work.authors)
    id_ = f"A{work.number:03}" if work.doi is not None else ""
    fields = {"id": id_, "author": names, "title": work.heading, "year": work.year}
    return ("".join(f"{name} = {{{value}}}\n" for name, value in fields.items()) + "\n").encode()


def _table(work: Work) -> bytes:
    names = "; ".join(f"{a}, {b}" for a, b in work.authors)
    id_ = f"A{work.number:03}" if work.doi is not None else ""
    return _csv([id_, work.heading, work.year, names, work.own_doi, work.pmid or "", work.abstract])


def _pairs(works: Sequence[Work], *, quoted: bool) -> str:
    numbers = {work.own_doi: work.number for work in works}
    sign = '"' if quoted else ""
    pairs = [(work.number, numbers.get(doi, 999)) for work in works for doi in work.cites]
    return "".join(f"{sign}A{a:03}{sign} , {sign}A{b:03}{sign}\n" for a, b in pairs)


def _wrap(tag: str) -> Callable[[Sequence[bytes]], bytes]:
    return lambda records: f"<{tag}>".encode() + b"\n".join(records) + f"</{tag}>".encode()


def _after(head: bytes) -> Callable[[Sequence[bytes]], bytes]:
    return lambda records: head + b"".join(records)


_FIELDS = frozenset(("abstract", "authors", "doi", "pmid", "references", "year"))

SAMPLES: dict[str, Sample] = {
    "jats": Sample(_jats, _wrap("pmc-articleset"), "set.xml", "xml", _FIELDS),
    "tei": Sample(_tei, None, "paper.tei.xml", "xml", _FIELDS),
    "pubmed": Sample(_pubmed, _wrap("PubmedArticleSet"), "pubmed.xml", "xml", _FIELDS),
    "s2orc": Sample(_s2orc, b"\n".join, "s2orc.jsonl", "json", _FIELDS),
    "unarxive": Sample(_unarxive, b"\n".join, "arxiv.jsonl", "json", _FIELDS - {"pmid"}),
    "crossref": Sample(_crossref, b"\n".join, "crossref.jsonl", "json", _FIELDS - {"pmid"}),
    "openalex": Sample(_openalex, b"\n".join, "works.jsonl", "json", _FIELDS - {"references"}),
    "s2ag": Sample(_s2ag, b"\n".join, "papers.jsonl", "json", _FIELDS - {"references"}),
    "pmc": Sample(_pmc, b"\n".join, "pmc.jsonl", "json", frozenset(("doi", "pmid"))),
    "scopus": Sample(_scopus, _after(_csv(_SCOPUS)), "scopus.csv", "table", _FIELDS),
    "wos": Sample(
        _wos,
        _after(b"FN Clarivate Analytics Web of Science\nVR 1.0\n"),
        "savedrecs.txt",
        "table",
        _FIELDS,
        broken=b"PT J\nTI Without an end\n\n",
    ),
    "aan": Sample(
        _aan,
        b"".join,
        "acl-metadata.txt",
        "table",
        frozenset(("authors", "references", "year")),
        lambda works: {"acl.txt": _pairs(works, quoted=False).encode()},
    ),
    "csv": Sample(
        _table,
        _after(_csv(_TABLE)),
        "papers.csv",
        "table",
        _FIELDS,
        lambda works: {
            "citations.csv": b"citing,cited\n"
            + _pairs(works, quoted=True).replace(" , ", ",").encode()
        },
    ),
    "s2ag with citations": Sample(
        _s2ag, b"\n".join, "papers.jsonl", "json", _FIELDS, _s2ag_citations
    ),
}
"""Format -> how its files are written."""
