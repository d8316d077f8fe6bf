"""Checks of this machine, the installation and the store."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape import __version__
from citescape.core.cores import usable_cores
from citescape.core.errors import CitescapeError, SchemaVersionError
from citescape.core.extras import EXTRAS, find_missing, name_extras
from citescape.runs.context import Context
from citescape.runs.result import Part, Result, Summary, plural

if TYPE_CHECKING:
    import pyarrow as pa

_LEAST_DISK = 2_000_000_000
_LEAST_MEMORY = 2_000_000_000


@dataclass(frozen=True)
class Finding:
    """Result of one check."""

    check: str
    """Name of what is checked: `disk`, `memory`, `store`, a library or an extra."""
    state: str
    """`ok`, `warn` or `fail`."""
    result: str
    advice: str = ""
    """What to do; empty if nothing."""


@dataclass(frozen=True)
class Diagnosis(Result):
    """Results of all checks."""

    findings: tuple[Finding, ...]
    store: str
    schema_version: str
    migrated: bool | None = None
    """Whether the store was upgraded to this schema version; None without `migrate`."""

    @property
    def exit_status(self) -> int:
        """1 if something is broken."""
        return int(any(finding.state == "fail" for finding in self.findings))

    @property
    def arrow(self) -> pa.Table:
        """A row per check: check, state, result, advice."""
        import pyarrow as pa

        return pa.Table.from_pylist([asdict(finding) for finding in self.findings])

    def summarise(self) -> Summary:
        """A line per check, with advice where something is wrong."""
        parts: list[Part] = []
        if self.migrated is not None:
            done = "was upgraded to" if self.migrated else "has"
            rest = "" if self.migrated else ", the latest: nothing to do"
            parts.append(f"{self.store} {done} schema version {self.schema_version}{rest}")
        for finding in self.findings:
            advice = f"  -> {finding.advice}" if finding.advice else ""
            parts.append(f"{finding.state:4}  {finding.check:14} {finding.result}{advice}")
        figures: dict[str, Any] = {
            "ok": not self.exit_status,
            "findings": [asdict(finding) for finding in self.findings],
        }
        if self.migrated is not None:
            figures |= {
                "store": self.store,
                "schema_version": self.schema_version,
                "migrated": self.migrated,
            }
        return Summary(parts, figures)


def diagnose(context: Context, *, migrate: bool = False) -> Diagnosis:
    """Runs all checks; with `migrate` first upgrades the store to this schema version.

    Raises:
        SchemaVersionError: a store of a version that cannot be upgraded.
    """
    from citescape.store.schema import SCHEMA_VERSION

    migrated = migrate_store(context.location) if migrate else None
    findings = [*_installation(), *_machine(Path.cwd()), _store(context)]
    return Diagnosis(tuple(findings), context.location, str(SCHEMA_VERSION), migrated)


def migrate_store(location: str) -> bool:
    """Upgrades a store to the schema version of this release; False if it has it already.

    Raises:
        SchemaVersionError: it has a version that cannot be upgraded.
    """
    from citescape.ingest.migration import name_sources
    from citescape.store.graph_store import open_store
    from citescape.store.schema import SCHEMA_VERSION
    from citescape.store.state import UPGRADABLE

    try:
        open_store(location, read_only=True).close()
        return False
    except SchemaVersionError:
        try:
            open_store(location, create=False, upgrade=name_sources).close()
        except SchemaVersionError as error:
            problem = str(error).partition(", this citescape")[0]
            raise SchemaVersionError(
                f"{problem}; expected {SCHEMA_VERSION}, or {', '.join(UPGRADABLE)}, which can be "
                "upgraded: ingest its papers into a new store, or open it with the citescape "
                "that wrote it"
            ) from error
        return True


def _installation() -> list[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    findings = [Finding("python", "ok", python), Finding("citescape", "ok", __version__)]
    # Required libraries, without those of extras.
    requirements = [text for text in requires("citescape") or () if "extra ==" not in text]
    names = [match[0] for text in requirements if (match := re.match(r"[\w.-]+", text))]
    for name in sorted(names):
        try:
            findings.append(Finding(name, "ok", version(name)))
        except PackageNotFoundError:
            findings.append(Finding(name, "fail", "missing", f"pip install {name}"))
    for extra, libraries in EXTRAS.items():  # nothing is broken without them
        missing = find_missing(*libraries)
        if not missing:
            findings.append(Finding(f"extra {extra}", "ok", "installed"))
            continue
        partly = len(missing) < len(libraries)
        result = f"incomplete, without {', '.join(missing)}" if partly else "not installed"
        advice = f"pip install {name_extras(missing)}"
        findings.append(Finding(f"extra {extra}", "ok", result, advice))
    return findings


def _machine(folder: Path) -> list[Finding]:
    free = shutil.disk_usage(folder).free
    low = free < _LEAST_DISK
    space = "a store of 2,000 papers takes about 0.3 GB; free some space" if low else ""
    size = f"{free / 1e9:,.1f} GB free in {folder}"
    disk = Finding("disk", "warn" if low else "ok", size, space)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    scarce = memory < _LEAST_MEMORY
    advice = "ingest with --workers 1" if scarce else ""
    size = f"{memory / 1e9:,.1f} GB"
    return [
        Finding("cores", "ok", str(usable_cores())),
        disk,
        Finding("memory", "warn" if scarce else "ok", size, advice),
    ]


def _store(context: Context) -> Finding:
    from citescape.ingest.overview import read_overview

    if not context.exists:
        return Finding("store", "ok", f"none at {context.location} yet", "platform ingest PAPERS")
    try:
        overview = read_overview(context.store)
    except CitescapeError as error:
        return Finding("store", "fail", str(error))
    papers = plural(overview.labels["Paper"], "paper")
    content = f"{overview.store}: {papers}, schema {overview.schema_version}"
    return Finding("store", "warn" if overview.pending else "ok", content, overview.pending)
