"""Commands derived from steps: options, help, `--json`, `--config`, `--save`."""

from __future__ import annotations

import inspect
import shutil
import sys
import tomllib
from dataclasses import MISSING
from pathlib import Path
from typing import Any

import click

from citescape.cli.options import command_line, output_options, runs_option, store_option
from citescape.cli.output import echo_json
from citescape.core.errors import ConfigError
from citescape.core.near import find_near
from citescape.core.terminal import echo, echo_tabbed
from citescape.runs.context import Context, run
from citescape.runs.methods import Group, Subgroup, list_members
from citescape.runs.result import Result, Tabbed, format_part
from citescape.runs.save import check_save, save_result
from citescape.runs.step import Described, Step, describe, option_names, summary_line

_DEFAULT = "\0default"
_NARROWEST, _WIDEST = 40, 100
"""Columns of paragraphs."""
CONTEXT_OPTIONS = ("store", "runs", "as_json", "save", "bom")
"""Parameters of every command that are not settings of its step."""


class StepCommand(click.Command):
    """A command made from a step. `--help` shows common options, `--help --all` every one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Handles `--help --all`."""
        return super().parse_args(ctx, _show_all(self, args))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Gives the number of hidden options."""
        hidden = [p for p in self.params if getattr(p, "hidden", False)]
        if hidden:
            formatter.write_paragraph()
            formatter.write_text(
                f"{len(hidden)} more options: {ctx.command_path} --help --all. Each can be set "
                "in a TOML file for --config."
            )
        super().format_epilog(ctx, formatter)


def _show_all(command: click.Command, args: list[str]) -> list[str]:
    """The arguments without `--all` of `--help --all`, which shows all options of a command."""
    if "--all" not in args or not {"--help", "-h"} & {*args}:
        return args
    for parameter in command.params:
        parameter.hidden = False  # type: ignore[attr-defined]
    return [arg for arg in args if arg != "--all"]


def make_command(words: str, step: type[Step[Any]]) -> click.Command:
    """The command of a step.

    Args:
        words: words of the command, such as `network build`.
        step: its class.
    """
    described = [item for item in describe(step) if not item.setting.python]
    parameters: list[click.Parameter] = []
    for item in described:
        parameters.append(_argument(item) if item.setting.argument else _option(item))

    def callback(**values: Any) -> None:
        _run(step, values)

    for decorate in (
        output_options,
        _save_options,
        runs_option,
        store_option,
        _config_option(step) if described else lambda function: function,
    ):
        decorate(callback)
    parameters += reversed(callback.__click_params__)  # type: ignore[attr-defined]
    return StepCommand(
        words.split()[-1],
        callback=callback,
        params=parameters,
        help=make_help(step),
        short_help=summary_line(step),
    )


def make_member(words: str, member: Any) -> click.Command:
    """The command of a method of a corpus, or the group of a group of methods.

    Args:
        words: words of the command, such as `network build`.
        member: a step or group, as `list_members` yields it.
    """
    return (
        make_group(words, member.kind)
        if isinstance(member, Subgroup)
        else make_command(words, member.step)
    )


def make_group(words: str, group: type[Group]) -> click.Group:
    """The commands of a group of methods. A group that is a step itself runs without a name.

    Args:
        words: words of the command, such as `evaluate`.
        group: its class.
    """
    own = vars(group).get("__call__")
    text = make_help(own.step) if own else inspect.getdoc(group)
    command = StepGroup(words.split()[-1], help=text, no_args_is_help=True)
    for name, member in list_members(group):
        if name != "__call__":
            command.add_command(make_member(f"{words} {name.replace('_', '-')}", member))
    if own:
        command.default = make_command(words, own.step)
    return command


class StepGroup(click.Group):
    """A group in the order of its definition; with `default`, it is a command too."""

    default: click.Command | None = None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands as they were defined."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Passes all arguments to the default command if they do not begin with a command."""
        if self.default:
            args = _show_all(self.default, args)
        named = {*args[:1]} & {*self.commands}
        if self.default and not named and not {*args} & {"--help", "-h"}:
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; messages do not name the default one."""
        if self.default and args[:1] == [_DEFAULT]:
            return "", self.default, args[1:]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command.

        Raises:
            UsageError: there is no such command; the message names near ones.
        """
        command = super().get_command(ctx, cmd_name)
        if command is None and not ctx.resilient_parsing:
            near = find_near(cmd_name, self.commands) or self.commands
            raise click.UsageError(f"no command {cmd_name!r}; expected: {', '.join(near)}", ctx)
        return command

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Names the options of the default command that are not shown."""
        if self.default:
            self.default.format_epilog(ctx, formatter)
        else:
            super().format_epilog(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the default command, then the commands."""
        if self.default:
            self.default.params = [p for p in self.default.params if p.name != "help"]
            click.Command.format_options(self.default, ctx, formatter)
            self.format_commands(ctx, formatter)
        else:
            super().format_options(ctx, formatter)


