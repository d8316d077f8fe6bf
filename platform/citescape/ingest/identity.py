"""Matches mentions of the same work: by DOI, else another id, else title, year, first author.

A DOI always decides: publishers print wrong PMIDs (one PMID of the crops corpus is printed with
ten DOIs), so merging all mentions that share any id would chain unrelated works together. Other
ids lead to a more trusted one through the mentions that have both, if most mentions of either id
agree.
Results depend on the set of mentions, not on the order in which papers are loaded.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import Identifiers

ID_KINDS = Identifiers._fields
"""Kinds of identifiers, the most trusted first."""

ID_BREAK = "\t"
"""Separates the ids of a record in `Paper.source_ids`."""

_NOT_WORD = re.compile(r"[\W_]+")
_PAGE = "page-"
NAMED = "id-"
"""Prefix of a reference's key where its source names the node: `id-aan:D10-1001`."""


def fold(text: str) -> str:
    """Lower case, without accents and punctuation, words separated by one space."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", text.casefold()).strip()


@lru_cache(maxsize=65536)
def _fold_name(name: str) -> str:
    return fold(name)


def title_key(title: str, year: int | None, surname: str) -> str | None:
    """Key of a work by title, year and first author's surname; None without enough of them.

    ``blake2b(fold(title) | year | fold(surname))``, 64 bits as hex. A title alone is not enough:
    year or surname must be known.

    Args:
        title: title as printed.
        year: year of publication, if known.
        surname: surname of the first author; empty if unknown.
    """
    folded = fold(title)
    if not folded or not (year or surname):
        return None
    return _hash(f"{folded}|{year or ''}|{_fold_name(surname)}")


def page_key(source: str, volume: str, page: str, *, year: int | None, surname: str) -> str | None:
    """Key of a work cited without its title: journal, volume, first page, year, first author.

    It begins with `page-`, which distinguishes it from a title key.

    Args:
        source: title of the journal.
        volume: volume as printed.
        page: first page.
        year: year of publication, if known.
        surname: surname of the first author; empty if unknown.
    """
    if not (source and volume and page):
        return None
    return _PAGE + _hash(f"{fold(source)}|{volume}|{page}|{year or ''}|{_fold_name(surname)}")


def work_id(ids: Identifiers, key: str | None) -> str | None:
    """The id of a work's node: `doi:10.1/x`, ..., or `key:`, the first that is known."""
    for kind, id_ in zip(ID_KINDS, ids, strict=True):
        if id_:
            return f"{kind}:{id_}"
    return f"key:{key}" if key else None


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def match_works(papers: pa.Table, references: pa.Table) -> pa.Table:
    """The work of each reference.

    Args:
        papers: full texts with the columns `id`, `key`, and those of `ID_KINDS`.
        references: references with the same columns.

    Returns:
        `id` (reference), `work` (node id), `matched_by` (`id`, one of `ID_KINDS`, `title`, `page`,
        `none`), in the order of `references`. A reference without any usable field is a separate
        work.
    """
    by_id = _by_identifier(papers, references)
    work, undisputed = by_id["work"], pc.invert(by_id["disputed"])
    key_kind = pc.if_else(pc.starts_with(references["key"], _PAGE), "page", "title")

    # First those with a PMID that leads to no DOI, then those without any id.
    full = pc.is_in(work, value_set=papers["id"])
    sure = pc.fill_null(pc.or_(pc.starts_with(work, "doi:"), full), False)
    moved = _by_key(papers, references, work=work, witness=pc.and_(sure, undisputed))
    moved = pc.if_else(pc.and_(pc.is_valid(work), pc.invert(sure)), moved, _NO_TEXT)
    work = pc.coalesce(moved, work)
    matched_by = pc.if_else(pc.is_valid(moved), key_kind, by_id["matched_by"])
    witness = pc.and_(pc.is_valid(work), undisputed)
    by_key = _by_key(papers, references, work=work, witness=witness)
    own = pc.binary_join_element_wise(pa.scalar("ref:"), references["id"], "")
    return pa.table(
        {
            "id": references["id"],
            "work": pc.coalesce(work, by_key, _prefixed(references, "key"), own),
            "matched_by": pc.coalesce(matched_by, key_kind, pa.scalar("none")),
        }
    )


_NO_TEXT = pa.scalar(None, pa.string())


