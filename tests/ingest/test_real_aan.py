"""The ACL Anthology Network, counted independently of the loader."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from citescape.store.graph_store import open_store
from tests.ingest.papers import load


def test_all_is_loaded_except_citations_without_a_citing_paper(data: Path, tmp_path: Path) -> None:
    folder = data / "aan"
    if not folder.is_dir():
        pytest.skip(f"no ACL Anthology Network at {folder}")
    metadata = (folder / "acl-metadata.txt").read_text(encoding="latin-1")
    ids = set(re.findall(r"^id = \{(.+)\}$", metadata, re.MULTILINE))
    lines = (folder / "acl.txt").read_text(encoding="ascii").splitlines()
    pairs = {tuple(line.split(" , ")) for line in lines}
    assert (len(ids), len(lines), len(pairs)) == (18_041, 94_973, 94_973)
    kept = {(a, b) for a, b in pairs if a in ids and a != b}
    unknown = {b for _, b in kept} - ids

    store = open_store(str(tmp_path / "aan.lbug"))
    try:
        result = load(store, folder)
        again = load(store, folder)
    finally:
        store.close()
    assert result.status == {"loaded": len(ids)}
    assert result.papers == len(ids | unknown) == 18_042
    assert result.citations == len(kept) == 82_905
    (account,) = result.citations_read
    assert account["lost"] == {
        "unknown-citing": sum(a not in ids for a, _ in pairs),
        "self-citation": sum(a == b and a in ids for a, b in pairs),
    }
    assert account["notes"] == {"unknown-cited": sum(b in unknown for _, b in kept)}
    assert again.status == {"unchanged": len(ids)}
