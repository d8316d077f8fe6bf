"""Output and files of `platform export`."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import get_args

import networkx as nx
import pytest
import rispy
from pybtex.database import parse_file

from citescape.mapping.exports.formats import FORMATS as KNOWN
from citescape.mapping.exports.steps import BIBLIOGRAPHIES, FormatName
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.papers.bibliography import BIBLIOGRAPHIES as KNOWN_BIBLIOGRAPHIES
from citescape.store.graph_store import open_store
from tests.cli.conftest import GeneratedCorpus, Platform


@pytest.fixture(scope="module")
def runs(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Networks of the corpus of the session, in a folder of their own."""
    folder = tmp_path_factory.mktemp("networks")
    with closing(open_store(str(generated.store), read_only=True)) as store:
        build(store, NetworkConfig("coupling"), runs=folder)
        build(store, NetworkConfig("importance", papers="all"), runs=folder)
    return folder


def test_formats_equal_those_of_the_library(platform: Platform) -> None:
    assert [*KNOWN, *KNOWN_BIBLIOGRAPHIES] == list(get_args(FormatName))
    assert list(KNOWN_BIBLIOGRAPHIES) == list(BIBLIOGRAPHIES)
    shown = platform("export", "--help").out
    for name in (*KNOWN, *BIBLIOGRAPHIES):
        assert f"\n    {name} " in shown
    assert "platform export gexf -o crops.gexf" in shown


@pytest.mark.parametrize("form", KNOWN)
def test_shows_files_and_how_to_open_them(run_on_store: Platform, runs: Path, form: str) -> None:
    done = run_on_store("export", form, "-o", "net", "--network", "coupling", "--runs", runs)
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].startswith("50 papers and ")
    assert " of network network-" in lines[0]
    files = sorted(Path().glob("net*"))
    for path in files:
        assert any(line.split() == [path.name, f"{path.stat().st_size:,}"] for line in lines)
    assert lines[-1].startswith("open it in ")
    assert f"net{KNOWN[form].suffix}" in lines[-1]


def test_figures_as_json(run_on_store: Platform, runs: Path) -> None:
    words = ("-o", "net.graphml", "--network", "importance", "--largest", 30, "--linked")
    done = run_on_store("export", "graphml", *words, "--runs", runs, "--json")
    assert done.status == 0, done.err
    graph = nx.read_graphml("net.graphml")
    assert (done.json["nodes"], done.json["edges"]) == (len(graph), graph.number_of_edges())
    assert done.json["nodes"] <= 30
    assert done.json["files"] == {"net.graphml": Path("net.graphml").stat().st_size}
    assert (done.json["kind"], done.json["of"]) == ("importance", "papers")
    assert "importance" in done.json["attributes"]
    assert done.json["edge_attributes"][:2] == ["weight", "citing"]
    assert done.json["network"].startswith("network-")
    for source, other, edge in graph.edges(data=True):
        assert edge["weight"] == pytest.approx(edge["importance"]), (source, other)


def test_the_graph_is_only_read(
    run_on_store: Platform, generated: GeneratedCorpus, runs: Path
) -> None:
    before = generated.store.read_bytes()
    assert run_on_store("export", "csv", "-o", "net", "--runs", runs).status == 0
    assert generated.store.read_bytes() == before


