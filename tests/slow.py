"""Test functions that take over .25 s: `make test-quick` skips them.

python -m pytest --junitxml=report.xml ...
python -m tests.slow report.xml         writes tests/slow.txt again
"""

from __future__ import annotations

import sys
from pathlib import Path

from lxml import etree

LIST = Path(__file__).with_suffix(".txt")
LONG = 0.25
"""Seconds, including fixtures, with as many processes as the machine has cores."""


def is_slow(nodeid: str) -> bool:
    """Whether the list names the function of a test."""
    return nodeid.partition("[")[0] in _SLOW


def find_slow(report: Path) -> set[str]:
    """Functions in a report in JUnit's format with a slow case."""
    return {
        f"{case.get('classname').replace('.', '/')}.py::{case.get('name').partition('[')[0]}"
        for case in etree.parse(report).iter("testcase")
        if float(case.get("time")) > LONG
    }


_SLOW = frozenset(LIST.read_text("utf-8").split())

if __name__ == "__main__":
    LIST.write_text("\n".join(sorted(find_slow(Path(sys.argv[1])))) + "\n", "utf-8")
