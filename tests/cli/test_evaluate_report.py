"""Output of `platform evaluate report`, and the page of a run."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import click
import pytest
from lxml import html

import citescape
from citescape.cli.main import find_command
from citescape.evaluation.pool.config import SHALLOWEST
from citescape.evaluation.report.benchmarks import BENCHMARKS
from citescape.metrics.evaluation_run import FIGURES
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.evaluation.mdcr.worlds import draw_scores, make, write
from tests.evaluation.report.evaluations import make_run
from tests.evaluation.scidocs.conftest import write_embeddings, write_scidocs
from tests.evaluation.scirepeval.conftest import KNOWN, write_jsonl, write_scirepeval


def list_commands() -> dict[str, click.Command]:
    """The commands of `platform evaluate`."""
    group = find_command("evaluate")
    assert isinstance(group, click.Group)
    return group.commands


def test_the_last_evaluation_is_reported_in_its_folder(platform: Platform, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    make_run(runs, systems=["bm25"])
    last = make_run(runs)
    shown = platform("evaluate", "report")
    assert shown.status == 0, shown.err
    page = last.path.relative_to(tmp_path) / "report.html"
    assert shown.out.splitlines()[-1] == f"page: {page}"
    names = {path.name for path in last.path.iterdir()}
    assert {"report.html", "report.md", "intervals.svg", "figures.csv"} <= names
    assert platform("evaluate", "report").status == 0, "it may be written again"


def test_another_folder_and_json(platform: Platform, tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs")
    before = sorted(run.path.iterdir())
    words = ("evaluate", "report", run.run, "--out", "paper/figures", "--json")
    result = json.loads(platform(*words).out)
    assert result["run"] == run.run
    assert result["page"] == "paper/figures/report.html"
    assert all(Path(path).is_file() for path in result["files"])
    assert sorted(run.path.iterdir()) == before


def test_runs_of_other_commands_are_refused(platform: Platform, tmp_path: Path) -> None:
    failed = platform("evaluate", "report")
    assert failed.status == 1
    assert "no evaluations in runs" in failed.err
    run = make_run(tmp_path / "runs")
    failed = platform("evaluate", "report", "nothing")
    assert failed.status == 1
    assert run.run in failed.err


def test_a_damaged_run_leaves_no_files(platform: Platform, tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs")
    (run.path / FIGURES).write_bytes(b"PAR1")
    failed = platform("evaluate", "report", "--out", "out")
    assert failed.status == 1
    assert "move the folder away" in failed.err
    assert not Path("out").exists()


def test_an_unwritable_folder_is_reported(platform: Platform, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    Path("taken").write_text("")
    failed = platform("evaluate", "report", "--out", "taken/below")
    assert failed.status == 1
    assert "cannot create the folder taken/below" in failed.err


@pytest.mark.parametrize(
    "name", [name for name, parameter in BENCHMARKS.items() if parameter.options]
)
def test_options_in_a_report_are_options_of_the_command(name: str) -> None:
    known = {word for parameter in list_commands()[name].params for word in parameter.opts}
    assert {f"--{option}" for option in BENCHMARKS[name].options.values()} <= known


def test_default_depth_equals_the_deepest_metric_of_pools() -> None:
    (depth,) = (
        parameter for parameter in list_commands()["pool"].params if parameter.name == "depth"
    )
    assert depth.type.to_info_dict()["min"] == SHALLOWEST


def publish(folder: Path, texts: str) -> Path:
    """Writes a benchmark as published, and its texts to a file with this name."""
    lines = [{"paper_id": f"{kind}_{n}", "title": "of it"} for kind in "cq" for n in range(90)]
    (folder / texts).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return write(make(6), folder, "mdcr_test.json")


def check_again(platform: Platform, *words: object) -> None:
    """Runs a command, then the command in its report, which repeats the run if it is deleted."""
    shown = platform("evaluate", *words, "--json")
    assert shown.status == 0, shown.err
    result = shown.json
    page = html.fromstring(
        Path(platform("evaluate", "report", result["path"], "--json").json["page"]).read_bytes()
    )
    repeat = shlex.split(page.findtext(".//pre") or "")
    shutil.rmtree(result["path"])
    again = platform(*repeat[1:], "--json")
    assert again.status == 0, again.err
    assert again.json["run"] == result["run"]
    assert not again.json["unchanged"]


def test_a_report_shows_how_to_repeat_a_published_benchmark(
    platform: Platform, tmp_path: Path
) -> None:
    published = publish(tmp_path, "my texts.jsonl")
    scores = write(draw_scores(make(6)), tmp_path, "a b.json")
    words = ("--benchmark", published, "--texts", "my texts.jsonl", "--scores", f"x y={scores}")
    options = ("--metric", "l2", "--max-tokens", 16, "--seed", 3, "--runs", "own runs")
    check_again(platform, "mdcr", "two=minilm", "random", *words, *options)


def test_a_report_in_another_folder_shows_the_last_request(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same run, requested under another name; paths are relative to where it ran."""
    published = publish(tmp_path, "mdcr_test_data.jsonl")
    words = ("evaluate", "mdcr", "random", "--runs", "own", "--json")
    first = platform(*words, "--benchmark", published).json
    for file in (published, published.with_name(f"{published.stem}_data.jsonl")):
        file.rename(file.with_name(file.name.replace("mdcr_test", "moved")))
    again = platform(*words, "--benchmark", "moved.json").json
    assert (again["run"], again["unchanged"]) == (first["run"], True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    result = platform("evaluate", "report", Path("..", first["path"]), "--json").json
    text = html.fromstring(Path(result["page"]).read_bytes())
    assert text.findtext(".//pre") == (
        "platform evaluate mdcr random --benchmark moved.json --runs own"
    )
    assert "Evaluated on moved.json." in text.text_content()


def test_a_report_shows_how_to_repeat_a_benchmark_of_the_graph(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    store, open_ = ("--store", generated.store, "--runs", "r"), ("--min-citations", 0)
    few = ("--queries", 3, "--validation", 3, "--fewest", 2, "--min-abstract", 0, *open_)
    assert platform("benchmark", "mdcr", "bm25", "chance=random", *few, *store).status == 0
    check_again(platform, "mdcr", "a=lsa", "sgc:lsa", "--split", "val", "--metric", "dot", *store)
    with citescape.open(generated.store) as corpus:
        ids = [row["id"] for row in corpus.cypher("MATCH (p:Paper) RETURN p.id AS id")]
    Path("l.csv").write_text("id,label\n" + "".join(f'"{paper}",own\n' for paper in ids))
    labels = ("--labels", "l.csv", "--fewest", 2, "--min-abstract", 0, *open_)
    check_again(platform, "pool", "lsa", "--metric", "l2", *labels, *store)
    check_again(
        platform, "pool", "bm25", "--sizes", "30,35", "--samples", 2, "--seed", 1, *open_, *store
    )


def test_a_report_shows_how_to_repeat_tasks(platform: Platform, tmp_path: Path) -> None:
    (tmp_path / "s d").mkdir()
    write_scidocs(tmp_path / "s d")
    own = write_embeddings(tmp_path / "s d" / "own.jsonl")
    check_again(platform, "scidocs", "--data", "s d", f"a={own}", "--split", "val", "--seed", 2)
    write_scirepeval(tmp_path)
    vectors = [{"doc_id": paper, "embedding": vector.tolist()} for paper, vector in KNOWN.items()]
    write_jsonl(tmp_path / "b.jsonl", vectors)
    chosen = ("--task", "near", "--task", "number", "--type", "regression", "--type", "proximity")
    check_again(platform, "scirepeval", "b.jsonl", "--tasks", "tasks.jsonl", *chosen)


def test_evaluations_name_the_command_of_the_report(platform: Platform, tmp_path: Path) -> None:
    published = publish(tmp_path, "mdcr_test_data.jsonl")
    runs = ("--runs", tmp_path / "own runs")
    shown = platform("evaluate", "mdcr", "random", "--benchmark", published, *runs)
    assert shown.status == 0, shown.err
    words = shlex.split(shown.out.splitlines()[-1].removeprefix("as a page: "))
    done = platform(*words[1:])
    assert done.status == 0, done.err
    assert Path(done.out.splitlines()[-1].removeprefix("page: ")).is_file()
