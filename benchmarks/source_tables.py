"""Tables, exports and libraries in the formats of `sources.py`."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson
from source_articles import (
    TABLES,
    Article,
    Counts,
    Record,
    count,
    list_part,
    number_of,
    short_name,
)

from citescape.core.types import Author, Reference
from citescape.papers.bibtex import escape_latex


def _write_csv(path: Path, rows: Sequence[Mapping[str, object]], quoting: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), quoting=quoting)  # type: ignore[arg-type]
        writer.writeheader()
        writer.writerows(rows)


def write_tables(folder: Path, articles: Sequence[Article]) -> Counts:
    """The tables of papers and citations of the project."""
    papers: list[Record] = [
        {
            "id": f"W{article.number}",
            "title": article.paper.title,
            "abstract": article.paper.abstract,
            "year": article.date[0],
            "venue": article.venue,
            "authors": "; ".join(f"{a.surname}, {a.given}" for a in article.authors),
            "doi": article.paper.ids.doi,
            "keywords": "; ".join(article.paper.keywords),
        }
        for article in articles
    ]
    citations: list[Record] = [
        {
            "citing": f"W{article.number}",
            "cited": f"W{number}",
            "context": next(iter(contexts), ""),
        }
        for article in articles
        for number, contexts in zip(article.cited, article.contexts, strict=True)
    ]
    for name, rows in zip(TABLES, (papers, citations), strict=True):
        _write_csv(folder / f"{name}.csv", rows, csv.QUOTE_MINIMAL)
    return count(articles)


def write_notices(folder: Path, articles: Sequence[Article]) -> Counts:
    """A row of Retraction Watch for each paper."""
    rows = [
        {
            "Record ID": 1_000 + article.number,
            "Title": article.paper.title,
            "Subject": "(BLS) Agriculture;(BLS) Plant Biology/Botany;",
            "Institution": "; ".join(place.name for place in article.paper.institutions),
            "Journal": article.venue,
            "Publisher": "Springer",
            "Country": "China",
            "Author": ";".join(author.name for author in article.authors),
            "URLS": "",
            "ArticleType": "Research Article;",
            "RetractionDate": "{1}/{2}/{0} 0:00".format(*article.date),
            "RetractionDOI": f"10.5555/{article.number}",
            "RetractionPubMedID": "0",
            "OriginalPaperDate": "{1}/{2}/{0} 0:00".format(*article.date),
            "OriginalPaperDOI": article.paper.ids.doi,
            "OriginalPaperPubMedID": article.paper.ids.pmid or "0",
            "RetractionNature": "Retraction",
            "Reason": "+Concerns/Issues About Data;+Investigation by Journal/Publisher;",
            "Paywalled": "No",
            "Notes": "",
        }
        for article in articles
    ]
    _write_csv(folder / "retraction_watch.csv", rows, csv.QUOTE_MINIMAL)
    return len(rows), 0


def write_scopus(folder: Path, articles: Sequence[Article]) -> Counts:
    """An export of Scopus with all columns that hold text."""
    rows = [
        {
            "Authors": "; ".join(_initials(author) for author in article.authors),
            "Author full names": "; ".join(
                f"{author.surname}, {author.given} ({number_of(author.name)})"
                for author in article.authors
            ),
            "Title": article.paper.title,
            "Year": article.date[0],
            "Source title": article.venue,
            "Volume": "7",
            "Page start": "1",
            "Cited by": "12",
            "DOI": article.paper.ids.doi,
            "Link": "https://www.scopus.com/inward/record.uri?partnerID=40",
            "Affiliations": "; ".join(
                list_part(place.name) for place in article.paper.institutions
            ),
            "Authors with affiliations": "; ".join(
                ", ".join([_initials(author), *map(list_part, article.affiliations(author))])
                for author in article.authors
            ),
            "Abstract": article.paper.abstract,
            "Author Keywords": "; ".join(article.paper.keywords),
            "Index Keywords": "; ".join(article.paper.subjects),
            "References": "; ".join(map(_scopus_reference, article.paper.references)),
            "Publisher": "Springer",
            "ISSN": article.issn.replace("-", ""),
            "PubMed ID": article.paper.ids.pmid or "",
            "Language of Original Document": "English",
            "Document Type": "Article",
            "Source": "Scopus",
            "EID": f"2-s2.0-{85_000_000_000 + article.number}",
        }
        for article in articles
    ]
    _write_csv(folder / "scopus.csv", rows, csv.QUOTE_ALL)
    return count(articles)


def _scopus_reference(reference: Reference) -> str:
    names = [_initials(author) for author in reference.authors]
    place = [reference.source, reference.volume, reference.page and f"pp. {reference.page}"]
    parts = filter(None, (*names, reference.title, *place, f"({reference.year})"))
    return ", ".join(map(list_part, parts))


def _initials(author: Author) -> str:
    """`Smith J.A.`."""
    initials = "".join(f"{part[0]}." for part in author.given.split())
    return list_part(f"{author.surname} {initials}".strip())


def write_wos(folder: Path, articles: Sequence[Article]) -> Counts:
    """An export of Web of Science as plain text."""
    records = "".join(f"{_tagged(_wos(article), '   ')}\nER\n\n" for article in articles)
    text = f"FN Clarivate Analytics Web of Science\nVR 1.0\n{records}EF\n"
    (folder / "savedrecs.txt").write_text(f"\ufeff{text}", encoding="utf-8")
    return count(articles)


def _tagged(fields: Mapping[str, Sequence[str]], indent: str) -> str:
    """The lines of fields; all lines of a field but the first are indented."""
    return "\n".join(
        f"{indent if rank else f'{tag} '}{value}"
        for tag, values in fields.items()
        for rank, value in enumerate(filter(None, values))
    )


def _wos(article: Article) -> Record:
    paper = article.paper
    people = {
        f"[{author.surname}, {author.given}] {name}"
        for author in article.authors
        for name in article.affiliations(author)
    }
    return {
        "PT": ["J"],
        "AU": [f"{a.surname}, {''.join(p[0] for p in a.given.split())}" for a in article.authors],
        "AF": [f"{author.surname}, {author.given}" for author in article.authors],
        "TI": [paper.title],
        "SO": [article.venue.upper()],
        "LA": ["English"],
        "DT": ["Article"],
        "DE": ["; ".join(paper.keywords)],
        "AB": [paper.abstract],
        "C1": sorted(f"{list_part(place)}." for place in people),
        "CR": [_wos_reference(reference) for reference in paper.references],
        "NR": [str(len(paper.references))],
        "TC": ["12"],
        "SN": [article.issn],
        "PY": [str(article.date[0])],
        "VL": ["7"],
        "DI": [paper.ids.doi or ""],
        "WC": ["Agronomy; Plant Sciences"],
        "PM": [paper.ids.pmid or ""],
        "UT": [f"WOS:{article.number:015}"],
    }


def _wos_reference(reference: Reference) -> str:
    first = short_name(reference.authors[0]) if reference.authors else "[Anonymous]"
    parts = (
        *(first, str(reference.year), reference.source.upper()),
        reference.volume and f"V{reference.volume}",
        reference.page and f"P{reference.page}",
        reference.ids.doi and f"DOI {reference.ids.doi}",
    )
    return list_part(", ".join(filter(None, parts)))


def write_ris(folder: Path, articles: Sequence[Article]) -> Counts:
    """A library of a reference manager: the papers themselves, without their references."""
    with (folder / "library.ris").open("w", encoding="utf-8") as file:
        for article in articles:
            fields: dict[str, Sequence[str]] = {
                "TY": ["JOUR"],
                "TI": [article.paper.title],
                "AU": [f"{author.surname}, {author.given}" for author in article.authors],
                "T2": [article.venue],
                "AB": [article.paper.abstract],
                "PY": [str(article.date[0])],
                "VL": ["7"],
                "DO": [article.paper.ids.doi or ""],
                "SN": [article.issn],
                "KW": article.paper.keywords,
            }
            lines = [f"{tag}  - {value}" for tag in fields for value in fields[tag] if value]
            file.write("\n".join([*lines, "ER  - ", "", ""]))
    return len(articles), 0


def write_bibtex(folder: Path, articles: Sequence[Article]) -> Counts:
    """The same library for LaTeX."""
    with (folder / "library.bib").open("w", encoding="utf-8") as file:
        for article in articles:
            fields = {
                "title": article.paper.title,
                "author": " and ".join(f"{a.surname}, {a.given}" for a in article.authors),
                "journal": article.venue,
                "year": str(article.date[0]),
                "volume": "7",
                "issn": article.issn,
                "abstract": article.paper.abstract,
                "keywords": ", ".join(article.paper.keywords),
            }
            lines = [f"\t{name} = {{{escape_latex(text)}}},\n" for name, text in fields.items()]
            doi = f"\tdoi = {{{article.paper.ids.doi}}},\n"
            file.write(f"@article{{paper{article.number},\n{''.join(lines)}{doi}}}\n\n")
    return len(articles), 0


def write_csl(folder: Path, articles: Sequence[Article]) -> Counts:
    """The same library for Pandoc."""
    items = [
        {
            "id": f"paper{article.number}",
            "type": "article-journal",
            "title": article.paper.title,
            "author": [{"family": a.surname, "given": a.given} for a in article.authors],
            "container-title": article.venue,
            "issued": {"date-parts": [article.date]},
            "volume": "7",
            "ISSN": article.issn,
            "DOI": article.paper.ids.doi,
            "abstract": article.paper.abstract,
            "keyword": ", ".join(article.paper.keywords),
        }
        for article in articles
    ]
    (folder / "library.json").write_bytes(orjson.dumps(items))
    return len(items), 0
