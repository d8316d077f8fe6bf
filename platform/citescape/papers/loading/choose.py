"""Which loaded papers of a graph of shards a slice has.

Only the columns that are needed are read, part by part; ids of chosen papers are in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, list_some
from citescape.core.progress import Progress
from citescape.ingest.shards.graph import ShardedGraph
from citescape.papers.identify import PaperName, read_identifiers
from citescape.papers.loading.conditions import parse_condition
from citescape.papers.loading.config import SliceConfig
from citescape.papers.loading.ids import IdSet
from citescape.papers.paper_index import COLUMNS, PaperIndex, fold_words
from citescape.papers.reference_files import read_references
from citescape.papers.references import ReferenceList


@dataclass(frozen=True)
class Chosen:
    """The loaded papers of a slice."""

    papers: IdSet
    listed: int = 0
    """Entries of files with papers."""
    found: int = 0
    """Entries that are loaded papers."""
    notes: tuple[str, ...] = ()
    """What could not be read in these files."""


def choose_papers(graph: ShardedGraph, config: SliceConfig, progress: Progress) -> Chosen:
    """The loaded papers that fulfil all settings.

    Args:
        graph: the graph of shards.
        config: settings of the slice, at least one.
        progress: called with the name of each step.

    Raises:
        ConfigError: a setting has no meaning, or no paper is chosen.
    """
    condition = parse_condition(config.where) if config.where.strip() else None
    among: list[IdSet] = []
    listed = found = 0
    notes: Sequence[str] = ()
    if config.listed:
        progress("finding listed papers")
        read = _read_files(config.listed)
        notes, listed = read.notes, len(read.references)
        ids = _find_listed(graph, read.table)
        found = len(ids) - ids.null_count
        among.append(IdSet([ids]))
    if config.around:
        centre = find_in_shards(graph, config.around)
        progress(f"finding papers around {centre.id}")
        among.append(IdSet([_find_near(graph, centre.id, config.hops)]))
    progress("choosing papers")
    columns = ("id", "fulltext", *(condition.columns if condition else ()))
    chosen = []
    for papers in graph.iterate("Paper", list(dict.fromkeys(columns))):
        rows = papers.filter(papers["fulltext"])
        rows = rows if condition is None else rows.filter(condition.expression)
        rows = reduce(lambda left, ids: left.filter(ids.mask(left["id"])), among, rows)
        chosen.append(rows["id"])
    papers = IdSet(chosen)
    if not len(papers):
        raise ConfigError(
            f"the slice is empty: none of the papers loaded into {graph.storage.address} "
            f"{_describe(config)}; nothing was loaded"
        )
    return Chosen(papers, listed, found, tuple(notes))


def _describe(config: SliceConfig) -> str:
    """The settings of a slice, as a clause on papers."""
    parts = []
    if config.where.strip():
        parts.append(f"fulfils {config.where!r}")
    if config.around:
        parts.append(f"is within {config.hops} citations of {config.around}")
    if config.listed:
        parts.append(f"is listed in {list_some([path.name for path in config.listed])}")
    return " and ".join(parts)


def find_in_shards(graph: ShardedGraph, text: str) -> PaperName:
    """The paper with this id, DOI, PMID or PMCID, see `identify.find_paper`.

    Raises:
        ConfigError: no paper, or several.
    """
    name = text.strip()
    ids = read_identifiers(name)
    exact: list[PaperName] = []
    others: list[PaperName] = []
    for papers in graph.iterate("Paper", ("id", "title", *ids)):
        exact += _names(papers.filter(pc.equal(papers["id"], name)))
        masks = [pc.fill_null(pc.equal(papers[kind], id_), False) for kind, id_ in ids.items()]
        known = [mask for mask, id_ in zip(masks, ids.values(), strict=True) if id_]
        if known:
            others += _names(papers.filter(reduce(pc.or_, known)))
    found = exact or sorted(others, key=lambda paper: paper.id)
    if not found:
        raise ConfigError(
            f"no paper {name!r} in {graph.storage.address}; expected the id of a paper, a DOI, "
            "PMID or PMCID; check it for typos"
        )
    if len(found) > 1:
        raise ConfigError(
            f"{name!r} is ambiguous in {graph.storage.address}: {list_some(found)}; give one of "
            "these ids"
        )
    return found[0]


def _names(papers: pa.Table) -> Iterator[PaperName]:
    for row in papers.select(["id", "title"]).to_pylist():
        yield PaperName(row["id"], row["title"] or "")


def _find_near(graph: ShardedGraph, centre: str, hops: int) -> pa.ChunkedArray:
    """Papers and cited works with a path of at most `hops` citations to one, in any direction."""
    reached = last = pa.chunked_array([pa.array([centre], pa.string())])
    for _ in range(hops):
        ends = []
        for pairs in graph.iterate("CITES", ("from", "to")):
            for one, other in (("from", "to"), ("to", "from")):
                near = pc.is_in(pairs[one], value_set=last.combine_chunks())
                ends.append(pc.unique(pairs[other].filter(near)))
        found = pc.unique(pa.chunked_array(ends, pa.string()))
        new = found.filter(pc.invert(pc.is_in(found, value_set=reached.combine_chunks())))
        if not len(new):
            break
        last = pa.chunked_array([new])
        reached = pa.chunked_array([*reached.chunks, new])
    return reached


def _read_files(files: Sequence[Path]) -> ReferenceList:
    for file in files:
        if not file.is_file():
            raise ConfigError(f"no file {file}; expected BibTeX, RIS, CSL-JSON, a table or a list")
    return read_references([str(file) for file in files], {})


def _find_listed(graph: ShardedGraph, references: pa.Table) -> pa.ChunkedArray:
    """The loaded paper of each reference; null without one.

    Only papers with an id or title of the references are in memory.
    """
    titled = references.filter(pc.not_equal(references["title"], ""))["title"]
    titles = fold_words(titled).combine_chunks()
    wanted = {"id": references["name"], **{kind: references[kind] for kind in COLUMNS[:3]}}
    parts = []
    for papers in graph.iterate("Paper", ("id", "fulltext", *COLUMNS)):
        loaded = papers.filter(papers["fulltext"])
        folded = fold_words(pc.fill_null(loaded["title"], ""))
        masks = [pc.is_in(folded, value_set=titles)]
        for name, ids in wanted.items():
            masks.append(pc.is_in(loaded[name], value_set=ids.drop_null().combine_chunks()))
        parts.append(loaded.filter(reduce(pc.or_, masks)))
    candidates = pa.concat_tables(parts).select(["id", *COLUMNS])
    return PaperIndex.of_rows(candidates).match(references)["paper"]
