"""Which networks are judged, and what they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from citescape.core.errors import ConfigError
from citescape.networks.build import NetworkRun, find_network
from citescape.networks.kinds import KINDS
from citescape.runs.kept import list_kept


def find_networks(
    runs: Path, named: Sequence[str] = (), *, location: str = ""
) -> dict[str, NetworkRun]:
    """The networks that are meant, by the names that tables and pictures call them by.

    That is their kind; of one kind several are told apart by the digits of their runs, unless they
    are given a name, as in `network-0123456789ab=SciNCL`.

    Args:
        runs: folder of run directories.
        named: runs, folders or kinds; empty for the last of every kind that was built
            of the same papers as the last.
        location: of the store, for messages.

    Raises:
        ConfigError: there is no such network, or two would have one name.
    """
    if not named:
        return _last_of_each(runs, location)
    given = [_split(one) for one in named]
    found = [find_network(runs, one, location=location) for one, _ in given]
    kinds = Counter(one.kind for one, (_, name) in zip(found, given, strict=True) if not name)
    names = [
        name or (one.kind if kinds[one.kind] == 1 else f"{one.kind} {_digits(one)}")
        for one, (_, name) in zip(found, given, strict=True)
    ]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConfigError(
            f"two networks are called {twice[0]!r}; expected each once: name them, as in RUN=NAME"
        )
    return dict(zip(names, found, strict=True))


def _last_of_each(runs: Path, location: str) -> dict[str, NetworkRun]:
    made = list_kept(NetworkRun, runs)
    alike = [one for one in made if one.papers == made[-1].papers]
    last: Mapping[str, NetworkRun] = {one.kind: one for one in alike}
    if not last:
        find_network(runs, location=location)  # raises, and says how to make one
    return {kind: last[kind] for kind in [*KINDS, *sorted(last)] if kind in last}


def _split(named: str) -> tuple[str, str]:
    """What is meant, and its name; a folder may have `=` in its own."""
    if Path(named).is_dir():
        return named, ""
    meant, _, name = named.partition("=")
    return meant, name.strip()


def _digits(network: NetworkRun) -> str:
    return network.run.rpartition("-")[2]
