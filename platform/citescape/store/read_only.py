"""Checks that a statement only reads, by an allow-list of tokens.

A statement passes if every word at the position of a clause or an operator is a known reading
keyword, every procedure is a known reading procedure, and both engines tokenise the statement in
the same way. Names may look like clauses (`RETURN n AS set`, `p.create`, `(merge:Paper)`), so the
position of a word matters: after a complete operand only a clause or an operator can follow; where
an operand is expected, a word is a name. In a few positions both are possible, for example after
`>`, which ends a type or compares; there a word that could begin a writing clause is refused.

This is the outer of two layers. The engine is the inner one: it runs queries in a session that
cannot write. Neither is enough alone: ladybug reads and writes files in a read-only session, and
Neo4j has clauses that no list here names.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from citescape.store.tokens import (
    Token,
    decode_escapes,
    find_ascii_escape,
    split_prefix,
    split_tokens,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WRITING = _words("CREATE INSERT MERGE SET DELETE DETACH NODETACH REMOVE FOREACH LOAD")
"""Clauses that may follow another clause and do more than read the graph."""

BEFORE_OPERAND = _words(
    "MATCH RETURN WITH WHERE UNWIND BY SKIP OFFSET LIMIT YIELD FILTER LET AND OR XOR NOT IN IS "
    "CONTAINS WHEN THEN ELSE"
)
"""Reading clauses and operators that an operand or a pattern follows."""
OTHERS = _words(
    "OPTIONAL ORDER UNION ALL DISTINCT NEXT FINISH STARTS ENDS END ASC ASCENDING DESC DESCENDING "
    "NULLS FIRST LAST NORMALIZED ANY SHORTEST PATH PATHS GROUP GROUPS TRAIL ACYCLIC WALK"
)
"""Other words of reading clauses, which a clause or an operator follows."""
_OR_NAME = _words("NOT DISTINCT CASE WHEN THEN ELSE WHERE TYPED")
"""Words that begin an operand, or are names: Neo4j reserves none."""
_INDEX_KINDS = _words("TEXT RANGE POINT")
_VECTOR_SEARCH = ("", "IN", "(", "VECTOR", "INDEX", "", "FOR")
"""What follows SEARCH in Neo4j's Cypher 25; empty for a name."""
_SHOWN = _words("INDEX INDEXES CONSTRAINT CONSTRAINTS FUNCTION FUNCTIONS PROCEDURE PROCEDURES")

PROCEDURES = {
    "ladybug": _words(
        "catalog_version current_setting db_version show_attached_databases show_connection "
        "show_functions show_indexes show_loaded_extensions show_macros show_sequences show_tables "
        "show_warnings stats_info storage_info storage_version table_info"
    ),
    "neo4j": _words(
        "db.info db.labels db.ping db.propertykeys db.relationshiptypes "
        "db.schema.nodetypeproperties db.schema.reltypeproperties db.schema.visualization "
        "db.index.fulltext.listavailableanalyzers db.index.fulltext.querynodes "
        "db.index.fulltext.queryrelationships db.index.vector.querynodes "
        "db.index.vector.queryrelationships dbms.components"
    ),
}
"""Procedures that read the graph or its schema and nothing else, by engine, in lower case.

Those of ladybug that read files (`read_csv_serial`, ...) end the process if they are called.
"""
_NAMESPACES = _words("date datetime duration localdatetime localtime point time vector")
"""Namespaces of functions with a dot in their name; those of plugins, such as APOC, may read
files."""

_OPERATORS = frozenset("([,|&=<-/^~")
_ENDS = frozenset(")]}")
_OPERATORS_OR_ENDS = frozenset(">!%")
"""An arrow, a comparison or the end of a type; not, a factorial or the end of a type; modulo, or
any label."""


class _Place(Enum):
    """Kind of the next word."""

    CLAUSE = "a clause or an operator"
    OPERAND = "a name"
    EITHER = "either of them"


