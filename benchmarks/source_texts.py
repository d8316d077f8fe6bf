"""Full texts in the formats of `sources.py`: TEI, S2ORC, unarXive. They have all references."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import orjson
from source_articles import Article, Counts, Record

_AS_GROBID = {
    b"</fileDesc>": b'</fileDesc><encodingDesc><appInfo><application version="0.8.0" '
    b'ident="GROBID" when="2024-03-07T10:11+0000"/></appInfo></encodingDesc>',
    b'<title type="main">': b'<title level="a" type="main">',
    b"<title>": b'<title level="j">',
}
"""What GROBID writes and libraries expect, but `as_tei` leaves out."""


def write_tei(folder: Path, articles: Sequence[Article]) -> Counts:
    """A file of GROBID for each paper, with all its references."""
    convert = import_module("tests.ingest.converters")
    references = 0
    for article in articles:
        data: bytes = convert.as_tei(article.jats)
        for written, wanted in _AS_GROBID.items():
            data = data.replace(written, wanted)
        (folder / f"{article.number}.tei.xml").write_bytes(data)
        references += data.count(b"<biblStruct xml:id=")
    return len(articles), references


def write_s2orc(
    shape: Callable[[Record, Article], Record],
) -> Callable[[Path, Sequence[Article]], Counts]:
    """A writer of full texts in JSON Lines, with all references; `shape` changes the release."""

    def write(folder: Path, articles: Sequence[Article]) -> Counts:
        convert = import_module("tests.ingest.converters")
        references = 0
        with (folder / "papers.jsonl").open("wb") as file:
            for article in articles:
                release: Record = json.loads(convert.as_s2orc(article.jats))
                references += len(release["grobid_parse"]["bib_entries"])
                file.write(orjson.dumps(shape(release, article)) + b"\n")
        return len(articles), references

    return write


def release_2019(release: Record, article: Article) -> Record:
    """Release of 2019: `metadata` and `grobid_parse`."""
    return release


def doc2json(release: Record, article: Article) -> Record:
    """Output of s2orc-doc2json: `pdf_parse`."""
    own = {"paper_id": str(article.number), "header": {"generated_with": "S2ORC 1.0.0"}}
    parse = {**release["grobid_parse"], "back_matter": []}
    return {**own, **release["metadata"], "pdf_parse": parse}


class _Annotated:
    """A text that grows, and spans of it by name."""

    def __init__(self) -> None:
        self.text = ""
        self.spans: dict[str, list[Record]] = {}

    def mark(self, name: str, start: int, end: int, **attributes: str) -> None:
        """Adds an annotation."""
        span = {"start": start, "end": end, "attributes": attributes}
        self.spans.setdefault(name, []).append(span)

    def add(self, name: str, text: str, **attributes: str) -> int:
        """Adds a text with its annotation; returns where it begins."""
        start = len(self.text)
        self.text += f"{text}\n"
        self.mark(name, start, start + len(text), **attributes)
        return start

    def add_people(self, name: str, people: Sequence[Record]) -> None:
        """Adds names with annotations of their parts."""
        for person in people:
            start = len(self.text)
            self.add(f"{name}firstname", person["first"])
            self.add(f"{name}lastname", person["last"])
            self.mark(name, start, len(self.text) - 1)


def dataset(release: Record, article: Article) -> Record:
    """Data set `s2orc` of the API: one text with annotations, which are JSON themselves."""
    parse, metadata = release["grobid_parse"], release["metadata"]
    text = _Annotated()
    text.add("title", metadata["title"])
    text.add_people("author", metadata["authors"])
    text.add("abstract", metadata["abstract"])
    heading = None
    for paragraph in parse["body_text"]:
        if paragraph["section"] != heading:
            heading = paragraph["section"]
            text.add("sectionheader", heading)
        start = text.add("paragraph", paragraph["text"])
        for span in paragraph["cite_spans"]:
            place = start + span["start"], start + span["end"]
            text.mark("bibref", *place, ref_id=span["ref_id"].replace("BIBREF", "b"))
    for id_, entry in parse["bib_entries"].items():
        start = len(text.text)
        text.add("bibtitle", entry["title"])
        text.add_people("bibauthor", entry["authors"])
        text.add("bibvenue", entry["venue"])
        text.mark("bibentry", start, len(text.text) - 1, id=id_.replace("BIBREF", "b"))
    annotations = {name: orjson.dumps(spans).decode() for name, spans in text.spans.items()}
    return {
        "corpusid": 1_000 + article.number,
        "externalids": {"doi": metadata["doi"], "pubmed": metadata["pubmed_id"]},
        "content": {"source": {}, "text": text.text, "annotations": annotations},
    }


def unarxive(release: Record, article: Article) -> Record:
    """unarXive: markers in the text, printed references with ids."""
    parse, metadata = release["grobid_parse"], release["metadata"]
    created = f"Thu, {article.date[2]} Mar {article.date[0]} 17:01:56 GMT"
    entries = {
        id_: {
            "bib_entry_raw": _print_entry(entry),
            "contained_arXiv_ids": [],
            "contained_links": [],
            "ids": {"doi": next(iter(entry["other_ids"].get("DOI", [])), "")},
        }
        for id_, entry in parse["bib_entries"].items()
    }
    return {
        "paper_id": f"2212.{article.number:05}",
        "_source_hash": release["paper_id"],
        "metadata": {
            "id": f"2212.{article.number:05}",
            "title": metadata["title"],
            "doi": metadata["doi"],
            "abstract": metadata["abstract"],
            "categories": "q-bio.PE",
            "authors_parsed": [[a["last"], a["first"], ""] for a in metadata["authors"]],
            "versions": [{"version": "v1", "created": created}],
        },
        "abstract": {"section": "Abstract", "text": metadata["abstract"], "cite_spans": []},
        "body_text": [
            {
                "section": paragraph["section"],
                "sec_number": "1",
                "sec_type": "section",
                "content_type": "paragraph",
                "text": _mark_citations(paragraph),
                "cite_spans": [],
                "ref_spans": [],
            }
            for paragraph in parse["body_text"]
        ],
        "bib_entries": entries,
        "ref_entries": {},
    }


def _mark_citations(paragraph: Record) -> str:
    """The text of a paragraph with a marker for each citation."""
    pieces, done = [], 0
    for span in paragraph["cite_spans"]:
        pieces += [paragraph["text"][done : span["start"]], f"{{{{cite:{span['ref_id']}}}}}"]
        done = max(done, span["end"])
    return "".join((*pieces, paragraph["text"][done:]))


def _print_entry(entry: Record) -> str:
    names = ", ".join(f"{person['first']} {person['last']}" for person in entry["authors"])
    place = f"{entry['venue']}, {entry['volume']}:{entry['pages']}, {entry['year']}"
    return f"{names}. {entry['title']}. {place}."
