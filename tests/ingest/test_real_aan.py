"""The ACL Anthology Network as it is, counted anew by other means."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from citescape.store.graph_store import open_store
from tests.ingest.papers import load


@pytest.mark.slow
def test_the_network_loads_whole_but_for_citations_without_a_citing_paper(
    data: Path, tmp_path: Path
) -> None:
    """All its citations, and each sixth of its papers."""
    source, folder = data / "aan", tmp_path / "aan"
    if not source.is_dir():
        pytest.skip(f"no ACL Anthology Network at {source}")
    records = (source / "acl-metadata.txt").read_text(encoding="latin-1").split("\n\n")
    metadata = "\n\n".join(records[::6])
    folder.mkdir()
    (folder / "acl-metadata.txt").write_text(metadata, encoding="latin-1")
    shutil.copy(source / "acl.txt", folder)
    ids = set(re.findall(r"^id = \{(.+)\}$", metadata, re.MULTILINE))
    lines = (folder / "acl.txt").read_text(encoding="ascii").splitlines()
    pairs = {tuple(line.split(" , ")) for line in lines}
    assert (len(ids), len(lines), len(pairs)) == (3_007, 94_973, 94_973)
    kept = {(a, b) for a, b in pairs if a in ids and a != b}
    unknown = {b for _, b in kept} - ids

    store = open_store(str(tmp_path / "aan.lbug"))
    try:
        result = load(store, folder)
        again = load(store, folder)
    finally:
        store.close()
    assert result.status == {"loaded": len(ids)}
    assert result.papers == len(ids | unknown)
    assert result.citations == len(kept) > 10_000
    (account,) = result.citations_read
    assert account["lost"] == {
        "unknown-citing": sum(a not in ids for a, _ in pairs),
        "self-citation": sum(a == b and a in ids for a, b in pairs),
    }
    assert account["notes"] == {"unknown-cited": sum(b in unknown for _, b in kept)}
    assert again.status == {"unchanged": len(ids)}
