"""Commands and methods are derived from the same steps."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import MISSING
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet as pq
import pytest

import citescape
from citescape.cli.commands import CONTEXT_OPTIONS, make_command
from citescape.cli.main import find_command
from citescape.corpus import Corpus
from citescape.runs.methods import Group, Subgroup, list_members
from citescape.runs.step import describe, option_names
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.runs.test_step import Square


def all_steps(group: type[Group] = Corpus, words: str = "") -> Iterator[tuple[str, Any]]:
    """Command and method of every step."""
    for name, member in list_members(group):
        below = f"{words} {name.replace('_', '-')}".strip()
        if isinstance(member, Subgroup):
            yield from all_steps(member.kind, below)
        else:
            yield below.removesuffix(" --call--"), member


def find_leaf(words: str) -> click.Command:
    first, *rest = words.split()
    command = find_command(first)
    assert command is not None
    for name in rest:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
        assert command is not None
    return getattr(command, "default", None) or command


@pytest.mark.parametrize(
    ("words", "entry"), list(all_steps()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_commands_and_methods_have_the_same_settings(words: str, entry: Any) -> None:
    """Command and method have the same name, settings, defaults and help."""
    command = find_leaf(words)
    assert command.help
    assert command.help.startswith((inspect.getdoc(entry.step) or "").split("\n", 1)[0])
    assert inspect.getdoc(entry.function)
    parameters = {parameter.name: parameter for parameter in command.params}
    accepted = inspect.signature(entry.function).parameters
    for item in describe(entry.step):
        assert item.help, f"{words}: {item.name} has no help"
        assert item.help[0].isupper(), f"{words}: {item.name}: {item.help}"
        assert item.help.rstrip().endswith("."), f"{words}: {item.name}: {item.help}"
        assert item.name in accepted
        assert item.name not in CONTEXT_OPTIONS, f"{words}: {item.name}"
        if item.setting.python:
            continue
        option = parameters[item.name]
        if not item.setting.argument:
            assert option.opts[-1] == option_names(item)[-1]
        if item.default not in (MISSING, None, "", (), {}) and not item.setting.default:
            default = option.get_default(click.Context(command))
            assert default == item.default or item.many


@pytest.fixture
def square(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> Platform:
    """`platform square`, from a step defined in these tests."""
    from citescape.cli import main

    class Squaring(Corpus):
        """A corpus with the method `square`."""

    member = type("Member", (), {"step": Square})
    monkeypatch.setattr(main, "_steps", lambda: {"square": member})
    return lambda *arguments: platform("square", *arguments)


def test_options_settings_and_output(square: Platform) -> None:
    shown = square(3)
    assert (shown.status, shown.err) == (0, "odd\n")
    assert shown.out.splitlines() == [
        "squares",
        "all",
        "n  square",
        "0       0",
        "1       1",
        "2       4",
        "of <b> & co",
        "again: platform square 3",
    ]
    assert square(3, "--json").json == {"count": 3}
    assert square(3, "--weights", "I=0.5", "--weights", "S=1", "--no-fast").status == 0


@pytest.mark.parametrize(
    "arguments",
    [(), (0,), (1, "--kind", "even"), (1, "--scale", 0), (1, "--weights", "I"), (1, "--shar", 2)],
    ids=str,
)
def test_wrong_usage_exits_with_2(square: Platform, arguments: tuple[object, ...]) -> None:
    done = square(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1


def test_command_line_overrides_settings_of_a_file(square: Platform) -> None:
    Path("own.toml").write_text('count = 4\nseed = 3\nweights = {I = 0.5}\nnetworks = ["a"]\n')
    assert square("--config", "own.toml", "--json").json == {"count": 4}
    assert square("--config", "own.toml", 2, "--json").json == {"count": 2}
    Path("own.toml").write_text('count = 4\nnetworks = "a"\n')
    assert square("--config", "own.toml", "--json").json == {"count": 4}
    Path("own.toml").write_text("shar = 0.1\n")
    refused = square(1, "--config", "own.toml")
    assert refused.status == 2
    assert "share" in refused.err


def test_help_shows_common_options_and_all_on_request(square: Platform) -> None:
    short, long = square("--help").out, square("--help", "--all").out
    assert "--share" not in short
    assert "--help --all" in short
    assert "--share" in long
    assert "Square numbers." in short


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "xlsx"])
def test_tables_are_saved(square: Platform, ending: str) -> None:
    path = Path(f"squares.{ending}")
    assert square(3, "--save", path).status == 0
    content = path.read_bytes()
    if ending == "csv":
        assert content == b'"n","square"\n0,0\n1,1\n2,4\n'
        assert square(3, "--save", path, "--bom").status == 0
        assert path.read_bytes() == b"\xef\xbb\xbf" + content
    elif ending == "json":
        assert json.loads(content)[2] == {"n": 2, "square": 4}
    elif ending == "parquet":
        assert pq.read_table(path)["square"].to_pylist() == [0, 1, 4]
    else:
        assert content.startswith(b"PK")


@pytest.mark.parametrize("save", [(), ("--save", "squares.xlsx")])
def test_a_byte_order_mark_needs_csv(square: Platform, save: tuple[str, ...]) -> None:
    refused = square(3, "--bom", *save)
    assert (refused.status, refused.out) == (2, "")
    assert "--bom needs --save FILE.csv" in refused.err
    assert not list(Path().glob("squares.*"))


def test_other_extensions_and_folders_are_refused_before_the_work(square: Platform) -> None:
    refused = square(3, "--save", "squares.doc")
    assert (refused.status, refused.out) == (1, "")
    refused = square(3, "--save", "absent/squares.csv")
    assert (refused.status, refused.out) == (1, "")


def test_commands_are_built_without_a_store() -> None:
    command = make_command("square", Square)
    assert command.short_help == "Square numbers."


def test_a_group_that_is_a_step_is_named_as_typed(platform: Platform) -> None:
    done = platform("train", "--epochs", "many")
    assert (done.status, done.out) == (2, "")
    assert "platform train [OPTIONS]" in done.err
    assert "x00" not in done.err


def test_settings_of_python_only_are_refused_in_a_file(platform: Platform) -> None:
    Path("own.toml").write_text('encode = "x"\n')
    done = platform("score", "--config", "own.toml")
    assert done.status == 2
    assert "no setting 'encode'" in done.err


def test_a_file_uses_option_names_and_weights_by_name(platform: Platform) -> None:
    Path("own.toml").write_text("learning-rate = 0.01\n")
    assert "no setting" not in platform("train", "--config", "own.toml").err
    Path("own.toml").write_text("weights = {I = 0.5, X = 0.5}\n")
    done = platform("score", "--config", "own.toml")
    assert done.status == 2
    assert "X" in done.err
    assert "no setting" not in done.err


def test_a_group_that_is_a_step_names_its_further_options(platform: Platform) -> None:
    assert "more options: platform train --help --all" in platform("train", "--help").out


def test_a_stored_run_prints_like_its_command(
    run_on_store: Platform, generated: GeneratedCorpus
) -> None:
    with citescape.open(generated.store, runs=generated.runs) as corpus:
        corpus.network.build("citation", papers="all")
        shown = str(corpus.network.build("citation", papers="all"))
    printed = run_on_store(
        "network", "build", "citation", "--papers", "all", "--runs", generated.runs
    ).out
    hints = [line.partition(": platform ")[0] for line in shown.splitlines()]
    assert [line.partition(": platform ")[0] for line in printed.splitlines()] == hints
    assert "edges" in shown