def make_help(step: type[Step[Any]]) -> str:
    """The docstring of a step with its examples, as click lays them out."""
    text = inspect.getdoc(step) or ""
    if step.examples:
        lines = "\n".join(f"  {line}" for line in inspect.cleandoc(step.examples).splitlines())
        text += f"\n\n\b\nExamples:\n{lines}"
    return text


def _argument(item: Described) -> click.Argument:
    return click.Argument(
        [item.name],
        type=_click_type(item),
        nargs=-1 if item.many else 1,
        required=item.default is MISSING,
        metavar=item.setting.metavar or None,
        **({} if item.default in (MISSING, (), "", None) else {"default": item.default}),
    )


def _option(item: Described) -> click.Option:
    setting, names = item.setting, list(option_names(item))
    if item.type is bool and not item.many:
        if item.default is not False:
            names[-1] += f"/--no-{names[-1].removeprefix('--')}"
        return click.Option(
            [*names, item.name],
            is_flag=True,
            default=item.default,
            show_default=setting.default or item.default is True,
            help=item.help,
            hidden=setting.expert,
        )
    empty = item.default in ("", None, (), {}, MISSING) or bool(setting.default)
    return click.Option(
        [*names, item.name],
        type=_click_type(item),
        multiple=item.many or item.pairs,
        required=item.default is MISSING,
        show_default=setting.default or not empty,
        envvar=setting.environment or None,
        show_envvar=bool(setting.environment),
        metavar=setting.metavar or None,
        help=item.help + (" May be repeated." if item.many or item.pairs else ""),
        hidden=setting.expert,
        **({} if empty else {"default": item.default}),
    )


def _click_type(item: Described) -> click.ParamType[Any] | None:
    setting = item.setting
    low = setting.least if setting.above is None else setting.above
    bounds: dict[str, Any] = {
        "min": low,
        "max": setting.most,
        "min_open": setting.above is not None,
    }
    bounded = low is not None or setting.most is not None
    if item.pairs:
        return click.STRING
    if item.choices:
        return click.Choice(item.choices)
    if item.type is int:
        whole: dict[str, Any] = {}
        for name, bound in bounds.items():
            whole[name] = int(bound) if isinstance(bound, float) else bound
        return click.IntRange(**whole) if bounded else click.INT
    if item.type is float:
        return click.FloatRange(**bounds) if bounded else click.FLOAT
    return click.Path(path_type=Path) if item.type is Path else click.STRING


def _save_options(function: Any) -> Any:
    function = click.option(
        "--bom",
        is_flag=True,
        hidden=True,
        help="Begin a CSV file of --save with a byte order mark, so that Excel reads it as UTF-8.",
    )(function)
    return click.option(
        "--save",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the table of the result to a file (.csv, .json, .parquet or .xlsx), or the "
        "whole output to a page (.html).",
    )(function)


def _config_option(step: type[Step[Any]]) -> Any:
    def read(ctx: click.Context, option: click.Parameter, path: Path | None) -> None:
        if path:
            ctx.default_map = {**(ctx.default_map or {}), **read_config(path, step)}

    return click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=read,
        help="TOML file of settings by name; options on the command line win.",
    )


