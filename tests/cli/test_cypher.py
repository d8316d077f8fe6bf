"""`platform cypher`: forms of its rows, the library on the screen and warnings."""

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
from tests.cli.conftest import Made, Platform
from tests.conftest import empty_neo4j
from tests.forks import COMMAND_LINE, shared_forks
from tests.neo4j.server import Neo4jServer

MANY = "UNWIND range(1, 1500) AS n RETURN n"


@pytest.fixture
def on_terminal(made: Made, tmp_path: Path) -> Callable[..., list[str]]:
    """The lines of a table on a terminal."""

    def run(statement: str, *, columns: int, **env: str) -> list[str]:
        words = (COMMAND_LINE, "cypher", statement, "--store", made.store)
        fork, child = shared_forks().start_on_terminal(
            *words, columns=columns, folder=tmp_path, **{"NO_COLOR": "", **env}
        )
        with fork:
            child.expect(pexpect.EOF)
        assert fork.returncode == 0
        return [line.rstrip("\r") for line in (child.before or "").split("\n")]

    return run


def test_a_table_ends_after_a_thousand_rows_and_says_so(ask: Platform) -> None:
    done = ask("cypher", MANY)
    lines = done.out.splitlines()
    assert (len(lines), lines[-2].strip(), lines[-1]) == (1003, "1000", "1,500 rows")
    assert done.err.startswith("the first 1,000 of 1,500 rows")
    assert "--output csv" in done.err
    full = ask("cypher", MANY, "--output", "csv")
    assert (full.out.split(), full.err) == (["n", *map(str, range(1, 1501))], "")
    assert ask("cypher", MANY, "--json").json == [{"n": n} for n in range(1, 1501)]


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


