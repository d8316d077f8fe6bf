"""Read-only queries are allowed and others refused, with any names, comments and escapes.

`find_refused` is the outer of two layers; the inner one, the engine, is tested alone too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.errors import CitescapeError, ConfigError, QueryTimeoutError
from citescape.papers import cypher
from citescape.papers.cypher import run_cypher
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import library
from citescape.store.read_only import WRITING, find_refused
from citescape.store.schema import TABLE

READS = [
    "MATCH (n:Paper) RETURN n.title AS set, n.create AS `delete`",
    "MATCH (set:Paper)-[create:CITES]->(merge) RETURN set, create.self, merge ORDER BY set DESC",
    "MATCH (n:SET|CREATE) WHERE n:DELETE RETURN count(*) AS load",
    "RETURN 'SET n.x = 1' AS text, \"it's; DELETE\" AS more // CREATE (:X)",
    "/* CREATE\n(:X) */ RETURN 1 AS x /* MERGE */",
    "RETURN `a``b SET` AS x, $set AS y, $`CREATE` AS z",
    "RETURN {set: 1, create: 2} AS m, {delete: 3}.delete AS n",
    "MATCH (p) RETURN p {set, .create} AS map",
    "WITH 1 AS start, 2 AS stop RETURN start + stop AS sum, start * stop, [start, stop][0]",
    "UNWIND [1, 2] AS set WITH set WHERE set > 1 AND NOT `set` = 3 RETURN set LIMIT 5",
    "MATCH (p) WHERE p.start IN [p.stop, 1] RETURN CASE WHEN p.set > 1 THEN 1 ELSE 2 END AS drop",
    "RETURN [set IN [1, 2] WHERE set > 1 | set + 1] AS copy",
    "MATCH p = (a)-[:CITES*1..3]->(b) RETURN length(p) AS import",
    "CALL { MATCH (n) RETURN n AS set } RETURN set",
    "MATCH (n) WHERE n.title STARTS WITH 'x' AND n.x IS NOT NULL RETURN *",
    "MATCH (a) WHERE EXISTS { MATCH (a)-[:CITES]->(set) } RETURN COUNT { (a)--() } AS n",
    "MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN count(b) AS n } RETURN a, n;",
    "MATCH (a)-[e:CITES* SHORTEST 1..3]->(b) RETURN e",
    "MATCH (a)-[e:CITES*1..3 (r, n | WHERE r.self | {r.self}, {n.id})]->(b) RETURN e",
    "MATCH p = ALL SHORTEST (a)-->+(b) RETURN p",
    "MATCH ((a)-->(b WHERE b.year > 2000)){1,3} RETURN a",
    "MATCH (n) USING INDEX n:Paper(id) WHERE n.id = 'x' RETURN n",
    "MATCH (n) WHERE n.year IS :: LIST<INTEGER NOT NULL> RETURN n ORDER BY n.id DESC NULLS LAST",
    "RETURN date.truncate('day', date()) AS d, (1) + x AS y, 1.5e3 AS z, [1..3] AS r",
    "RETURN CAST(1 AS STRING) AS s, list_filter([1, 2], x -> x > 1) AS l",
    "EXPLAIN MATCH (n) RETURN n",
    "CYPHER 25 MATCH (n) FILTER n.year > 2000 LET y = n.year RETURN y NEXT RETURN 1 AS x",
    "RETURN '\\u00e9' AS accent",
    "MATCH (n:!Paper&%) WHERE n.year % 2 = 0 AND n.x != 1 RETURN n.year % n.x AS r, 0xFF AS h",
    "MATCH (n) WHERE n.year IS NOT TYPED INTEGER AND n.x IS TYPED LIST<STRING> RETURN n",
    "MATCH (n) USING TEXT INDEX SEEK n:Paper(title) USING SCAN scan:X USING JOIN ON n, on RETURN n",
    "MATCH (n) USING INDEX seek:Paper(id) RETURN {`a b`: 1, `c`: n.`d`} AS m",
    "MATCH (score) WITH score, score.search AS search RETURN search, score",
]
READS_OF_AN_ENGINE = {
    "ladybug": ["CALL show_tables() RETURN name", "CALL TABLE_INFO('Paper') RETURN *"],
    "neo4j": [
        "CALL db.labels() YIELD label AS set RETURN set",
        "CALL db.index.vector.queryNodes('x', 3, $v) YIELD node, score RETURN node.id, score",
        "CALL `db`.`labels`() YIELD label RETURN label",
        "SHOW INDEXES YIELD name RETURN name",
        "CYPHER 25 MATCH (e) SEARCH e IN (VECTOR INDEX x FOR $v LIMIT 2) SCORE AS set RETURN set",
        "MATCH (e:E) SEARCH `e` IN (VECTOR INDEX `a b` FOR [1, 2] WHERE e.x > 1 LIMIT $n + 1) "
        "WHERE e.y = 1 RETURN e.id",
    ],
}
WRITES = {
    "CREATE (:X)": "CREATE",
    "create(:X)": "CREATE",
    "  // a comment\r\n MERGE (:X {id: 1})": "MERGE",
    "// a comment\rMERGE (:X {id: 1})": "MERGE",
    "/* a */MATCH (n)/**/SET/**/n.x = 1": "SET",
    "MATCH (n) WITH * SET n.x = 1": "SET",
    "MATCH (n {id: $id}) REMOVE n.x RETURN n": "REMOVE",
    "MATCH (n) WHERE n.x IS NOT NULL DETACH DELETE n": "DETACH",
    "MATCH (n) WHERE n.when = n.case DELETE n": "DELETE",
    "MATCH (n) WHERE n.title = 'x'DELETE n": "DELETE",
    "MATCH (n) WITH n LIMIT 5DELETE n": "DELETE",
    "MATCH (n) WITH n ORDER BY n.x DESC SET n.x = 1": "SET",
    "MATCH ((a)-[:R]->(b))+ SET a.x = 1": "SET",
    "MATCH (a)-[r:R*]->(b) SET a.x = 1": "SET",
    "MATCH (a)-->(b) SET a.x = 1": "SET",
    "MATCH (n:A&B) SET n:C": "SET",
    "WITH 1 AS `set` CREATE (:X {id: `set`})": "CREATE",
    "MATCH (n) CALL { WITH n CREATE (:X) } RETURN n": "CREATE",
    "MATCH (n) FOREACH (x IN [1] | SET n.x = x)": "FOREACH",
    "RETURN 1 AS x UNION ALL CREATE (:X)": "CREATE",
    "RETURN 1 AS x; MATCH (n) DETACH DELETE n": "a second statement after ;",
    "PROFILE CYPHER 5 INSERT (:X)": "INSERT",
    "COPY (MATCH (p:Paper) RETURN p.id) TO 'x.csv'": "COPY",
    "EXPLAIN COPY (RETURN 1) TO 'x.csv'": "COPY",
    "EXPORT DATABASE 'folder'": "EXPORT",
    "IMPORT DATABASE 'folder'": "IMPORT",
    "FORCE INSTALL json": "FORCE",
    "LOAD EXTENSION json": "LOAD",
    "ATTACH 'x.db' AS x (dbtype sqlite)": "ATTACH",
    "LOAD CSV FROM 'file:///x.csv' AS row RETURN row": "LOAD",
    "MATCH (p:Paper) LOAD FROM 'x.csv' RETURN *": "LOAD",
    "CALL apoc.export.csv.all('x.csv', {})": "CALL apoc.export.csv.all",
    "DROP TABLE Paper": "DROP",
    "COMMENT ON TABLE Paper IS 'x'": "COMMENT",
    "CALL CREATE_FTS_INDEX('Paper', 'x', ['title'])": "CALL CREATE_FTS_INDEX",
    "CALL apoc.refactor.rename.label('A', 'B')": "CALL apoc.refactor.rename.label",
    "CALL db.index.fulltext.createNodeIndex('x')": "CALL db.index.fulltext.createNodeIndex",
    # an alias that looks like a keyword
    "WITH 1 AS as LOAD FROM '/etc/passwd' RETURN *": "LOAD",
    "MATCH (p:Paper) WITH p, 1 AS as SET p.title = 'x'": "SET",
    "MATCH (p) WITH p, 2 AS as WHERE 2 > as SET p.title = 'x'": "SET",
    "MATCH (p) WITH p, 1 AS case WITH p, case SET p.title = 'x'": "SET",
    "MATCH (p) WITH p, 1 AS not WITH p, not REMOVE p.title": "REMOVE",
    "MATCH (p) WITH p, 1 AS where WITH p, where DELETE p": "DELETE",
    "MATCH (p) WITH p AS distinct WITH DISTINCT distinct DETACH DELETE distinct": "DETACH",
    "MATCH (p) WITH p AS `as` SET `as`.title = 'x'": "SET",
    "MATCH (p) WHERE p.x IS :: LIST<INTEGER> SET p.x = 1": "SET",
    # escapes, which Neo4j decodes first
    "MATCH (p) \\u0053ET p.title = 'x'": "the escape \\u0053",
    "MATCH (p) WHERE p.title <> '\\u0027 SET p.title = 1 //' RETURN p": "the escape \\u0027",
    "MATCH (p) WHERE p.title <> '\\uuuu0027 SET p.title = 1 //' RETURN p": "the escape \\uuuu0027",
    "RETURN 1 AS x /* \\u002a\\u002f CREATE (:X) //*/": "the escape \\u002a",
    "RETURN 1 AS x // \\u000a CREATE (:X)": "the escape \\u000a",
    "RETURN `\\u0060 AS x CREATE (:X) //` AS y": "the escape \\u0060",
    "MATCH (p) \u017fET p.x = 1": "\u017fET",
    # after a backslash, where Neo4j does not decode: it reads neither the text nor all decoded
    "WITH '\\u0027 AS x, 1 AS y /* \\\\u002a/ , \" */ LOAD CSV FROM keys({`http://x`:1})[0] AS l "
    "RETURN l //\" AS z RETURN 1 //' AS w RETURN w": "the escape \\u0027",
    # signs that may end an operand: factorial, not null, any label
    "MATCH (p) WHERE p.year = 3! CALL `read_csv_serial`('/etc/passwd') RETURN *": "CALL read_csv",
    "MATCH (p) WHERE p.year = 3! CREATE (:X)": "CREATE",
    "MATCH (p) WHERE p.year = 3! SET (p).title = 'x'": "SET",
    "MATCH (p) WHERE p.title IS :: STRING! CREATE (:X)": "CREATE",
    "MATCH (p) WHERE p:% CREATE (:X)": "CREATE",
    # where a name or number ends
    "MATCH (p) WHERE p.year = $1CALL `read_csv_serial`('x') RETURN *": "CALL read_csv_serial",
    "MATCH (p) WHERE p.year = 1CALL `read_csv_serial`('x') RETURN *": "CALL read_csv_serial",
    "MATCH (p) WHERE p.year = 1 `x`('x') RETURN *": "the name `x`",
    "MATCH (p) RETURN p.x AS a `SET` p.x = 1": "the name `SET`",
    # words of hints that are names
    "MATCH (a)-->(on)<--(b) USING JOIN ON on CREATE (:X)": "CREATE",
    "MATCH (n) USING SCAN scan CREATE (:X)": "CREATE",
    "MATCH (n) USING INDEX SEEK seek CREATE (:X)": "CREATE",
    "MATCH (n) USING TEXT CREATE (:X)": "USING CREATE",
    "MATCH (n IS TYPED) WHERE n IS TYPED CREATE (:X)": "CREATE",
    # their own transactions, which a time limit does not end
    "CALL { MATCH (n) RETURN n } IN TRANSACTIONS RETURN n": "IN TRANSACTIONS",
    "CALL (n) { RETURN 1 AS x } IN 1 + 2 CONCURRENT TRANSACTIONS OF 5 ROWS RETURN x": "CONCURRENT",
    # quotes, comments and blanks that engines might end elsewhere
    "RETURN 'it\\'s' AS x CREATE (:X)": "CREATE",
    "RETURN 1 AS x // \r CREATE (:X)": "CREATE",
    "RETURN 1 AS x /* /* */ CREATE (:X) /* */": "CREATE",
    "RETURN 1 AS x\u180eCREATE (:X)": "the character '\\u180e'",
    "RETURN 1.SET": "1. before a name",
    "MATCH (p) WITH p, 0xDE SET p.x = 1": "SET",
    # procedures, and functions of plugins
    "CALL dbms.killConnection('bolt-1')": "CALL dbms.killConnection",
    "CALL `dbms`.`killConnection`('bolt-1')": "CALL dbms.killConnection",
    "CALL `apoc.load.json`('file:///etc/passwd') YIELD value RETURN value": "CALL apoc.load.json",
    "CALL db.labels.x() YIELD label RETURN label": "CALL db.labels.x",
    "CALL read_csv_serial('/etc/passwd') RETURN *": "CALL read_csv_serial",
    "CALL READ_PARQUET('x') RETURN *": "CALL READ_PARQUET",
    "CALL threads = 1": "CALL threads",
    "CALL timeout=0": "CALL timeout",
    "RETURN apoc.load.text('x') AS x": "the function apoc.load.text",
    "RETURN apoc . `load`.text ('x') AS x": "the function apoc.load.text",
    "RETURN `apoc.load.text`('x') AS x": "the function apoc.load.text",
    "SHOW USERS": "SHOW",
    "SHOW TRANSACTIONS YIELD * TERMINATE TRANSACTIONS 'x'": "SHOW",
    "USE system MATCH (n) RETURN n": "USE",
    "TERMINATE TRANSACTIONS 'x'": "TERMINATE",
    "CHECKPOINT": "CHECKPOINT",
    "BEGIN TRANSACTION": "BEGIN",
}
SEARCHES_THAT_WRITE = {
    "FOR e.v SET e.x = 1": "SET",
    "FOR $v LIMIT 2) DETACH DELETE e": "DETACH",
    "FOR $v LIMIT 2) SCORE AS s CREATE (:X)": "CREATE",
    "FOR $v LIMIT 2) SCORE SET e.x = 1": "SCORE",
    "ON (e.v)": "SEARCH",
    "": "SEARCH",
}
"""Ends of ``MATCH (e) SEARCH e IN (VECTOR INDEX x``."""
WRITING_CLAUSES = [
    "SET p.title = 'changed'",
    "REMOVE p.title",
    "DETACH DELETE p",
    "CREATE (:Paper {id: 'new'})",
    "MERGE (:Paper {id: 'new'})",
]
"""Clauses that may follow ``MATCH (p:Paper) WITH p``, on one engine or both."""


@pytest.mark.parametrize("dialect", ["ladybug", "neo4j"])
@pytest.mark.parametrize("text", READS)
def test_names_texts_and_comments_are_not_clauses(text: str, dialect: str) -> None:
    assert find_refused(text, dialect) == ""


@pytest.mark.parametrize("dialect", ["ladybug", "neo4j"])
def test_only_reads_of_the_engine_are_allowed(dialect: str) -> None:
    for name, texts in READS_OF_AN_ENGINE.items():
        for text in texts:
            assert bool(find_refused(text, dialect)) == (name != dialect), text


@pytest.mark.parametrize("dialect", ["ladybug", "neo4j"])
@pytest.mark.parametrize(("text", "clause"), WRITES.items())
def test_queries_that_do_more_than_read_are_refused(text: str, clause: str, dialect: str) -> None:
    assert find_refused(text, dialect).startswith(clause)


@pytest.mark.parametrize(("end", "clause"), SEARCHES_THAT_WRITE.items())
def test_vector_searches_hide_no_writes(end: str, clause: str) -> None:
    text = f"MATCH (e) SEARCH e IN (VECTOR INDEX x {end}"
    assert find_refused(text, "neo4j") == clause
    assert find_refused(text.replace("e IN", "; IN"), "neo4j") == "SEARCH"


@pytest.mark.parametrize("word", sorted(WRITING))
def test_keywords_are_allowed_as_names(word: str) -> None:
    name = word.lower()
    for text in (
        f"MATCH ({name}:Paper) WHERE {name}.{name} = 1 RETURN {name}, {name}.x AS {name}",
        f"WITH 1 AS {name} RETURN {{{name}: {name}}} AS x, -{name} AS y ORDER BY {name}, {name}",
        f"MATCH ()-[{name}:{name}|x]->({name}) RETURN count({name}) AS {name} SKIP 1 LIMIT 2",
    ):
        assert find_refused(text, "neo4j") == ""
    assert find_refused(f"MATCH (n) {name} x", "neo4j") == word


def test_reads_and_writes_of_the_library_are_distinguished() -> None:
    for query in library().values():
        for dialect in ("ladybug", "neo4j"):
            refused = find_refused(query.text_for(dialect), dialect)
            assert bool(refused) == bool(query.writes), query.name


KEYWORDS = (
    "as case set not where distinct call create match return with in then when else end is load "
    "delete merge all exists count null true"
)
NAMES = st.sampled_from([*KEYWORDS.split(), "x", "`a b`", "`SET`", "`as`", "`x``y`"])
BLANKS = st.sampled_from(
    [" ", "\t", "\n", "\r\n", "/**/", "/* SET ' */", ' // MATCH " `\n', "\u00a0", "\u2003"]
)
VALUES = st.sampled_from(
    ["1", "2.5", "'it\\'s'", '"\\""', "'//'", "'/*'", "'`'", "[1, 2][0]", "(1)", "{a: 1}.a", "null"]
)


def escape(text: str, places: list[int]) -> str:
    """Replaces some characters by escapes that Neo4j decodes."""
    hostile = {place % len(text) for place in places}
    return "".join(
        f"\\u{ord(letter):04x}" if place in hostile else letter for place, letter in enumerate(text)
    )


@st.composite
def writing_statements(draw: st.DrawFn) -> str:
    """Statements that write, with hostile aliases, white space, comments and texts."""
    aliases = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    words = ["MATCH", "(p:Paper)"]
    for alias in aliases:
        words += ["WITH", "p,", draw(VALUES), "AS", alias]
        if draw(st.booleans()):
            words += ["WHERE", draw(VALUES), draw(st.sampled_from(["<>", ">", "IN"])), alias]
        if draw(st.booleans()):
            words += ["WITH", draw(st.sampled_from(["", "DISTINCT"])), "p,", alias]
    words.append(draw(st.sampled_from(WRITING_CLAUSES)))
    return "".join(word + draw(BLANKS) for word in words if word)


@settings(max_examples=400, deadline=None)
@given(writing_statements(), st.lists(st.integers(0, 10**6), max_size=3))
def test_hidden_write_clauses_are_refused(text: str, places: list[int]) -> None:
    assert find_refused(text, "ladybug")
    assert find_refused(escape(text, places), "neo4j")


def add_papers(store: GraphStore) -> None:
    rows = [{"id": f"doi:{k}", "title": "as it was"} for k in range(3)]
    schema = TABLE["Paper"].arrow
    full = [{column: row.get(column) for column in schema.names} for row in rows]
    store.apply([Change("insert", "Paper", pa.Table.from_pylist(full, schema))])


def read_papers(store: GraphStore) -> list[tuple[str, str]]:
    rows_ = store.read("MATCH (p:Paper) RETURN p.id AS id, p.title AS title ORDER BY id LIMIT 99")
    return [(row["id"], row["title"]) for row in rows_.to_pylist()]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=writing_statements(), places=st.lists(st.integers(0, 10**6), max_size=2))
def test_the_engine_alone_refuses_hidden_writes(
    changed: GraphStore, text: str, places: list[int]
) -> None:
    """Without the outer layer, and with the store open for writing."""
    before = read_papers(changed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cypher, "find_refused", lambda *_: "")
        with pytest.raises(CitescapeError):
            run_cypher(changed, escape(text, places), {})
    assert read_papers(changed) == before


@pytest.fixture
def changed(store: GraphStore) -> GraphStore:
    """A store that was written to, so that its handle can write."""
    add_papers(store)
    return store


@pytest.mark.parametrize("clause", WRITING_CLAUSES)
def test_the_engine_refuses_plain_writes(changed: GraphStore, clause: str) -> None:
    before, text = read_papers(changed), f"MATCH (p:Paper {{id: 'doi:0'}}) WITH p {clause}"
    with pytest.raises(CitescapeError):
        changed.read(text)
    if changed.dialect == "neo4j":
        assert changed.would_write(text)
        assert changed.would_write(f"PROFILE {text}")
        assert changed.would_write(f"CYPHER 5 {text}")
        for variable in ("p", "explain", "profile"):
            assert not changed.would_write(f"MATCH ({variable}:Paper) RETURN {variable}.title")
    assert read_papers(changed) == before
    if clause != "REMOVE p.title" or changed.dialect == "neo4j":  # ladybug has no REMOVE
        changed.run(text)
        assert read_papers(changed) != before


@pytest.mark.parametrize(
    "text",
    [
        "WITH 1 AS as LOAD FROM '{file}' (header=false) RETURN *",
        "LOAD FROM '{file}' RETURN *",
        "LOAD CSV FROM 'file://{file}' AS row RETURN row",
        "CALL read_csv_serial('{file}') RETURN *",
        "CALL READ_PARQUET('{file}') RETURN *",
        "COPY (MATCH (p:Paper) RETURN p.id) TO '{file}.out.csv'",
        "EXPLAIN COPY (MATCH (p:Paper) RETURN p.id) TO '{file}.out.csv'",
        "EXPORT DATABASE '{file}.folder'",
        "ATTACH '{file}' AS x (dbtype duckdb)",
        "INSTALL httpfs",
        "CALL apoc.load.json('{file}') YIELD value RETURN value",
    ],
)
def test_no_file_is_read_or_written(changed: GraphStore, tmp_path: Path, text: str) -> None:
    """The query is refused before it reaches an engine: some queries end the process there."""
    file = tmp_path / "secret.csv"
    file.write_text("secret,row\n")
    listed = sorted(tmp_path.rglob("*"))
    with pytest.raises(ConfigError, match=re.escape("--write")) as refused:
        run_cypher(changed, text.replace("{file}", str(file)), {})
    assert "row" not in str(refused.value)
    assert sorted(path for path in tmp_path.rglob("*") if "secret" in path.name) == [
        path for path in listed if "secret" in path.name
    ]


ENDLESS = " ".join(f"UNWIND range(1, 1000) AS {x}" for x in "abcd") + " RETURN sum(a + d) AS n"


def test_a_query_ends_at_its_time_limit(changed: GraphStore) -> None:
    with pytest.raises(QueryTimeoutError, match=r"stopped after 0\.2 s.*--timeout"):
        run_cypher(changed, ENDLESS, {}, timeout=0.2)
    assert run_cypher(changed, "RETURN 1 AS n", {}, timeout=0)["n"].to_pylist() == [1]
    if changed.dialect == "neo4j":  # transactions of its own
        endless = ENDLESS.replace("RETURN", "CALL (a) { RETURN a AS x } IN TRANSACTIONS RETURN")
        with pytest.raises(QueryTimeoutError):
            run_cypher(changed, endless, {}, timeout=0.2, write=True)
    changed.run("MATCH (p:Paper) SET p.title = 'x'")  # the store is still open for writing
    assert {title for _, title in read_papers(changed)} == {"x"}
