"""Conditions on the columns of papers, as text: `year >= 2015 and venue in ('Nature', 'Cell')`.

    condition:  all {"or" all}
    all:        part {"and" part}
    part:       "not" part | "(" condition ")" | comparison
    comparison: column ("=" | "!=" | "<" | "<=" | ">" | ">=") value
              | column ["not"] "in" "(" value {"," value} ")"
              | column ["not"] "like" text
              | column "is" ["not"] "null"

As in SQL, a comparison with a null is neither true nor false, texts are in single quotation marks,
and `%` and `_` of `like` stand for any characters and for one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.near import find_near
from citescape.store.schema import BOOL, FLOAT, INT, STRING, TABLE

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[+-]?\d+(?:\.\d+)?(?![\w.]))|(?P<text>'(?:[^']|'')*')|(?P<word>[^\W\d]\w*)"
    r"|(?P<sign><>|!=|<=|>=|==|[=<>(),])|(?P<other>\S))"
)
_COMPARISONS: Mapping[str, Callable[[pc.Expression, pc.Expression], pc.Expression]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_KINDS = {STRING: "a text in quotation marks", INT: "a number", BOOL: "true or false"}
COLUMNS = {f.name: f.type for f in TABLE["Paper"].arrow if f.type in (*_KINDS, FLOAT)}
"""Columns of papers that a condition may name, with their types."""
_LONGEST, _DEEPEST, _DIGITS = 10_000, 50, 18


@dataclass(frozen=True)
class Condition:
    """A condition on papers."""

    expression: pc.Expression
    columns: tuple[str, ...]
    """The columns that it names."""


def parse_condition(text: str) -> Condition:
    """The condition that a text states.

    Raises:
        ConfigError: it states none, or names an unknown column, or another type of value.
    """
    if len(text) > _LONGEST:
        raise ConfigError(f"a condition of {len(text):,} characters; expected at most {_LONGEST:,}")
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        found = _TOKEN.finditer(text.rstrip())
        self._tokens = [(match.lastgroup or "", match[match.lastindex or 0]) for match in found]
        self._tokens.append(("end", ""))
        self._place = 0
        self._columns: dict[str, None] = {}
        self._depth = 0

    def parse(self) -> Condition:
        expression = self._any()
        if self._kind != "end":
            self._fail("and, or, or the end")
        return Condition(expression, tuple(self._columns))

    @property
    def _kind(self) -> str:
        return self._tokens[self._place][0]

    @property
    def _token(self) -> str:
        return self._tokens[self._place][1]

    def _fail(self, expected: str) -> NoReturn:
        found = f"{self._token!r}" if self._token else "the end"
        raise ConfigError(
            f"condition {self._text!r}: found {found}; expected {expected}, as in "
            "year >= 2015 and type = 'research-article'"
        )

    def _take(self) -> str:
        token = self._token
        self._place += 1
        return token

    def _accept(self, word: str) -> bool:
        if self._kind in ("word", "sign") and self._token.lower() == word:
            self._place += 1
            return True
        return False

    def _require(self, word: str) -> None:
        if not self._accept(word):
            self._fail(word)

    def _any(self) -> pc.Expression:
        found = self._all()
        while self._accept("or"):
            found = found | self._all()
        return found

    def _all(self) -> pc.Expression:
        found = self._part()
        while self._accept("and"):
            found = found & self._part()
        return found

    def _part(self) -> pc.Expression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ConfigError(
                f"condition {self._text[:60]!r}...: expected at most {_DEEPEST} brackets within "
                "each other"
            )
        if self._accept("not"):
            found = ~self._part()
        elif self._accept("("):
            found = self._any()
            self._require(")")
        else:
            found = self._comparison()
        self._depth -= 1
        return found

    def _comparison(self) -> pc.Expression:
        name = self._column()
        kind, field = COLUMNS[name], pc.field(name)
        if self._accept("is"):
            negated = self._accept("not")
            self._require("null")
            return field.is_valid() if negated else field.is_null()
        negated = self._accept("not")
        if self._accept("in"):
            found = field.isin(self._values(name))
        elif self._accept("like"):
            if kind != STRING:
                raise self._error(f"{name} is no text; expected a comparison such as {name} = 1")
            found = pc.match_like(field, self._value(name))
        elif negated:
            self._fail("in or like after not")
        else:
            compare = _COMPARISONS.get(self._token) if self._kind == "sign" else None
            if compare is None:
                self._fail(f"one of {', '.join(_COMPARISONS)}, in, like, is after {name}")
            self._place += 1
            return compare(field, pc.scalar(self._value(name)))
        nothing = pa.scalar(None, pa.bool_())
        known = pc.if_else(field.is_valid(), found, nothing)
        return ~known if negated else known

    def _column(self) -> str:
        if self._kind != "word":
            self._fail("a column of Paper")
        name = self._token.lower()
        if name in COLUMNS:
            self._place += 1
            self._columns[name] = None
            return name
        if name in TABLE["Paper"].arrow.names:
            raise self._error(f"{name} is a list; expected a column with one value for each paper")
        near = find_near(name, COLUMNS) or COLUMNS
        raise self._error(f"no column {self._token!r} of Paper; expected one of {', '.join(near)}")

    def _error(self, problem: str) -> ConfigError:
        return ConfigError(f"condition {self._text!r}: {problem}")

    def _values(self, name: str) -> list[str | int | float | bool]:
        self._require("(")
        values = [self._value(name)]
        while self._accept(","):
            values.append(self._value(name))
        self._require(")")
        return values

    def _value(self, name: str) -> str | int | float | bool:
        kind = COLUMNS[name]
        wanted = f"{_KINDS.get(kind, 'a number')} for {name}"
        if kind == STRING and self._kind == "text":
            return self._take()[1:-1].replace("''", "'")
        if kind == BOOL and self._token.lower() in ("true", "false"):
            return self._take().lower() == "true"
        if kind in (INT, FLOAT) and self._kind == "number" and len(self._token) <= _DIGITS:
            number = self._take()
            return float(number) if "." in number else int(number)
        self._fail(wanted)
