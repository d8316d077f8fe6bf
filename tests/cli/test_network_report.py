"""Output of `platform network report`, `overlap` and `nearest`."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import citescape
from citescape.cli.main import find_command
from citescape.core import progress as output
from citescape.core.errors import ConfigError
from citescape.networks.build import NetworkRun, build, find_network
from citescape.networks.config import NetworkConfig
from citescape.networks.nearest_table import NearestPaper, NearestTable, find_nearest
from citescape.networks.overlap import compare_edges
from citescape.networks.random_network import build_random_network
from citescape.networks.report import NetworkReport, describe_network
from citescape.networks.summary import list_markdown
from citescape.papers.identify import PaperName
from citescape.store.graph_store import open_store
from tests.cli.conftest import GeneratedCorpus

Run = Callable[..., Result]
network = find_command("network")
assert isinstance(network, click.Group)
report, overlap, nearest = (network.commands[name] for name in ("report", "overlap", "nearest"))
KINDS = ("coupling", "co-citation", "citation")


@pytest.fixture(scope="module")
def runs(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of run directories with a network of each of `KINDS`; citation is the last."""
    folder = tmp_path_factory.mktemp("networks")
    graph = open_store(str(generated.store), read_only=True)
    for kind in KINDS:
        build(graph, NetworkConfig(kind, papers="all"), runs=folder)
    graph.close()
    return folder


