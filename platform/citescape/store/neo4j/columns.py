"""Arrow types of a statement's columns, derived from its text and the schema.

Neo4j sends values without types: a column that is empty or all null has none. So types come from
the text of the statement, and, where that is not enough, from the values.
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
_ARITHMETIC = re.compile(r"[\w.\s]+(?:[-+*/][\w.\s]+)+")
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
    """Known types of the columns that a statement returns, by name."""
    plain = _HIDDEN.sub("''", text)
    labels = {name: label for name, label in _VARIABLE.findall(plain) if label in TABLE}
    types: dict[str, pa.DataType] = {}
    for clause in _PROJECTION.split(plain)[1:]:
        for match in _END.finditer(clause):  # the next clause ends this one, outside subqueries
            before = clause[: match.start()]
            if before.count("{") == before.count("}"):
                clause = before
                break
        for item in _split(clause):
            aliased = _ALIAS.match(item)
            expression, name = aliased.groups() if aliased else (item, item)
            kind = _type_of(expression.strip(), labels, types)
            if kind is not None:
                types[name.strip("`")] = kind
    return types


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
    if match := _PROPERTY.fullmatch(text):
        table = TABLE.get(labels.get(match[1], ""))
        is_known = table is not None and match[2] in table.arrow.names
        return table.arrow.field(match[2]).type if table is not None and is_known else None
    if _TEST.search(text):
        return BOOL
    if _DECIMAL.match(text):
        return FLOAT
    if text[:4].upper() == "CASE":
        return _case_type(text, labels, known)
    if _ARITHMETIC.fullmatch(text):
        operands = {_type_of(part.strip(), labels, known) for part in re.split(r"[-+*/]", text)}
        if operands <= {INT, FLOAT}:
            return FLOAT if FLOAT in operands else INT
    terms = list(_split(text, "+"))
    if len(terms) > 1:
        return _common_type(terms, labels, known)
    call = _CALL.match(text)
    if call is None or not _closes_last(text):
        return known.get(text.strip("`"))

    function, arguments = call[1].lower(), re.sub(r"^DISTINCT\s+", "", call[2], flags=re.IGNORECASE)
    if function in _RESULTS:
        return _RESULTS[function]
    argument = _type_of(next(_split(arguments)), labels, known)
    if function in _SAME_AS_ARGUMENT or argument is None:
        return argument
    if function == "collect":
        return pa.list_(argument)
    if function in _ENTRY_OF_ARGUMENT and pa.types.is_list(argument):
        return argument.value_type
    return None


def _case_type(
    text: str, labels: dict[str, str], known: dict[str, pa.DataType]
) -> pa.DataType | None:
    """The common type of all branches other than null; a CASE within a CASE has none."""
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
    """The common type of the expressions, if they have one."""
    types = {_type_of(expression, labels, known) for expression in expressions}
    return types.pop() if len(types) == 1 else None


def _closes_last(text: str) -> bool:
    """Whether the first bracket is closed by the last character: `count(a)`, not `f(a) + g(b)`."""
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in ")]}" and depth == 0:
            return i == len(text) - 1
    return False
