"""Output of `platform sample importance` and `platform sample specter`."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import GeneratedCorpus, Platform

SAMPLERS = ("importance", "specter")
ROLES = ("anchor", "positive", "negative")


@pytest.fixture
def store_path(generated: GeneratedCorpus, tmp_path: Path) -> Path:
    """A copy of the store to write to."""
    path = tmp_path / "own.lbug"
    shutil.copy(generated.store, path)
    return path


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_shows_figures_and_the_next_command(
    sampler: str, platform: Platform, store_path: Path
) -> None:
    done = platform("sample", sampler, "--store", store_path, "--json")
    assert done.status == 0, done.err
    assert set(done.json) == {"run", "path", "unchanged", "files", "leakage", "excluded"}
    figures = done.json["files"]["triplets.parquet"]
    table = pq.read_table(Path(done.json["path"]) / "triplets.parquet")
    assert figures["triplets"] == table.num_rows > 0
    assert figures["validation"] == table["split"].to_pylist().count("validation")
    assert figures["train"] + figures["validation"] == figures["triplets"]
    papers = {id_ for role in ROLES for id_ in table[role].to_pylist()}
    assert (figures["papers"], figures["anchors"]) == (
        len(papers),
        len(set(table["anchor"].to_pylist())),
    )
    again = platform("sample", sampler, "--store", store_path)
    assert f"{figures['triplets']:,} triplets of {figures['anchors']:,} anchors" in again.out
    assert f"unchanged in {Path('runs', done.json['run'])}" in again.out.replace(
        f"{store_path.parent}/", ""
    )
    (command,) = [line for line in again.out.splitlines() if line.startswith("next: ")]
    words = shlex.split(command.partition("platform ")[2])
    assert words[:3] == ["train", "--triplets", done.json["run"]]
    assert words[3:] == ["--store", str(store_path)]


def test_skipped_papers_are_shown_by_reason(platform: Platform, store_path: Path) -> None:
    done = platform("sample", "importance", "-K", 20, "-H", 5, "--store", store_path, "--json")
    counts = done.json["files"]["triplets.parquet"]["left_out"]
    shown = platform("sample", "importance", "-K", 20, "-H", 5, "--store", store_path).out
    assert counts["anchors_skipped_short"] > 0
    (line,) = [line for line in shown.splitlines() if "too few references" in line]
    assert line.split()[-1] == f"{counts['anchors_skipped_short']:,}"
    shrunk = platform(
        *("sample", "importance", "-K", 20, "-H", 5, "--short-anchors", "shrink"),
        *("--contradictions", "keep", "--store", store_path, "--json"),
    )
    left = shrunk.json["files"]["triplets.parquet"]["left_out"]
    assert (left["anchors_skipped_short"], left["contradictory_dropped"]) == (0, 0)


def test_size_share_and_split(platform: Platform, store_path: Path) -> None:
    where = ("--store", store_path, "--json", "--contradictions", "keep")
    every = platform("sample", "importance", *where).json["files"]["triplets.parquet"]
    some = platform("sample", "importance", *where, "--share", 0.5, "--validation", 0.5)
    some = some.json["files"]["triplets.parquet"]
    assert some["anchors"] == round(0.5 * every["anchors"])
    assert abs(some["validation"] - some["train"]) <= 5
    cut = platform("sample", "importance", *where, "--triplets", 12)
    assert cut.json["files"]["triplets.parquet"]["triplets"] == 12


def test_leakage_of_held_out_papers_is_reported_and_exclude_removes_it(
    platform: Platform, store_path: Path
) -> None:
    """Papers are listed by DOI; one line matches no paper."""
    first = platform("sample", "importance", "--store", store_path, "--json").json
    table = pq.read_table(Path(first["path"]) / "triplets.parquet")
    anchors = sorted(set(table["anchor"].to_pylist()))[:4]
    names = [anchor.removeprefix("doi:") for anchor in anchors]
    Path("test.txt").write_text("# test set\n" + "\n".join([*names, "10.9999/absent"]))
    leaky = platform(
        "sample", "importance", "--held-out", "test.txt", "--store", store_path, "--json"
    )
    assert leaky.err == "warning: test.txt: 1 of 5 papers not in the store\n"
    leakage = leaky.json["leakage"]["triplets.parquet"]
    assert (leakage["held_out"], leakage["leaked"], leakage["by_role"]["anchor"]) == (4, 4, 4)
    assert leakage["share"] == leakage["leaked"] / leakage["papers"]
    shown = platform("sample", "importance", "--held-out", "test.txt", "--store", store_path).out
    assert "held out: 4 of 4 listed papers are among the" in shown
    half = Path("half.txt"), Path("other.txt")
    for file, name in zip(half, (names[:2], names[2:]), strict=True):
        file.write_text("\n".join(name))
    split = ("--exclude", half[0], "--exclude", half[1], "--store", store_path, "--json")
    both = ("--held-out", "test.txt", "--exclude", "test.txt")
    clean = platform("sample", "importance", *both, "--store", store_path, "--json").json
    leakage = clean["leakage"]["triplets.parquet"]
    assert (leakage["leaked"], leakage["triplets"]) == (0, 0)
    assert clean["run"] != first["run"]
    assert platform("sample", "importance", *split).json["run"] == clean["run"]
    table = pq.read_table(Path(clean["path"]) / "triplets.parquet")
    assert not set(anchors) & {id_ for role in ROLES for id_ in table[role].to_pylist()}


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("importance", "--store", "absent.lbug"), 1, "no store at absent.lbug"),
        (
            ("importance", "-K", "400"),
            1,
            "no importance triplets can be sampled; found: 50",
        ),
        (
            ("specter", "--per-anchor", "2", "--hard", "3"),
            2,
            "2 triplets per anchor (K), 3 hard negatives (H); expected",
        ),
        (("specter", "--exclude", "empty.txt"), 1, "empty.txt: expected a text file with an id"),
        (("importance", "-K", "0"), 2, "0 is not in the range x>=1; usage: "),
        (("importance", "--share", "1.5"), 2, "1.5 is not in the range 0<x<=1"),
        (("importance", "--validation", "1"), 2, "validation is 1.0; expected 0 or more, less"),
        (("specter", "--substitute", "any"), 2, "'any' is not one of 'cited-beside', 'none'"),
        (("specter", "--exclude", "absent.txt"), 1, "no file or run 'absent.txt'; expected"),
        (("random",), 2, "no command 'random'"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...], status: int, message: str, platform: Platform, store_path: Path
) -> None:
    Path("empty.txt").write_text("# nothing\n")
    store = () if "--store" in arguments or arguments == ("random",) else ("--store", store_path)
    failed = platform("sample", *arguments, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1


def test_only_one_sampler_needs_importance(platform: Platform, generated: GeneratedCorpus) -> None:
    platform("ingest", generated.papers, "--store", "unscored.lbug", "--workers", 1)
    failed = platform("sample", "importance", "--store", "unscored.lbug")
    assert failed.status == 1
    assert "importance" in failed.err
    assert " score --store unscored.lbug" in failed.err
    assert platform("sample", "specter", "--store", "unscored.lbug").status == 0


@pytest.mark.parametrize("sampler", ["", *SAMPLERS])
def test_help(sampler: str, platform: Platform) -> None:
    shown = platform("sample", *filter(None, [sampler]), "--help")
    assert shown.status == 0
    expected = ("--held-out", "--exclude", "--share") if sampler else SAMPLERS
    assert all(word in shown.out for word in expected)


def test_labels_give_an_upper_bound(platform: Platform, store_path: Path, tmp_path: Path) -> None:
    question = "MATCH (p:Paper) RETURN p.id AS id ORDER BY id LIMIT 30"
    listed = platform("cypher", question, "--store", store_path, "--output", "csv")
    ids = [line.strip().strip('"') for line in listed.out.splitlines()[1:]]
    gold = tmp_path / "gold.csv"
    lines = [f"{id_},{'ab'[k % 3 > 0]}" for k, id_ in enumerate(ids)]
    gold.write_text("\n".join(["id,label", *lines, "nobody,a"]) + "\n")
    words = ("sample", "labels", "--labels", gold, "-K", 3, "--balanced", "--store", store_path)
    done = platform(*words, "--held-out", write_ids(tmp_path / "held", ids[:2]), "--json")
    assert done.status == 0, done.err
    assert done.json["warning"] == "an upper bound: it has seen the labels"
    counts = done.json["files"]["triplets.parquet"]["left_out"]
    assert (counts["labels"], counts["labels_without_paper"]) == (2, 1)
    assert done.json["leakage"]["triplets.parquet"]["held_out"] == 2
    shown = platform(*words).out
    assert "\nan upper bound: it has seen the labels\n" in shown
    assert "labels left out: the paper is not in the store" in shown
    assert platform("sample", "labels", "--store", store_path).status != 0


def write_ids(path: Path, ids: list[str]) -> Path:
    path.write_text("\n".join(ids))
    return path
