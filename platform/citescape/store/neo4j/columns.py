"""Which Arrow type each column of a statement has, told from its text and the schema.

Neo4j sends values without types: a column that is empty or all null has none. ladybug knows its
types, so the text is read for them here; what it does not tell is learned from the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import pyarrow as pa

from citescape.store.schema import BOOL, FLOAT, INT, STRING, STRINGS, TABLE

_HIDDEN = re.compile(r"//[^\n]*|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_VARIABLE = re.compile(r"[(\[](\w+):(\w+)")
_PROJECTION = re.compile(
    r"(?<!STARTS )(?<!ENDS )\b(?:WITH|RETURN)\b(?:\s+DISTINCT\b)?", re.IGNORECASE
)
_END = re.compile(
    r"\b(?:WHERE|ORDER\s+BY|SKIP|LIMIT|UNION|MATCH|OPTIONAL|UNWIND|CALL|MERGE|CREATE|SET|DELETE)\b|;",
    re.IGNORECASE,
)
_ALIAS = re.compile(r"^(.*)\bAS\s+(\S+)$", re.IGNORECASE | re.DOTALL)
_PROPERTY = re.compile(r"`?(\w+)`?\.`?(\w+)`?")
_CALL = re.compile(r"^(\w+)\s*[({](.*)[)}]$", re.DOTALL)
_DECIMAL = re.compile(r"^\d+\.\d+\s*[-+*/]")
_KEYWORD = re.compile(r"\b(CASE|WHEN|THEN|ELSE|END)\b", re.IGNORECASE)
_TEST = re.compile(
    r"\b(?:IS\s+(?:NOT\s+)?NULL|(?:STARTS\s+WITH|ENDS\s+WITH|CONTAINS)\s+[\w$.`']+)$", re.IGNORECASE
)
_LITERALS = {r"-?\d+": INT, r"-?\d+\.\d+": FLOAT, "''": STRING, "(?i:true|false)": BOOL}

_RESULTS = {
    "count": INT,
    "size": INT,
    "length": INT,
    "tointeger": INT,
    "avg": FLOAT,
    "tofloat": FLOAT,
    "sqrt": FLOAT,
    "exists": BOOL,
    "tostring": STRING,
    "tolower": STRING,
    "toupper": STRING,
    "elementid": STRING,
    "type": STRING,
    "labels": STRINGS,
    "keys": STRINGS,
}
_SAME_AS_ARGUMENT = ("sum", "min", "max", "coalesce")
_ENTRY_OF_ARGUMENT = ("head", "last")


@lru_cache(maxsize=256)
def column_types(text: str) -> dict[str, pa.DataType]:
    """Types of the columns that a statement returns, by name; those it does not tell are absent."""
    plain = _HIDDEN.sub("''", text)
    labels = {name: label for name, label in _VARIABLE.findall(plain) if label in TABLE}
    types: dict[str, pa.DataType] = {}
    for clause in _PROJECTION.split(plain)[1:]:
        for item in _split(_own_part(clause)):
            aliased = _ALIAS.match(item)
            expression, name = aliased.groups() if aliased else (item, item)
            found = _type_of(expression.strip(), labels, types)
            if found is not None:
                types[name.strip("`")] = found
    return types


def _own_part(clause: str) -> str:
    """A clause up to where the next one begins, subqueries in braces included."""
    for found in _END.finditer(clause):
        before = clause[: found.start()]
        if before.count("{") == before.count("}"):
            return before
    return clause


def _split(clause: str, at: str = ",") -> Iterator[str]:
    """The items of a WITH or RETURN, or the terms of a sum: cut outside brackets."""
    depth, start = 0, 0
    for i, sign in enumerate(clause):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == at and depth == 0:
            yield clause[start:i].strip()
            start = i + 1
    yield clause[start:].strip()


def _type_of(
    text: str, labels: dict[str, str], known: dict[str, pa.DataType]
) -> pa.DataType | None:
    """The type of an expression over variables with labels and columns known so far."""
    for pattern, kind in _LITERALS.items():
        if re.fullmatch(pattern, text):
            return kind
    if _PROPERTY.fullmatch(text):
        return _property_type(text, labels)
    if _TEST.search(text):
        return BOOL
    if _DECIMAL.match(text):
        return FLOAT
    if text[:4].upper() == "CASE":
        return _case_type(text, labels, known)
    terms = list(_split(text, "+"))
    if len(terms) > 1:
        return _common_type(terms, labels, known)
    call = _CALL.match(text)
    if call is None or not _closes_last(text):
        return known.get(text.strip("`"))
    function, argument = call[1].lower(), re.sub(r"^DISTINCT\s+", "", call[2], flags=re.IGNORECASE)
    if function in _RESULTS:
        return _RESULTS[function]
    return _result_type(function, _type_of(next(_split(argument)), labels, known))


def _result_type(function: str, argument: pa.DataType | None) -> pa.DataType | None:
    """The type of a call that depends on the type of its first argument."""
    if function in _SAME_AS_ARGUMENT:
        return argument
    if argument is None:
        return None
    if function == "collect":
        return pa.list_(argument)
    if function in _ENTRY_OF_ARGUMENT and pa.types.is_list(argument):
        return argument.value_type
    return None


def _case_type(
    text: str, labels: dict[str, str], known: dict[str, pa.DataType]
) -> pa.DataType | None:
    """The type that all branches have, null left aside; a CASE within a CASE is not looked into."""
    words = _KEYWORD.split(text)[1:]
    if len(words) < 2 or words[-2].upper() != "END" or words[-1].strip():
        return None
    pairs = zip(words[::2], words[1::2], strict=True)
    values = [value.strip() for word, value in pairs if word.upper() in ("THEN", "ELSE")]
    given = [value for value in values if value.lower() != "null"]
    return _common_type(given, labels, known)


def _common_type(
    expressions: Sequence[str], labels: dict[str, str], known: dict[str, pa.DataType]
) -> pa.DataType | None:
    """The type that all of them have, if it is one and told."""
    types = {_type_of(expression, labels, known) for expression in expressions}
    return types.pop() if len(types) == 1 else None


def _property_type(text: str, labels: dict[str, str]) -> pa.DataType | None:
    found = _PROPERTY.fullmatch(text)
    table = TABLE.get(labels.get(found[1], "")) if found else None
    if found is None or table is None or found[2] not in table.arrow.names:
        return None
    return table.arrow.field(found[2]).type


def _closes_last(text: str) -> bool:
    """Whether the first bracket is closed by the last character: `count(a)`, not `f(a) + g(b)`."""
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in ")]}" and depth == 0:
            return i == len(text) - 1
    return False
