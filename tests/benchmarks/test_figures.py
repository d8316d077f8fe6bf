"""`benchmarks/figures.py`: normalised values and reported differences."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
import tarfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
RUN, OTHER = "network-a7ab1fae6f57", "network-0a7e786d0379"


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, loaded from its file."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("figures_script", BENCHMARKS / "figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "figures_script", module)
    spec.loader.exec_module(module)
    return module


def make_record(**steps: dict[str, Any]) -> dict[str, Any]:
    """A record of the given steps in the format of `record`."""
    written = {key: {"seconds": 1.0, "figures": found} for key, found in steps.items()}
    return {"archive": "crops.tar", "papers": 2, "steps": written}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RUN, "RUN"),
        (f"edges of {RUN} and sample-easy-0123456789ab", "edges of RUN and RUN"),
        (f"runs/{RUN}/edges.parquet", "RUN"),
        ("read /data/crops/oa.tar.xz twice", "read PATH twice"),
        ("2026-11-24T10:19:13.892111+00:00", "TIME"),
    ],
)
def test_runs_paths_and_times_are_normalised(figures: ModuleType, text: str, expected: str) -> None:
    assert figures.normalise(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "doi:10.1186/s12284-018-0256-8",
        "key:0123456789abcdef",
        "mg/l",
        "micro-12",
        "2019-03",
        "a1" * 32,
    ],
)
def test_other_texts_are_not_changed(figures: ModuleType, text: str) -> None:
    assert figures.normalise(text) == text


def test_times_and_paths_are_left_out(figures: ModuleType) -> None:
    found = {
        "run": RUN,
        "path": f"runs/{RUN}",
        "seconds": 1.5,
        "cpu_seconds": 1.4,
        "citations_per_second": 3214.9,
        "peak_memory_mb": 12,
        "versions": {"numpy": "2.4.6"},
        "edges": 4,
        "levels": [{"name": "meso", "seconds": 1}],
    }
    assert figures.normalise(found) == {"edges": 4, "levels": [{"name": "meso"}]}


def test_values_are_named_by_their_path(figures: ModuleType) -> None:
    found = {"weights": {"I": 0.5}, "losses": [1, None], "left_out": {}}
    assert dict(figures.flatten(found)) == {
        "weights.I": 0.5,
        "losses.0": 1,
        "losses.1": None,
        "left_out": {},
    }


def test_the_hash_of_rows_depends_on_values_only(figures: ModuleType) -> None:
    rows: list[dict[str, Any]] = [
        {"run": RUN, "id": f"{RUN}/{k}", "weight": k / 3} for k in range(12)
    ]
    renamed = [{**row, "run": OTHER, "id": row["id"].replace(RUN, OTHER)} for row in rows]
    assert figures.hash_rows(renamed[::-1]) == figures.hash_rows(rows)
    changed = [*rows[:-1], {**rows[-1], "weight": 11 / 3 + 2**-51}]
    assert figures.hash_rows(changed) != figures.hash_rows(rows)


def test_equal_records_do_not_differ(figures: ModuleType) -> None:
    record = make_record(score={"json.weights.I": 0.1 + 0.2, "json.mean": float("nan")})
    record["steps"]["score"]["seconds"] = 2.0
    read = json.loads(json.dumps(record))
    assert figures.compare(record, read) == []


def test_changed_and_missing_values_differ(figures: ModuleType) -> None:
    before = make_record(score={"json.I": 0.3, "json.pairs": 7}, topics={"json.level": "micro"})
    after = make_record(score={"json.I": 0.1 + 0.2, "json.pairs": 7, "json.new": [1]})
    expected = [
        {"figure": "score json.I", "before": "0.3", "after": repr(0.1 + 0.2)},
        {"figure": "topics json.level", "before": '"micro"', "after": ""},
        {"figure": "score json.new", "before": "", "after": "[1]"},
    ]
    assert figures.compare(before, after) == expected
    assert figures.compare(before, after, ["topics *", "*json.new*"]) == expected[:1]


def test_records_of_different_papers_are_not_compared(figures: ModuleType) -> None:
    with pytest.raises(ValueError, match="papers"):
        figures.compare(make_record(), {**make_record(), "papers": 3})


def make_program(path: Path, pairs: int) -> Path:
    """Write a program that prints a few values for each command and writes a file of a run."""
    path.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = cypher ]; then echo "[{\\"id\\": 1}]"; exit; fi\n'
        f'run="$CITESCAPE_RUNS/$1-0123456789ab"; mkdir -p "$run"; echo {pairs} > "$run/rows.csv"\n'
        'echo "{\\"run\\": \\"$1-0123456789ab\\", \\"words\\": \\"$*\\", '
        f'\\"pairs\\": {pairs}}}"\n',
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


def test_a_change_of_one_step_is_found(
    figures: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "STEPS", {"all/score": "score", "all/train": "train {all/score}"})
    monkeypatch.setattr(figures, "ROWS", {"papers": "MATCH (p:Paper) RETURN p.id"})
    archive = tmp_path / "crops.tar"
    with tarfile.open(archive, "w") as opened:
        for name in ("a.xml", "b.xml", "c.xml"):
            member = tarfile.TarInfo(name)
            member.size = 4
            opened.addfile(member, io.BytesIO(b"<a/>"))
    for name, pairs in (("before", 3), ("again", 3), ("after", 4)):
        program = make_program(tmp_path / name, pairs)
        words = ["record", f"{program}.json", "--program", str(program), "--papers", "2"]
        work = tmp_path / f"{name}-work"
        assert figures.main([*words, "--archive", str(archive), "--work", str(work)]) == 0
        assert sorted(path.name for path in (work / "papers").iterdir()) == ["a.xml", "b.xml"]
    record = json.loads((tmp_path / "before.json").read_text())
    assert record["steps"]["all/train"]["figures"]["json.words"] == "train RUN --json"
    assert record["steps"]["all/rows/papers"]["figures"]["rows"] == 1
    sides = [str(tmp_path / f"{name}.json") for name in ("before", "again", "after")]
    assert figures.main(["compare", *sides[:2]]) == 0
    assert figures.main(["compare", sides[0], sides[2]]) == 1
    assert figures.main(["compare", sides[0], sides[2], "--ignore", "*"]) == 0
    rows = figures.compare(*(json.loads(Path(side).read_text()) for side in sides[::2]))
    assert {row["figure"] for row in rows} == {
        f"all/{step} {place}"
        for step in ("score", "train")
        for place in ("json.pairs", "files.rows.csv.0")
    }


def test_a_step_that_fails_is_recorded(
    figures: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "STEPS", {"all/score": "score", "all/topics": "topics"})
    monkeypatch.setattr(figures, "ROWS", {})
    archive = tmp_path / "crops.tar"
    tarfile.open(archive, "w").close()
    words = tmp_path / "words.json"
    words.write_text(json.dumps({"all/score": "7", "all/topics": "0"}))
    out = tmp_path / "record.json"
    program = "sh -c 'echo {}; exit $0'"
    arguments = ["record", str(out), "--program", program, "--archive", str(archive)]
    assert figures.main([*arguments, "--words", str(words)]) == 1
    steps = json.loads(out.read_text())["steps"]
    assert steps["all/score"]["figures"] == {"failed": 7}
    assert steps["all/topics"]["figures"] == {"json": {}, "files": {}}
