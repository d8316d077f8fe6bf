"""Citations labelled as important or not: the published sets, and plain tables.

| format | file, and the key or column of the label | important |
|---|---|---|
| plain | table or JSON Lines with `citing` and `cited`: `label` | 1, true, yes |
| meaningful | Valenzuela et al. 2015, with `Paper` (cited), `Cited-by`: `Follow-up` | 2, 3 |
| scicite | JSON Lines of SciCite (Cohan et al. 2019): `isKeyCitation` | true |
| acl-arc | JSON Lines of ACL-ARC (Jurgens et al. 2018): `intent` | uses, extends |
| act | table of 3C or ACT (Kunnath et al.): `citation_influence_label` | 1 |
| act | the same, without it: `citation_class_label` | 2, 5 |
| s2ag | JSON Lines of the S2AG dataset `citations`: `isinfluential` | true |

The first four columns or keys that a format needs decide which one a file has. All but the first
two hold sentences of the citing papers. Classes of ACT are 0 background, 1 compares, 2 extends,
3 future, 4 motivation, 5 uses.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from citescape.core.errors import SourceError
from citescape.core.records import Record, Records, read_records, to_id
from citescape.core.types import FACETS
from citescape.loaders.lines import TextLines

_YES = frozenset({"1", "true", "yes", "important", "influential", "t", "y"})
_NO = frozenset({"0", "false", "no", "incidental", "unimportant", "f", "n"})
_USES = frozenset({"uses", "use", "using", "extends", "extension", "extending"})
_OTHER_INTENTS = frozenset(
    {"background", "motivation", "future", "compareorcontrast", "comparescontrasts", "compares"}
)
_TAG = "#AUTHOR_TAG"
"""Stands for the marker of the citation in contexts of ACT."""
_MISSING = frozenset({"", "nan", "none", "null", "n/a"})
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no UTF-8 can hold."""
_TABLES = (".csv", ".tsv", ".txt")


class LabelledWork(NamedTuple):
    """The citing or the cited paper, as far as the file describes it."""

    id: str
    title: str = ""
    abstract: str = ""
    year: int | None = None
    authors: tuple[str, ...] = ()
    """Names or ids of authors."""


class LabelledContext(NamedTuple):
    """A sentence with the citation."""

    text: str
    section: str = ""
    """Heading as printed."""
    marker: str = ""
    """The citation as printed; empty if the file does not mark it."""
    position: float | None = None
    """Share of the full text before it, 0 to 1."""
    intents: tuple[str, ...] | None = None
    """Intents that the file states; None if it states none."""


class CitationLabel(NamedTuple):
    """One record of a file: a pair of papers with a label, perhaps with sentences."""

    citing: LabelledWork
    cited: LabelledWork
    is_important: bool
    contexts: tuple[LabelledContext, ...] = ()
    mentions: int | None = None
    """Number of mentions in the full text, or a lower bound; the file may have fewer sentences."""
    by_context: bool = False
    """The label is that of the sentence alone."""
    place: str = ""
    """File and line, for messages."""


@dataclass(frozen=True)
class LabelFormat:
    """One format of labelled citations."""

    name: str
    keys: tuple[str, ...]
    """Keys of every record, in lower case."""
    parse: Callable[[Mapping[str, Any]], CitationLabel | None]
    """Parses a record with keys in lower case; None for one without a label."""
    by_context: bool = False
    """Labels belong to sentences, not to pairs: a pair is important if one of its sentences is."""


def read_labels(
    paths: Sequence[Path], *, skipped: Callable[[str], object] = str
) -> Iterator[CitationLabel]:
    """The labelled citations of some files, in order; records without a label are left out.

    Args:
        paths: the files.
        skipped: called with file and line of each record without a label.

    Raises:
        SourceError: a file has no known format, is damaged, or has a broken record; the message
            names file and line.
    """
    for path in paths:
        yield from _read(path, skipped)


def _read(path: Path, skipped: Callable[[str], object]) -> Iterator[CitationLabel]:
    format_: LabelFormat | None = None
    for where, record in _read_records(path):
        folded = {str(key).strip().lower(): value for key, value in record.items()}
        format_ = format_ or _recognise(folded, where)
        try:
            label = format_.parse(folded)
        except (KeyError, ValueError, TypeError) as error:
            problem = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise SourceError(
                where,
                "not-a-label",
                f"found {problem}; expected the columns or keys {', '.join(format_.keys)} "
                f"({format_.name}); correct or remove the record",
            ) from error
        if label is None:
            skipped(where)
        else:
            yield label._replace(by_context=format_.by_context, place=where)


