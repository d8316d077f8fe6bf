"""Output of `platform cypher`: formats of rows, the query library and warnings."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from citescape.store.graph_store import open_store
from citescape.store.queries import query
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.conftest import empty_neo4j
from tests.forks import COMMAND_LINE, shared_forks
from tests.neo4j.server import Neo4jServer

MANY = "UNWIND range(1, 1500) AS n RETURN n"


@pytest.fixture
def on_terminal(generated: GeneratedCorpus, tmp_path: Path) -> Callable[..., list[str]]:
    """Lines of a table on a terminal."""

    def run(statement: str, *, columns: int, **env: str) -> list[str]:
        words = (COMMAND_LINE, "cypher", statement, "--store", generated.store)
        fork, child = shared_forks().start_on_terminal(
            *words, columns=columns, folder=tmp_path, **{"NO_COLOR": "", **env}
        )
        with fork:
            child.expect(pexpect.EOF)
        assert fork.returncode == 0
        return [line.rstrip("\r") for line in (child.before or "").split("\n")]

    return run


def test_a_table_is_cut_after_a_thousand_rows_with_a_note(run_on_store: Platform) -> None:
    done = run_on_store("cypher", MANY)
    lines = done.out.splitlines()
    assert (len(lines), lines[-2].strip(), lines[-1]) == (1003, "1000", "1,500 rows")
    assert done.err.startswith("the first 1,000 of 1,500 rows")
    assert "--output csv" in done.err
    full = run_on_store("cypher", MANY, "--output", "csv")
    assert (full.out.split(), full.err) == (["n", *map(str, range(1, 1501))], "")
    assert run_on_store("cypher", MANY, "--json").json == [{"n": n} for n in range(1, 1501)]


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_names_are_never_cut(on_terminal: Callable[..., list[str]], columns: int) -> None:
    name = "ref:doi:10.1186/s13002-018-0255-2#r5"
    title = "A map of rice genome variation reveals the origin of cultivated rice"
    lines = on_terminal(f"RETURN '{name}' AS id, '{title}' AS title, 2012 AS year", columns=columns)
    (holding,) = (line for line in lines if name in line)
    assert len(holding) <= max(columns, len("title  ") + len(name))
    assert " ".join(title.split()) == " ".join(
        word for line in lines for word in line.split() if word in title.split()
    )


def test_rows_too_wide_for_a_table_are_printed_as_blocks(
    on_terminal: Callable[..., list[str]],
) -> None:
    statement = "UNWIND ['a', 'b'] AS x RETURN x AS first_of_them, x AS second_of_them, 1 AS third"
    assert on_terminal(statement, columns=30)[:9] == [
        "first_of_them   a",
        "second_of_them  a",
        "third           1",
        "",
        "first_of_them   b",
        "second_of_them  b",
        "third           1",
        "",
        "2 rows",
    ]


def test_no_color_means_no_escapes(on_terminal: Callable[..., list[str]]) -> None:
    assert "\x1b" in on_terminal("RETURN 1 AS n", columns=80)[0]
    lines = on_terminal("RETURN 1 AS n", columns=80, NO_COLOR="1")
    assert not any("\x1b" in line for line in lines)


def test_json_output_is_valid_json(run_on_store: Platform) -> None:
    question = "RETURN cast('inf' AS DOUBLE) AS i, [cast('nan' AS DOUBLE), 1.5] AS l"

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON")

    out = run_on_store("cypher", question, "--json").out
    assert json.loads(out, parse_constant=refuse) == [{"i": None, "l": [None, 1.5]}]


FORMULAS = ["=1+1", "+1", "-1", "@x", "\t=1", "\rx", " =2", '"=3"', "\u200b=4", "＝5"]
TEXTS = [*FORMULAS, "a=1", "1-2", "", "(-1)", "– x"]


def test_csv_has_no_formulas_unless_it_is_raw(run_on_store: Platform) -> None:
    question = (
        "UNWIND $texts AS t RETURN t AS `=cmd`, -3.5 AS number, -2 AS count, [t] AS list, "
        "t = 'a=1' AS flag ORDER BY t"
    )
    words = ("cypher", question, "--param", f"texts={json.dumps(TEXTS)}")
    expected = run_on_store(*words, "--output", "json").json
    for raw in (False, True):
        done = run_on_store(*words, "--output", "csv", *(["--raw"] if raw else []))
        header, *rows = csv.reader(io.StringIO(done.out, newline=""))
        assert header == ["=cmd" if raw else "'=cmd", "number", "count", "list", "flag"]
        for row, known in zip(rows, expected, strict=True):
            text = known["=cmd"]
            assert row[0] == (f"'{text}" if text in FORMULAS and not raw else text)
            assert row[1:3] == ["-3.5", "-2"]
            assert json.loads(row[3]) == [text]
            assert json.loads(row[4]) is (text == "a=1")


def test_raw_needs_csv(run_on_store: Platform) -> None:
    for form in ((), ("--output", "json"), ("--json",)):
        done = run_on_store("cypher", "RETURN 1", "--raw", *form)
        assert (done.status, done.out) == (2, "")
        assert "--raw needs --output csv" in done.err


def test_long_lists_of_a_table_are_cut_and_counted(run_on_store: Platform) -> None:
    out = run_on_store("cypher", "RETURN range(1, 5000) AS n").out
    assert " ".join(out.split()).endswith(" 49, 50 and 4,950 more 1 row")
    assert run_on_store("cypher", "RETURN range(1, 5000) AS n", "--json").json == [
        {"n": [*range(1, 5001)]}
    ]


def test_booleans_are_written_as_in_cypher(run_on_store: Platform) -> None:
    assert run_on_store("cypher", "RETURN true AS yes").out.split()[-3:] == ["true", "1", "row"]
    (row,) = csv.DictReader(
        io.StringIO(run_on_store("cypher", "RETURN true AS yes", "--output=csv").out)
    )
    assert row == {"yes": "true"}


def test_two_formats_at_once_are_refused(run_on_store: Platform) -> None:
    done = run_on_store("cypher", "RETURN 1", "--output", "csv", "--json")
    assert (done.status, "give one of them" in done.err) == (2, True)
    assert run_on_store("cypher", "RETURN 1 AS n", "--output", "json", "--json").json == [{"n": 1}]


def test_a_dash_is_standard_input(run_on_store: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("RETURN 7 AS n;\n"))
    assert run_on_store("cypher", "--file", "-", "--json").json == [{"n": 7}]


def test_a_shown_query_runs_as_a_file(run_on_store: Platform, tmp_path: Path) -> None:
    shown = run_on_store("cypher", "--show", "explore/most_cited")
    assert "// param limit = 20: maximum number of works\n" in shown.out
    Path("mine.cypher").write_text(shown.out)
    words = ("--param", "limit=3", "--json")
    by_name = run_on_store("cypher", "explore/most_cited", *words).json
    assert run_on_store("cypher", "--file", "mine.cypher", *words).json == by_name
    assert len(run_on_store("cypher", "--file", "mine.cypher", "--json").json) == 20
    library_query = run_on_store("cypher", "--show", "explore/contexts", "--json").json
    assert library_query["parameters"]["paper"] == "the cited work"
    assert library_query["text"] == query("explore/contexts").text
    assert "no library query" in run_on_store("cypher", "--show", "explore/context").err


def test_a_name_alone_is_a_query_of_the_library(run_on_store: Platform) -> None:
    words = ("explore/most_cited", "--param", "limit=3", "--json")
    found = run_on_store("cypher", *words).json
    assert len(found) == 3
    assert run_on_store("cypher", " explore/most_cited ", *words[1:]).json == found
    done = run_on_store("cypher", "explore/context")
    assert (done.status, done.out) == (1, "")
    assert "no library query is named 'explore/context'; near names: explore/contexts" in done.err


def test_papers_are_found_by_any_identifier(run_on_store: Platform) -> None:
    (work,) = run_on_store("cypher", "explore/most_cited", "--param", "limit=1", "--json").json
    doi = work["id"].removeprefix("doi:")
    assert doi != work["id"]
    words = ("cypher", "explore/contexts", "--json", "--param")
    matches = run_on_store(*words, f"paper=https://doi.org/{doi.upper()}").json
    assert matches == run_on_store(*words, f"paper={work['id']}").json != []
    assert "no paper '10.9999/none'" in run_on_store(*words, "paper=10.9999/none").err


def test_neo4j_warns_of_unknown_names(platform: Platform, neo4j_server: Neo4jServer) -> None:
    empty_neo4j(neo4j_server.uri)
    open_store(neo4j_server.uri).close()
    done = platform("cypher", "MATCH (p:Papr) RETURN p.id", "--store", neo4j_server.uri)
    assert "warning: The label `Papr` does not exist\n" in done.err
    quiet = platform("cypher", "explore/totals", "--store", neo4j_server.uri)
    assert (quiet.status, quiet.err) == (0, "")


def test_a_query_has_a_time_limit(run_on_store: Platform) -> None:
    """The engine looks for an interrupt only between the values of the first list."""
    lists = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000) AS b UNWIND range(1, 100) AS c"
    stopped = run_on_store("cypher", f"{lists} RETURN sum(a + c) AS n", "--timeout", "0.2")
    assert (stopped.status, stopped.out) == (1, "")
    assert "after 0.2 s" in stopped.err
    assert "--timeout SECONDS" in stopped.err
    assert run_on_store("cypher", "RETURN 1 AS n", "--timeout", "0", "--json").json == [{"n": 1}]
    assert run_on_store("cypher", "RETURN 1 AS n", "--timeout", "-1").status == 2


def test_rows_are_saved_in_the_format_of_the_file(run_on_store: Platform, tmp_path: Path) -> None:
    query = "MATCH (p:Paper) RETURN p.id AS id ORDER BY id LIMIT 3"
    done = run_on_store("cypher", query, "--save", tmp_path / "rows.json")
    assert done.out == f"3 rows in {tmp_path / 'rows.json'}\n"
    assert (
        json.loads((tmp_path / "rows.json").read_text())
        == run_on_store("cypher", query, "--json").json
    )
    assert run_on_store("cypher", query, "--save", "rows.json", "--output", "csv").status == 2
    assert run_on_store("cypher", query, "--save", "rows.odt").status == 1
    assert run_on_store("cypher", "MATCH (p:Paper {id: $id})", "--save", "lost.csv").status == 1
    assert not Path("lost.csv").exists()