def test_files_are_replaced_only_with_force(run_on_store: Platform, runs: Path) -> None:
    words = ("export", "vosviewer", "-o", "net.json", "--network", "coupling", "--runs", runs)
    Path("net.json").write_text("mine")
    failed = run_on_store(*words)
    assert (failed.status, failed.out) == (1, "")
    assert "net.json exists; name another file, or add --force to replace it" in failed.err
    assert Path("net.json").read_text() == "mine"
    assert run_on_store(*words, "--force").status == 0
    assert json.loads(Path("net.json").read_text(encoding="utf-8"))["network"]["items"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("gml", "-o", "x"), 2, "'gml' is not one of 'vosviewer', 'vosviewer-txt', 'gexf'"),
        (("csv",), 2, "missing option '-o' / '--out'"),
        (("csv", "-o", "absent/x"), 1, "no folder absent for x; create it, or name another"),
        (("csv", "-o", "."), 1, "is a folder; expected the name of a file"),
        (("csv", "-o", "x", "--largest", -1), 2, "-1 is not in the range x>=0"),
        (("csv", "-o", "x", "--min-weight", -1), 2, "-1.0 is not in the range x>=0"),
        (("csv", "-o", "x", "--network", "knn"), 1, "no run 'knn' in"),
        (("csv", "-o", "x", "--clustering", "knn"), 1, "no run 'knn' in"),
        (("csv", "-o", "x", "--of", "topics"), 1, "run `platform cluster`"),
        (("csv", "-o", "x", "--placed"), 1, "no place on a map for "),
        (("csv", "-o", "x", "--store", "absent.lbug"), 1, "no store at absent.lbug"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...],
    status: int,
    message: str,
    platform: Platform,
    generated: GeneratedCorpus,
    runs: Path,
) -> None:
    store = () if "--store" in arguments else ("--store", generated.store)
    failed = platform("export", *arguments, *store, "--runs", runs)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1
    assert not list(Path().glob("x*"))


def test_export_needs_a_network(run_on_store: Platform, tmp_path: Path) -> None:
    failed = run_on_store("export", "csv", "-o", "x", "--runs", tmp_path / "none")
    assert failed.status == 1
    assert "network build KIND" in failed.err


def test_a_bibliography_of_selected_papers(
    run_on_store: Platform, generated: GeneratedCorpus
) -> None:
    with closing(open_store(str(generated.store), read_only=True)) as store:
        query = "MATCH (p:Paper) WHERE p.doi IS NOT NULL RETURN p.doi AS doi ORDER BY doi LIMIT 3"
        dois = store.read(query)["doi"].to_pylist()
    Path("ids.txt").write_text("\n".join(dois[1:]))
    words = ("export", "bibtex", "--paper", dois[0], "--ids", "ids.txt", "-o", "refs")
    done = run_on_store(*words)
    assert done.status == 0, done.err
    parsed = parse_file("refs.bib").entries.values()
    assert [entry.fields["doi"] for entry in parsed] == dois
    assert done.out.splitlines()[0] == "3 papers"
    assert done.out.splitlines()[-1] == "open it in LaTeX: \\addbibresource{refs.bib}"
    failed = run_on_store(*words)
    assert failed.status == 1
    assert "refs.bib exists; name another file, or add --force" in failed.err


def test_a_bibliography_of_a_network(run_on_store: Platform, runs: Path) -> None:
    words = ("--network", "importance", "--largest", 7, "-o", "top.ris", "--runs", runs, "--json")
    done = run_on_store("export", "ris", *words)
    assert done.status == 0, done.err
    assert len(rispy.loads(Path("top.ris").read_text(encoding="utf-8"))) == 7
    size = Path("top.ris").stat().st_size
    assert done.json == {"format": "ris", "files": {"top.ris": size}, "of": "papers", "papers": 7}


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (
            ("gexf", "--paper", "10.1/x"),
            2,
            "--paper and --ids apply to bibtex or ris; gexf exports a network",
        ),
        (("ris", "--of", "topics"), 2, "ris exports papers; omit --of topics"),
        (("ris", "--paper", "10.1/none"), 1, "no paper '10.1/none'"),
        (("ris", "--ids", "none.txt"), 1, "none.txt: expected a text file with an id per line"),
    ],
)
def test_invalid_bibliographies_are_refused(
    run_on_store: Platform, words: tuple[str, ...], status: int, message: str
) -> None:
    failed = run_on_store("export", *words, "-o", "refs")
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert list(Path().iterdir()) == []
