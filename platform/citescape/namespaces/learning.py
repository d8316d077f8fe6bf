"""Runs as arguments of the methods of namespaces."""

from __future__ import annotations

from citescape.runs.step import RunName, name_runs

Run = RunName
name_run = name_runs
