"""Output of every command, and the keys of `--json` (a contract)."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from citescape.core.cores import usable_cores
from citescape.core.extras import EXTRAS
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.queries import library
from citescape.store.schema import NODES, RELS, SCHEMA_VERSION
from citescape.store.state import write_meta

Platform = Callable[..., Any]


def test_ingest_counts_and_its_json(platform: Platform, generated: Any) -> None:
    done = platform("ingest", generated.papers, "--json", "--save", "report.csv", "--workers", 1)
    assert done.status == 0
    assert set(done.json) >= {
        "papers", "fulltext_papers", "authors", "sections", "occurrences", "citations", "anchors",
        "losses", "rejected_files", "seconds",
    }  # fmt: skip
    assert done.json["fulltext_papers"] == 50
    assert done.json["rejected_files"] == 0
    assert done.json["anchors"] == done.json["occurrences"] + sum(done.json["losses"].values())
    with open("report.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 50
    assert sum(int(row["anchors"]) for row in rows) == done.json["anchors"]
    again = platform("ingest", generated.papers)
    assert "50 unchanged" in again.out
    assert again.out.endswith(" score\n"), "nothing is scored yet"
    now = {"seconds": 0, "documents": {}, "notes": {}}  # of this ingest, not of the store
    assert platform("ingest", generated.papers, "--json").json | now == done.json | now


def test_ingest_names_rejected_files(platform: Platform) -> None:
    Path("no.xml").write_text("hello")
    done = platform("ingest", "no.xml")
    assert done.status == 1
    assert "no.xml: not XML" in done.err
    assert platform("ingest", "absent").err.startswith("platform: absent: no such file or folder")
    Path("empty").mkdir()
    assert "no papers found; expected" in platform("ingest", "empty").err


def test_an_unwritable_report_is_refused_before_loading(platform: Platform, generated: Any) -> None:
    done = platform("ingest", generated.papers, "--save", "absent/losses.csv")
    assert (done.status, done.out) == (1, "")
    assert "no folder absent" in done.err
    assert not Path("citescape.lbug").exists()


def test_files_for_the_offline_importer_are_written(platform: Platform, generated: Any) -> None:
    Path("no.xml").write_text("hello")
    words = ("ingest", generated.papers, "no.xml", "--neo4j-import", "files", "--workers", 1)
    done = platform(*words, "--json", "--save", "report.csv")
    assert done.status == 0
    assert "no.xml: not XML" in done.err
    assert (done.json["fulltext_papers"], done.json["rejected_files"]) == (50, 1)
    assert done.json["folder"] == "files"
    assert done.json["command"].startswith(f"cd {Path('files').absolute()} && neo4j-admin database")
    for name in re.findall(r"=(\w+\.csv)", done.json["command"]):
        assert Path("files", name).is_file()
    assert len(Path("report.csv").read_text().splitlines()) == 1 + 50 + 1
    shown = platform(*words)
    assert shown.out.splitlines()[-1] == done.json["command"]
    assert "50 with full text" in shown.out
    assert not Path("citescape.lbug").exists()


def test_files_for_the_offline_importer_need_papers_and_no_store(platform: Platform) -> None:
    Path("no.xml").write_text("hello")
    refused = platform("ingest", "no.xml", "--neo4j-import", "files", "--workers", 1)
    assert (refused.status, refused.out) == (1, "")
    both = platform("ingest", "no.xml", "--neo4j-import", "files", "--store", "mine.lbug")
    assert both.status == 1
    assert "does not load a store" in both.err


def test_score_and_weights_agree(run_on_store: Platform, generated: Any) -> None:
    scored = run_on_store("score", "--runs", generated.runs, "--json").json
    assert set(scored) == {"pairs", "weighed", "weights", "components", "relabelled", "run"}
    assert set(scored["weights"]) == set(scored["components"]) == {"I", "R", "D", "S"}
    for row in scored["components"].values():
        assert set(row) == {"mean", "std", "entropy", "weight"}
    weighed = run_on_store("evaluate", "weights", "--json").json
    shared = ("pairs", "weighed", "weights", "components")
    assert weighed == {key: scored[key] for key in shared}


def test_weights_of_a_subset_with_titles(run_on_store: Platform) -> None:
    weighing = ("evaluate", "weights", "--features")
    result = run_on_store(*weighing, "T, M,I", "--weights", "uniform", "--json").json
    assert result["weights"] == {"I": 1 / 3, "M": 1 / 3, "T": 1 / 3}
    assert "component is 'X'; expected one of" in run_on_store(*weighing, "X").err


def test_score_again_changes_nothing(run_on_store: Platform, generated: Any) -> None:
    shown = run_on_store("score", "--runs", generated.runs)
    assert "pairs scored, nothing changed" in shown.out
    assert "component" in shown.out


def test_explain_terms_add_up(run_on_store: Platform) -> None:
    best = run_on_store(
        "cypher", "--json",
        "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN a.id AS citing, b.id AS cited, "
        "c.importance AS importance ORDER BY importance DESC LIMIT 1",
    ).json[0]  # fmt: skip
    explanation = run_on_store("explain", best["citing"], best["cited"], "--json").json
    assert set(explanation) >= {"score", "terms", "occurrences", "shared_authors"}
    assert explanation["score"] == best["importance"]
    assert math.fsum(term["product"] for term in explanation["terms"]) == explanation["score"]
    for term in explanation["terms"]:
        assert {"component", "value", "weight", "product"} <= set(term)
        assert term["product"] == term["value"] * term["weight"]
    assert explanation["occurrences"]
    for mention in explanation["occurrences"]:
        assert {"section", "type", "context"} <= set(mention)
    shown = run_on_store("explain", best["citing"], best["cited"]).out
    assert f"importance  {explanation['score']:.4f}" in shown
    assert explanation["occurrences"][0]["section"] in shown


def test_status_counts_everything(run_on_store: Platform) -> None:
    status = run_on_store("status", "--json").json
    assert set(status["labels"]) == {node.name for node in NODES} - {"Meta", "Record", "File"}
    assert set(status["relationships"]) == {rel.name for rel in RELS} - {"DESCRIBES"}
    papers = run_on_store("cypher", "MATCH (p:Paper) RETURN count(p) AS n", "--json").json[0]["n"]
    assert status["labels"]["Paper"] == papers
    assert [run["command"] for run in status["runs"] if run["current"]] == ["score"]
    shown = run_on_store("status").out
    assert f"Paper {papers:>15,}".split() in [line.split() for line in shown.splitlines()]


def test_demo_writes_a_report_and_respects_other_folders(platform: Platform) -> None:
    done = platform("demo", "--papers", 60, "--seed", 1, "--no-learn", "--json")
    assert done.json["papers"] > 60
    assert Path(done.json["report"]).is_file()
    assert {"name", "found", "passed"} <= set(done.json["checks"][0])
    assert platform("demo", "--seed", -1).status == 2
    assert Path(done.json["report"]).is_file(), "wrong usage leaves the earlier demo alone"
    Path("mine").mkdir()
    Path("mine/thesis.txt").touch()
    refused = platform("demo", "--folder", "mine")
    assert refused.status == 1
    assert "mine contains files other than" in refused.err
    assert Path("mine/thesis.txt").exists()


def test_doctor_checks_the_store(run_on_store: Platform, platform: Platform) -> None:
    result = run_on_store("doctor", "--json").json
    assert result["ok"] is True
    states = {finding["check"]: finding["state"] for finding in result["findings"]}
    assert states["store"] == states["python"] == states["ladybug"] == states["rich"] == "ok"
    assert "pytest" not in states
    Path("broken.lbug").write_text("x" * 5000)
    broken = platform("doctor", "--store", "broken.lbug")
    assert broken.status == 1
    assert "fail  store" in broken.out


def test_doctor_shows_installed_extras(
    run_on_store: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    def extras() -> dict[str, tuple[str, str]]:
        rows = run_on_store("doctor", "--json").json["findings"]
        results = {row["check"]: (row["result"], row["advice"]) for row in rows}
        return {extra: results[f"extra {extra}"] for extra in EXTRAS}

    assert set(extras().values()) == {("installed", "")}
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    assert extras() == {
        "learn": ("incomplete, without torch", "pip install 'citescape[learn]'"),
        "map": ("installed", ""),
        "pyg": ("not installed", "pip install 'citescape[pyg]'"),
        "notebook": ("installed", ""),
        "agents": ("installed", ""),
        "cluster": ("installed", ""),
    }


def test_doctor_prints_all_findings_for_a_damaged_store(platform: Platform, generated: Any) -> None:
    shutil.copy(generated.store, "torn.lbug")
    store = LadybugStore.open("torn.lbug")
    store.write("DROP TABLE HAS_KEYWORD")
    store.close()
    done = platform("doctor", "--store", "torn.lbug")
    assert done.status == 1
    assert "ok    python" in done.out
    assert "fail  store" in done.out


def test_migrate_upgrades_an_old_store(platform: Platform, generated: Any) -> None:
    shutil.copy(generated.store, "old.lbug")
    store = LadybugStore.open("old.lbug")
    store.write("DROP TABLE HAS_EMBEDDING")
    store.write("DROP TABLE Embedding")
    write_meta(store, "schema_version", "2")
    store.close()
    done = platform("doctor", "--migrate", "--store", "old.lbug")
    assert done.status == 0
    assert done.out.startswith(f"old.lbug was upgraded to schema version {SCHEMA_VERSION}\n")
    assert platform("status", "--store", "old.lbug").status == 0
    assert "nothing to do" in platform("doctor", "--migrate", "--store", "old.lbug").out


def test_migrate_names_supported_versions(
    run_on_store: Platform, platform: Platform, generated: Any
) -> None:
    current = run_on_store("doctor", "--migrate", "--json")
    assert (current.status, current.json["migrated"]) == (0, False)
    shutil.copy(generated.store, "old.lbug")
    store = LadybugStore.open("old.lbug")
    write_meta(store, "schema_version", "0")
    store.close()
    refused = platform("status", "--store", "old.lbug")
    assert refused.status == 1
    assert "run `platform doctor --migrate --store old.lbug`" in refused.err
    helped = platform("doctor", "--migrate", "--store", "old.lbug")
    assert helped.status == 1
    assert f"old.lbug has schema version 0; expected {SCHEMA_VERSION}" in helped.err
    assert "ingest its papers into a new store" in helped.err
    assert helped.err.count("\n") == 1


def test_a_locked_store_names_the_process(platform: Platform, generated: Any) -> None:
    import subprocess
    import sys

    shutil.copy(generated.store, "held.lbug")
    code = (
        "from citescape.store.graph_store import open_store\n"
        "store = open_store('held.lbug'); print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        done = platform("score", "--store", "held.lbug")
        Path("held.lbug.shadow").touch()  # exists while its writer moves changes into the file
        read = platform("status", "--store", "held.lbug")
        holder.communicate("\n", timeout=60)
    for refused in (done, read):
        assert refused.status == 1
        assert f"held.lbug is in use by process {holder.pid}" in refused.err


def test_workers_default_to_the_usable_cores() -> None:
    import os

    expected = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert usable_cores() == expected


def test_cypher_writes_csv_and_json(run_on_store: Platform) -> None:
    question = "RETURN 'a \"b\", c' AS text, [1, 2] AS list, 1.5 AS number, null AS nothing"
    rows = run_on_store("cypher", question, "--json").json
    assert rows == [{"text": 'a "b", c', "list": [1, 2], "number": 1.5, "nothing": None}]
    (line,) = csv.DictReader(run_on_store("cypher", question, "--output", "csv").out.splitlines())
    assert line["text"] == 'a "b", c'
    assert json.loads(line["list"]) == [1, 2]


def test_arrow_output_is_an_ipc_stream(generated: Any) -> None:
    import subprocess
    import sys

    code = "from citescape.cli.main import main; main()"
    words = [
        "cypher",
        "RETURN 1 AS n, 'x' AS t",
        "--output",
        "arrow",
        "--store",
        str(generated.store),
    ]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=True)
    assert pa.ipc.open_stream(done.stdout).read_all().to_pylist() == [{"n": 1, "t": "x"}]


@pytest.mark.parametrize(
    "change",
    [
        "CREATE (:Keyword {id: 'new', text: 'new'})",
        "MATCH (p:Paper) SET p.title = 'x'",
        "MATCH (p:Paper) DETACH DELETE p",
    ],
)
def test_cypher_refuses_to_write_without_write(run_on_store: Platform, change: str) -> None:
    before = run_on_store("status", "--json").json
    done = run_on_store("cypher", change)
    assert done.status == 1
    assert "may do more than read (found" in done.err
    assert "--write" in done.err
    assert run_on_store("status", "--json").json == before


def test_cypher_writes_with_write(platform: Platform, generated: Any) -> None:
    shutil.copy(generated.store, "mine.lbug")
    change = "CREATE (:Keyword {id: 'new', text: 'new'})"
    done = platform("cypher", change, "--write", "--store", "mine.lbug")
    assert (done.status, done.out) == (0, "done\n")
    change = "MATCH (k:Keyword {id: 'new'}) SET k.text = 'newer' RETURN k.id AS id, k.text AS load"
    done = platform("cypher", change, "--write", "--json", "--store", "mine.lbug")
    assert done.json == [{"id": "new", "load": "newer"}]
    count = "MATCH (k:Keyword {id: $id}) RETURN count(*) AS n"
    words = ("cypher", count, "--param", "id=new", "--json", "--store", "mine.lbug")
    assert platform(*words).json == platform(*words, "--write").json == [{"n": 1}]


def test_names_that_look_like_clauses_are_allowed(run_on_store: Platform) -> None:
    text = "MATCH (k:Keyword) RETURN count(*) > 0 AS load, 'SET' AS `create` // DELETE"
    assert run_on_store("cypher", text, "--json").json == [{"load": True, "create": "SET"}]


def test_cypher_parameters(run_on_store: Platform) -> None:
    text = "RETURN $n AS n, $t AS t, $l AS l"
    parameters = ("--param", "n=3", "--param", "t=a=b", "--param", 'l=["x"]')
    assert run_on_store("cypher", text, *parameters, "--json").json == [
        {"n": 3, "t": "a=b", "l": ["x"]}
    ]
    assert "needs parameter $n" in run_on_store("cypher", "RETURN $n").err
    assert "unknown parameter m; the query takes: n" in run_on_store(
        "cypher", "RETURN $n", "--param", "n=1", "--param", "m=1"
    ).err  # fmt: skip


def test_cypher_from_file_and_library(run_on_store: Platform, tmp_path: Path) -> None:
    Path("question.cypher").write_text("// a comment\nMATCH (p:Paper)\nRETURN count(*) AS n;\n")
    count = run_on_store("cypher", "--file", "question.cypher", "--json").json[0]["n"]
    totals = run_on_store("cypher", "explore/totals", "--json").json[0]
    assert totals["papers"] == count
    assert (
        "no library query is named 'explore/total'" in run_on_store("cypher", "explore/total").err
    )
    Path("latin.cypher").write_bytes("RETURN 'é'".encode("latin-1"))
    assert "is not text in UTF-8" in run_on_store("cypher", "--file", "latin.cypher").err


def test_cypher_lists_the_library(platform: Platform) -> None:
    listed = platform("cypher", "--list").out
    assert "explore/most_important" in listed
    rows = platform("cypher", "--list", "--json").json
    assert {row["name"]: row["parameters"] for row in rows}["explore/most_cited"] == ["limit"]
    assert all(row["doc"] for row in rows)
    assert {row["name"].partition("/")[0] for row in rows} == {"explore", "facets"}
    everything = platform("cypher", "--list", "--all", "--json").json
    assert {row["name"] for row in everything} == set(library())


def test_cypher_shows_nodes_by_their_id(run_on_store: Platform) -> None:
    paper = run_on_store("cypher", "MATCH (p:Paper) RETURN p ORDER BY p.id LIMIT 1", "--json").json[
        0
    ]["p"]
    assert paper["_LABEL"] == "Paper"
    assert "_ID" not in paper
    shown = run_on_store("cypher", "MATCH (p:Paper) RETURN p ORDER BY p.id LIMIT 1").out
    assert f"(Paper {paper['id']})" in shown
    assert shown.endswith("1 row\n")


def test_both_engines_refuse_changes_and_return_the_same_rows(
    platform: Platform, store: Any, generated: Any
) -> None:
    """`store` is open while the command runs, as a server is; a file is closed first."""
    from citescape.store.graph_store import open_store

    location = store.location
    write_meta(store, "colour", "red")
    store.close()
    words = ("cypher", "MATCH (m:Meta {id: 'colour'}) RETURN m.value AS colour", "--json")
    assert platform(*words, "--store", location).json == [{"colour": "red"}]
    for change in ("MATCH (m:Meta) SET m.value = 'blue'", "CREATE (:Keyword {id: 'k'})"):
        refused = platform("cypher", change, "--store", location)
        assert refused.status == 1, refused.out
        assert "may do more than read (found" in refused.err
        assert refused.err.count("\n") == 1
    assert platform(*words, "--store", location).json == [{"colour": "red"}]
    status = platform("status", "--json", "--store", location).json
    assert status["labels"]["Keyword"] == 0
    change = "MATCH (m:Meta {id: 'colour'}) SET m.value = 'blue'"
    assert platform("cypher", change, "--write", "--store", location).out == "done\n"
    again = open_store(location)
    try:
        assert again.read(words[1])["colour"].to_pylist() == ["blue"]
    finally:
        again.close()
