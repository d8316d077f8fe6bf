"""Reads labelled citations in SciCite's format: one JSON object a line.

    {"string": "We used ... [12].", "sectionName": "Methods", "label": "method"}

`label` is one of background, method, result; a list `labels` in its place names several or none.
`sectionName` may be missing, empty or NaN, and so may `citeStart`, the position of the citation in
a long text. `citingPaperId` keeps citations of one paper together where data is divided.
SciCite: Cohan et al. 2019, "Structural scaffolds for citation intent classification".
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from citescape.core.errors import ConfigError, SourceError, list_some
from citescape.loaders.section_types import type_section
from citescape.text.intents.contexts import INTENTS, MOST_CHARACTERS, Context

_SHOWN = 60
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
"""JSON can say it, UTF-8 cannot."""


class Example(NamedTuple):
    """A context and what it is for."""

    context: Context
    intents: tuple[str, ...]
    """Of `INTENTS`, in that order; may be empty."""
    group: str
    """Examples of one group are never divided; empty for one that stands alone."""


def read_examples(paths: Iterable[Path]) -> list[Example]:
    """All examples of some files.

    Raises:
        SourceError: a line is not JSON, or lacks what it needs; names file and line.
        ConfigError: the files hold no example.
    """
    paths = list(paths)
    examples = [example for path in paths for example in _read(path)]
    if not examples:
        raise ConfigError(
            f"no labelled citation in {list_some(paths) or 'no file'}; expected lines "
            'such as {"string": "We used ...", "sectionName": "Methods", "label": "method"}'
        )
    return examples


def check_intents(examples: Iterable[Example], *, fewest: int) -> None:
    """Refuses examples that cannot teach every intent.

    Raises:
        ConfigError: names the intents that are missing, or that every example has.
    """
    examples = list(examples)
    counts = {name: sum(name in e.intents for e in examples) for name in INTENTS}
    rare = [name for name, n in counts.items() if n < fewest]
    everywhere = [name for name, n in counts.items() if len(examples) - n < fewest]
    if rare or everywhere:
        found = ", ".join(f"{n} {name}" for name, n in counts.items())
        fault = f"{', '.join(rare)} missing or rare" if rare else f"{everywhere[0]} nearly always"
        raise ConfigError(
            f"{fault} in the training data ({found} of {len(examples)}); expected at least "
            f"{fewest} examples with and {fewest} without each of {', '.join(INTENTS)}"
        )


def _read(path: Path) -> Iterator[Example]:
    place = str(path)
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                place = f"{path}:{number}"
                if line.strip():
                    yield parse_example(_load(line))
    except OSError as error:
        raise SourceError(str(path), "unreadable", f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SourceError(
            str(path), "not-utf-8", f"expected JSON lines in UTF-8: {error}"
        ) from error
    except ValueError as error:
        raise SourceError(
            place,
            "not-an-example",
            f"found {error}; expected one JSON object a line with 'string' and a 'label' of "
            f"{', '.join(INTENTS)} (or a list 'labels'); correct or remove the line",
        ) from error


def _load(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON ({error}): {line.strip()[:_SHOWN]!r}") from error
    if not isinstance(record, dict):
        raise ValueError(f"a {type(record).__name__}, not an object")
    return record


def parse_example(record: dict[str, Any]) -> Example:
    """One record.

    Raises:
        ValueError: it lacks a text or a label, or the label is not one of `INTENTS`.
    """
    text = _text(record, "string")
    if text is None:
        raise ValueError("no text under 'string'")
    title = _text(record, "sectionName") or ""
    context = Context(_window(text, record.get("citeStart")), title, section_of(title))
    return Example(context, _intents(record), _group(record))


def _text(record: dict[str, Any], name: str) -> str | None:
    """A text; None if it is missing or none, as the NaN is that some write for nothing."""
    found = record.get(name)
    if not isinstance(found, str):
        return None
    if _HALF_CHARACTER.search(found):
        raise ValueError(f"half a character (a lone surrogate) under '{name}'")
    return found


def _group(record: dict[str, Any]) -> str:
    """The citing paper; empty if it is missing, or the NaN that tables write for nothing."""
    found = record.get("citingPaperId")
    number = isinstance(found, int) or (isinstance(found, float) and math.isfinite(found))
    return str(found) if number else _text(record, "citingPaperId") or ""


def section_of(title: str) -> Any:
    """The type of a section of which only the heading is known."""
    return type_section("", title, None).type


def _window(text: str, position: object) -> str:
    """At most 2,000 characters, around the citation where its position is known."""
    if isinstance(position, float) and math.isinf(position):
        raise ValueError(f"{position} under 'citeStart'")
    if len(text) <= MOST_CHARACTERS:
        return text
    known = isinstance(position, int | float) and position == position  # NaN is not itself
    middle = int(position) if known else 0  # type: ignore[call-overload]
    start = max(0, min(middle - MOST_CHARACTERS // 2, len(text) - MOST_CHARACTERS))
    return text[start : start + MOST_CHARACTERS]


def _intents(record: dict[str, Any]) -> tuple[str, ...]:
    given = record.get("labels")
    if given is None and "label" in record:
        given = [record["label"]]
    if not isinstance(given, list):
        raise ValueError("neither a 'label' nor a list 'labels'")
    unknown = [label for label in given if label not in INTENTS]
    if unknown:
        raise ValueError(f"label {unknown[0]!r}")
    return tuple(name for name in INTENTS if name in given)