def _by_identifier(papers: pa.Table, references: pa.Table) -> pa.Table:
    """The work that the ids of each reference lead to: `work`, `matched_by`, `disputed`.

    A reference is disputed if its DOI and PMID do not belong together (see `_crosswalk`).
    """
    mentions = pa.concat_tables([papers.select(ID_KINDS), references.select(ID_KINDS)])
    leads = _leads(mentions)
    printed = {kind: _prefixed(references, kind) for kind in ID_KINDS}

    # Some sources name the node themselves.
    named = pc.starts_with(references["key"], NAMED)
    names = pc.utf8_slice_codeunits(references["key"], len(NAMED))
    ways = [("id", pc.if_else(named, names, _NO_TEXT))]

    # The full text with an id of the reference comes next; another DOI forbids it.
    without_doi = papers.filter(pc.is_null(papers["doi"]))
    no_doi = pc.is_null(references["doi"])
    ways.append(("doi", _lookup(references["doi"], aliases(papers, "doi"))))
    for kind in ID_KINDS[1:]:
        anyone = _lookup(references[kind], aliases(papers, kind))
        unnamed = _lookup(references[kind], aliases(without_doi, kind))
        ways.append((kind, pc.if_else(no_doi, anyone, unnamed)))

    ways.append(("doi", printed["doi"]))
    for kind in ID_KINDS[1:]:
        ways += [(kind, _lookup(printed[kind], leads[kind])), (kind, printed[kind])]
    kinds = [pc.if_else(pc.is_valid(works), kind, _NO_TEXT) for kind, works in ways]
    both = pc.and_(pc.is_valid(printed["doi"]), pc.is_valid(printed["pmid"]))
    by_pmid = _lookup(printed["pmid"], leads["pmid"])
    agree = pc.fill_null(pc.equal(by_pmid, printed["doi"]), False)
    return pa.table(
        {
            "work": pc.coalesce(*(works for _, works in ways)),
            "matched_by": pc.coalesce(*kinds),
            "disputed": pc.and_(both, pc.invert(agree)),
        }
    )


def _prefixed(table: pa.Table, kind: str) -> pa.ChunkedArray:
    """`10.1/x` as `doi:10.1/x`; nulls are kept."""
    return pc.binary_join_element_wise(pa.scalar(f"{kind}:"), table[kind], "")


def _leads(mentions: pa.Table) -> dict[str, pa.Table]:
    """For each kind of id but the first: the most trusted id that each id leads to.

    `key`, `value`: prefixed ids. The id of a kind leads to that of the most trusted kind with a
    crosswalk, and from there on.
    """
    leads: dict[str, pa.Table] = {}
    for place, kind in enumerate(ID_KINDS[1:], start=1):
        ids = mentions[kind].drop_null().unique()
        keys = pc.binary_join_element_wise(pa.scalar(f"{kind}:"), ids, "")
        found = pa.nulls(len(keys), pa.string())
        for target in ID_KINDS[:place]:
            direct = _lookup(keys, _crosswalk(mentions, kind, target))
            further = _lookup(direct, leads[target]) if target in leads else direct
            found = pc.coalesce(found, further, direct)
        leads[kind] = pa.table({"key": keys, "value": found}).drop_null()
    return leads


def _crosswalk(mentions: pa.Table, source: str, target: str) -> pa.Table:
    """The `target` id that belongs to a `source` id: most mentions print both.

    Of the mentions that print both kinds, more than half of those with either id have the other
    too. So a single entry with the DOI of another work, which others print with another PMID, is
    ignored. Returns `key`, `value`.
    """
    both = pc.and_(pc.is_valid(mentions[source]), pc.is_valid(mentions[target]))
    pairs = mentions.select([source, target]).filter(both)
    won = pairs.group_by([source, target]).aggregate([([], "count_all")])
    mutual = pc.and_(_is_majority(won, source), _is_majority(won, target))
    won = won.filter(mutual)
    return pa.table({"key": _prefixed(won, source), "value": _prefixed(won, target)})


def _is_majority(counted: pa.Table, column: str) -> pa.ChunkedArray:
    """Whether a row counts more than half of all that have its value in a column."""
    totals = counted.group_by(column).aggregate([("count_all", "sum")])
    total = totals["count_all_sum"].take(pc.index_in(counted[column], value_set=totals[column]))
    return pc.greater(pc.multiply(counted["count_all"], 2), total)


def all_names(rows: pa.Table) -> pa.Array:
    """All ids of works: of their nodes (`id`), and of each kind in the form `doi:10.1/x`."""
    columns = [rows["id"], *(_prefixed(rows, kind) for kind in ID_KINDS)]
    return join_columns(columns).drop_null().unique()


