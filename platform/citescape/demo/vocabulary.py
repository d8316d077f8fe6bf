"""The words of the generated world, read from `vocabulary.toml` and `phrases.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

FACETS = ("factor", "outcome", "system", "method", "mechanism", "design")
"""Slots of the subject of a work, each filled with a phrase of its topic."""


@dataclass(frozen=True)
class Topic:
    """A research topic: its name, its field and the phrases for each of `FACETS`."""

    name: str
    field: int
    phrases: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Field:
    """A field of science: its audience and its samples."""

    name: str
    audience: str
    samples: tuple[str, ...]


@dataclass(frozen=True)
class VenueStyle:
    """A venue with its house phrases, which every paper in it contains."""

    title: str
    abbreviation: str
    issn: str
    house: tuple[str, ...]


@dataclass(frozen=True)
class DemoVocabulary:
    """Words and names of the world. `phrases` are the sentence templates, by path."""

    fields: tuple[Field, ...]
    topics: tuple[Topic, ...]
    venues: tuple[VenueStyle, ...]
    groups: tuple[str, ...]
    surnames: tuple[str, ...]
    givens: tuple[str, ...]
    phrases: dict[str, tuple[str, ...]]


@cache
def read_vocabulary() -> DemoVocabulary:
    """The vocabulary that ships with the package; read once."""
    words = _read("vocabulary.toml")
    fields, topics = [], []
    for number, entry in enumerate(words["field"]):
        fields.append(Field(entry["name"], entry["audience"], tuple(entry["samples"])))
        for topic in entry["topic"]:
            phrases = {name: tuple(topic.get(f"{name}s", entry["designs"])) for name in FACETS}
            topics.append(Topic(topic["name"], number, phrases))
    return DemoVocabulary(
        fields=tuple(fields),
        topics=tuple(topics),
        venues=tuple(VenueStyle(**{**v, "house": tuple(v["house"])}) for v in words["venue"]),
        groups=tuple(words["groups"]["names"]),
        surnames=tuple(words["names"]["surnames"]),
        givens=tuple(words["names"]["givens"]),
        phrases=dict(_flatten(_read("phrases.toml"))),
    )


def _flatten(table: dict[str, Any], prefix: str = "") -> list[tuple[str, tuple[str, ...]]]:
    """``{"cite": {"I": [...]}}`` as ``("cite.I", (...))``."""
    entries: list[tuple[str, tuple[str, ...]]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            entries += _flatten(value, f"{prefix}{key}.")
        else:
            entries.append((prefix + key, tuple(value)))
    return entries


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