class Refusal(NamedTuple):
    """A part of a statement that does more than read."""

    part: str
    """Such as ``SET``, or ``a second statement after ;``."""
    place: str
    """Line and column of its last word; empty if escapes hide it."""


def find_refused(text: str, dialect: str) -> str:
    """The part of a statement that does more than read, such as ``SET``; empty if none does.

    Args:
        text: one statement.
        dialect: `ladybug` or `neo4j`.
    """
    refusal = find_refusal(text, dialect)
    return refusal.part if refusal else ""


def find_refusal(text: str, dialect: str) -> Refusal | None:
    """The first part of a statement that does more than read, and its place; None if all reads.

    Args:
        text: one statement. Neo4j replaces escapes by their characters before parsing, except after
            a backslash, so the statement must pass both as written and decoded, and no escape may
            stand for an ASCII character, which could begin or end a text or a comment.
        dialect: `ladybug` or `neo4j`.
    """
    if escape := find_ascii_escape(text):
        return Refusal(f"the escape {escape}", _name_place(text, text.index(escape)))
    for form in dict.fromkeys((text, decode_escapes(text))):
        statement = _Statement(split_tokens(form), dialect)
        if refused := statement.find_refused():
            return Refusal(refused, _name_place(text, statement.start) if form == text else "")
    return None


def _name_place(text: str, start: int) -> str:
    before = text[:start].split("\n")
    return f"line {len(before)}, column {len(before[-1]) + 1}"


