"""Loading papers into the store of a context, or into files for Neo4j's offline importer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from citescape.core.config import is_address
from citescape.core.errors import CitescapeError, StoreError
from citescape.core.outputs import forget_outputs
from citescape.core.progress import Progress
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import IngestResult, ingest
from citescape.ingest.neo4j_import import prepare_import
from citescape.ingest.overview import needs_scores
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore


def load(context: Context, paths: Sequence[Path], config: IngestConfig) -> IngestResult:
    """Fills the store. A new one that gets no paper, as none can be read, is not left behind.

    One that a fault of its own cut off stays: a rerun goes on from it.

    Args:
        context: the store, created if new.
        paths: of the papers.
        config: how they are ingested.
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
            with suppress(OSError):  # would hide why there is no paper
                Path(context.location).unlink()
            forget_outputs(Path(context.location))
    without_texts = result.citations and not result.occurrences
    next_ = "score" if unscored else "network build citation" if without_texts else ""
    return replace(result, place=f"{context.location} now holds:", next=next_)


def prepare(
    paths: Sequence[Path], folder: Path, config: IngestConfig, *, progress: Progress
) -> IngestResult:
    """Writes the files of the offline importer.

    Args:
        paths: of the papers.
        folder: for the files.
        config: how papers are ingested.
        progress: takes lines on what is being done.
    """
    made = prepare_import(paths, folder, config=config, progress=lambda p: progress(str(p)))
    return replace(
        made.result,
        place=f"the files in {folder} now hold:",
        import_folder=str(folder),
        import_command=made.command,
    )


def _is_empty(graph: GraphStore) -> bool:
    return not graph.read("MATCH (p:Paper) RETURN p.id AS id LIMIT 1").num_rows
