"""The commands that write and read shards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cli.conftest import Platform


def test_papers_become_shards_with_scores(
    platform: Platform, generated: Any, tmp_path: Path
) -> None:
    shards = tmp_path / "shards"
    first = platform("ingest", str(generated.papers), "--shards", str(shards), "--json")
    assert first.json["documents"] == {"loaded": first.json["fulltext_papers"]}
    assert (shards / "graph.json").is_file()
    again = platform("ingest", str(generated.papers), "--shards", str(shards))
    assert "holds these sources already:" in again.out
    assert f"next: platform score --shards {shards}" in again.out
    (left := shards / "scores" / ".00000.parquet.0.part").parent.mkdir()
    left.write_bytes(b"")  # by a process that was killed
    scores = platform("score", "--shards", str(shards), "--json")
    assert scores.json["pairs"] == first.json["citations"]
    assert not left.exists()
    assert not Path("citescape.lbug").exists()


def test_texts_of_shards_are_labelled(platform: Platform, generated: Any, tmp_path: Path) -> None:
    shards = ("--shards", str(tmp_path / "shards"))
    platform("ingest", str(generated.papers), *shards)
    for kind in ("sections", "intents", "abstracts"):
        command = ("text", kind, "label", "--model", "rules", *shards)
        shown = platform(*command)
        assert f"labels are in {shards[1]}/labels/{kind}/" in shown.out
        again = platform(*command, "--json")
        assert (again.json["unchanged"], again.json["written"]) == (True, 0)
    loaded = platform("load", shards[1], "--store", str(tmp_path / "labelled.lbug"))
    assert loaded.status == 0
    refused = platform("text", "abstracts", "label", "--llm", "http://localhost:1/v1", *shards)
    assert "an LLM splits the abstracts of a store; expected shards without it" in refused.err


def test_shards_take_no_store(platform: Platform, generated: Any, tmp_path: Path) -> None:
    shards = ("--shards", str(tmp_path / "shards"))
    papers = str(generated.papers)
    refused = platform("ingest", papers, *shards, "--store", "other.lbug")
    assert refused.status == 1
    assert "expected it without store" in refused.err
    refused = platform("ingest", papers, "--cluster", "auto")
    assert "expected it together with shards" in refused.err
    refused = platform("score", *shards)
    assert "holds no complete graph of shards" in refused.err
