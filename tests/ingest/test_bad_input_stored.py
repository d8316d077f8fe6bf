"""Bad input in every format, loaded into a store, and the exit status of the command."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from citescape.store.graph_store import GraphStore
from tests.forks import COMMAND_LINE, shared_forks
from tests.ingest.papers import load, one_column, snapshot
from tests.ingest.samples import SAMPLES, Sample, Work

FORMATS = pytest.mark.parametrize("name", SAMPLES)


def platform(*arguments: object) -> subprocess.CompletedProcess[str]:
    done = shared_forks().run(COMMAND_LINE, *arguments)
    assert "Traceback" not in done.stderr
    return done


def works_of(number: int) -> list[Work]:
    """Papers of one format: with ids that contradict each other, of itself, without ids."""
    start = 10 * number
    own = [f"10.1000/paper{n}" for n in range(start, start + 10)]
    return [
        Work(start, pmid=f"300000{start:03}", cites=[own[0], own[1], own[1]]),
        Work(start + 1, cites=[own[0]]),
        Work(start + 2, doi=own[0], pmid=f"300001{start:03}", cites=[own[1]]),
        Work(start + 3, pmid=f"300000{start:03}", cites=[own[0], own[3]]),
        Work(start + 4, doi=None),
        Work(start + 5, year="9999", authors=(("\x01", "A"), ("", ""))),
    ]


def write_all(folder: Path) -> list[list[Path]]:
    """Files of all formats with good and bad records, each in a folder of its own."""
    paths = []
    for number, (name, sample) in enumerate(SAMPLES.items(), start=1):
        works = works_of(number)
        records = [sample.record(work) for work in works]
        if sample.kind != "xml" or sample.join is None:
            records.insert(3, sample.broken)
        paths.append(sample.write_records(folder / name.replace(" ", "-"), records, works))
    return paths


def test_bad_records_of_all_formats_in_one_store(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    """Nothing cites itself, and loading again changes nothing."""
    files = write_all(tmp_path)
    store = fresh_store()
    for paths in files:
        result = load(store, *paths)
        assert result.status["loaded"] >= 1
        assert result.exit_status == 0
        assert "loader-fault" not in result.report["reason"].to_pylist()
    itself = "MATCH (p:Paper)-[:CITES]->(q:Paper) WHERE p.id = q.id RETURN p.id AS id"
    assert one_column(store, itself) == []
    years = one_column(store, "MATCH (p:Paper) WHERE p.year > 2099 RETURN p.id AS id")
    assert years == []
    before = snapshot(store)
    for paths in files:
        assert load(store, *paths).status["loaded"] == 0
    assert snapshot(store) == before


def test_versions_in_a_circle(store: GraphStore, tmp_path: Path) -> None:
    """Three records of Crossref, each a version of the next, and of itself."""

    def record(number: int) -> bytes:
        other = f"10.1000/v{(number + 1) % 3}"
        next_, itself = ({"id-type": "doi", "id": id_} for id_ in (other, f"10.1000/v{number}"))
        relation = {"is-version-of": [next_], "has-preprint": [itself, next_]}
        whole = orjson.loads(SAMPLES["crossref"].record(Work(number, doi=f"10.1000/v{number}")))
        return orjson.dumps({**whole, "relation": relation})

    paths = SAMPLES["crossref"].write_records(tmp_path, [record(n) for n in range(3)])
    assert load(store, *paths).status == {"loaded": 3}
    pairs = store.read("MATCH (a:Paper)-[:VERSION_OF]->(b:Paper) RETURN a.id AS a, b.id AS b")
    found = [tuple(row.values()) for row in pairs.to_pylist()]
    assert found
    assert all(a != b and (b, a) not in found for a, b in found)


def test_ids_that_lead_in_a_circle(store: GraphStore, tmp_path: Path) -> None:
    """DOI, PMID and corpus id of three works, each with an id of the next one."""
    works = [
        Work(1, doi="10.1000/c1", pmid="30000002"),
        Work(2, doi="10.1000/c2", pmid="30000003"),
        Work(3, doi="10.1000/c3", pmid="30000002"),
    ]
    for name in ("pubmed", "s2ag", "openalex"):
        load(store, *SAMPLES[name].write(tmp_path / name, works))
    ids = one_column(store, "MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id")
    assert ids == ["doi:10.1000/c1", "doi:10.1000/c2", "doi:10.1000/c3"]


@FORMATS
def test_the_command_ends_with_1_if_nothing_was_read(name: str, tmp_path: Path) -> None:
    sample: Sample = SAMPLES[name]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / sample.name).write_bytes(sample.record(Work(1))[:40])
    done = platform("ingest", tmp_path / "in" / sample.name, "--store", tmp_path / "s.lbug")
    assert done.returncode == 1
    assert done.stderr.strip()
    assert not (tmp_path / "s.lbug").exists()


@FORMATS
def test_the_command_ends_with_0_if_some_records_were_read(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    works = [Work(1), Work(2, cites=["10.1000/paper1"])]
    records = [sample.record(work) for work in works]
    if sample.kind != "xml" or sample.join is None:
        records.insert(1, sample.broken)
    paths = sample.write_records(tmp_path / "in", records, works)
    done = platform("ingest", *paths, "--workers", 1, "--store", tmp_path / "s.lbug", "--json")
    assert done.returncode == 0, done.stderr
    figures = orjson.loads(done.stdout.splitlines()[-1])
    assert figures["documents"]["loaded"] == 2
    assert len(figures["rejected"]) == figures["rejected_files"] == len(records) - 2
    strict = platform("ingest", *paths, "--strict", "--store", tmp_path / "t.lbug")
    assert strict.returncode == (1 if len(records) > 2 else 0)


@pytest.mark.parametrize("are_equal", [False, True])
def test_fifty_thousand_authors_of_one_paper(
    store: GraphStore, tmp_path: Path, are_equal: bool
) -> None:
    """Also if all have one name, for which people are compared in pairs."""
    names = [("Wang", "Wei") if are_equal else (f"Wang{n}", "Wei") for n in range(50_000)]
    works = [Work(1, authors=names), Work(2, authors=names[:9])]
    result = load(store, *SAMPLES["openalex"].write(tmp_path, works))
    assert result.status == {"loaded": 2}
    assert 50_000 <= result.authors <= 50_009
