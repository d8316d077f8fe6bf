"""Bad input in every format: counted by reason, never half read, never an exception."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from citescape.loaders import aan, lines, xml
from citescape.loaders.formats import DOCUMENTS, TABLES, TABLES_TOO
from tests.forks import shared_forks
from tests.ingest.reading import Outcome, read_files
from tests.ingest.samples import SAMPLES, Work

FORMATS = pytest.mark.parametrize("name", SAMPLES)
WORKS = [
    Work(1, cites=["10.1000/paper2", "10.1000/other1"], pmid="30000001"),
    Work(2, cites=["10.1000/paper3"]),
    *(Work(n, cites=["10.1000/paper1", "10.1000/paper2"]) for n in range(3, 8)),
]
TITLES = sorted(work.heading for work in WORKS)


def of_kind(*kinds: str) -> list[str]:
    return [name for name, sample in SAMPLES.items() if sample.kind in kinds]


def having(*fields: str) -> list[str]:
    return [name for name, sample in SAMPLES.items() if {*fields} <= sample.has]


def read(name: str, folder: Path, *works: Work) -> Outcome:
    return read_files(SAMPLES[name].write(folder, works))


def replaced(
    name: str, folder: Path, change: Callable[[bytes], bytes], works: list[Work] = WORKS
) -> Outcome:
    """Outcome of a file after a change to its bytes; of a format with one paper a file, all."""
    paths = SAMPLES[name].write(folder, works)
    for path in paths if SAMPLES[name].join is None else paths[:1]:
        path.write_bytes(change(path.read_bytes()))
    return read_files(paths)


def without_references(rows: list[str]) -> list[str]:
    return [row for row in rows if not row.startswith(("Reference", "HAS_REFERENCE"))]


def is_counted(outcome: Outcome) -> bool:
    """Whether something is reported that was not read."""
    return bool(outcome.reasons or outcome.statuses["not a paper"])


def test_every_format_has_a_sample() -> None:
    assert {*DOCUMENTS, *TABLES, *(f"{name} with citations" for name in TABLES_TOO)} == {*SAMPLES}


@FORMATS
def test_good_files_are_read(name: str, tmp_path: Path) -> None:
    outcome = read(name, tmp_path, *WORKS)
    assert outcome.titles == TITLES
    assert not outcome.reasons
    has = SAMPLES[name].has
    papers = outcome.tables["Paper"].sort_by("title")
    assert all(papers["surnames"].to_pylist()) == ("authors" in has)
    assert set(papers["year"].to_pylist()) == ({2019} if "year" in has else {None})
    assert set(papers["abstract"].to_pylist()) == (
        {"Café yields rose."} if "abstract" in has else {""}
    )
    assert any(papers["doi"].to_pylist()) == ("doi" in has)
    assert any(papers["pmid"].to_pylist()) == ("pmid" in has)
    references = outcome.tables.get("Reference")
    assert (len(references) if references else 0) == (13 if "references" in has else 0)
    assert read_files(SAMPLES[name].write(tmp_path, WORKS), name.split()[0]).titles == TITLES


@FORMATS
def test_a_file_cut_off_anywhere_is_read_up_to_the_cut(name: str, tmp_path: Path) -> None:
    sample, whole = SAMPLES[name], read(name, tmp_path / "whole", *WORKS)
    (path, *_) = sample.write(tmp_path / "sizes", WORKS)
    size = path.stat().st_size
    chance = random.Random(7)
    cuts = sorted(chance.sample(range(1, size - 1), 12))
    join, records = sample.join or b"".join, [sample.record(work) for work in WORKS]
    ends = {len(join(records[:n])) for n in range(len(WORKS))}
    for cut in cuts:
        outcome = replaced(name, tmp_path / str(cut), lambda data, cut=cut: data[:cut])
        for title, rows in outcome.papers.items():
            assert without_references(rows) == without_references(whole.papers[title]), cut
            # References of tables name works by the rows that are there.
            assert name in ("aan", "csv") or rows == whole.papers[title], cut
        between = sample.kind != "xml" and not ends.isdisjoint({cut, cut - 1})
        assert between or is_counted(outcome), cut


@FORMATS
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "latin-1"])
def test_other_encodings_are_read_or_refused(name: str, tmp_path: Path, encoding: str) -> None:
    outcome = replaced(name, tmp_path, lambda data: data.decode().encode(encoding))
    if encoding == "utf-8-sig":
        assert (outcome.titles, outcome.reasons) == (TITLES, {})
    elif outcome.titles:
        assert outcome.titles == TITLES
    elif SAMPLES[name].kind == "json" and name != "s2ag with citations":
        assert {*outcome.reasons} == {"not-utf-8"}
    else:
        assert outcome.reasons


@FORMATS
@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf", b"\x00", b"\x1a"])
def test_an_empty_file_is_reported(name: str, tmp_path: Path, data: bytes) -> None:
    outcome = replaced(name, tmp_path, lambda _: data)
    assert not outcome.titles
    assert outcome.reasons


@FORMATS
def test_the_last_of_equal_ids_counts(name: str, tmp_path: Path) -> None:
    """Of a table the first; later ones are rejected."""
    other = Work(1, title="Another title")
    outcome = read(name, tmp_path, WORKS[0], WORKS[0], other, WORKS[1])
    counted = WORKS[0] if outcome.statuses["rejected"] else other
    assert outcome.titles == sorted(work.heading for work in (counted, WORKS[1]))
    assert outcome.statuses["loaded"] == 2
    assert outcome.statuses["copy"] + outcome.statuses["rejected"] == 2


@FORMATS
def test_a_paper_without_ids_is_read_or_rejected(name: str, tmp_path: Path) -> None:
    bare = Work(9, doi=None, title="Without any id")
    outcome = read(name, tmp_path, WORKS[0], bare, WORKS[1])
    assert outcome.titles in (
        sorted([WORKS[0].heading, WORKS[1].heading]),
        sorted([WORKS[0].heading, WORKS[1].heading, bare.heading]),
    )
    assert outcome.statuses["loaded"] + outcome.reasons.total() == 3


@FORMATS
def test_neither_ids_nor_title(name: str, tmp_path: Path) -> None:
    outcome = read(name, tmp_path, WORKS[0], Work(9, doi=None, title=""), WORKS[1])
    assert {WORKS[0].heading, WORKS[1].heading} <= {*outcome.titles}
    assert outcome.statuses["loaded"] + outcome.reasons.total() == 3


@pytest.mark.parametrize("name", having("doi", "pmid"))
def test_ids_that_contradict_each_other_belong_to_the_doi(name: str, tmp_path: Path) -> None:
    works = [Work(1, doi="10.1000/a1", pmid="30000001"), Work(2, doi="10.1000/a1", pmid="30000002")]
    outcome = read(name, tmp_path, *works, Work(3, pmid="30000002"))
    papers = outcome.tables["Paper"].sort_by("id").select(["id", "pmid"]).to_pylist()
    counted = works[0] if name in ("csv", "s2ag with citations") else works[1]
    assert [(row["id"], row["pmid"]) for row in papers] == [
        ("doi:10.1000/a1", counted.pmid),
        ("doi:10.1000/paper3", "30000002"),
    ]


@FORMATS
@pytest.mark.parametrize(
    "year", ["9999", "2150", "0", "-5", "20019", "next year", "²⁰¹⁹", "2019-13-40", "1e400", ""]
)
def test_nonsense_years_are_missing(name: str, tmp_path: Path, year: str) -> None:
    outcome = read(name, tmp_path, Work(1, year=year), Work(2))
    assert len(outcome.titles) == 2
    papers = {row["title"]: row for row in outcome.tables["Paper"].to_pylist()}
    odd = papers[Work(1).heading]
    assert odd["year"] in (None, 2019)
    assert (odd["date"] or "")[:4] == str(odd["year"] or "")


@pytest.mark.parametrize("name", having("authors"))
def test_fifty_thousand_authors(name: str, tmp_path: Path) -> None:
    names = [(f"Núñez{n}", "Ana") for n in range(50_000)]
    outcome = read(name, tmp_path, Work(1, authors=names), Work(2, cites=["10.1000/paper1"]))
    if outcome.reasons:
        assert outcome.titles == [Work(2).heading]
        return
    papers = {row["title"]: row for row in outcome.tables["Paper"].to_pylist()}
    assert len(papers[Work(1).heading]["surnames"]) == 50_000


@FORMATS
@pytest.mark.parametrize("where", ["title", "abstract", "authors", "doi", "year"])
def test_zero_bytes_do_not_reach_the_graph(name: str, tmp_path: Path, where: str) -> None:
    """Zero bytes in a value: as the format escapes them, and as they are."""
    spoilt = "x\x00y"
    values: dict[str, Any] = {
        "title": spoilt,
        "abstract": spoilt,
        "authors": ((spoilt, "A"),),
        "doi": f"10.1000/{spoilt}",
        "year": "20\x0019",
    }
    outcome = read(name, tmp_path, Work(1, **{where: values[where]}), Work(2))
    assert Work(2).heading in outcome.titles or outcome.reasons
    for table in outcome.tables.values():
        assert "\\x00" not in str(table.to_pylist())


@FORMATS
def test_zero_bytes_between_records(name: str, tmp_path: Path) -> None:
    outcome = replaced(name, tmp_path, lambda data: data + b"\x00" * 100)
    assert {*outcome.titles} <= {*TITLES}
    assert is_counted(outcome) or outcome.titles == TITLES
    whole = read(name, tmp_path / "whole", *WORKS).papers
    assert outcome.papers == {title: whole[title] for title in outcome.titles}


BROKEN = {
    "words": b"neither one nor the other\n",
    "JSON": b'{"title": "cut o\n',
    "bytes": b"\x80\xff\xfe\xd8 \x81\n",
    "list": b"[1, [2, {}]]\n",
    "element": b"<p>loose</p>\n",
    "quotation mark": b'"open\n',
}


@FORMATS
@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("place", [0, 3, 7])
def test_one_bad_record_costs_that_record(
    name: str, tmp_path: Path, broken: str, place: int
) -> None:
    sample = SAMPLES[name]
    records = [sample.record(work) for work in WORKS]
    records.insert(place, BROKEN[broken])
    paths = sample.write_records(tmp_path, records, WORKS)
    outcome = read_files(paths)
    if sample.kind == "xml" and sample.join is not None:
        expected = TITLES[:place] if broken in ("bytes",) else TITLES
        assert outcome.titles == expected
    elif name == "aan" and place == 0:  # the first line shows the format
        assert outcome.reasons == {"no-data-set": 1}
    elif name in ("wos", "csv", "scopus", "aan"):
        assert len({*TITLES} - {*outcome.titles}) <= 1
        assert {*outcome.titles} - {*TITLES} <= {""}
    else:
        assert outcome.titles == TITLES
        assert is_counted(outcome)


ENTITIES = {
    "billion laughs": "<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;'>",
    "external": "<!ENTITY c SYSTEM 'file:///etc/passwd'>",
    "network": "<!ENTITY c SYSTEM 'http://127.0.0.1:9/x'>",
    "parameter": "<!ENTITY % c SYSTEM 'file:///etc/passwd'> %c;",
}


@pytest.mark.parametrize("name", of_kind("xml"))
@pytest.mark.parametrize("entities", ENTITIES)
def test_entities_are_refused(name: str, tmp_path: Path, entities: str) -> None:
    declared = f"<!DOCTYPE x [{ENTITIES[entities]}]>".encode()
    outcome = replaced(name, tmp_path, lambda data: declared + data.replace(b"rose.", b"&c; rose."))
    assert (outcome.titles, {*outcome.reasons}) == ([], {"declares-entities"})


@pytest.mark.parametrize("name", of_kind("xml"))
def test_deep_elements_are_refused(name: str, tmp_path: Path) -> None:
    deep = b"<i>" * 100_000 + b"</i>" * 100_000
    outcome = replaced(name, tmp_path, lambda data: data.replace(b"rose.", deep))
    assert not outcome.titles
    assert outcome.reasons


@pytest.mark.parametrize("name", of_kind("json"))
@pytest.mark.parametrize("deep", [b"[" * 100_000, b"[" * 900 + b"]" * 900, b'{"a":' * 100_000])
def test_deep_json_costs_its_record(name: str, tmp_path: Path, deep: bytes) -> None:
    sample = SAMPLES[name]
    records = [sample.record(work) for work in WORKS]
    nested = records[1].replace(b'"title":', b'"x":' + deep + b',"title":', 1)
    outcome = read_files(sample.write_records(tmp_path, [nested, *records], WORKS))
    assert outcome.titles == TITLES
    assert is_counted(outcome) or outcome.statuses["copy"] == 1


@pytest.mark.parametrize("name", of_kind("json"))
def test_values_of_json_nested_in_values_are_not_read(name: str, tmp_path: Path) -> None:
    """Every value of a record replaced by a deep list, one after the other."""
    sample = SAMPLES[name]
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    record = orjson.loads(sample.record(WORKS[0]))
    records = [orjson.dumps({**record, key: deep}) for key in record]
    outcome = read_files(
        sample.write_records(tmp_path, [*records, sample.record(WORKS[1])], WORKS[:2])
    )
    assert WORKS[1].heading in outcome.titles


@FORMATS
def test_a_record_over_the_limit_costs_that_record(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml, "MAX_BYTES", 400_000)
    monkeypatch.setattr(lines, "LONGEST_LINE", 400_000)
    monkeypatch.setattr(aan, "LONGEST_LINE", 400_000)
    sample = SAMPLES[name]
    large = Work(50, title="x" * 1_000_000)
    records = [sample.record(work) for work in (*WORKS[:3], large, *WORKS[3:])]
    outcome = read_files(sample.write_records(tmp_path, records, WORKS))
    if sample.kind == "xml" and sample.join is not None:
        assert outcome.titles == TITLES[:3]
    else:
        assert outcome.titles == TITLES
    assert 1 <= outcome.reasons.total() <= 2  # the rest of a long line may be a row of its own


LARGE = 20_000_000
"""Bytes of one value. The bound on memory grows with it; files may have lines of 100 MB."""


@FORMATS
@pytest.mark.parametrize("words", ["x", "rice "])
def test_one_large_value_costs_its_record_and_little_memory(
    name: str, tmp_path: Path, words: str
) -> None:
    sample = SAMPLES[name]
    large = Work(8, title=words * (LARGE // len(words)))
    works = [*WORKS[:2], large, WORKS[2]]
    paths = [str(path) for path in sample.write(tmp_path, works)]
    done = shared_forks().call("tests.ingest.peak_memory:measure", name, str(tmp_path), paths)
    assert done.returncode == 0, done.stderr
    megabytes, reasons, titles = json.loads(done.stdout)
    assert megabytes < 9 * LARGE / 1e6
    assert reasons
    read = WORKS[:2] if sample.kind == "xml" and sample.join is not None else WORKS[:3]
    assert titles == sorted(work.heading for work in read)
