"""Reads labelled citations in SciCite's format: one JSON object per line.

    {"string": "We used ... [12].", "sectionName": "Methods", "label": "method"}

`label` is one of background, method, result; a list `labels` instead holds any number of them.
`sectionName` may be missing, empty or NaN, and so may `citeStart`, the position of the citation in
a long text. Citations with the same `citingPaperId` stay together when data is divided.
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
from citescape.text.intents.contexts import INTENTS, MOST_CHARACTERS, CitationContext

_SHOWN = 60
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
"""A lone surrogate: valid in JSON, but not in UTF-8."""


class Example(NamedTuple):
    """A context and its intents."""

    context: CitationContext
    intents: tuple[str, ...]
    """Intents in the order of `INTENTS`; may be empty."""
    group: str
    """Examples of a group stay together when data is divided; empty for no group."""


def read_examples(paths: Iterable[Path]) -> list[Example]:
    """All examples of some files.

    Raises:
        SourceError: a line is not JSON, or lacks a text or a label; names file and line.
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
    """Raises ConfigError if fewer than `fewest` examples have an intent, or lack it."""
    examples = list(examples)
    counts = {name: sum(name in e.intents for e in examples) for name in INTENTS}
    rare = [name for name, n in counts.items() if n < fewest]
    everywhere = [name for name, n in counts.items() if len(examples) - n < fewest]
    if rare or everywhere:
        listed = ", ".join(f"{n} {name}" for name, n in counts.items())
        problem = f"{', '.join(rare)} missing or rare" if rare else f"{everywhere[0]} nearly always"
        raise ConfigError(
            f"{problem} in the training data ({listed} of {len(examples)}); expected at least "
            f"{fewest} examples with and {fewest} without each of {', '.join(INTENTS)}"
        )


def _read(path: Path) -> Iterator[Example]:
    place = str(path)
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                place = f"{path}:{number}"
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError) as error:
                    start = line.strip()[:_SHOWN]
                    raise ValueError(f"not JSON ({error}): {start!r}") from error
                if not isinstance(record, dict):
                    raise ValueError(f"a {type(record).__name__}, not an object")
                yield parse_example(record)
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
            f"found {error}; expected one JSON object per line with 'string' and a 'label' of "
            f"{', '.join(INTENTS)} (or a list 'labels'); correct or remove the line",
        ) from error


def parse_example(record: dict[str, Any]) -> Example:
    """The example of one record.

    Raises:
        ValueError: the record lacks a text or a label, or the label is not one of `INTENTS`.
    """
    text = _text(record, "string")
    if text is None:
        raise ValueError("no text under 'string'")
    title = _text(record, "sectionName") or ""
    section: Any = type_section("", title, None).type
    context = CitationContext(_window(text, record.get("citeStart")), title, section)

    labels = record.get("labels")
    if labels is None and "label" in record:
        labels = [record["label"]]
    if not isinstance(labels, list):
        raise ValueError("neither a 'label' nor a list 'labels'")
    unknown = [label for label in labels if label not in INTENTS]
    if unknown:
        raise ValueError(f"label {unknown[0]!r}")
    intents = tuple(name for name in INTENTS if name in labels)

    paper = record.get("citingPaperId")  # may be NaN, for missing
    number = isinstance(paper, int) or (isinstance(paper, float) and math.isfinite(paper))
    group = str(paper) if number else _text(record, "citingPaperId") or ""
    return Example(context, intents, group)


def _text(record: dict[str, Any], name: str) -> str | None:
    """The text of a field; None if it is missing or not a text, such as NaN."""
    text = record.get(name)
    if not isinstance(text, str):
        return None
    if _HALF_CHARACTER.search(text):
        raise ValueError(f"a lone surrogate (half a character) under '{name}'")
    return text


def _window(text: str, position: object) -> str:
    """At most 2,000 characters, around the citation if its position is known."""
    if isinstance(position, float) and math.isinf(position):
        raise ValueError(f"{position} under 'citeStart'")
    if len(text) <= MOST_CHARACTERS:
        return text
    known = isinstance(position, int | float) and position == position  # NaN is not itself
    middle = int(position) if known else 0  # type: ignore[call-overload]
    start = max(0, min(middle - MOST_CHARACTERS // 2, len(text) - MOST_CHARACTERS))
    return text[start : start + MOST_CHARACTERS]
