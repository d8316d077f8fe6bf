"""Names the sources of papers in stores of schema versions before 7, which had none."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.identity import ID_BREAK, ID_KINDS
from citescape.loaders.datasets import TABLE_FORMATS, TAKEN, name_of_file
from citescape.loaders.formats import FULL_TEXTS, format_of
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE

_COLUMNS = (
    *("id", "sources", "source_paths", "source_sha256", "source_loaders", "source_ids"),
    *("source_editions", "text_source"),
)


def name_sources(store: GraphStore) -> None:
    """Names the source of loaded papers that have none: that of the loader, or the data set.

    Writes to the graph: `sources`, `source_...` and `text_source` of these papers.
    """
    loaded = store.read(query("ingest/full_text_files"))
    papers = loaded.filter(pc.is_null(loaded["sources"])).to_pylist()
    names = _data_sets(papers)
    rows = []
    for paper in papers:
        format_ = format_of(paper["loader"] or "")
        source = names.get(_file(paper), format_)
        ids = [f"{kind}:{paper[kind]}" for kind in (*ID_KINDS, "key") if paper[kind]]
        columns: tuple[object, ...] = (
            *(paper["id"], [source], [paper["path"]], [paper["sha256"]], [paper["loader"]]),
            *([ID_BREAK.join([*ids, paper["id"]])], [0], source if format_ in FULL_TEXTS else None),
        )
        rows.append(dict(zip(_COLUMNS, columns, strict=True)))
    schema = pa.schema([NODE["Paper"].arrow.field(name) for name in _COLUMNS])
    store.apply([Change("update", "Paper", pa.Table.from_pylist(rows, schema))])


def _data_sets(papers: list[dict[str, Any]]) -> dict[str, str]:
    """Name of the data set of each table: that of its ids (`aan:D10-1001`), else of the file."""
    names: dict[str, str] = {}
    for paper in papers:
        table = TABLE_FORMATS.get(format_of(paper["loader"] or ""))
        if table is not None:
            names.setdefault(_file(paper), table.name or name_of_file(_file(paper)))
            prefix = paper["id"].partition(":")[0]
            if prefix not in TAKEN:
                names[_file(paper)] = prefix
    return names


def _file(paper: dict[str, Any]) -> str:
    return str(paper["path"] or "").partition("#")[0]
