"""A reader who runs all code blocks of a page in order."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import citescape
from tests.cli.conftest import Platform
from tests.docs.pages import Block
from tests.docs.shell import Command, split_commands

_RUN = re.compile(r"\b([a-z]+(?:-[a-z]+)*)-[0-9a-f]{12}\b")
_PARAMETER = re.compile(r"^:param (\w+) => (.*);.*\n", re.MULTILINE)
FETCHERS = ("aws", "curl", "head", "mv")
"""Commands of the guides that get or show files of sources; readers have the files."""
SMALLER = {
    "benchmark mdcr": "--fewest 3 --queries 12 --min-abstract 0 --min-citations 1",
    "evaluate accuracy": "--resolutions 6 --seeds 1",
    "evaluate pool": "--min-abstract 0 --min-citations 1 --samples 1",
    "map": "--epochs 10 --dpi 50 --size 60x60 --overlay field",
    "ingest": "--workers 1",
    "sample importance": "--short-anchors shrink --share .3 --triplets 100",
    "text sections train": "--fewest-steps 1 --papers 10 --epochs 1",
    "train --triplets": "--epochs 1",
    "train reranker": "--queries 40 --epochs 1",
    "train sweep": "--seeds 1 --epochs 1",
    "text sections evaluate": "--seeds 1 --papers 10",
    "text abstracts evaluate": "--seeds 1 --kind linear",
}
"""Options added to commands, because the test corpus is small and time is short."""
SMALLER_CALLS = {
    "min_abstract=0)": "min_abstract=0, min_citations=1, fewest=3, queries=12)",
    "corpus.map(topics)": "corpus.map(topics, epochs=10, dpi=50, overlays=('field',))",
    "corpus.sample.importance(": (
        "corpus.sample.importance(short_anchors='shrink', share=0.3, triplets=100, "
    ),
    "loss=torch": "epochs=1, loss=torch",
    "corpus.train.reranker(": "corpus.train.reranker(queries=40, epochs=1, ",
}
"""The same for Python: text of a block -> replacement."""


@dataclass
class Reader:
    """Runs blocks in the working directory, whose store is `citescape.lbug`."""

    platform: Platform
    patch: pytest.MonkeyPatch
    replaced: Mapping[str, str] = field(default_factory=dict)
    """Text of the page -> replacement, such as the address of a server."""
    names: dict[str, Any] = field(default_factory=dict)
    """Python variables, shared by the blocks of a page."""
    runs: dict[str, str] = field(default_factory=dict)
    """Kind of a run -> id of the latest run, which replaces ids of this kind on the page."""

    def read(self, block: Block) -> None:
        """Runs a block after its setup commands; an error names its place."""
        if block.setup:
            self.read(replace(block, language="sh", text=block.setup, setup=""))
        if block.language == "python":
            text = block.text
            for old, new in SMALLER_CALLS.items():
                text = text.replace(old, new)
            code = compile(self._adapt(text), str(block), "exec")
            exec(code, self.names)
        elif block.language == "cypher":
            self._query(self._adapt(block.text))
        else:
            for command in split_commands(block):
                self._run(command, str(block))

    def _query(self, text: str) -> None:
        """Works like Neo4j Browser: lines `:param` set parameters of the statement below them."""
        parameters = {name: eval(value) for name, value in _PARAMETER.findall(text)}
        with citescape.open() as corpus:
            corpus.cypher(_PARAMETER.sub("", text).strip().removesuffix(";"), **parameters)

    def _run(self, command: Command, place: str) -> None:
        words = [os.path.expandvars(self._adapt(word)) for word in command.words]
        if words[0] == "export":
            for name, _, value in (word.partition("=") for word in words[1:]):
                self.patch.setenv(name, value)
            return
        if words[0] in FETCHERS:
            return
        assert command.arguments is not None, f"{place}: {words[0]}: not a command of citescape"
        arguments = add_options(words[1:])
        source = Path(command.source).read_text() if command.source else ""
        self.patch.setattr(sys, "stdin", io.StringIO(source))
        outcome = self.platform(*arguments)
        assert outcome.status == 0, f"{place}: {' '.join(arguments)}\n{outcome.err}"
        if command.target:
            Path(command.target).write_text(outcome.out, encoding="utf-8")
        self.runs |= {result[1]: result[0] for result in _RUN.finditer(outcome.out)}

    def _adapt(self, text: str) -> str:
        """The text of a page with the runs of this reader and with replacements."""
        for old, new in self.replaced.items():
            text = text.replace(old, new)
        return _RUN.sub(lambda found: self._latest(found[1]) or found[0], text)

    def _latest(self, kind: str) -> str:
        if kind not in self.runs:
            known = [path for path in Path("runs").glob(f"{kind}-*") if _RUN.fullmatch(path.name)]
            return max(known, key=lambda path: path.stat().st_mtime).name if known else ""
        return self.runs[kind]


def add_options(arguments: list[str]) -> list[str]:
    """Adds missing options of `SMALLER` to arguments."""
    for command, options in SMALLER.items():
        if " ".join(arguments).startswith(command):
            words = options.split()
            for name, value in zip(words[::2], words[1::2], strict=True):
                if name not in arguments:
                    arguments = [*arguments, name, value]
    return arguments
