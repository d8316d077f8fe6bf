"""`platform doctor`."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from citescape.cli.options import output_options, store_option
from citescape.cli.output import echo_json
from citescape.core.config import is_address
from citescape.core.cores import usable_cores
from citescape.core.errors import CitescapeError
from citescape.core.extras import EXTRAS, find_missing, name_extras
from citescape.core.terminal import echo
from citescape.runs.result import plural

_LEAST_DISK = 2_000_000_000
_LEAST_MEMORY = 2_000_000_000


@dataclass(frozen=True)
class Finding:
    """One thing looked at: `ok`, `warn` (works, but), or `fail`."""

    what: str
    state: str
    found: str
    advice: str = ""


@click.command()
@store_option
@output_options
def doctor(store: str, as_json: bool) -> None:
    """Check this machine, the installation and the store; says what is missing and what to do.

    Exit status 1 if something is broken.
    """
    findings = [*_installation(), *_machine(Path.cwd()), _store(store)]
    failed = any(finding.state == "fail" for finding in findings)
    if as_json:
        echo_json({"ok": not failed, "findings": [asdict(finding) for finding in findings]})
    else:
        for f in findings:
            advice = f"  -> {f.advice}" if f.advice else ""
            echo(f"{f.state:4}  {f.what:14} {f.found}{advice}")
    if failed:
        sys.exit(1)


def _installation() -> list[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    findings = [Finding("python", "ok", python), Finding("citescape", "ok", version("citescape"))]
    for name in sorted(_libraries()):
        try:
            findings.append(Finding(name, "ok", version(name)))
        except PackageNotFoundError:
            findings.append(Finding(name, "fail", "missing", f"pip install {name}"))
    return [*findings, *map(_find_extra, EXTRAS)]


def _find_extra(extra: str) -> Finding:
    """Whether an extra is installed; nothing is broken if it is not."""
    missing = find_missing(*EXTRAS[extra])
    if not missing:
        return Finding(f"extra {extra}", "ok", "installed")
    partly = len(missing) < len(EXTRAS[extra])
    found = f"incomplete, without {', '.join(missing)}" if partly else "not installed"
    return Finding(f"extra {extra}", "ok", found, f"pip install {name_extras(missing)}")


def _libraries() -> Iterator[str]:
    """Names of what citescape needs, without what its extras add."""
    for requirement in requires("citescape") or ():
        name = re.match(r"[\w.-]+", requirement)
        if name and "extra ==" not in requirement:
            yield name[0]


def _machine(folder: Path) -> list[Finding]:
    free = shutil.disk_usage(folder).free
    findings = [Finding("cores", "ok", str(usable_cores()))]
    low = free < _LEAST_DISK
    findings.append(
        Finding(
            "disk",
            "warn" if low else "ok",
            f"{free / 1e9:,.1f} GB free in {folder}",
            "a store of 2,000 papers takes about 0.3 GB; free some space" if low else "",
        )
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    scarce = memory < _LEAST_MEMORY
    advice = "ingest with --workers 1" if scarce else ""
    findings.append(
        Finding("memory", "warn" if scarce else "ok", f"{memory / 1e9:,.1f} GB", advice)
    )
    return findings


def _store(location: str) -> Finding:
    from citescape.ingest.overview import read_overview
    from citescape.store.graph_store import open_store

    if not is_address(location) and not Path(location).exists():
        return Finding("store", "ok", f"none at {location} yet", "platform ingest PAPERS")
    try:
        graph = open_store(location, read_only=True)
        try:
            found = read_overview(graph)
        finally:
            graph.close()
    except CitescapeError as error:
        return Finding("store", "fail", str(error))
    held = f"{found.store}: {plural(found.labels['Paper'], 'paper')}, schema {found.schema_version}"
    return Finding("store", "warn" if found.pending else "ok", held, found.pending)