def join_columns(columns: Iterable[pa.ChunkedArray]) -> pa.ChunkedArray:
    """The texts of several columns as one column."""
    return pa.chunked_array([chunk for column in columns for chunk in column.chunks], pa.string())


def _lookup(keys: pa.ChunkedArray, table: pa.Table) -> pa.ChunkedArray:
    """`table.value` where `table.key` equals the key, else null."""
    return pc.take(table["value"], pc.index_in(keys, value_set=table["key"]))


def aliases(papers: pa.Table, kind: str) -> pa.Table:
    """`key` (an id of one kind), `value` (the paper with it; of several the smallest id)."""
    named = pa.table({"key": papers[kind], "value": papers["id"]}).drop_null()
    first = named.group_by("key").aggregate([("value", "min")])
    return pa.table({"key": first["key"], "value": first["value_min"]})


def _by_key(
    papers: pa.Table, references: pa.Table, *, work: pa.ChunkedArray, witness: pa.ChunkedArray
) -> pa.ChunkedArray:
    """For each reference the one work that its key belongs to, by full texts and witnesses.

    Null without a work, or with several. A single witness for a work's key is ignored where others
    or the full text itself give another key: its id may be wrong.
    """
    known = pa.table({"key": references["key"], "work": work}).filter(witness).drop_null()
    counted = known.group_by(["key", "work"]).aggregate([([], "count_all")])
    own = pa.table({"key": papers["key"], "work": papers["id"]})
    most = counted.group_by("work").aggregate([("count_all", "max")])
    usual = most["count_all_max"].take(pc.index_in(counted["work"], value_set=most["work"]))
    unusual = pc.less(counted["count_all"], usual)
    full = pc.is_in(counted["work"], value_set=own["work"])
    alone = pc.equal(counted["count_all"], 1)
    accepted = counted.filter(pc.invert(pc.and_(alone, pc.or_(full, unusual))))
    pairs = pa.concat_tables([accepted.select(["key", "work"]), own]).drop_null()
    pairs = pairs.group_by(["key", "work"]).aggregate([])
    single = pairs.group_by("key").aggregate([("work", "count"), ("work", "min")])
    single = single.filter(pc.equal(single["work_count"], 1))
    table = pa.table({"key": single["key"], "value": single["work_min"]})
    return _lookup(references["key"], table)


def representative(references: pa.Table) -> pa.Table:
    """For each `work` its most complete reference: `work`, `row` (its index).

    References with the most frequent `key` of a work (title, year and first author) come first;
    among them the one with most fields filled (title, authors, year, journal) and a complete author
    list; then the smaller reference id, so that the order of references does not matter.
    """
    filled = np.zeros(references.num_rows, dtype=np.int64)
    for column, weight in (("title", 100), ("source", 10), ("doi", 5), ("pmid", 5)):
        filled += weight * pc.fill_null(pc.not_equal(references[column], ""), False).to_numpy()
    filled += 30 * pc.is_valid(references["year"]).to_numpy()
    authors = pc.fill_null(pc.list_value_length(references["surnames"]), 0)
    filled += np.minimum(authors.to_numpy(), 20)
    filled -= 5 * pc.fill_null(references["et_al"], False).to_numpy()
    table = pa.table(
        {
            "work": references["work"],
            "agreeing": _count_agreeing(references),
            "filled": filled,
            "id": references["id"],
        }
    )
    # `table.sort_by` would copy all columns, the ids of references included.
    order = pc.sort_indices(
        table,
        sort_keys=[
            ("work", "ascending"),
            ("agreeing", "descending"),
            ("filled", "descending"),
            ("id", "ascending"),
        ],
    )
    ordered = pa.table({"work": table["work"].take(order), "row": order.view(pa.int64())})
    return first_rows(ordered, "work")


def _count_agreeing(references: pa.Table) -> pa.ChunkedArray:
    """References of the same work with the same title key; 0 without one."""
    keyed = pc.binary_join_element_wise(references["work"], references["key"], "|")
    titled = pc.invert(pc.fill_null(pc.starts_with(references["key"], _PAGE), True))
    counts = keyed.value_counts()
    times = counts.field("counts").take(pc.index_in(keyed, value_set=counts.field("values")))
    return pc.if_else(titled, times, 0)


def first_rows(table: pa.Table, column: str) -> pa.Table:
    """The first row of each value of a sorted column."""
    values = table[column].combine_chunks()
    if len(values) < 2:
        return table
    changed = pc.not_equal(values[1:], values[:-1])
    return table.filter(pa.concat_arrays([pa.array([True]), changed]))
