"""The same papers give the same graph and the same scores on both engines."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

import pytest

from citescape.importance.score import score
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.schema import REL
from citescape.store.statements import read_text
from tests.conftest import empty_neo4j
from tests.ingest.papers import snapshot
from tests.neo4j.server import Neo4jServer

_SLICE = 12
"""Papers of the real corpus that both engines load, besides `_CORRECTED`."""
_CORRECTED = ("PMC6054151.xml", "PMC6093333.xml")
"""A paper and its erratum."""


@pytest.fixture(scope="module")
def papers(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first papers of the corpus."""
    folder = tmp_path_factory.mktemp("papers")
    with tarfile.open(data / "oa_crops.tar.xz", "r|*") as archive:
        for number, member in enumerate(m for m in archive if m.isfile()):
            name = Path(member.name).name
            if number < _SLICE or name in _CORRECTED:
                held = archive.extractfile(member)
                assert held is not None
                (folder / name).write_bytes(held.read())
    return folder


def load_and_score(store: GraphStore, papers: Path, runs: Path) -> dict[str, Any]:
    result = ingest(store, [papers], IngestConfig(workers=1))
    scored = score(store, runs=runs)
    return {
        "counts": (result.papers, result.authors, result.occurrences, result.citations),
        "account": (result.anchors, result.losses),
        "run": scored.run,
        "statistics": scored.statistics,
        "tables": {name: rows for name, rows in snapshot(store).items() if name != "Run"},
        "cites": sorted(map(str, store.read(read_text(REL["CITES"])).to_pylist())),
    }


def test_a_part_of_the_corpus_is_equal_on_both_engines(
    papers: Path, neo4j_server: Neo4jServer, tmp_path: Path
) -> None:
    embedded = open_store(str(tmp_path / "slice.lbug"))
    wanted = load_and_score(embedded, papers, tmp_path / "runs-ladybug")
    embedded.close()
    empty_neo4j(neo4j_server.uri)
    server = open_store(neo4j_server.uri)
    neo4j_ = load_and_score(server, papers, tmp_path / "runs-neo4j")
    server.close()
    for part, value in wanted.items():
        assert neo4j_[part] == value, part
    assert wanted["counts"][2] > 400  # the papers hold real citations
    empty = {name for name, rows in wanted["tables"].items() if not rows}
    tables_of_later_steps = {
        "Embedding",
        "HAS_EMBEDDING",
        "Community",
        "IN_COMMUNITY",
        "PART_OF",
        "RELATED",
    }
    of_several_sources = {"Record", "DESCRIBES", "VERSION_OF"}
    of_users = {"Collection", "IN_COLLECTION", "IdentityDecision"}
    others = tables_of_later_steps | of_several_sources | of_users
    assert empty <= {"MeshDescriptor", "HAS_MESH", *others}, "the slice fills every other table"
