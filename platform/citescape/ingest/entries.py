"""Entries of reference lists in a form that can be compared."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

FIELDS = ("title", "surname", "volume", "page", "year")
"""What is compared of an entry; equal entries of one work are compared once."""
_NOT_LETTERS = r"[^\p{L}\p{N}]+"
_TEXT_SURNAME = r"^[^\p{L}]*(?P<found>\p{L}[\p{L}'’-]*)"
_TEXT_YEAR = r"(?:^|[^0-9])(?P<found>1[89][0-9]{2}|20[0-9]{2})(?:[^0-9]|$)"
_TEXT_PLACE = (
    r"(?:^|[^0-9])(?P<volume>[0-9]{1,4})\s{0,2}(?:\([^()]{1,15}\))?\s{0,2}[:,]\s{0,2}(?:pp?\.?\s?)?"
    r"[A-Za-z]{0,2}(?P<page>[0-9]{1,6})\s?[-–—]"
)
"""Volume, issue and pages of an entry that is not divided into fields: `18(3):233-4`."""


def read_entries(references: pa.Table) -> pa.Table:
    """Each entry in a form that can be compared.

    Returns:
        `title` (letters and digits, lower case), `surname` of the first author, `volume`, `page`,
        `year`; `source` as printed; `whole`: the entry is not divided into fields, and its letters
        are the title; `text` of such an entry.
    """
    names = ("title", "source", "text")
    title, source, text = (pc.fill_null(references[name], "") for name in names)
    volume, page = _number(references["volume"]), _number(references["page"])
    untitled = pc.or_(pc.equal(title, ""), pc.equal(title, source))
    book = pc.and_(untitled, pc.and_(pc.equal(volume, ""), pc.equal(page, "")))
    columns = {
        "title": _letters(pc.if_else(book, source, pc.if_else(untitled, "", title))),
        "surname": _letters(_last_word(_first(references["surnames"]))),
        "volume": volume,
        "page": page,
        "year": references["year"],
        "source": pc.if_else(book, "", source),
    }
    whole = pc.and_(pc.equal(columns["title"], ""), pc.equal(columns["source"], ""))
    return _with_texts(columns, pc.and_(whole, pc.not_equal(text, "")), text)


def _with_texts(
    columns: dict[str, pa.ChunkedArray], whole: pa.ChunkedArray, text: pa.ChunkedArray
) -> pa.Table:
    """The entries; those that are one text have its letters as title."""
    place = pc.extract_regex(text, _TEXT_PLACE)
    read = {
        "title": _letters(text),
        "surname": _letters(_found(text, _TEXT_SURNAME)),
        "volume": _number(pc.struct_field(place, "volume")),
        "page": _number(pc.struct_field(place, "page")),
        "year": _found(text, _TEXT_YEAR).cast(pa.int64()),
    }
    given = {
        name: pc.if_else(whole, read[name], column) if name in read else column
        for name, column in columns.items()
    }
    return pa.table({**given, "whole": whole, "text": pc.if_else(whole, text, "")})


def read_titles(papers: pa.Table) -> pa.Table:
    """Loaded papers in the same form; `work` is the paper."""
    nothing = pa.chunked_array([pa.array([""] * papers.num_rows, pa.string())])
    return pa.table(
        {
            "title": _letters(pc.fill_null(papers["title"], "")),
            "surname": _letters(_last_word(_first(papers["surnames"]))),
            "volume": nothing,
            "page": nothing,
            "year": papers["year"],
            "source": pc.fill_null(papers["venue"], ""),
            "whole": pa.chunked_array([pa.array([False] * papers.num_rows, pa.bool_())]),
            "text": nothing,
            "work": papers["id"],
        }
    )


def _letters(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Letters and digits only, in lower case, without accents."""
    plain = pc.utf8_lower(pc.utf8_normalize(pc.fill_null(texts, ""), form="NFKD"))
    return pc.replace_substring_regex(plain, pattern=_NOT_LETTERS, replacement="")


def _last_word(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """`von Schantz` -> `Schantz`."""
    return pc.replace_substring_regex(texts, pattern=r"^.*\s(\S+)\s*$", replacement=r"\1")


def _number(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """The first number without leading zeros: `Vol. 02` -> `2`, `e1234` -> `1234`."""
    found = _found(pc.fill_null(texts, ""), r"(?P<found>[0-9]+)")
    return pc.utf8_ltrim(pc.fill_null(found, ""), characters="0")


def _found(texts: pa.ChunkedArray, pattern: str) -> pa.ChunkedArray:
    return pc.struct_field(pc.extract_regex(texts, pattern), "found")


def _first(lists: pa.ChunkedArray) -> pa.ChunkedArray:
    """The first value of each list, empty without one."""
    filled = pc.greater(pc.fill_null(pc.list_value_length(lists), 0), 0)
    values = pc.list_element(lists.filter(filled), 0)
    place = pc.if_else(filled, pc.subtract(pc.cumulative_sum(filled.cast(pa.int64())), 1), None)
    return pc.fill_null(values.take(place), "")


def group_entries(papers: pa.Table, entries: pa.Table) -> pa.Table:
    """Distinct contents of entries and loaded papers that can be compared with others.

    Args:
        papers: loaded papers: `id`, `title`, `surnames`, `year`, `venue`.
        entries: result of `read_entries`, `work`, and `known` (see `similar_works.Surroundings`).

    Returns:
        `work`, the `FIELDS`, `source`, `text`, `whole`, `known`, and `times` (entries; 0 for a
        loaded paper), in the order of works and fields.
    """
    loaded = read_titles(papers).append_column("known", pa.nulls(papers.num_rows, pa.string()))
    loaded = loaded.select(entries.column_names).cast(entries.schema)
    both = pa.concat_tables([_with_number(entries, "entry", 1), _with_number(loaded, "entry", 0)])
    both = both.filter(is_comparable(both))
    keys = ["work", *FIELDS]
    grouped = both.group_by(keys, use_threads=False).aggregate(
        [("source", "max"), ("text", "max"), ("whole", "max"), ("known", "max"), ("entry", "sum")]
    )
    grouped = grouped.rename_columns([*keys, "source", "text", "whole", "known", "times"])
    return grouped.sort_by([(key, "ascending") for key in keys])


def is_comparable(entries: pa.Table) -> pa.ChunkedArray:
    """Whether entries have a title, or author, volume and page."""
    place = pc.and_(pc.not_equal(entries["volume"], ""), pc.not_equal(entries["page"], ""))
    placed = pc.and_(place, pc.not_equal(entries["surname"], ""))
    return pc.or_(pc.not_equal(entries["title"], ""), placed)


def _with_number(rows: pa.Table, name: str, value: int) -> pa.Table:
    column = pa.chunked_array([pa.array([value] * rows.num_rows, pa.int64())])
    return rows.append_column(name, column)
