"""What reads is let through and what changes is not, however names and comments look."""

from __future__ import annotations

import pytest

from citescape.graph.clauses import CHANGES, find_change
from citescape.graph.queries import library

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
    "UNWIND [1, 2] AS set WITH set WHERE set > 1 AND NOT set = 3 RETURN set LIMIT 5",
    "MATCH (p) WHERE p.start IN [p.stop, 1] RETURN CASE WHEN p.set > 1 THEN 1 ELSE 2 END AS drop",
    "RETURN [set IN [1, 2] WHERE set > 1 | set + 1] AS copy",
    "MATCH p = (a)-[:CITES*1..3]->(b) RETURN length(p) AS import",
    "CALL db.labels() YIELD label AS set RETURN set",
    "CALL show_tables() RETURN name",
    "CALL { MATCH (n) RETURN n AS set } RETURN set",
    "MATCH (n) WHERE n.title STARTS WITH 'x' AND n.x IS NOT NULL RETURN *",
    "MATCH (a) WHERE EXISTS { MATCH (a)-[:CITES]->(set) } RETURN COUNT { (a)--() } AS n",
]
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
    "RETURN 1 AS x; MATCH (n) DETACH DELETE n": "DETACH",
    "PROFILE CYPHER runtime=slotted INSERT (:X)": "INSERT",
    "COPY (MATCH (p:Paper) RETURN p.id) TO 'x.csv'": "COPY",
    "EXPLAIN COPY (RETURN 1) TO 'x.csv'": "COPY",
    "EXPORT DATABASE 'folder'": "EXPORT",
    "IMPORT DATABASE 'folder'": "IMPORT",
    "FORCE INSTALL json": "INSTALL",
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
}


@pytest.mark.parametrize("text", READS)
def test_names_text_and_comments_are_no_clauses(text: str) -> None:
    assert find_change(text) == ""


@pytest.mark.parametrize(("text", "clause"), WRITES.items())
def test_changing_clauses_are_found(text: str, clause: str) -> None:
    assert find_change(text) == clause


@pytest.mark.parametrize("word", sorted(CHANGES))
def test_every_word_is_a_name_where_names_stand(word: str) -> None:
    name = word.lower()
    for text in (
        f"MATCH ({name}:Paper) WHERE {name}.{name} = 1 RETURN {name}, {name}.x AS {name}",
        f"WITH 1 AS {name} RETURN {{{name}: {name}}} AS x, -{name} AS y ORDER BY {name}, {name}",
        f"MATCH ()-[{name}:{name}|x]->({name}) RETURN count({name}) AS {name} SKIP 1 LIMIT 2",
    ):
        assert find_change(text) == ""
    assert find_change(f"MATCH (n) {name} x") == word


def test_the_library_is_told_apart() -> None:
    for query in library().values():
        for text in (query.text, *query.dialects.values()):
            assert bool(find_change(text)) == bool(query.writes), query.name
