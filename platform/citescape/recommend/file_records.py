"""Papers and contexts as they stand in files in the format of HAtten and SymTax."""

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
"""What files call these; the first of them that is there and not empty counts."""
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_WITHOUT_WIDTH = re.compile(r"[\u200b\ufeff]+")
_ACL = re.compile(r"[A-Z](\d\d)-\d{4}|((?:19|20)\d\d)\.[a-z]\w*-.*")
_FIRST_ACL_YEAR = 60
"""Years of two digits below it are of this century."""


class Entry(NamedTuple):
    """One of `contexts.json`."""

    citing: str
    cited: str
    text: str


def read_papers(path: Path, skipped: list[str]) -> pa.Table:
    """Columns of `library.Library.papers`, ascending by id.

    Dates are those of `date` or `year`; papers of the ACL Anthology bear their year in the id.

    Args:
        path: `papers.json`.
        skipped: see `records.read_each`.

    Raises:
        SourceError: the file is not what the format says, or none of its papers can be read.
    """

    def read(item: tuple[str, Any]) -> tuple[str, ...]:
        id_, where = item[0], f"{path}, {item[0][:80]!r}"
        record = _need_object(item[1], where)
        title, abstract = (_find_text(record, keys, where) for keys in (TITLE_KEYS, ABSTRACT_KEYS))
        return to_id(id_, where), title, abstract, _find_date(record, id_, where)

    told = _read_object(path, skipped)
    return make_table(read_each(sorted(told.items()), read, skipped), PAPER_COLUMNS)


def read_entries(path: Path, skipped: list[str]) -> dict[str, Entry]:
    """Entries by their ids, in the order of the file.

    Args:
        path: `contexts.json`.
        skipped: see `records.read_each`.

    Raises:
        SourceError: the file is not what the format says, or none of its entries can be read.
    """

    def read(item: tuple[str, Any]) -> tuple[str, Entry]:
        id_, where = item[0], f"{path}, {item[0][:80]!r}"
        record = _need_object(item[1], where)
        if str(record.get("context_id", id_)) != id_:
            raise SourceError(
                where, "other-id", f"found {record['context_id']!r} as context_id of this entry"
            )
        text = _clean(record.get("masked_text"), where)
        if not text:
            raise SourceError(where, "no-text", "expected masked_text; found none or an empty one")
        citing, cited = (to_id(record.get(key), where) for key in ("citing_id", "refid"))
        return to_id(id_, where), Entry(citing, cited, text)

    return dict(read_each(_read_object(path, skipped).items(), read, skipped))


def escape(text: str) -> str:
    """A text that is read as it is, also where it looks like an HTML entity."""
    return text.replace("&", "&amp;") if "&" in text and unescape(text) != text else text


def make_table(rows: Iterable[tuple[str, ...]], names: tuple[str, ...]) -> pa.Table:
    """Rows of texts as a table with these columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return pa.table([pa.array(column, pa.string()) for column in columns], list(names))


class _Repeated(dict[str, Any]):
    """An object with a key that is there twice or more; the first one counts."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__()
        for key, value in pairs:
            self.setdefault(key, value)
        self.keys_twice = [key for key, count in Counter(k for k, _ in pairs).items() if count > 1]


def _read_object(path: Path, skipped: list[str]) -> dict[str, Any]:
    """A JSON object of objects; of records with one key the first counts, others are skipped."""

    def make(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        return made if len(made) == len(pairs) else _Repeated(pairs)

    told = read_json(path, make)
    if isinstance(told, _Repeated):
        skipped += [
            f"{path}, {key[:80]!r}: found this key twice; the first one counts"
            for key in told.keys_twice
        ]
        told = dict(told)
    if not isinstance(told, dict) or not told:
        found = "an empty one" if told == {} else type(told).__name__
        raise SourceError(
            str(path), "not-an-object", f"expected an object of objects; found {found}"
        )
    return told


def _need_object(told: object, where: str) -> Mapping[str, Any]:
    if not isinstance(told, Mapping):
        raise SourceError(where, "not-an-object", f"expected an object; found {str(told)[:80]}")
    if isinstance(told, _Repeated):
        found = f"found {told.keys_twice[0][:80]!r} twice; expected each key once"
        raise SourceError(where, "duplicate", found)
    return told


def _find_text(record: Mapping[str, Any], keys: tuple[str, ...], where: str) -> str:
    """A text, or a list of them joined by blanks; empty where there is none."""
    told = next((record[key] for key in keys if record.get(key)), "")
    if isinstance(told, list):
        return " ".join(_clean(one, where) for one in told).strip()
    return _clean(told, where)


def _find_date(record: Mapping[str, Any], id_: str, where: str) -> str:
    told = next((record[key] for key in DATE_KEYS if record.get(key)), None)
    if told is not None:
        return to_id(told, where)
    acl = _ACL.fullmatch(id_)
    if acl is None:
        return ""
    if acl[2]:
        return acl[2]
    return f"{20 if int(acl[1]) < _FIRST_ACL_YEAR else 19}{acl[1]}"


def _clean(told: object, where: str) -> str:
    """A text with HTML entities resolved, blanks where characters print nothing."""
    if told is None:
        return ""
    if not isinstance(told, str):
        raise SourceError(where, "not-text", f"expected a text; found {str(told)[:80]}")
    if told.isprintable() and "&" not in told:
        return told.strip()
    return _UNPRINTABLE.sub(" ", _WITHOUT_WIDTH.sub("", unescape(told))).strip()