def _read_records(path: Path) -> Records:
    """The records of a file: a table with a header, else Parquet or JSON Lines."""
    if Path(path.name.removesuffix(".gz")).suffix not in _TABLES:
        yield from read_records([path])
        return
    lines = TextLines(path)
    delimiter = "\t" if "\t" in lines.first() else ","
    rows = csv.DictReader(lines, delimiter=delimiter, strict=True)
    is_empty = True
    try:
        for row in rows:
            is_empty = False
            yield f"{path}: line {rows.line_num}", {k: v for k, v in row.items() if k is not None}
    except csv.Error as error:
        where = f"{path}: line {rows.line_num}"
        raise SourceError(where, "damaged", f"expected a table; found: {error}") from error
    if is_empty:
        raise SourceError(str(path), "empty", "expected a table with a header; found no rows")


def _recognise(record: Record, where: str) -> LabelFormat:
    for format_ in FORMATS:
        if all(key in record for key in format_.keys):
            return format_
    known = "; ".join(f"{format_.name}: {', '.join(format_.keys)}" for format_ in FORMATS)
    raise SourceError(
        where,
        "unknown-labels",
        f"found the keys {', '.join(map(str, record))[:200]}; expected labelled citations in one "
        f"of the formats: {known}",
    )


def _parse_plain(record: Mapping[str, Any]) -> CitationLabel | None:
    label = _yes_or_no(record["label"])
    if label is None:
        return None
    citing, cited = (LabelledWork(_id(record[key])) for key in ("citing", "cited"))
    return CitationLabel(citing, cited, label)


def _parse_meaningful(record: Mapping[str, Any]) -> CitationLabel | None:
    text = _text(record["follow-up"])
    if not text:
        return None
    degree = _whole(text, most=3)
    citing, cited = _id(record["cited-by"]), _id(record["paper"])
    return CitationLabel(LabelledWork(citing), LabelledWork(cited), degree >= 2)


def _parse_scicite(record: Mapping[str, Any]) -> CitationLabel | None:
    label = _yes_or_no(record["iskeycitation"])
    if label is None:
        return None
    text = _text(record["string"])
    start, end = (_number(record.get(key)) for key in ("citestart", "citeend"))
    known = start is not None and end is not None and 0 <= start < end
    intent = record.get("label")
    context = LabelledContext(
        text,
        _text(record.get("sectionname")),
        marker=_text(str(record["string"])[int(start or 0) : int(end or 0)]) if known else "",
        intents=(intent,) if intent in FACETS else None,
    )
    index = _number(record.get("excerpt_index"))
    return CitationLabel(
        LabelledWork(f"s2:{_id(record['citingpaperid'])}"),
        LabelledWork(f"s2:{_id(record['citedpaperid'])}"),
        label,
        (context,),
        mentions=None if index is None else int(index) + 1,
    )


def _parse_acl_arc(record: Mapping[str, Any]) -> CitationLabel | None:
    intent = re.sub(r"[^a-z]", "", _text(record["intent"]).lower())
    if not intent:
        return None
    if intent not in _USES and intent not in _OTHER_INTENTS:
        raise ValueError(f"the intent {record['intent']!r}")
    text = _text(record.get("text")) or _text(record.get("cleaned_cite_text"))
    offsets, marker = record.get("cite_marker_offset"), ""
    if isinstance(offsets, list) and len(offsets) == 2:  # in `text` as printed
        marker = _text(str(record.get("text") or "")[int(offsets[0]) : int(offsets[1])])
    section = _text(record.get("section_title")) or _text(record.get("section_name"))
    works = [
        LabelledWork(
            f"acl:{_id(record[f'{side}_paper_id'])}",
            _text(record.get(f"{side}_paper_title")),
            year=_year(record.get(f"{side}_paper_year")),
            authors=_names(record.get(f"{side}_author_ids")),
        )
        for side in ("citing", "cited")
    ]
    context = LabelledContext(text, section, marker)
    return CitationLabel(works[0], works[1], intent in _USES, (context,))


