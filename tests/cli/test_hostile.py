"""Every command, on papers, files and arguments whose names hold terminal escapes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from tests.cli.conftest import Outcome, Platform
from tests.cli.test_main import leaf  # noqa: F401 - a fixture
from tests.embeddings.conftest import encoder  # noqa: F401 - a fixture

UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
OF_XML = "\x7f\x85\x9b31m\u202e\u2066\u200e\u061c\u2028\u2029\nFORGED [red]麦e\u0301"
"""XML 1.0 has no ESC, but it has C1 codes, which many terminals treat alike."""
OF_CYPHER = "\x1b[31m\x1b]0;title\x07\x08\r\nFORGED\t"
OF_SHELL = "\x1b[31m\x9b\u202e\u2028\nFORGED\r"
NOT_UTF8 = "\udcff"
"""A byte in a file name."""
HOSTILE = f"x{OF_SHELL}{NOT_UTF8}"
ELEMENTS = re.compile(
    rb"(<(?:article-title|journal-title|surname|title|p|kwd|source|institution)\b[^>/]*>)(?=[^<\s])"
)
NAMES = (click.Path, click.Choice, type(click.STRING))
"""Types of options whose values appear in messages; click formats numbers itself."""


def check(done: Outcome, *, lines: bool = True) -> None:
    """The output has no control sequence, and no forged line except in tracebacks."""
    for text in (done.out, done.err):
        match = UNSAFE.search(text)
        assert match is None, repr(text[max(match.start() - 80, 0) : match.end() + 80])
        assert not lines or not re.search(r"^\s*FORGED", text, re.M), text


def wrong_lines(command: click.Command) -> Iterator[list[str]]:
    """Hostile words for each option, for an unknown one, and for one argument too many."""
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    values = [
        HOSTILE
        for parameter in arguments
        if parameter.required
        for _ in range(abs(parameter.nargs))
    ]
    options = [
        parameter
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.is_flag
    ]
    if any(parameter.name == "store" for parameter in options):
        values += ["--store", f"no{OF_SHELL}.lbug"]
    for option in options:
        if isinstance(option.type, NAMES):
            yield [*values, option.opts[0], *[HOSTILE] * option.nargs]
    yield [*values, f"--no{HOSTILE}"]
    yield [*values, HOSTILE]
    yield [*values, "--debug"]


def test_error_messages_of_every_command_are_harmless(
    platform: Platform,
    leaf: tuple[str, click.Command],  # noqa: F811
) -> None:
    name, command = leaf
    for folder in ("demo-citescape", HOSTILE) if name == "demo" else ():
        Path(folder).mkdir()
        (Path(folder) / "other").touch()  # otherwise the demo would run
    for line in wrong_lines(command):
        check(platform(*name.split(), *line), lines="--debug" not in line)


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Generated papers with hostile names in every field, in files with hostile names."""
    folder = tmp_path / f"papers{OF_SHELL}"
    write_corpus(generate_world(papers=50, seed=3), folder)
    named = "".join(f"&#{ord(character)};" for character in OF_XML).encode()
    for file in folder.iterdir():
        file.write_bytes(ELEMENTS.sub(rb"\g<1>" + named + b" ", file.read_bytes()))
    (folder / f"bad{OF_SHELL}.xml").write_bytes(b"<article>")
    (folder / f"note.{OF_SHELL}").write_bytes(b"")
    return folder


def test_output_of_commands_is_harmless(
    platform: Platform,
    papers: Path,
    encoder: str,  # noqa: F811
) -> None:
    """Runs the commands one after the other; titles are shown escaped."""
    in_store = ("--store", f"store{OF_SHELL}.lbug")
    kept = (*in_store, "--runs", f"runs{OF_SHELL}")

    def run(*arguments: object) -> str:
        done = platform(*arguments)
        assert done.status == 0, done.err
        check(done)
        return done.out

    loaded = platform("ingest", papers, "--workers", 1, *in_store)
    check(loaded)
    assert r"/bad\x1b[31m" in loaded.err
    for table, name in (("Paper", "title"), ("Section", "title"), ("Occurrence", "context")):
        change = f"MATCH (x:{table}) SET x.{name} = x.{name} + $more"
        run("cypher", change, "--param", f"more={OF_CYPHER}", "--write", *in_store)
    statement = "MATCH (p:Paper)-[:CITES]->(q:Paper) RETURN p.id, q.id ORDER BY p.id, q.id LIMIT 1"
    (pair,) = platform("cypher", statement, "--json", *in_store).json
    citing, cited = pair.values()
    draft = Path(f"draft{OF_SHELL}.md")
    draft.write_text(f"# Methods {OF_XML}\n\nLimited by phosphate [?] {OF_XML}.\n", "utf-8")
    for words in (
        ("score", *kept),
        ("evaluate", "weights", *in_store),
        ("text", "sections", "label", "--model", "rules", *kept),
        ("text", "intents", "label", "--model", "rules", *kept),
        ("text", "abstracts", "label", "--model", "rules", *kept),
        ("sample", "importance", *kept),
        ("train", "graph", "--dimensions", 8, "--epochs", 1, "--threads", 1, *kept),
        ("embed", "--encoder", encoder, *kept),
        ("network", "build", "coupling", *kept),
        ("network", "build", "citation", *kept),
        ("network", "report", "coupling", "citation", *kept),
        ("network", "overlap", "coupling", "citation", *kept),
        ("cluster", *kept),
        ("topics", *kept),
        ("benchmark", "lcr", *kept),
        ("export", "graphml", "-o", f"out{OF_SHELL}.graphml", *kept),
        ("runs", *kept),
        ("status", *kept),
        ("doctor", "--migrate", *in_store),
        ("doctor", *in_store),
        ("cypher", "MATCH (p:Paper) RETURN p LIMIT 3", *in_store),
        ("cypher", f"RETURN 1 AS `a{OF_SHELL}`", *in_store),
    ):
        run(*words)
    # A long list of names is wrapped, and a line may then begin with any of its words.
    short_by_lines = (
        "MATCH (p:Paper) WHERE p.fulltext RETURN p.title, p.surnames "
        "ORDER BY size(p.surnames), p.id LIMIT 3"
    )
    for words in (
        ("explain", citing, cited, *in_store),
        ("similar", citing, *kept),
        ("network", "nearest", citing, *kept),
        ("network", "nearest", citing, "--markdown", *kept),
        ("recommend", "--context", f"by phosphate [?] {OF_SHELL}", "--encoder", encoder, *kept),
        ("recommend", draft, "--encoder", encoder, *kept),
        ("recommend", draft, "--encoder", encoder, "--brief", *kept),
        ("cypher", short_by_lines, *in_store),
    ):
        shown = run(*words)
        assert r"\u202e\u2066\u200e\u061c" in shown
        assert "FORGED [red]麦e\u0301" in shown
