"""What an earlier state of a data set brought: which papers go, and when that is refused."""

from __future__ import annotations

from citescape.core.errors import SourceError
from citescape.ingest.files import LoadedFiles
from citescape.ingest.table_papers import TablePapers
from citescape.loaders.versions import is_table
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_MOST_GONE = 1 / 2
"""Share of a data set's papers; a table that lacks more is rather cut off, or another one."""


def papers_gone(files: LoadedFiles, papers: TablePapers) -> list[str]:
    """The papers that the data set, or its file, brought and no longer holds; by id."""
    return sorted(paper for paper in _brought(files, papers) if paper not in papers)


def check_earlier(store: GraphStore, files: LoadedFiles, papers: TablePapers) -> None:
    """Refuses a data set that would take out papers or citations which may be meant to stay.

    Raises:
        SourceError: the store has papers of that name from another file, and no name was chosen
            or the table lacks some of them; or it lacks more than half of what it brought; or
            its papers had citations, and it has no table of citations now.
    """
    _check_name(files, papers)
    brought = _brought(files, papers)
    citing = set() if papers.data_set.citations else _citing_rows(store, files)
    if not (brought or citing):
        return
    is_whole = papers.read_ids()
    if bare := sum(paper in brought or paper in papers for paper in citing):
        raise _refusal(papers, f"the citations of {bare:,} papers (no table of them is given)")
    if not is_whole:
        return
    start = f"{papers.data_set.place}#"
    gone = [paper for paper in brought if paper not in papers]
    others = [paper for paper in gone if not files.path(paper).startswith(start)]
    own = [files.path(paper).removeprefix(start) for paper in {*gone} - {*others}]
    lost = sum(not papers.has_row(id_) for id_ in own)  # one that has got a DOI is not lost
    if others:
        raise _refusal(papers, _from_another_file(files, sorted(others)))
    if lost > _MOST_GONE * len(brought):
        raise _refusal(papers, f"{lost:,} of the {len(brought):,} papers of this data set")


def _check_name(files: LoadedFiles, papers: TablePapers) -> None:
    """Two files of one name may be two data sets, whose ids must not be mixed."""
    name, start = papers.data_set.name, f"{papers.data_set.place}#"
    others = (path for _, path in files.with_id(f"{name}:") if not path.startswith(start))
    other = None if papers.data_set.named else next(others, None)
    if other is not None:
        message = (
            f"the store has papers `{name}:...` from {other.partition('#')[0]}; if this "
            f"is the same data set, give --dataset {name}, else another name"
        )
        raise SourceError(papers.data_set.place, "name-taken", message)


def _brought(files: LoadedFiles, papers: TablePapers) -> set[str]:
    named = (paper for paper, _ in files.with_id(f"{papers.data_set.name}:"))
    return {*files.with_path(f"{papers.data_set.place}#"), *named}


def _citing_rows(store: GraphStore, files: LoadedFiles) -> set[str]:
    """The papers that tables brought with citations; a row takes none from a full text."""
    citing = store.read(query("ingest/citing_papers"))["id"].to_pylist()
    return {paper for paper in citing if is_table(files.loader(paper))}


def _from_another_file(files: LoadedFiles, gone: list[str]) -> str:
    return f"{len(gone):,} papers of this name from {files.path(gone[0]).partition('#')[0]}"


def _refusal(papers: TablePapers, lost: str) -> SourceError:
    message = (
        f"{lost} are not in it, and would be removed from the store; if that is right, give "
        "--replace, and if this is another data set, another name with --dataset"
    )
    return SourceError(papers.data_set.place, "would-remove", message)