def _parse_act(record: Mapping[str, Any]) -> CitationLabel | None:
    influence = record.get("citation_influence_label")
    if _text(influence):
        label = _whole(_text(influence), most=1) == 1
    elif _text(record.get("citation_class_label")):
        label = _whole(_text(record["citation_class_label"]), most=5) in (2, 5)
    else:
        return None
    text = _text(record["citation_context"])
    offset, length = (_number(record.get(key)) for key in ("citation_offset", "total_doc_length"))
    context = LabelledContext(
        text,
        _text(record.get("section_title")) or _text(record.get("section_info")),
        _TAG if _TAG in text else "",
        position=offset / length if offset is not None and length and offset <= length else None,
    )
    citing, cited = _text(record["citing_title"]), _text(record["cited_title"])
    if not cited:
        raise ValueError("no cited_title")
    paper = _text(record.get("core_id")) or _text(record.get("citing_id")) or citing
    mentions = _number(record.get("direct_citations"))
    return CitationLabel(
        LabelledWork(
            f"act:{_id(paper)}",
            citing,
            _text(record.get("citing_abstract")),
            _year(record.get("citing_publication_info")),
            _names(record.get("citing_author")),
        ),
        LabelledWork(
            f"title:{cited.casefold()}",
            cited,
            _text(record.get("cited_abstract")),
            _year(record.get("cited_publication_date")),
            _names(record.get("cited_author") or record.get("cited_authors")),
        ),
        label,
        (context,),
        mentions=int(mentions) if mentions else None,
    )


def _parse_s2ag(record: Mapping[str, Any]) -> CitationLabel | None:
    label, cited = _yes_or_no(record["isinfluential"]), record["citedcorpusid"]
    if label is None or cited in (None, ""):
        return None
    texts, intents = (_list(record.get(key)) for key in ("contexts", "intents"))
    contexts = tuple(
        LabelledContext(
            _text(text),
            intents=_facets(intents[k]) if k < len(intents) else None,
        )
        for k, text in enumerate(texts)
    )
    citing = LabelledWork(f"s2ag:{_id(record['citingcorpusid'])}")
    return CitationLabel(citing, LabelledWork(f"s2ag:{_id(cited)}"), label, contexts)


def _facets(intents: object) -> tuple[str, ...] | None:
    """Intents of S2AG: a list of names such as `methodology`, or null."""
    if not isinstance(intents, list):
        return None
    names = {"methodology": "method"}
    found = {names.get(str(name).lower(), str(name).lower()) for name in intents}
    return tuple(facet for facet in FACETS if facet in found)


def _list(value: object) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise ValueError(f"{str(value)[:80]!r}, which is not a list")
    return value or []


def _id(value: object) -> str:
    try:
        return to_id(value, "").strip()
    except SourceError as error:
        raise ValueError(f"{value!r} as an id") from error


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    text = _HALF.sub("\ufffd", " ".join(str(value).split()))
    return "" if text.lower() in _MISSING else text


def _number(value: object) -> float | None:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _whole(text: str, *, most: int) -> int:
    number = _number(text)
    if number is None or number != int(number) or not 0 <= number <= most:
        raise ValueError(f"the label {text!r}, which is not one of 0 to {most}")
    return int(number)


def _yes_or_no(value: object) -> bool | None:
    text = _text(value).lower().removesuffix(".0")
    if not text:
        return None
    if text not in _YES and text not in _NO:
        raise ValueError(
            f"the label {value!r}, which is not one of {', '.join(sorted({*_YES, *_NO}))}"
        )
    return text in _YES


def _year(value: object) -> int | None:
    match = re.search(r"\b(1[5-9]|20)\d\d\b", _text(value))
    return int(match[0]) if match else None


def _names(value: object) -> tuple[str, ...]:
    """Names or ids in a list, or in the text of one: `['A. Lee', 'B. Wu']`, `Lee, A.; Wu, B.`."""
    text = "" if isinstance(value, list) else _text(value).strip("[]")
    items = value if isinstance(value, list) else text.split(";" if ";" in text else ",")
    names = (re.sub(r"^[\s'\"]+|[\s'\"]+$", "", _text(item)) for item in items)
    return tuple(name for name in names if name)


FORMATS = (
    LabelFormat("scicite", ("string", "citingpaperid", "iskeycitation"), _parse_scicite),
    LabelFormat("acl-arc", ("citing_paper_id", "cited_paper_id", "intent"), _parse_acl_arc, True),
    LabelFormat("act", ("citing_title", "cited_title", "citation_context"), _parse_act, True),
    LabelFormat("s2ag", ("citingcorpusid", "citedcorpusid", "isinfluential"), _parse_s2ag),
    LabelFormat("meaningful", ("paper", "cited-by", "follow-up"), _parse_meaningful),
    LabelFormat("plain", ("citing", "cited", "label"), _parse_plain),
)
"""The formats; the first whose keys a record has decides."""