def test_rows_too_wide_for_a_table_stand_in_blocks(
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
    plain = on_terminal("RETURN 1 AS n", columns=80, NO_COLOR="1")
    assert not any("\x1b" in line for line in plain)


def test_json_has_no_numbers_that_json_does_not_know(ask: Platform) -> None:
    question = "RETURN cast('inf' AS DOUBLE) AS i, [cast('nan' AS DOUBLE), 1.5] AS l"

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON")

    out = ask("cypher", question, "--json").out
    assert json.loads(out, parse_constant=refuse) == [{"i": None, "l": [None, 1.5]}]


FORMULAS = ["=1+1", "+1", "-1", "@x", "\t=1", "\rx", " =2", '"=3"', "\u200b=4", "＝5"]
TEXTS = [*FORMULAS, "a=1", "1-2", "", "(-1)", "– x"]


def test_csv_has_no_formulas_unless_it_is_raw(ask: Platform) -> None:
    question = (
        "UNWIND $texts AS t RETURN t AS `=cmd`, -3.5 AS number, -2 AS count, [t] AS list, "
        "t = 'a=1' AS flag ORDER BY t"
    )
    told = ("cypher", question, "--param", f"texts={json.dumps(TEXTS)}")
    plain = ask(*told, "--output", "json").json
    for raw in (False, True):
        done = ask(*told, "--output", "csv", *(["--raw"] if raw else []))
        header, *rows = csv.reader(io.StringIO(done.out, newline=""))
        assert header == ["=cmd" if raw else "'=cmd", "number", "count", "list", "flag"]
        for row, known in zip(rows, plain, strict=True):
            text = known["=cmd"]
            assert row[0] == (f"'{text}" if text in FORMULAS and not raw else text)
            assert row[1:3] == ["-3.5", "-2"]
            assert json.loads(row[3]) == [text]
            assert json.loads(row[4]) is (text == "a=1")


def test_raw_is_of_csv_only(ask: Platform) -> None:
    for form in ((), ("--output", "json"), ("--json",)):
        done = ask("cypher", "RETURN 1", "--raw", *form)
        assert (done.status, done.out) == (2, "")
        assert "--raw needs --output csv" in done.err


def test_long_lists_of_a_table_are_cut_and_counted(ask: Platform) -> None:
    out = ask("cypher", "RETURN range(1, 5000) AS n").out
    assert " ".join(out.split()).endswith(" 49, 50 and 4,950 more 1 row")
    assert ask("cypher", "RETURN range(1, 5000) AS n", "--json").json == [{"n": [*range(1, 5001)]}]


def test_true_is_written_as_cypher_writes_it(ask: Platform) -> None:
    assert ask("cypher", "RETURN true AS yes").out.split()[-3:] == ["true", "1", "row"]
    (row,) = csv.DictReader(io.StringIO(ask("cypher", "RETURN true AS yes", "--output=csv").out))
    assert row == {"yes": "true"}


def test_two_forms_at_once_are_refused(ask: Platform) -> None:
    done = ask("cypher", "RETURN 1", "--output", "csv", "--json")
    assert (done.status, "give one of them" in done.err) == (2, True)
    assert ask("cypher", "RETURN 1 AS n", "--output", "json", "--json").json == [{"n": 1}]


def test_a_dash_is_standard_input(ask: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("RETURN 7 AS n;\n"))
    assert ask("cypher", "--file", "-", "--json").json == [{"n": 7}]


def test_a_query_shown_is_a_file_that_runs(ask: Platform, tmp_path: Path) -> None:
    shown = ask("cypher", "--show", "explore/most_cited")
    assert "// param limit = 20: maximum number of works\n" in shown.out
    Path("mine.cypher").write_text(shown.out)
    told = ("--param", "limit=3", "--json")
    by_name = ask("cypher", "--name", "explore/most_cited", *told).json
    assert ask("cypher", "--file", "mine.cypher", *told).json == by_name
    assert len(ask("cypher", "--file", "mine.cypher", "--json").json) == 20
    found = ask("cypher", "--show", "explore/contexts", "--json").json
    assert found["parameters"]["paper"] == "the cited work"
    assert found["text"] == query("explore/contexts").text
    assert "no library query" in ask("cypher", "--show", "explore/context").err


def test_papers_are_named_as_people_name_them(ask: Platform) -> None:
    (work,) = ask("cypher", "--name", "explore/most_cited", "--param", "limit=1", "--json").json
    doi = work["id"].removeprefix("doi:")
    assert doi != work["id"]
    told = ("cypher", "--name", "explore/contexts", "--json", "--param")
    found = ask(*told, f"paper=https://doi.org/{doi.upper()}").json
    assert found == ask(*told, f"paper={work['id']}").json != []
    assert "no paper '10.9999/none'" in ask(*told, "paper=10.9999/none").err


def test_neo4j_warns_of_names_it_does_not_know(
    platform: Platform, neo4j_server: Neo4jServer
) -> None:
    empty_neo4j(neo4j_server.uri)
    open_store(neo4j_server.uri).close()
    done = platform("cypher", "MATCH (p:Papr) RETURN p.id", "--store", neo4j_server.uri)
    assert "warning: The label `Papr` does not exist\n" in done.err
    quiet = platform("cypher", "--name", "explore/most_cited", "--store", neo4j_server.uri)
    assert (quiet.status, quiet.err) == (0, "")


def test_a_query_has_a_time_limit(ask: Platform) -> None:
    """The engine looks for an interrupt only between the values of the first list."""
    lists = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000) AS b UNWIND range(1, 100) AS c"
    stopped = ask("cypher", f"{lists} RETURN sum(a + c) AS n", "--timeout", "0.2")
    assert (stopped.status, stopped.out) == (1, "")
    assert "after 0.2 s" in stopped.err
    assert "--timeout SECONDS" in stopped.err
    assert ask("cypher", "RETURN 1 AS n", "--timeout", "0", "--json").json == [{"n": 1}]
    assert ask("cypher", "RETURN 1 AS n", "--timeout", "-1").status == 2


def test_rows_are_saved_in_the_format_of_the_file(ask: Platform, tmp_path: Path) -> None:
    query = "MATCH (p:Paper) RETURN p.id AS id ORDER BY id LIMIT 3"
    done = ask("cypher", query, "--save", tmp_path / "rows.json")
    assert done.out == f"3 rows in {tmp_path / 'rows.json'}\n"
    assert json.loads((tmp_path / "rows.json").read_text()) == ask("cypher", query, "--json").json
    assert ask("cypher", query, "--save", "rows.json", "--output", "csv").status == 2
    assert ask("cypher", query, "--save", "rows.odt").status == 1
    assert ask("cypher", "MATCH (p:Paper {id: $id})", "--save", "lost.csv").status == 1
    assert not Path("lost.csv").exists()
