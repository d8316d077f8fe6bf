"""Tasks over the parts of a graph of shards: authors of cited works, features, scores.

A part has its papers with the works they cite and their in-text citations, but an author and what
he wrote are in the part of the author. So each part sends authors to the parts of their papers, and
asks the parts of cited works for theirs. Papers and authors are 64-bit hashes of ids meanwhile.

Each task reads one part and what others sent to it, and writes one file.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core import csr
from citescape.core.errors import StoreError
from citescape.core.hashing import Hashes, hash_texts
from citescape.core.pairs import Codes, build_pairs, encode, sort_ids
from citescape.distributed.exchange import (
    part_of,
    read_exchange,
    read_file,
    read_parts,
    writing,
)
from citescape.distributed.storage import Storage
from citescape.importance import kernel
from citescape.importance.components import COUNTED
from citescape.importance.counts import (
    NO_TITLES,
    PairFeatures,
    mark_self_citations,
    tally,
)
from citescape.importance.read import count_occurrences
from citescape.importance.scored import feature_columns, place_weights
from citescape.ingest.shards.graph import ShardedGraph, name_file
from citescape.ingest.shards.scores import SCORED

DRIVER = "driver"
"""Reader of the tables that are summed over all parts."""
TYPES, HISTOGRAMS, TOTALS = "types", "histograms", "totals"
"""Tables for the driver: papers by type; pairs by value; pairs and their hash by type."""
HISTOGRAM = pa.schema(
    [
        ("type", pa.string()),
        ("component", pa.string()),
        ("value", pa.int64()),
        ("pairs", pa.int64()),
    ]
)
TOTAL = pa.schema([("type", pa.string()), ("pairs", pa.int64()), ("hash", pa.uint64())])
_AUTHORS, _CITED, _FEATURES = "authors", "cited", "features"
_COUNTS = (*COUNTED, "f_combined")
READ = ("Paper", "WROTE", "Section", "HAS_SECTION", "CONTAINS", "REFERS_TO", "CITES")
"""Tables that the tasks read."""


def send_authors(storage: Storage, output: str, graph: ShardedGraph, part: int) -> None:
    """Sends authors to the parts of their papers, and cited works to their own parts.

    Raises:
        StoreError: a citation is in another part than its citing paper.
    """
    wrote = graph.read("WROTE", part, ["from", "to"])
    cites = graph.read("CITES", part, ["from", "to"])
    citing = cites["from"].unique()
    papers = graph.read("Paper", part, ["id", "type"])
    here = part_of(hash_texts(pa.chunked_array([citing])), graph.parts) == part
    if not (here & pc.is_in(citing, value_set=papers["id"].combine_chunks()).to_numpy(False)).all():
        raise StoreError(
            f"{graph.storage.address}/{name_file('CITES', part)} holds citations of papers that "
            "are not in this part; ingest the sources again into another folder"
        )
    written, cited = hash_texts(wrote["to"]), np.unique(hash_texts(cites["to"]))
    with writing(storage, output) as file:
        authors = pa.table({"paper": written, "author": hash_texts(wrote["from"])})
        file.spread(_AUTHORS, authors, part_of(written, graph.parts))
        file.spread(_CITED, pa.table({"paper": cited}), part_of(cited, graph.parts))
        file.add(TYPES, DRIVER, _count_types(papers, citing))


def _count_types(papers: pa.Table, citing: pa.Array) -> pa.Table:
    """The types of papers with the number of those that cite works."""
    types = pc.fill_null(papers["type"], "")
    citing = pc.is_in(papers["id"], value_set=citing).cast(pa.int64())
    summed = (
        pa.table({"type": types, "papers": citing}).group_by("type").aggregate([("papers", "sum")])
    )
    return summed.select(["type", "papers_sum"]).rename_columns(["type", "papers"])


def answer_authors(storage: Storage, output: str, sent: str, part: int) -> None:
    """Sends the authors of the papers of a part to the parts that cite them, and to itself.

    Args:
        storage: the folder of the graph.
        output: file to write.
        sent: folder of the files of `send_authors`, in the order of parts.
        part: the part.
    """
    received, cited = [_no_authors()], []
    for tables in read_parts(storage, sent, part):
        received.append(tables.get(_AUTHORS, _no_authors()))
        cited.append(tables[_CITED]["paper"].to_numpy() if _CITED in tables else None)
    authors = pa.concat_tables(received).sort_by("paper")
    papers = authors["paper"].to_numpy()
    with writing(storage, output) as file:
        for citing_part, works in enumerate(cited):
            if citing_part == part:
                file.add(_AUTHORS, part, authors)
            elif works is not None:
                first = np.searchsorted(papers, works, "left")
                sizes = np.searchsorted(papers, works, "right") - first
                file.add(_AUTHORS, citing_part, authors.take(pa.array(csr.ranges(first, sizes))))


def _no_authors() -> pa.Table:
    return pa.table({name: pa.array([], pa.uint64()) for name in ("paper", "author")})


def count_features(
    storage: Storage,
    output: str,
    graph: ShardedGraph,
    part: int,
    answers: str,
    sections: str,
    combined: str,
) -> None:
    """Features of the pairs of a part, in the order of its file of CITES, and their sums by type.

    Args:
        storage: the folder of the graph.
        output: file to write.
        graph: the graph, at least this part.
        part: the part.
        answers: folder of the files of `answer_authors`.
        sections: section types to count, `model` or `rules`.
        combined: where mentions in combined sections count.

    Raises:
        StoreError: a repeated pair.
    """
    cites = graph.read("CITES", part, ["from", "to"])
    ids = sort_ids(
        pa.chunked_array([*cites["from"].chunks, *cites["to"].chunks], pa.string()).unique()
    )
    citing, cited = encode(cites["from"], ids), encode(cites["to"], ids)
    pairs = build_pairs(ids, citing, cited)
    hashes = hash_texts(pa.chunked_array([ids]))
    tables = [_read_occurrences(graph, part)]
    counts, strays, relabelled = count_occurrences(pairs, tables, sections=sections)
    selfs = mark_self_citations(pairs, *_read_authors(storage, answers, part, hashes))
    features = PairFeatures(pairs, counts, selfs, NO_TITLES, strays, relabelled)
    order = pairs.locate(citing, cited)
    with writing(storage, output) as file:
        columns = dict(zip(_COUNTS, counts[order].T, strict=True))
        file.add(_FEATURES, part, pa.table({**columns, "self": selfs[order]}))
        for name, rows in _sum_by_type(graph, part, features, hashes, combined).items():
            file.add(name, DRIVER, rows)
        file.facts = {
            "unmentioned": features.unmentioned,
            "strays": strays,
            "relabelled": relabelled,
            **features.mentions_by_type,
        }


def _read_occurrences(graph: ShardedGraph, part: int) -> pa.Table:
    """The in-text citations of a part, rows as those of the query `features/occurrences`."""
    refers = graph.read("REFERS_TO", part)
    contains, owners = graph.read("CONTAINS", part), graph.read("HAS_SECTION", part)
    sections = graph.read("Section", part, ["id", "type", "combined", "type_run"])
    within = contains["from"].take(_find(refers["from"], contains["to"]))
    section, owner = _find(within, sections["id"]), _find(within, owners["to"])
    return pa.table(
        {
            "citing": owners["from"].take(owner),
            "cited": refers["to"],
            "type": sections["type"].take(section),
            "combined": sections["combined"].take(section),
            "relabelled": pc.is_valid(sections["type_run"].take(section)),
        }
    ).filter(pc.is_valid(section))


def _find(ids: pa.ChunkedArray, among: pa.ChunkedArray) -> pa.ChunkedArray:
    """The row of each id in another column; null without one."""
    return pc.index_in(ids, value_set=among.combine_chunks())


def _read_authors(storage: Storage, answers: str, part: int, hashes: Hashes) -> tuple[Codes, Codes]:
    """Codes of papers in pairs and of their authors, one per author of a paper.

    Args:
        storage: the folder of the graph.
        answers: folder of the files of `answer_authors`.
        part: the part.
        hashes: (papers,) hash of each paper, in the order of codes.
    """
    rows = read_exchange(storage, answers, part).get(_AUTHORS, _no_authors())
    places = _find(rows["paper"], pa.chunked_array([pa.array(hashes)]))
    papers = pc.fill_null(places, -1).to_numpy()
    authors: Codes = rows["author"].combine_chunks().dictionary_encode().indices.to_numpy()
    return papers[papers >= 0], authors[papers >= 0]


def _sum_by_type(
    graph: ShardedGraph, part: int, features: PairFeatures, hashes: Hashes, combined: str
) -> dict[str, pa.Table]:
    """Histograms, number and hash of the pairs of a part, by type of the citing paper.

    The hash is a sum, so that those of parts add up: it does not depend on the division.
    """
    pairs = features.pairs
    citing = np.repeat(np.arange(len(pairs.ids)), np.diff(pairs.indptr))
    bits = kernel.hash_pairs(hashes[citing], hashes[pairs.cited], features.counts, features.selfs)
    papers = graph.read("Paper", part, ["id", "type"])
    types = pc.fill_null(papers["type"].take(_find(pairs.ids, papers["id"])), "")
    coded = types.combine_chunks().dictionary_encode()
    codes = coded.indices.to_numpy()[citing]
    histograms, totals = [], []
    for code, type_ in enumerate(coded.dictionary.to_pylist()):
        chosen = codes == code
        if chosen.any():
            sums = {"pairs": int(chosen.sum()), "hash": int(bits[chosen].sum())}
            totals.append({"type": type_, **sums})
            for name, counted in tally(features, combined, chosen).items():
                histograms += [
                    {"type": type_, "component": name, "value": value, "pairs": n}
                    for value, n in counted.bins
                ]
    return {
        HISTOGRAMS: pa.Table.from_pylist(histograms, HISTOGRAM),
        TOTALS: pa.Table.from_pylist(totals, TOTAL),
    }


def write_scores(
    storage: Storage,
    output: str,
    graph: ShardedGraph,
    part: int,
    features: str,
    weights: Mapping[str, float],
    halves: bool,
    run: str,
) -> None:
    """Scores of the pairs of a part as a Parquet file, in the order of its file of CITES.

    Args:
        storage: the folder of the graph.
        output: file to write.
        graph: the graph, at least this part.
        part: the part.
        features: file of `count_features`.
        weights: weights of the components.
        halves: whether a mention in a combined section counts half in R and half in D.
        run: id of the run.
    """
    rows = read_file(storage, features, part).get(_FEATURES, _no_features())
    counts = np.column_stack([rows[name].to_numpy() for name in _COUNTS])
    selfs = rows["self"].to_numpy()
    importance = kernel.weigh(counts, selfs, NO_TITLES, place_weights(weights), halves)
    scores = {**feature_columns(counts, selfs), "importance": importance}
    cites = graph.read("CITES", part, ["from", "to"])
    for name, column in scores.items():
        cites = cites.append_column(name, pa.array(column))
    cites = cites.append_column("run", pa.repeat(run, len(cites)))
    storage.write_table(output, cites.select(["from", "to", *SCORED]))


def _no_features() -> pa.Table:
    return pa.table({name: pa.array([], pa.uint8()) for name in (*_COUNTS, "self")})
