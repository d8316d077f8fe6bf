"""Authors in parts, as `ingest.authors` finds them in memory.

Names are compared within blocks (surname and first initial); blocks with a common ORCID belong
together. A task takes the blocks of one part, with the by-lines on which their names are, and what
these papers cite and are cited by. What it needs of the whole are sums: sizes of blocks,
frequencies of given names, and counts of pairs, from which the model is estimated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import csr_array

from citescape.core.counts import Counts
from citescape.core.hashing import Hashes, hash_texts
from citescape.distributed.exchange import (
    ExchangeFile,
    part_of,
    read_exchange,
    read_facts,
    read_file,
    read_parts,
    writing,
)
from citescape.distributed.stages import name_output
from citescape.distributed.storage import Storage
from citescape.ingest.author_pairs import Citations
from citescape.ingest.author_scores import PairScorer, estimate_model, no_pairs
from citescape.ingest.author_statistics import NameCounts, PairCounts, count_names
from citescape.ingest.authors import assign_people, collect_pairs
from citescape.ingest.names import Bools, Ints
from citescape.ingest.resolve import list_authors, list_wrote
from citescape.ingest.shards.components import smallest_of_rows
from citescape.ingest.signatures import (
    Signatures,
    flatten,
    hash_blocks,
    read_signatures,
    spell_names,
)

_NAMES = ("block", "surname", "initials", "full", "first", "group")
_PAIRS = ("left", "right", "cell", "odds")
_SLICE = 1_000_000
"""Pairs whose features are in memory at one time."""
_HASHES = pa.list_(pa.uint64())
_NO_PAIRS = pa.schema([("from", pa.uint64()), ("to", pa.uint64())]).empty_table()


def send_names(file: ExchangeFile, by_lines: pa.Table, parts: int) -> None:
    """Sends the names on by-lines to the parts of their blocks, and blocks to those of ORCIDs."""
    flat = flatten(by_lines)
    names = spell_names(flat)
    blocks = hash_blocks(names)
    rows = names.append_column("block", pa.array(blocks)).select(_NAMES)
    counted = rows.group_by([*_NAMES]).aggregate([([], "count_all")])
    counted = counted.rename_columns([*_NAMES, "times"])
    file.spread("names", counted, part_of(counted["block"].to_numpy(), parts))
    known = pc.is_valid(flat["orcid"])
    orcids = pa.table(
        {
            "orcid": hash_texts(flat["orcid"].filter(known)),
            "block": blocks[known.to_numpy()],
        }
    )
    orcids = orcids.group_by(["orcid", "block"]).aggregate([])
    file.spread("orcids", orcids, part_of(orcids["orcid"].to_numpy(), parts))


def count_part(storage: Storage, output: str, built: str, part: int) -> None:
    """Sizes of the blocks of a part for all that have names in them; frequencies of given names.

    Besides, the blocks of each ORCID of the part that has several.
    """
    requests, all_names, all_orcids = [], [], []
    for number, tables in enumerate(read_parts(storage, built, part, "names", "orcids")):
        if "orcids" in tables:
            all_orcids.append(tables["orcids"])
        if "names" in tables:
            names = tables["names"]
            all_names.append(names)
            requests.append((number, np.unique(names["block"].to_numpy())))
    with writing(storage, output) as file:
        if all_names:
            names = pa.concat_tables(all_names)
            blocks, place = np.unique(names["block"].to_numpy(), return_inverse=True)
            sizes = np.bincount(place, names["times"].to_numpy()).astype(np.int64)
            for number, wanted in requests:
                own = np.searchsorted(blocks, wanted)
                file.add("sizes", number, pa.table({"block": wanted, "size": sizes[own]}))
            counts = count_names(names)
            _add_counts(file, "values", counts.values)
            _add_counts(file, "sums", counts.sums)
        if all_orcids:
            orcids = pa.concat_tables(all_orcids).group_by(["orcid", "block"]).aggregate([])
            code = np.unique(orcids["orcid"].to_numpy(), return_inverse=True)[1]
            several = pa.array(np.bincount(code)[code] > 1)
            file.add("orcids", "all", orcids.filter(several))


def _add_counts(file: ExchangeFile, name: str, counts: Counts) -> None:
    file.add(name, "all", pa.table({"key": counts.keys, "number": counts.numbers}))


def _sum_counts(rows: pa.Table | None) -> Counts:
    """The sum of counts of several parts."""
    if rows is None:
        return Counts.of(np.zeros(0, np.uint64))
    keys, place = np.unique(rows["key"].to_numpy(), return_inverse=True)
    numbers = np.zeros(len(keys), np.int64)
    np.add.at(numbers, place, rows["number"].to_numpy())
    return Counts(keys, numbers)


def join_blocks(storage: Storage, output: str, counted: str) -> None:
    """The sums of all parts: frequencies of given names; the group of blocks with common ORCIDs.

    This task holds the frequencies, and the blocks of ORCIDs with several.
    """
    found = read_exchange(storage, counted, "all")
    with writing(storage, output) as file:
        for name in ("values", "sums"):
            _add_counts(file, name, _sum_counts(found.get(name)))
        if "orcids" in found:
            rows = found["orcids"]
            known, code = np.unique(rows["orcid"].to_numpy(), return_inverse=True)
            _, edges = smallest_of_rows(code, rows["block"].to_numpy(), len(known))
            file.add("groups", "all", edges)


def _group(blocks: Hashes, groups: pa.Table | None) -> Hashes:
    """The block that stands for those that belong together, for each of some blocks."""
    if groups is None:
        return blocks
    place = pc.index_in(pa.array(blocks), value_set=groups["node"])
    near = groups["near"].take(place)
    return np.asarray(pc.coalesce(near, pa.chunked_array([pa.array(blocks)])).to_numpy())


def send_by_lines(
    storage: Storage, output: str, built: str, counted: str, joined: str, parts: int, part: int
) -> None:
    """Sends the by-lines of a part to the parts of their names, with what they cite."""
    own = read_file(storage, name_output(built, part), "own")
    groups = read_exchange(storage, joined, "all", "groups").get("groups")
    sizes = read_exchange(storage, counted, part, "sizes").get("sizes")
    with writing(storage, output) as file:
        if sizes is None:
            return
        papers = own["by_lines"].sort_by("id")
        flat = flatten(papers)
        blocks = hash_blocks(spell_names(flat))
        row = flat["row"].to_numpy()
        size = sizes["size"].take(pc.index_in(pa.array(blocks), value_set=sizes["block"]))
        counts = np.bincount(row, minlength=papers.num_rows)
        papers = papers.append_column("sizes", _as_lists(size.to_numpy(), counts))
        hashes = hash_texts(papers["id"])
        pairs = own.get("pairs", _NO_PAIRS)
        citing = read_exchange(storage, built, part, "citing").get("citing", _NO_PAIRS)
        for name, rows, end, other in (
            ("cites", pairs, "from", "to"),
            ("cited_by", citing, "to", "from"),
        ):
            papers = papers.append_column(name, _list_ends(hashes, rows, end, other))
        target = part_of(_group(blocks, groups), parts)
        compared = size.to_numpy() > 1
        for number in np.unique(target).tolist():
            here = target == number
            chosen = np.unique(row[here])
            rows = papers.take(pa.array(chosen))
            used = np.isin(chosen, row[here & compared])
            for name in ("cites", "cited_by"):
                none = pa.scalar([], _HASHES)
                lists = pc.if_else(pa.array(used), rows[name], none)
                rows = rows.set_column(rows.schema.get_field_index(name), name, lists)
            file.add("papers", number, rows)


def _as_lists(values: NDArray[np.generic], counts: Ints) -> pa.Array:
    offsets = np.append(0, np.cumsum(counts))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values))


def _list_ends(papers: Hashes, pairs: pa.Table, end: str, other: str) -> pa.Array:
    """For each paper the other ends of its pairs."""
    order = np.argsort(papers)
    place = order[np.searchsorted(papers[order], pairs[end].to_numpy())]
    by_paper = np.argsort(place, kind="stable")
    counts = np.bincount(place, minlength=len(papers))
    return _as_lists(pairs[other].to_numpy()[by_paper], counts).cast(_HASHES)


@dataclass(frozen=True)
class _Blocks:
    """The names of a part, and those beside them on by-lines."""

    flat: pa.Table
    active: Bools
    signatures: Signatures
    citations: Citations


def _read_blocks(storage: Storage, sent: str, joined: str, part: int, parts: int) -> _Blocks | None:
    papers = read_exchange(storage, sent, part).get("papers")
    if papers is None:
        return None
    groups = read_exchange(storage, joined, "all", "groups").get("groups")
    papers = papers.sort_by("id")
    flat = flatten(papers)
    blocks = hash_blocks(spell_names(flat))
    active = part_of(_group(blocks, groups), parts) == part
    sizes = pc.list_flatten(papers["sizes"]).to_numpy()
    signatures = read_signatures(flat, papers, active=active, sizes=sizes)
    return _Blocks(flat, active, signatures, _read_citations(papers))


def _read_citations(papers: pa.Table) -> Citations:
    """What papers cite and are cited by; works are numbered, papers first."""
    own = hash_texts(papers["id"])
    ends = [pc.list_flatten(papers[name]).to_numpy() for name in ("cites", "cited_by")]
    others = np.setdiff1d(np.concatenate(ends), own)
    works = np.concatenate([own, others])
    order = np.argsort(works)
    matrices = []
    for name, other in zip(("cites", "cited_by"), ends, strict=True):
        row = np.repeat(np.arange(len(own)), pc.list_value_length(papers[name]).to_numpy())
        column = order[np.searchsorted(works[order], other)]
        shape = (len(own), len(works))
        matrices.append(csr_array((np.ones(len(row), np.int32), (row, column)), shape=shape))
    return Citations(*matrices)


def _read_names(storage: Storage, joined: str) -> NameCounts:
    found = read_exchange(storage, joined, "all", "values", "sums")
    return NameCounts(_sum_counts(found.get("values")), _sum_counts(found.get("sums")))


def pair_part(
    storage: Storage, output: str, sent: str, joined: str, papers: int, parts: int, part: int
) -> None:
    """The pairs of names of a part that may be one person; their counts for the model."""
    blocks = _read_blocks(storage, sent, joined, part, parts)
    with writing(storage, output) as file:
        if blocks is None:
            return
        names = _read_names(storage, joined)
        scorer = collect_pairs(blocks.signatures, blocks.citations, names, papers)
        for left, right, cell, odds in scorer.parts:
            columns = (left, right, cell, odds)
            file.add("pairs", "own", pa.table(dict(zip(_PAIRS, columns, strict=True))))
        counts = scorer.count()
        _add_counts(file, "fitting", counts.fitting)
        for name in ("chance", "contradictions"):
            numbers = getattr(counts, name)
            keys = np.arange(len(numbers), dtype=np.uint64)
            _add_counts(file, name, Counts(keys, numbers))
        file.facts = {"signatures": counts.signatures}


def sum_pairs(storage: Storage, output: str, paired: str) -> None:
    """The counts of the pairs of all parts."""
    found = read_exchange(storage, paired, "all")
    with writing(storage, output) as file:
        for name in ("fitting", "chance", "contradictions"):
            _add_counts(file, name, _sum_counts(found.get(name)))
        file.facts = read_facts(storage, paired)


def _read_pair_counts(storage: Storage, summed: str) -> PairCounts:
    signatures = read_facts(storage, summed)["signatures"]
    found = read_exchange(storage, summed, "all")
    none = no_pairs()
    arrays = []
    for name in ("chance", "contradictions"):
        numbers = getattr(none, name).copy()
        counts = _sum_counts(found.get(name))
        numbers[counts.keys.astype(np.int64)] = counts.numbers
        arrays.append(numbers)
    return PairCounts(signatures, _sum_counts(found.get("fitting")), *arrays)


def assign_part(
    storage: Storage,
    output: str,
    sent: str,
    joined: str,
    paired: str,
    summed: str,
    papers: int,
    parts: int,
    part: int,
) -> None:
    """The authors of the names of a part: Author and WROTE."""
    blocks = _read_blocks(storage, sent, joined, part, parts)
    with writing(storage, output) as file:
        if blocks is None:
            return
        names = _read_names(storage, joined)
        scorer = PairScorer(blocks.signatures, blocks.citations.citing, names, papers)
        own = read_file(storage, name_output(paired, part), "own").get("pairs")
        for pairs in [] if own is None else own.to_batches(_SLICE):
            left, right, cell, odds = (pairs[name].to_numpy() for name in _PAIRS)
            scorer.parts.append((left, right, cell, odds))
        model = estimate_model(_read_pair_counts(storage, summed))
        authors = assign_people(blocks.flat, scorer, model)
        file.add("Author", "graph", list_authors(authors))
        file.add("WROTE", "graph", list_wrote(authors))