class _Statement:
    """A walk over the tokens of a statement."""

    def __init__(self, tokens: Sequence[Token], dialect: str) -> None:
        while tokens and tokens[-1].text == ";":
            tokens = tokens[:-1]
        self._tokens, self._dialect = tokens, dialect
        self._at, self._place = 0, _Place.CLAUSE

    def find_refused(self) -> str:
        """Walks to the end, or to the first refused token; returns a description of it."""
        # EXPLAIN, PROFILE and the version of Cypher, then SHOW commands for the schema.
        self._at = split_prefix(self._tokens)
        if self._peek() == "SHOW" and self._dialect == "neo4j":
            if self._peek(1) not in _SHOWN:
                return f"SHOW {self._peek(1)}"
            self._at += 2
        refused = ""
        while not refused and self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.kind == "word":
                refused = self._pass_word(token.text.upper() if token.text.isascii() else "")
            elif token.kind == "sign":
                refused = self._pass_sign(token.text)
            elif token.kind == "quoted":  # a name or a key, but no clause or operator
                if self._place is _Place.CLAUSE and self._before().text != "{":
                    return f"the name {token.text} where no name is expected"
                self._place = _Place.CLAUSE
                refused = self._refused_function()
            else:
                self._place = _Place.CLAUSE
        return refused

    @property
    def start(self) -> int:
        """Position of the token that was read last, in characters."""
        return self._before(0).start

    def _peek(self, ahead: int = 0) -> str:
        """A later token, words in upper case; empty after the last."""
        place = self._at + ahead
        return self._tokens[place].text.upper() if place < len(self._tokens) else ""

    def _before(self, back: int = 1) -> Token:
        """The token before the one that was read last; `;` before the first."""
        place = self._at - 1 - back
        return self._tokens[place] if place >= 0 else Token("sign", ";", 0)

    def _pass_word(self, word: str) -> str:
        """Checks a word in upper case; empty for one with letters that no keyword has."""
        before, place = self._before().text, self._place
        if before in (".", ":"):
            self._place = _Place.CLAUSE
            if before == "." and self._before(2).kind == "number":
                return f"{self._before(2).text}. before a name"  # engines end the number elsewhere
            return self._refused_function()
        if word == "TRANSACTIONS":  # CALL { ... } IN TRANSACTIONS, which a time limit cannot stop
            return "IN TRANSACTIONS"
        if before == "{" and self._peek() in (":", ",", "}", "."):
            self._place = _Place.CLAUSE  # the first key of a map, or of a projection
        elif place is _Place.OPERAND:
            self._place = _Place.EITHER if word in _OR_NAME else _Place.CLAUSE
        elif place is _Place.CLAUSE:
            return self._pass_keyword(word)
        elif word in WRITING:  # a keyword or a name: the next word must fit both
            return word
        elif word == "CALL":
            return self._pass_call()
        else:
            both = word == "AS" or word in BEFORE_OPERAND or word in _OR_NAME
            self._place = _Place.EITHER if both else _Place.CLAUSE
        return ""

    def _pass_keyword(self, word: str) -> str:
        if word == "CALL":
            return self._pass_call()
        self._place = _Place.OPERAND if word in BEFORE_OPERAND else _Place.CLAUSE
        if word == "AS":
            self._at += 1  # any alias
            alias = self._tokens[self._at - 1 : self._at]
            return "" if alias and alias[0].kind in ("word", "quoted") else "AS without a name"
        if word == "USING":  # up to the variable: TEXT INDEX SEEK n:Paper(title), JOIN ON n
            self._at += self._peek() in _INDEX_KINDS
            hint = self._peek()
            self._at += 1
            if hint in ("INDEX", "JOIN"):
                self._at += self._peek() == ("SEEK" if hint == "INDEX" else "ON")
            self._place = _Place.OPERAND
            return "" if hint in ("INDEX", "SCAN", "JOIN") else f"USING {hint}"
        if self._dialect == "neo4j" and word == "SEARCH":
            return self._pass_search()
        if self._dialect == "neo4j" and word == "SCORE" and self._peek() == "AS":
            return ""  # the similarity that SEARCH yields
        if word in BEFORE_OPERAND or word in OTHERS:
            return ""
        return word or self._before(0).text

    def _pass_search(self) -> str:
        """The part of a vector search before its vector: SEARCH n IN (VECTOR INDEX name FOR."""
        part = self._tokens[self._at : self._at + len(_VECTOR_SEARCH)]
        self._at += len(part)
        self._place = _Place.OPERAND
        matches = [
            token.text.upper() == word if word else token.kind in ("word", "quoted")
            for token, word in zip(part, _VECTOR_SEARCH, strict=False)
        ]
        return "" if len(part) == len(_VECTOR_SEARCH) and all(matches) else "SEARCH"

    def _pass_call(self) -> str:
        """A subquery, whose clauses are checked like all others, or a known procedure."""
        self._place = _Place.CLAUSE
        if self._peek() in ("{", "("):
            return ""
        names: list[str] = []
        while self._at < len(self._tokens) and self._tokens[self._at].kind in ("word", "quoted"):
            names.append(self._tokens[self._at].name)
            self._at += 1
            if self._peek() != ".":
                break
            self._at += 1
        name = ".".join(names)
        is_known = name.lower() in PROCEDURES[self._dialect] and self._peek() != "="
        return "" if is_known else f"CALL {name or self._peek()}"

    def _refused_function(self) -> str:
        """The name that ends here, if it is an unknown function with a dot."""
        if self._peek() != "(":
            return ""
        parts, back = [self._before(0).name], 1
        while self._before(back).text == ".":
            parts.append(self._before(back + 1).name)
            back += 2
        name = ".".join(reversed(parts))
        known = "." not in name or name.partition(".")[0].lower() in _NAMESPACES
        return "" if known else f"the function {name}"

    def _pass_sign(self, sign: str) -> str:
        before, place = self._before().text, self._place
        if sign in _OPERATORS or sign in ".:":
            self._place = _Place.OPERAND
        elif sign in _ENDS or sign == "{":
            self._place = _Place.CLAUSE
        elif sign in _OPERATORS_OR_ENDS:
            self._place = _Place.EITHER
        elif sign in "*+":
            if place is _Place.EITHER or before == ")":  # or a quantifier, which ends a pattern
                self._place = _Place.EITHER
            else:  # `RETURN *` is whole, `a *` is not
                whole = sign == "*" and place is _Place.OPERAND
                self._place = _Place.CLAUSE if whole else _Place.OPERAND
        elif sign == ";":
            return "a second statement after ;"
        else:
            return f"the character {sign!r}"
        return ""
