"""References of the datasets `s2orc` and `s2orc_v2`: annotated entries of a bibliography."""

from __future__ import annotations

from collections import Counter
from typing import Any

from citescape.loaders.jats_references import ReferenceList
from citescape.loaders.json_values import as_text
from citescape.loaders.s2orc_annotations import AnnotatedText, Annotation, cited_ids
from citescape.loaders.s2orc_references import list_references


def read_bibliography(
    bibliography: AnnotatedText, body: AnnotatedText, notes: Counter[str]
) -> ReferenceList:
    """The entries, then works that are cited and matched, but not listed.

    The corpus id of a work may be beside its entry or beside its citations. `unlisted-references`
    counts works that are known by their citations only.
    """
    entries = _entries(bibliography)
    for attributes in (*(span.attributes for span in body.spans("bibref")), *body.unplaced):
        matched = attributes.get("matched_paper_id")
        for id_ in cited_ids(attributes) if as_text(matched) else ():
            if id_ not in entries:
                notes["unlisted-references"] += 1
            entry = entries.setdefault(id_, {})
            entry["link"] = entry.get("link") or matched
    return list_references(entries.items())


def _entries(source: AnnotatedText) -> dict[str, dict[str, Any]]:
    """The entries by id, in the form of `bib_entries`; an id that is used twice is replaced."""
    entries: dict[str, dict[str, Any]] = {}
    for rank, span in enumerate(source.spans("bibentry"), start=1):
        id_ = as_text(span.attributes.get("id"))
        if not id_ or id_ in entries:
            id_ = f"ref-{rank}"
        entries[id_] = {
            **span.attributes,
            "title": _first(source, "bibtitle", span),
            "venue": _first(source, "bibvenue", span),
            "authors": list(source.people("bibauthor", source.inside("bibauthor", span))),
            "link": span.attributes.get("matched_paper_id"),
            "raw_text": source.text_of(span),
        }
    return entries


def _first(source: AnnotatedText, name: str, entry: Annotation) -> str:
    texts = map(source.text_of, source.inside(name, entry))
    return next(filter(None, texts), "")
