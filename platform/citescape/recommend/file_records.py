"""Records of papers and contexts in the format of HAtten and SymTax."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from citescape.core.errors import SourceError
from citescape.core.records import read_each, read_json, to_id
from citescape.recommend.library import PAPER_COLUMNS

TITLE_KEYS = ("title", "Title")
ABSTRACT_KEYS = ("abstract", "Abstract", "paperAbstract")
DATE_KEYS = ("date", "year")
"""Keys of these fields; the first one present and not empty is read."""
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_WITHOUT_WIDTH = re.compile(r"[\u200b\ufeff]+")
_ACL = re.compile(r"[A-Z](\d\d)-\d{4}|((?:19|20)\d\d)\.[a-z]\w*-.*")
_FIRST_ACL_YEAR = 60
"""Two-digit years below it are of this century."""


class ContextEntry(NamedTuple):
    """An entry of `contexts.json`."""

    citing: str
    cited: str
    text: str


def read_papers(path: Path, skipped: list[str]) -> pa.Table:
    """Columns of `library.Library.papers`, ascending by id.

    Dates are `date` or `year`; papers of the ACL Anthology have their year in the id. For `skipped`
    see `records.read_each`.

    Raises:
        SourceError: the file does not have the format, or no paper can be read.
    """

    def read(item: tuple[str, Any]) -> tuple[str, ...]:
        id_, where = item[0], f"{path}, {item[0][:80]!r}"
        record = _need_object(item[1], where)
        texts = []
        for keys in (TITLE_KEYS, ABSTRACT_KEYS):
            value = next((record[key] for key in keys if record.get(key)), "")
            parts = value if isinstance(value, list) else [value]
            texts.append(" ".join(_clean(part, where) for part in parts).strip())
        date = next((record[key] for key in DATE_KEYS if record.get(key)), None)
        if date is not None:
            return to_id(id_, where), *texts, to_id(date, where)
        acl, year = _ACL.fullmatch(id_), ""
        if acl:
            year = acl[2] or f"{20 if int(acl[1]) < _FIRST_ACL_YEAR else 19}{acl[1]}"
        return to_id(id_, where), *texts, year

    records = sorted(_read_object(path, skipped).items())
    return make_table(read_each(records, read, skipped), PAPER_COLUMNS)


def read_entries(path: Path, skipped: list[str]) -> dict[str, ContextEntry]:
    """Entries by their ids, in the order of the file; for `skipped` see `records.read_each`.

    Raises:
        SourceError: the file does not have the format, or no entry can be read.
    """

    def read(item: tuple[str, Any]) -> tuple[str, ContextEntry]:
        id_, where = item[0], f"{path}, {item[0][:80]!r}"
        record = _need_object(item[1], where)
        if str(record.get("context_id", id_)) != id_:
            raise SourceError(
                where, "other-id", f"found {record['context_id']!r} as context_id of this entry"
            )
        text = _clean(record.get("masked_text"), where)
        if not text:
            raise SourceError(where, "no-text", "expected masked_text; it is missing or empty")
        citing, cited = (to_id(record.get(key), where) for key in ("citing_id", "refid"))
        return to_id(id_, where), ContextEntry(citing, cited, text)

    return dict(read_each(_read_object(path, skipped).items(), read, skipped))


def escape(text: str) -> str:
    """Escapes a text that contains HTML entities, so that reading does not resolve them."""
    return text.replace("&", "&amp;") if "&" in text and unescape(text) != text else text


def make_table(rows: Iterable[tuple[str, ...]], names: tuple[str, ...]) -> pa.Table:
    """A table of text columns from rows."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return pa.table([pa.array(column, pa.string()) for column in columns], list(names))


class _Repeated(dict[str, Any]):
    """A JSON object with duplicate keys; the first value of each key is kept."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__()
        for key, value in pairs:
            self.setdefault(key, value)
        counts = Counter(key for key, _ in pairs)
        self.duplicates = [key for key, count in counts.items() if count > 1]


def _read_object(path: Path, skipped: list[str]) -> dict[str, Any]:
    """A JSON object of objects; of records with the same key only the first is read."""

    def make(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        plain = dict(pairs)
        return plain if len(plain) == len(pairs) else _Repeated(pairs)

    records = read_json(path, make)
    if isinstance(records, _Repeated):
        skipped += [
            f"{path}, {key[:80]!r}: found this key twice; the first one counts"
            for key in records.duplicates
        ]
        records = dict(records)
    if not isinstance(records, dict) or not records:
        found = "an empty object" if records == {} else type(records).__name__
        raise SourceError(
            str(path), "not-an-object", f"expected an object of objects; found {found}"
        )
    return records


def _need_object(record: object, where: str) -> Mapping[str, Any]:
    if not isinstance(record, Mapping):
        raise SourceError(where, "not-an-object", f"expected an object; found {str(record)[:80]}")
    if isinstance(record, _Repeated):
        found = f"found {record.duplicates[0][:80]!r} twice; expected each key once"
        raise SourceError(where, "duplicate", found)
    return record


def _clean(text: object, where: str) -> str:
    """A text with resolved HTML entities and blanks in place of unprintable characters."""
    if text is None:
        return ""
    if not isinstance(text, str):
        raise SourceError(where, "not-text", f"expected a text; found {str(text)[:80]}")
    if text.isprintable() and "&" not in text:
        return text.strip()
    return _UNPRINTABLE.sub(" ", _WITHOUT_WIDTH.sub("", unescape(text))).strip()
