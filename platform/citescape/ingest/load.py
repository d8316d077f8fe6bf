"""Loading papers into the store of a context."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from citescape.core.config import is_address
from citescape.core.errors import CitescapeError, StoreError
from citescape.core.outputs import forget_outputs
from citescape.ingest.config import IngestConfig
from citescape.ingest.index.files import remove_index
from citescape.ingest.ingest import IngestResult, ingest
from citescape.ingest.overview import needs_scores
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore


def load(context: Context, paths: Sequence[Path], config: IngestConfig) -> IngestResult:
    """Loads papers into the store, created if missing.

    A new store without any readable paper is removed. After an error of the store (`StoreError`) it
    is kept: a rerun continues with it.

    Args:
        context: the store and its lock.
        paths: files, folders or archives.
        config: settings of the ingest.
    """
    is_new, useless = not context.exists, False
    context.lock()
    graph = context.store
    try:
        result = ingest(graph, paths, config, progress=lambda p: context.progress(str(p)))
        useless = is_new and _is_empty(graph)
        unscored = needs_scores(graph)
    except CitescapeError as error:
        useless = is_new and not isinstance(error, StoreError) and _is_empty(graph)
        raise
    finally:
        if useless and not is_address(context.location):
            context.release()
            with suppress(OSError):  # an error here would hide the reason
                Path(context.location).unlink()
            remove_index(context.location)
            forget_outputs(Path(context.location))
    without_texts = result.citations and not result.occurrences
    next_ = "score" if unscored else "network build citation" if without_texts else ""
    return replace(result, place=f"{context.location} now holds:", next=next_)


def _is_empty(graph: GraphStore) -> bool:
    texts = (
        "MATCH (p:Paper) RETURN p.id AS id LIMIT 1",
        "MATCH (n:Notice) RETURN n.id AS id LIMIT 1",
    )
    return not any(graph.read(text).num_rows for text in texts)
