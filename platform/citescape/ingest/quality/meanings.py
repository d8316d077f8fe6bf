"""Words for people: outcomes, reasons, and ways of matching, each with its meaning."""

from __future__ import annotations

from collections.abc import Mapping

SOURCES: Mapping[str, str] = {
    "jats": "full texts in JATS XML",
    "tei": "full texts in TEI XML (GROBID)",
    "s2orc": "full texts of S2ORC",
    "unarxive": "full texts of unarXive",
    "pubmed": "records of PubMed",
    "crossref": "records of Crossref",
    "openalex": "records of OpenAlex",
    "s2ag": "records of Semantic Scholar",
    "pmc": "records of PubMed Central",
    "scopus": "export of Scopus",
    "wos": "export of Web of Science",
    "aan": "ACL Anthology Network",
}
"""Default name of a source -> what it is. Other names were chosen by the user, or are tables."""

OUTCOMES: Mapping[str, str] = {
    "loaded": "new, or replaced by a corrected version",
    "unchanged": "in the store before, with the same content",
    "copy": "another file of a paper that was loaded from the same source",
    "other type": "of a type that --types does not name",
    "removed": "in an earlier version of the table, and missing now",
    "not a paper": "skipped: JSON, XML or empty files of a folder that hold no paper",
    "rejected": "could not be read; see below",
}
"""Outcome of a document -> meaning, in the order of the page."""

REJECTED: Mapping[str, str] = {
    "missing": "there is no such file",
    "unreadable": "the file cannot be opened, or the archive does not say how to unpack it",
    "unreadable-archive": "the archive cannot be opened",
    "unreadable-folder": "the folder cannot be listed",
    "damaged-archive": "the archive or compressed file is cut off or damaged: papers after the "
    "damage are missing",
    "too-large": "over 100 MB",
    "empty": "no text in the file",
    "not-xml": "not XML",
    "broken-xml": "the XML is cut off or damaged",
    "declares-entities": "the XML declares entities, which are never expanded",
    "not-jats": "XML, but in no known format",
    "not-tei": "XML, but no text in TEI",
    "not-pubmed": "XML of PubMed without a record",
    "several-articles": "several articles in one document",
    "broken-json": "the JSON is cut off or damaged",
    "not-utf-8": "JSON in another encoding than UTF-8",
    "not-a-paper": "in no known format, or without title, abstract, text and references",
    "no-papers": "no paper in the table or export",
    "no-id": "the row has no id",
    "repeated-id": "the id of another row, with other content",
    "broken-row": "another number of cells than the header, or a quotation mark out of place",
    "broken-record": "a record that is not complete",
    "cut-off": "the file ends within a record",
    "loader-fault": "internal error of citescape; please report it",
}
"""Reason of a rejected document -> meaning."""

LOST: Mapping[str, str] = {
    "unknown-target": "names an entry that no reference list has",
    "no-target": "names no entry of a reference list",
    "range-unclear": "a range such as 3\N{EN DASH}7 whose numbers are not those of the references",
    "sub-article": "in a reply or another text inside the same file",
    "outside-text": "in notes, permissions, or the reference list itself",
}
"""Reason of a lost citation pointer -> meaning."""

MATCHED: Mapping[str, str] = {
    "doi": "the same DOI",
    "pmid": "the same PubMed id",
    "pmcid": "the same PubMed Central id",
    "openalex": "the same id in OpenAlex",
    "s2": "the same id in Semantic Scholar",
    "id": "named by the source itself",
    "title": "equal title, year and first author",
    "page": "equal journal, volume, page, year and first author",
    "similar": "similar title, with author, year, volume or page in agreement",
    "decision": "decided by a user",
    "none": "unlike any other entry: a work of its own",
}
"""Value of `MATCHES.matched_by` -> meaning, the most certain first."""
