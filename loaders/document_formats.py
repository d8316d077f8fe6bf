"""Formats of documents, each with one paper, recognised by content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import orjson

from citescape.core.errors import SourceError
from citescape.core.types import Paper
from citescape.loaders import (
    crossref,
    jats,
    openalex,
    pmc_cloud,
    pubmed,
    s2ag,
    s2orc,
    scopus,
    tei,
    unarxive,
    wos,
)
from citescape.loaders.json_values import JsonRecord
from citescape.loaders.lines import decode, decode_head
from citescape.loaders.xml import root_of

_HEAD = 4096
_COLLECTION = (
    "its entries are not loaded; `platform collection add NAME FILE` finds those that the store has"
)
_OTHER_FILES = {
    re.compile(rb"%PDF-"): "a PDF; convert it with GROBID, and load the TEI",
    re.compile(rb"@[A-Za-z]{2,20}\s*[{(]"): f"BibTeX; {_COLLECTION}",
    re.compile(rb"TY {1,2}- ?\w"): f"RIS; {_COLLECTION}",
    re.compile(rb"PMID- ?[0-9]"): (
        "PubMed's text format; expected its XML, which NCBI's efetch gives with retmode=xml"
    ),
}
"""Beginnings of files that are often taken for papers, and what to do with them."""
_CSL_TYPES = frozenset(
    (
        *("article", "article-journal", "article-magazine", "article-newspaper", "bill", "book"),
        *("broadcast", "chapter", "dataset", "document", "entry", "entry-dictionary"),
        *("entry-encyclopedia", "legal_case", "legislation", "manuscript", "motion_picture"),
        *("paper-conference", "patent", "personal_communication", "post", "post-weblog", "report"),
        *("review", "review-book", "software", "speech", "standard", "thesis", "webpage"),
    )
)


@dataclass(frozen=True)
class XmlFormat:
    """XML with one paper; `roots` are its root elements in lower case."""

    version: str
    roots: tuple[bytes, ...]
    read: Callable[[bytes, str], Paper]


@dataclass(frozen=True)
class JsonFormat:
    """A JSON object with one paper.

    `is_record` recognises it by its keys. `read` takes the object, its path, and the SHA-256 of its
    bytes.
    """

    version: str
    is_record: Callable[[JsonRecord], bool]
    read: Callable[[JsonRecord, str, str], Paper]
    file: str = ""
    """Description of its files, if these are not JSON: their records are (`exports`)."""


XML_FORMATS: dict[str, XmlFormat] = {
    "tei": XmlFormat(tei.VERSION, (b"tei", b"teicorpus"), tei.read_tei),
    "pubmed": XmlFormat(
        pubmed.VERSION,
        (
            *(b"pubmedarticle", b"pubmedbookarticle", b"medlinecitation"),
            *(b"pubmedarticleset", b"pubmedbookarticleset", b"medlinecitationset"),
        ),
        pubmed.read_pubmed,
    ),
    "jats": XmlFormat(jats.VERSION, (), jats.read_jats),  # also inside any other element
}
JSON_FORMATS: dict[str, JsonFormat] = {
    "unarxive": JsonFormat(unarxive.VERSION, unarxive.is_unarxive, unarxive.read_unarxive),
    "s2orc": JsonFormat(s2orc.VERSION, s2orc.is_s2orc, s2orc.read_s2orc),
    "pmc": JsonFormat(pmc_cloud.VERSION, pmc_cloud.is_record, pmc_cloud.read_pmc),
    "openalex": JsonFormat(openalex.VERSION, openalex.is_record, openalex.read_openalex),
    "crossref": JsonFormat(crossref.VERSION, crossref.is_record, crossref.read_crossref),
    "s2ag": JsonFormat(s2ag.VERSION, s2ag.is_record, s2ag.read_s2ag),
    "scopus": JsonFormat(
        scopus.VERSION,
        scopus.is_record,
        scopus.read_scopus,
        "a CSV of Scopus: its header has Title, Source title and EID or another column of Scopus",
    ),
    "wos": JsonFormat(
        wos.VERSION,
        wos.is_record,
        wos.read_wos,
        "an export of Web of Science: plain text that begins with FN and VR, or a tab-delimited "
        "table with PT, AU and TI",
    ),
}
"""In the order in which they are tried."""
DOCUMENT_VERSIONS = frozenset(
    (
        *(known.version for known in XML_FORMATS.values()),
        *(known.version for known in JSON_FORMATS.values()),
    )
)


def read_document(data: bytes, path: str, format_: str = "auto") -> Paper:
    """Reads one document.

    Args:
        data: its bytes.
        path: its path, for messages and `Paper.path`.
        format_: its format, or `auto`, which recognises it by its content.

    Raises:
        SourceError: in another format, or damaged.
    """
    if format_ in XML_FORMATS:
        return XML_FORMATS[format_].read(data, path)
    if format_ in JSON_FORMATS or data.lstrip()[:1] in (b"{", b"["):
        formats = [format_] if format_ in JSON_FORMATS else list(JSON_FORMATS)
        return _read_json(data, path, formats)
    if decode_head(data[:_HEAD]).lstrip()[:1] in ("{", "["):
        raise _not_utf8(path)
    start = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    for beginning, message in _OTHER_FILES.items():
        if beginning.match(start):
            raise SourceError(path, "not-a-paper", message)
    root = root_of(data[:_HEAD])
    if root == b"html" and b"<tei" in data[:_HEAD].lower():  # written as HTML
        root = b"tei"
    for known in XML_FORMATS.values():
        if root in known.roots:
            return known.read(data, path)
    return jats.read_jats(data, path)


def _not_utf8(path: str) -> SourceError:
    message = "JSON that is not in UTF-8, but perhaps in UTF-16 or Latin-1; save it as UTF-8"
    return SourceError(path, "not-utf-8", message)


def _read_json(data: bytes, path: str, formats: Sequence[str]) -> Paper:
    try:
        record = orjson.loads(data)
    except ValueError as error:
        if len(formats) == 1 and (expected := JSON_FORMATS[formats[0]].file):
            raise SourceError(path, "not-a-paper", f"no export; expected {expected}") from None
        if not decode(data)[1]:
            raise _not_utf8(path) from None
        message = f"JSON breaks off or is damaged: {error}"
        raise SourceError(path, "broken-json", message) from None
    if not isinstance(record, dict):
        raise SourceError(path, "not-a-paper", "JSON, but not an object; expected one paper")
    for name in formats:
        if JSON_FORMATS[name].is_record(record):
            return JSON_FORMATS[name].read(record, path, hashlib.sha256(data).hexdigest())
    if _is_bibliography(record):
        raise SourceError(path, "not-a-paper", f"an entry of a reference manager; {_COLLECTION}")
    known = [name for name in formats if not JSON_FORMATS[name].file] or formats
    keys = ", ".join(list(record)[:8])
    message = f"a JSON object with the keys {keys}; expected a record of {', '.join(known)}"
    raise SourceError(path, "not-a-paper", message)


def _is_bibliography(record: JsonRecord) -> bool:
    """Whether a record is CSL-JSON, or Zotero's JSON."""
    kind = record.get("type")
    return (
        (isinstance(kind, str) and kind in _CSL_TYPES)
        or "itemType" in record
        or (isinstance(record.get("data"), dict) and "itemType" in record["data"])
    )
