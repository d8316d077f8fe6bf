"""Files of Semantic Scholar's bulk data sets as tables: papers and citations that belong together.

https://api.semanticscholar.org/api-docs/datasets: `papers`, `citations`, `authors`, `abstracts`,
JSON Lines. Papers alone are documents (`s2ag`), because they need no other file then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import orjson

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_corpus_id, normalise_orcid
from citescape.core.types import Identifiers, Paper
from citescape.loaders import s2ag
from citescape.loaders.json_values import as_text
from citescape.loaders.lines import TextLines
from citescape.loaders.markup import strip_markup
from citescape.loaders.record_values import Record, lower_keys, to_flag, to_list, to_text
from citescape.loaders.table_rows import (
    CITATIONS_A_CHUNK,
    CitationBatch,
    Mention,
    PaperRow,
    ValueBatch,
)

VERSION = s2ag.VERSION

_RECORD = "record"
"""Field of a `PaperRow`: the line."""
_LONGEST_CONTEXT = 2_000
_LARGEST = 10**12
_CHARACTERS_A_CHUNK = 20_000_000
"""Characters of contexts or abstracts after which a batch ends."""
_KEY = re.compile(r'"(\w{1,40})"\s*:')
_OF_PAPERS = frozenset(("title", "externalids"))


def kind_of(line: str) -> str | None:
    """The content of a file with this line, which may be cut off.

    `papers`, `citations`, `authors`, `abstracts`, `embeddings`, or None.
    """
    if line.lstrip()[:1] != "{":
        return None
    record = parse_line(line)
    keys = {*record} or {key.lower() for key in _KEY.findall(line)}
    if "citingcorpusid" in keys:
        return "citations"
    if "corpusid" not in keys:
        return "authors" if {"authorid", "name"} <= keys and "paperid" not in keys else None
    if "vector" in keys:
        return "embeddings"
    if not keys.isdisjoint((*s2ag.FULL_TEXT, "references")):
        return None
    if not keys.isdisjoint(_OF_PAPERS):
        return "papers"
    return "abstracts" if "abstract" in keys else None


def read_papers(lines: TextLines) -> Iterator[PaperRow | SourceError]:
    """The papers, by their corpus ids; an error for each line that is not a paper."""
    for line in lines:
        if line.isspace():
            continue
        record = parse_line(line)
        id_ = normalise_corpus_id(record.get("corpusid"))
        if record and s2ag.is_record(record):
            text = line.strip()
            yield PaperRow(lines.number, {"id": id_, _RECORD: text} if id_ else {})
        else:
            place = f"{lines.path}:{lines.number}"
            message = "expected one JSON object on a line, a paper with corpusid"
            yield SourceError(place, "broken-record", f"found {line.strip()[:60]!r}; {message}")


def identify(row: PaperRow) -> Identifiers:
    """All identifiers of a paper."""
    own, _ = s2ag.identifiers_of(parse_line(row.fields[_RECORD]))
    return own


def identify_cited(id_: str) -> Identifiers:
    """A work that no file of papers describes is known by its corpus id."""
    return Identifiers(s2=id_)


def record_of(row: PaperRow, *, path: str, sha256: str, own_id: str, loader: str) -> Paper:
    """The paper of a row, as `s2ag` reads it, without references: those are in `citations`.

    See `table_rows.record_of`.
    """
    return replace(s2ag.read_s2ag(parse_line(row.fields[_RECORD]), path, sha256), references=())


def read_citations(lines: TextLines) -> Iterator[CitationBatch]:
    """The citations, with a mention for each context; or one with intents alone.

    A line whose `citedcorpusid` is null is a printed reference that Semantic Scholar did not find.
    """
    batch, size, broken, unidentified = _empty(), 0, 0, 0
    for line in lines:
        if line.isspace():
            continue
        record = parse_line(line)
        citing, cited = (_id(record.get(f"{end}corpusid")) for end in ("citing", "cited"))
        if citing is None:
            broken += 1
        elif cited is None:
            missing = record.get("citedcorpusid") in (None, "")
            unidentified += missing
            broken += not missing
        else:
            place = len(batch.citing)
            batch.citing.append(citing)
            batch.cited.append(cited)
            batch.influential.append(to_flag(record.get("isinfluential")) is True)
            for mention in _mentions(record):
                batch.mentions.append(mention)
                batch.mentioned.append(place)  # type: ignore[union-attr]
                size += len(mention.context)
        if len(batch.citing) == CITATIONS_A_CHUNK or size > _CHARACTERS_A_CHUNK:
            yield batch._replace(broken=broken, unidentified=unidentified)
            batch, size, broken, unidentified = _empty(), 0, 0, 0
    yield batch._replace(broken=broken, unidentified=unidentified)


def _empty() -> CitationBatch:
    return CitationBatch([], [], mentions=[], mentioned=[], influential=[])


def _mentions(record: Record) -> Iterator[Mention]:
    """A mention for each context, with its own intents or, if they are not listed so, with all."""
    contexts = [_cut(as_text(text)) for text in to_list(record.get("contexts"))]
    intents = to_list(record.get("intents"))
    if len(intents) == len(contexts) and not any(isinstance(item, str) for item in intents):
        each = [_joined([item]) for item in intents]
    else:
        each = [_joined(intents)] * (len(contexts) or 1)
        contexts = contexts or [""]
    for context, named in zip(contexts, each, strict=True):
        if context or named:
            yield Mention(context, "", named)


def _joined(intents: Sequence[object]) -> str:
    """Names of intents, of lists of them and of null."""
    names = (as_text(name) for item in intents for name in to_list(item))
    return "; ".join(dict.fromkeys(filter(None, names)))


def _cut(context: str) -> str:
    return context if len(context) <= _LONGEST_CONTEXT else f"{context[:_LONGEST_CONTEXT]}…"


def read_orcids(lines: TextLines) -> Iterator[ValueBatch]:
    """The ORCID of each author, by the id of the author."""
    for records, broken in _records(lines, "authorid"):
        external = (lower_keys(record.get("externalids")) for _, record in records)
        orcids = (normalise_orcid(next(iter(_texts(ids.get("orcid"))), "")) for ids in external)
        yield ValueBatch([id_ for id_, _ in records], [orcid or "" for orcid in orcids], broken)


def read_abstracts(lines: TextLines) -> Iterator[ValueBatch]:
    """The abstract of each paper, by its corpus id."""
    for records, broken in _records(lines, "corpusid"):
        texts = [strip_markup(to_text(record.get("abstract"))) for _, record in records]
        yield ValueBatch([id_ for id_, _ in records], texts, broken)


def _texts(value: object) -> list[str]:
    """Texts of one value or of a list."""
    return [text for text in map(to_text, to_list(value)) if text]


def _records(lines: TextLines, key: str) -> Iterator[tuple[list[tuple[str, Record]], int]]:
    """The records with their ids, and the number of lines without one, batch by batch."""
    records: list[tuple[str, Record]] = []
    broken = size = 0
    for line in lines:
        if line.isspace():
            continue
        record = parse_line(line)
        size += len(line)
        if id_ := _id(record.get(key)):
            records.append((id_, record))
        else:
            broken += 1
        if size > _CHARACTERS_A_CHUNK:
            yield records, broken
            records, broken, size = [], 0, 0
    yield records, broken


def _id(value: object) -> str | None:
    """A number as text; nearly all are numbers."""
    return str(value) if type(value) is int and 0 < value < _LARGEST else normalise_corpus_id(value)


def parse_line(line: str) -> Record:
    """The object of a line with its keys in lower case; empty for another value."""
    try:
        value = orjson.loads(line)
    except ValueError:
        return {}
    return lower_keys(value) if isinstance(value, dict) else {}
