"""Steps that a browser or an agent may call, with the settings that it may set.

All of them only read. Settings that name files, folders or runs are not among them: a caller could
read or write files of this machine with those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from functools import reduce
from typing import Any

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, list_some
from citescape.core.extras import find_missing
from citescape.core.near import find_near
from citescape.corpus import Corpus
from citescape.recommend.profiles import ProfileRun
from citescape.runs.kept import list_kept
from citescape.runs.result import Result
from citescape.runs.step import Described, describe
from citescape.store.queries import query

_FILTERS = ("direction", "min_importance", "facet", "section", "self_citations", "years", "types")
CALLS: Mapping[str, tuple[str, ...]] = {
    "find": ("text", "limit", "notice"),
    "neighbours": ("papers", "hops", "limit", *_FILTERS),
    "explain": ("citing", "cited"),
    "contexts": ("paper", "limit", *_FILTERS[1:]),
    "related": ("texts", "min_seeds", "limit"),
    "check": ("texts", "support", "limit", "sentences"),
    "similar": ("paper", "k", "only_uncited"),
    "communities": ("level",),
    "community": ("name", "limit"),
    "recommend": ("context", "title", "abstract", "before", "k", "system", "sentences"),
    "status": (),
}
"""Method of a corpus -> settings of its step."""
MOST: Mapping[str, int] = {
    "hops": 3,
    "limit": 5_000,
    "k": 1_000,
    "sentences": 20,
    "papers": 1_000,
    "text": 100,
}
"""Setting -> largest number, or largest number of items, that a caller may ask for."""
LARGEST: Mapping[str, int] = dict.fromkeys(("related", "check"), 48 << 20)
"""Method -> bytes of a request with the content of files, where it is more than of others."""


def call_step(corpus: Corpus, name: str, settings: Mapping[str, Any]) -> Result:
    """Runs a step with settings of a caller who is not trusted.

    Args:
        corpus: graph and runs.
        name: method of the corpus, such as `find`.
        settings: values by name.

    Raises:
        ConfigError: no such step or setting, or a value that the step refuses.
        StoreError: the graph cannot be read.
    """
    if name not in CALLS:
        raise ConfigError(f"no step {name!r}; expected {', '.join(CALLS)}")
    allowed = CALLS[name]
    for setting in settings:
        if setting not in allowed:
            near = find_near(setting, allowed) or allowed
            raise ConfigError(f"{name} has no setting {setting!r}; expected {list_some(near)}")
    method: Any = reduce(getattr, name.split("."), corpus)
    described = {item.name: item for item in describe(method.step)}
    for setting, value in settings.items():
        _check_texts(described[setting], value)
        most = MOST.get(setting)
        if most and isinstance(value, int) and value > most:
            raise ConfigError(f"{setting} is {value:,}; expected at most {most:,}")
        if most and isinstance(value, list) and len(value) > most:
            raise ConfigError(f"{setting} has {len(value):,} items; expected at most {most:,}")
    missing = [
        item.name
        for item in described.values()
        if item.default is MISSING and item.name not in settings
    ]
    if missing:
        raise ConfigError(f"{name} needs {', '.join(missing)}")
    result: Result = method(**settings, **_choose_runs(corpus, name))
    return result


def _choose_runs(corpus: Corpus, name: str) -> dict[str, str | bool]:
    """Settings by which a step does not compute for minutes what it lacks.

    `recommend` searches the latest profiles; without profiles it answers by words.
    """
    if name != "recommend":
        return {}
    kept = list_kept(ProfileRun, corpus.context.runs)
    if not kept or find_missing("torch", "transformers"):
        if not len(corpus.store.read(query("text/full_texts"))):
            command = quote_command("ingest PATH", corpus.context.location)
            raise ConfigError(f"the graph has no full texts; load some with {command}")
        return {"make_vectors": False}
    return {"profiles": kept[-1].run}


def _check_texts(item: Described, value: object) -> None:
    """Refuses objects and lists in place of texts; numbers are checked by the step."""
    values = value if item.many and isinstance(value, list) else [value]
    if item.pairs:
        values = [*value.values()] if isinstance(value, dict) else [value, None]
    if item.type is str and not all(isinstance(text, str) for text in values):
        expected = "texts by name" if item.pairs else "a list of texts" if item.many else "a text"
        raise ConfigError(f"{item.name} is {str(value)[:40]!r}; expected {expected}")