def read_config(path: Path, step: type[Step[Any]]) -> dict[str, Any]:
    """The settings of a TOML file, by the names of a step's fields.

    Args:
        path: the file.
        step: class of the step.

    Raises:
        UsageError: the file cannot be read, or names a setting that the step does not have.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.UsageError(f"--config {path}: {reason}; expected a TOML file") from error
    known: dict[str, Described] = {}
    for item in describe(step):
        if not item.setting.python:
            flags = [flag.lstrip("-").replace("-", "_") for flag in option_names(item)]
            known |= dict.fromkeys([*flags, item.name], item)
    read: dict[str, Any] = {}
    for name, value in given.items():
        setting = known.get(name.replace("-", "_"))
        if setting is None:
            near = ", ".join(find_near(name, known) or known)
            raise click.UsageError(f"--config {path}: no setting {name!r}; expected: {near}")
        if isinstance(value, dict):
            pairs = [f"{key}={item}" for key, item in value.items()]
            value = pairs if setting.pairs else ",".join(pairs)
        elif setting.many and not isinstance(value, list):
            value = [value]
        read[setting.name] = value
    return read


def _run(step: type[Step[Any]], values: dict[str, Any]) -> None:
    """Creates the step, runs it, and prints its result."""
    from citescape.training.processes import is_first_process

    given = {name: value for name, value in values.items() if name not in CONTEXT_OPTIONS}
    try:
        configured = step(**_settings(step, given))
    except ConfigError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    context = Context.open(values["store"], runs=values["runs"] or "", create=step.creates_store)
    source = click.get_current_context().get_parameter_source("store")
    context.named = source is click.core.ParameterSource.COMMANDLINE
    if values["bom"] and (not values["save"] or values["save"].suffix.lower() != ".csv"):
        raise click.UsageError("--bom needs --save FILE.csv", click.get_current_context())
    if values["save"]:
        check_save(values["save"])
    try:
        result = run(configured, context)
    finally:
        context.release()
    if not is_first_process():
        return
    if values["save"]:
        save_result(result, values["save"], bom=values["bom"])
    show(result, context, as_json=values["as_json"], runs=values["runs"])
    if values["save"] and not values["as_json"]:
        echo(f"saved: {values['save']}", err=True)
    if result.failure:
        raise result.failure
    if result.exit_status:
        sys.exit(result.exit_status)


def _settings(step: type[Step[Any]], given: dict[str, Any]) -> dict[str, Any]:
    """The values of given options as fields of a step."""
    settings: dict[str, Any] = {}
    for item in describe(step):
        value = None if item.setting.python else given[item.name]
        if value is None or (value == () and (item.many or item.pairs)):
            continue
        if not item.pairs:
            settings[item.name] = value
            continue
        settings[item.name], option = {}, option_names(item)[-1]
        for text in value:
            name, equals, part = text.partition("=")
            if not equals:
                raise click.UsageError(f"{option} {text}: expected NAME=VALUE")
            try:
                number = item.type(part) if item.type in (int, float) else part
            except ValueError as error:
                raise click.UsageError(f"{option} {text}: {part} is not a number") from error
            settings[item.name][name] = number
    return settings


def show(result: Result, context: Context, *, as_json: bool, runs: Path | None) -> None:
    """Prints a result: its summary, or its figures as one line of JSON.

    Args:
        result: result of a step.
        context: store and runs of the step.
        as_json: print the figures as JSON only.
        runs: folder of runs as given, for the next commands.
    """
    summary = result.summarise()
    for remark in summary.remarks:
        echo(remark, err=True)
    if as_json:
        echo_json(summary.figures)
        return
    for part in summary.parts:
        if isinstance(part, Tabbed):
            echo_tabbed(part.text)
        else:
            echo(*format_part(part, text_width()))
    for purpose, words in summary.next:
        echo(f"{purpose}: {command_line(words, context.location, runs)}")


def text_width() -> int:
    """Width of paragraphs: that of the terminal, 40 to 100 columns."""
    return max(_NARROWEST, min(shutil.get_terminal_size().columns, _WIDEST))
