"""Shards in an object store, by Amazon's protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from moto.server import ThreadedMotoServer

import citescape
from citescape.core.errors import StoreError
from citescape.distributed.cluster import open_cluster
from citescape.distributed.storage import Storage
from citescape.importance.config import Weighting
from citescape.importance.shards import score_shards
from citescape.ingest.shards.ingest import ingest_shards
from tests.ingest.papers import small_corpus, write_files
from tests.ingest.shards.graphs import differing, rows_of_graph


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """Address of a bucket."""
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = {"endpoint_url": f"http://{host}:{port}"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setitem(fsspec.config.conf, "s3", endpoint)  # as FSSPEC_S3_ENDPOINT_URL does
        fsspec.filesystem("s3").mkdir("papers")
        yield "s3://papers"
    server.stop()


def test_shards_in_a_bucket_are_those_of_a_folder(bucket: str, tmp_path: Path) -> None:
    (sources := tmp_path / "papers").mkdir()
    write_files(sources, small_corpus(8))
    graphs = []
    with open_cluster(workers=1) as cluster:
        for address in (bucket + "/shards", str(tmp_path / "shards")):
            graph = ingest_shards(Storage(address), cluster, [sources], parts=2).graph
            assert graph is not None
            score_shards(graph, cluster, Weighting(types=("all",)), runs=tmp_path / "runs")
            graphs.append(graph)
    assert differing(*map(rows_of_graph, graphs)) == set()
    sizes = [graph.storage.sizes() for graph in graphs]
    assert sizes[0].keys() == sizes[1].keys()
    with citescape.open(tmp_path / "a.lbug", create=True) as corpus:
        loaded = corpus.load(bucket + "/shards", where="doi = '10.1000/3'")
        assert (loaded.papers, loaded.origin.address) == (1, bucket + "/shards")


def test_a_bucket_that_is_missing_is_named(bucket: str) -> None:
    message = "s3://other/shards cannot be written: .*bucket does not exist; check that its bucket"
    with pytest.raises(StoreError, match=message):
        Storage("s3://other/shards").write("a", b"a")
    with pytest.raises(StoreError, match=f"{bucket}/shards/a is missing"):
        Storage(bucket + "/shards").read("a")
