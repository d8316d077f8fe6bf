"""`platform cypher --show NAME --browser`: its output runs on a real Neo4j unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from neo4j import Driver, GraphDatabase

from citescape.cli.cypher_browser import cypher_literal
from citescape.cli.main import platform
from citescape.store.graph_store import open_store
from citescape.store.queries import library
from tests.conftest import empty_neo4j
from tests.cypher.test_explore import SCORED, insert
from tests.docs.pages import generated_pages
from tests.neo4j.server import Neo4jServer, Neo4jUnavailableError, run_cypher_shell
from tests.required import skip_outside_ci

COOKBOOK = [name for name in library() if name.startswith(("explore/", "facets/"))]
PLACEHOLDER = "doi:10.1000/your-paper"
PARAM = re.compile(r":param (\w+) => (.+);")
# One line for each way to end a string, an expression, a comment or a line.
AWKWARD = [
    *("it's", 'a"b', "a`b", "\\", "\\'", "\\u0041", "\\\\u0041", "C:\\users", "'); RETURN 1 //"),
    *("line\nbreak\r\t\b\f", "\x00\x1b", "\u2028\x85", "😀", "\U000e0001", "中", "; // /* */ $x"),
    *(True, False, None, 0, -3, 2**40, 0.5, 1e-7, 1e300, "", [], {}),
    *([1, "a'b", None, [2.5]], {"k": 1, "odd key": {"a`b": [True]}}),
]


@pytest.fixture(scope="module")
def driver(neo4j_server: Neo4jServer) -> Iterator[Driver]:
    """A server with the placeholder paper, which cites, is cited and has a text."""
    empty_neo4j(neo4j_server.uri)
    store = open_store(neo4j_server.uri)
    papers = [PLACEHOLDER, "citing", "cited"]
    insert(store, "Paper", [{"id": paper, "fulltext": True} for paper in papers])
    insert(store, "Section", [{"id": f"{x}#s0", "type": "R", "title": x} for x in papers])
    insert(store, "HAS_SECTION", [{"from": x, "to": f"{x}#s0"} for x in papers])
    occurrences = [{"id": f"{x}#o0", "ordinal": 0, "context": x, "intents": []} for x in papers]
    insert(store, "Occurrence", occurrences)
    insert(store, "CONTAINS", [{"from": f"{x}#s0", "to": f"{x}#o0"} for x in papers])
    cited = {PLACEHOLDER: "cited", "citing": PLACEHOLDER}
    insert(store, "REFERS_TO", [{"from": f"{a}#o0", "to": b} for a, b in cited.items()])
    scored = {**SCORED, "importance": 0.5}
    insert(store, "CITES", [{"from": a, "to": b, **scored} for a, b in cited.items()])
    store.close()
    with GraphDatabase.driver(neo4j_server.uri) as driver:
        yield driver


def show(name: str, *options: str) -> str:
    result = CliRunner().invoke(platform, ["cypher", "--show", name, "--browser", *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def split(text: str) -> tuple[dict[str, str], str]:
    """Expressions of the `:param` lines, and the statement."""
    lines = [line for line in text.splitlines() if not line.startswith("//")]
    matches = [PARAM.fullmatch(line) for line in lines]
    expressions = {match[1]: match[2] for match in matches if match}
    return expressions, "\n".join(lines[len(expressions) :])


def evaluate(driver: Driver, expressions: dict[str, str]) -> dict[str, Any]:
    """Parameter values as in Neo4j Browser and cypher-shell: the server computes expressions."""
    if not expressions:
        return {}
    items = ", ".join(f"{expression} AS {name}" for name, expression in expressions.items())
    (record,) = driver.execute_query(f"RETURN {items}").records  # type: ignore[arg-type]
    return record.data()


@pytest.mark.parametrize("name", COOKBOOK)
def test_query_runs_with_the_parameters_printed(driver: Driver, name: str) -> None:
    expressions, statement = split(show(name))
    assert statement.count(";") == 1
    assert statement.endswith(";")
    query = library()[name]
    assert list(expressions) == [parameter.name for parameter in query.declared]
    values = evaluate(driver, expressions)
    assert values.items() >= query.defaults.items()
    for parameter in query.declared:
        paper = {"paper": PLACEHOLDER, "papers": [PLACEHOLDER]}.get(parameter.kind)
        assert paper is None or values[parameter.name] == paper
    driver.execute_query(statement.removesuffix(";"), values)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["explore/contexts", "explore/edges", "explore/references"])
def test_query_finds_the_given_paper(driver: Driver, name: str) -> None:
    expressions, statement = split(show(name))
    records, _, _ = driver.execute_query(  # type: ignore[misc]
        statement.removesuffix(";"),  # type: ignore[arg-type]
        evaluate(driver, expressions),
    )
    assert records


def test_cookbook_page_has_the_same_text_and_the_command_that_prints_it() -> None:
    page = generated_pages()["reference/cookbook.md"]
    assert "platform cypher --show NAME --browser" in page
    for name in COOKBOOK:
        section = page.split(f"## {name}\n")[1]
        lines = show(name).splitlines()
        first = len(library()[name].doc.splitlines())  # the section has the header as a table
        assert "\n".join(["```cypher", *lines[first:], "```"]) in section


def test_values_to_replace_have_a_comment_before_them() -> None:
    for name in COOKBOOK:
        lines = show(name).splitlines()
        for parameter in library()[name].declared:
            (place,) = (i for i, x in enumerate(lines) if x.startswith(f":param {parameter.name} "))
            marked = lines[place - 1].startswith(f"// Replace the value of {parameter.name}: ")
            assert marked == (not parameter.default)


def test_cypher_shell_runs_the_printed_cookbook(driver: Driver, neo4j_server: Neo4jServer) -> None:
    texts = [f"{show(name)}RETURN 'end of {name}' AS message;\n" for name in COOKBOOK]
    try:
        printed = run_cypher_shell(neo4j_server.uri, "".join(texts))
    except Neo4jUnavailableError as error:
        skip_outside_ci(str(error))
    assert re.findall(r'^"end of (.+)"$', printed, re.MULTILINE) == COOKBOOK
    assert f'"{PLACEHOLDER}", NULL, ' in printed  # rows of `explore/most_cited`


@pytest.mark.parametrize("value", AWKWARD, ids=repr)
def test_literals_have_their_value(driver: Driver, value: object) -> None:
    literal = cypher_literal(value)
    assert len(literal.splitlines()) == 1
    assert evaluate(driver, {"v": literal}) == {"v": value}


def test_browser_needs_one_query() -> None:
    for options in (["--browser"], ["--browser", "--show", COOKBOOK[0], "--json"]):
        result = CliRunner().invoke(platform, ["cypher", *options])
        assert result.exit_code == 2
        assert "--browser needs --show NAME" in result.stderr