@pytest.fixture
def run(
    generated: GeneratedCorpus, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Runs a command on the store and networks of the module, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(output, "PATIENCE", 3600.0)

    def invoke(command: click.Command, *arguments: object) -> Result:
        words = [*map(str, arguments), "--store", str(generated.store)]
        if "--runs" not in words:
            words += ["--runs", str(runs)]
        return CliRunner().invoke(command, words)

    return invoke


@pytest.fixture
def named(runs: Path) -> dict[str, NetworkRun]:
    return {kind: find_network(runs, kind) for kind in KINDS}


def last_line(done: Result) -> Any:
    assert done.exit_code == 0, done.output
    return json.loads(done.output.splitlines()[-1])


def cells(done: Result, begins: str) -> list[str]:
    """Values of the line that begins with a text, by column."""
    (line,) = [line for line in done.output.splitlines() if line.startswith(f"{begins}  ")]
    return line[len(begins) :].split()


def describe_columns(run: NetworkRun, **settings: Any) -> list[NetworkReport]:
    network = describe_network(run.read(), **settings)
    return [network, *([network.random] if network.random else [])]


def test_report_shows_networks_side_by_side(run: Run, named: dict[str, NetworkRun]) -> None:
    done = run(report, "citation", "coupling", "--pairs", 50, "--seed", 3)
    assert done.exit_code == 0, done.output
    columns = [
        *describe_columns(named["citation"], pairs=50, seed=3),
        *describe_columns(named["coupling"], pairs=50, seed=3),
    ]
    (header,) = [line for line in done.output.splitlines() if line.startswith("   ")]
    assert header.split() == ["citation", "random", "coupling", "random"]
    for name, format_value in {
        "papers": lambda report_: f"{report_.papers:,}",
        "edges": lambda report_: f"{report_.edges:,}",
        "mean degree": lambda report_: f"{report_.mean_degree:,.2f}",
        "density": lambda report_: f"{report_.density:#.3g}",
        "connected": lambda report_: "yes" if report_.connected else "no",
        "components": lambda report_: f"{report_.components:,}",
        "share of papers in it": lambda report_: f"{report_.largest_share:.2%}",
        "isolated papers": lambda report_: f"{report_.isolated:,}",
        "local clustering": lambda report_: f"{report_.local_clustering:#.3g}",
        "transitivity": lambda report_: f"{report_.transitivity:#.3g}",
        "path length": lambda report_: f"{report_.path_length.mean:.2f}",
        "its standard error": lambda report_: f"{report_.path_length.standard_error:#.3g}",
        "pairs measured": lambda report_: "50",
    }.items():
        assert cells(done, name) == [format_value(report_) for report_ in columns]
    assert cells(done, "mean strength")[1::2] == ["-", "-"]
    for kind in ("citation", "coupling"):
        assert f"{kind}: {named[kind].run}, all papers" in done.output
    both = f"{named['citation'].run} {named['coupling'].run}"
    assert f"accuracy {both} --runs" in done.output.splitlines()[-1]
    assert "core papers" not in done.output


def test_report_of_the_last_network_without_a_random_network(run: Run, runs: Path) -> None:
    last = find_network(runs)
    result = last_line(run(report, "--no-random", "--json"))
    (row,) = result["networks"]
    assert (row["run"], row["kind"], row["path"]) == (last.run, last.kind, str(last.path))
    assert row["random"] is None
    expected = asdict(describe_network(last.read(), beside_random=False))
    assert {name: row[name] for name in expected} == expected
    assert (result["pairs"], result["seed"]) == (10_000, 0)
    shown = run(report, last.path, "--no-random").output
    assert "random" not in shown
    assert cells(run(report, last.run, "--no-random"), "edges") == [f"{row['edges']:,}"]


def test_report_counts_papers_outside_the_core(
    run: Run, generated: GeneratedCorpus, tmp_path: Path
) -> None:
    graph = open_store(str(generated.store), read_only=True)
    build(graph, NetworkConfig("extended"), runs=tmp_path / "own")
    graph.close()
    done = run(report, "extended", "--no-random", "--runs", tmp_path / "own")
    assert int(cells(done, "papers")[0]) > int(cells(done, "core papers")[0]) == 50


def test_report_as_csv(run: Run, named: dict[str, NetworkRun], tmp_path: Path) -> None:
    done = run(report, "citation", "coupling", "--pairs", 50, "--save", tmp_path / "r.csv")
    assert done.exit_code == 0
    with (tmp_path / "r.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    keys = [(row["network"], row["random"], row["run"]) for row in rows]
    assert keys == [
        (kind, random, named[kind].run)
        for kind in ("citation", "coupling")
        for random in ("false", "true")
    ]
    citation = describe_columns(named["citation"], pairs=50)[0]
    assert float(rows[0]["transitivity"]) == citation.transitivity
    assert citation.path_length is not None
    assert float(rows[0]["path_length"]) == citation.path_length.mean
    assert [path.name for path in tmp_path.iterdir()] == ["r.csv"]


def test_overlap_of_two_networks(run: Run, named: dict[str, NetworkRun]) -> None:
    done = run(overlap, "citation", "coupling")
    assert done.exit_code == 0, done.output
    expected = compare_edges(named["citation"].read(), named["coupling"].read())
    assert expected.shared
    assert cells(done, "citation   coupling ") == [
        *(
            f"{n:,}"
            for n in (expected.papers, expected.edges, expected.other_edges, expected.shared)
        ),
        *(f"{n:.2%}" for n in (expected.share, expected.other_share, expected.jaccard)),
        f"{expected.expected:,.2f}",
        f"{expected.times_expected:,.2f}",
    ]
    assert "share of the row's edges" not in done.output
    assert "excluded" not in done.output


def test_overlap_of_several_networks_and_a_random_network(
    run: Run, named: dict[str, NetworkRun]
) -> None:
    words = (overlap, *KINDS, "--with-random", "--seed", 2)
    result = last_line(run(*words, "--json"))
    assert {name: row["run"] for name, row in result["networks"].items()} == {
        kind: named[kind].run for kind in KINDS
    }
    names = [*KINDS, "random"]
    pairs = [(row["network"], row["other"]) for row in result["overlaps"]]
    assert pairs == [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    held = {kind: named[kind].read() for kind in KINDS}
    held["random"] = build_random_network(held[KINDS[0]], seed=2)
    for row in result["overlaps"]:
        expected = compare_edges(held[row["network"]], held[row["other"]])
        assert (row["shared"], row["expected"]) == (expected.shared, expected.expected)
    shown = run(*words).output.splitlines()
    matrix = shown[shown.index("share of the row's edges that are in the column's network") + 2 :]
    assert matrix[0].split() == names
    own = compare_edges(held["citation"], held["coupling"])
    (line,) = [line for line in matrix if line.startswith("citation ")]
    assert line.split()[1] == f"{own.share:.2%}"
    (line,) = [line for line in matrix if line.startswith("coupling ")]
    assert line.split()[2] == f"{own.other_share:.2%}"


def test_overlap_of_networks_with_different_papers_and_csv(
    run: Run, generated: GeneratedCorpus, tmp_path: Path
) -> None:
    graph = open_store(str(generated.store), read_only=True)
    for papers in ("fulltext", "all"):
        build(graph, NetworkConfig("citation", papers=papers), runs=tmp_path / "own")
    graph.close()
    ids = [path.name for path in (tmp_path / "own").iterdir()]
    done = run(overlap, *ids, "--runs", tmp_path / "own", "--save", tmp_path / "o.csv")
    assert done.exit_code == 0, done.output
    with (tmp_path / "o.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["network"], row["other"], row["papers"]) == (*ids, "50")
    left = {int(row["left_out"]), int(row["other_left_out"])}
    assert min(left) == 0 < max(left)
    (line,) = [
        line
        for line in done.output.splitlines()
        if line.startswith("excluded, not of common papers")
    ]
    assert f"{max(left):,}" in line
    assert row["edges"] == row["other_edges"] == row["shared"]


def test_nearest(
    run: Run, generated: GeneratedCorpus, named: dict[str, NetworkRun], tmp_path: Path
) -> None:
    graph = open_store(str(generated.store), read_only=True)
    ids = named["citation"].read().ids.to_pylist()
    every = [find_nearest(graph, id_, named["citation"], k=3) for id_ in ids[-40:]]
    graph.close()
    full = [neighbour for neighbour in every if neighbour.neighbours > 3]
    table = max(full, key=lambda neighbour: len({near.cited for near in neighbour.papers}))
    assert len(table.papers) == 3
    words = (nearest, table.paper.id, "--network", "citation", "-k", 3)
    expected = {name: value for name, value in asdict(table).items() if name != "markdown"}
    assert last_line(run(*words, "--json")) == expected
    lines = run(*words).output.splitlines()
    assert lines[0] == f"nearest to {table.paper} ({table.network})"
    assert lines[2].split() == ["weight", "year", "is", "cited", "paper", "title"]
    for neighbour, line in zip(table.papers, lines[3:], strict=False):
        year = [str(neighbour.year)] if neighbour.year else []
        expected = [
            str(neighbour.rank),
            f"{neighbour.weight:.3f}",
            *year,
            "yes" if neighbour.cited else "no",
            neighbour.id,
        ]
        assert line.split()[: len(expected)] == expected
    cited = sum(neighbour.cited for neighbour in table.papers)
    assert lines[-1].startswith(f"{cited} of 3 are cited by it; {table.neighbours - 3} neighbour")
    shown = run(*words, "--markdown", "--save", tmp_path / "n.csv").stdout.splitlines()
    assert shown[0] == "|  | title | year | weight | is cited |"
    for neighbour, line in zip(table.papers, shown[2:], strict=True):
        assert line.startswith(f"| {neighbour.rank} | {neighbour.title or neighbour.id} | ")
        assert line.endswith(f" | {neighbour.weight:.3f} | {'yes' if neighbour.cited else 'no'} |")
    with (tmp_path / "n.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], float(row["weight"])) for row in rows] == [
        (neighbour.id, neighbour.weight) for neighbour in table.papers
    ]


def test_csv_has_no_formulas(generated: GeneratedCorpus, runs: Path, tmp_path: Path) -> None:
    store = tmp_path / "own.lbug"
    shutil.copy(generated.store, store)
    with citescape.open(store) as corpus:
        corpus.cypher("MATCH (p:Paper) SET p.title = '=1+1'", write=True)
    paper = find_network(runs, "citation").read()
    id_ = paper.ids[int(paper.degrees.argmax())].as_py()
    words = [id_, "--save", str(tmp_path / "n.csv"), "--store", str(store), "--runs", str(runs)]
    done = CliRunner().invoke(nearest, words)
    assert done.exit_code == 0, done.output
    with (tmp_path / "n.csv").open(encoding="utf-8") as file:
        assert {row["title"] for row in csv.DictReader(file)} == {"'=1+1"}


def test_markdown_escapes_titles() -> None:
    papers = [
        NearestPaper(1, "doi:10.1234/a", "A | B\n  and C", 2001, 0.1234, cited=True),
        NearestPaper(2, "doi:10.1234/b", "", None, 0.1, cited=False),
    ]
    table = NearestTable(PaperName("doi:10.1234/x", ""), "network-1", "similarity", 2, 0, papers)
    assert list_markdown(table)[2:] == [
        "| 1 | A \\| B and C | 2001 | 0.123 | yes |",
        "| 2 | doi:10.1234/b |  | 0.100 | no |",
    ]


def test_nearest_of_a_paper_without_links(
    run: Run, generated: GeneratedCorpus, named: dict[str, NetworkRun]
) -> None:
    network = named["coupling"].read()
    lone = network.ids[int((network.degrees == 0).argmax())].as_py()
    done = run(nearest, lone, "--network", "coupling")
    assert f"has no neighbours in {named['coupling'].run}" in done.output
    assert last_line(run(nearest, lone, "--network", "coupling", "--json"))["papers"] == []


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        (report, ("absent",), r"no run 'absent' in .*; expected a network by its run, folder or k"),
        (report, ("--runs", "none"), r"no network in none; .* build KIND"),
        (overlap, ("citation", "absent"), r"no run 'absent'"),
        (nearest, ("10.9/9",), r"no paper '10\.9/9'"),
        (report, ("citation", "citation"), "which is given twice"),
        (report, ("--save", "none/r.csv"), r"no folder none"),
    ],
)
def test_error_messages_name_the_next_step(
    command: click.Command, arguments: tuple[str, ...], message: str, run: Run
) -> None:
    done = run(command, *arguments)
    assert isinstance(done.exception, ConfigError)
    assert re.search(message, str(done.exception))
    assert len(str(done.exception).splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        (report, ("--pairs", 0), "0 is not in the range x>=1"),
        (report, ("--seed", -1), "-1 is not in the range"),
        (overlap, ("citation",), "1 networks to compare; expected two or more, or --with-random"),
        (overlap, (), "0 networks to compare"),
        (nearest, ("x", "-k", 0), "0 is not in the range x>=1"),
    ],
)
def test_wrong_usage(
    command: click.Command, arguments: tuple[object, ...], message: str, run: Run, tmp_path: Path
) -> None:
    done = run(command, *arguments)
    assert done.exit_code == 2
    assert message in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [report, overlap, nearest])
def test_help_explains_networks(command: click.Command) -> None:
    shown = CliRunner().invoke(command, ["--help"]).output
    assert f"platform network {command.name} " in shown
    assert "Examples:" in shown
