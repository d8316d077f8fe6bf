"""A step: one capability of the platform, as a frozen dataclass whose fields are its settings.

    @dataclass(frozen=True)
    class Cluster(Step["ClusterRun"]):
        \"\"\"Find communities of related papers.\"\"\"

        network: RunName = ""
        \"\"\"Network to cluster.\"\"\"
        seeds: Count = 1
        \"\"\"Number of random seeds.\"\"\"

        def compute(self, context: Context) -> ClusterRun: ...

Settings, defaults, bounds and help texts are declared here once. The command
(`citescape.cli.commands`), the method of a corpus (`citescape.corpus`), the recorded settings and
the notebook display are derived from the declaration. Modules of steps are light: heavy imports are
in `compute`.
"""

from __future__ import annotations

import ast
import inspect
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from math import isfinite
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from textwrap import dedent
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    Protocol,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.paper_types import ALL, GROUPS

if TYPE_CHECKING:
    from citescape.runs.context import Context

_NUMBERS: Mapping[type, tuple[type, str]] = {
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
}
C = TypeVar("C")
R = TypeVar("R", covariant=True)


@dataclass(frozen=True)
class Setting:
    """Properties of a setting beyond its type. Several in one `Annotated` add up; the last wins."""

    flags: tuple[str, ...] = ()
    """Names of the option, such as ("-k", "--limit"); by default that of the field."""
    argument: bool = False
    """The value is given by its position on the command line, without a name."""
    choices: tuple[str, ...] = ()
    """Values that are allowed; those of a `Literal` need not be named."""
    metavar: str = ""
    """Name of a value in help: `RUN`, `FILE`."""
    default: str = ""
    """Description of the default, if the value is not clear: "the latest network"."""
    least: float | None = None
    """Smallest value that is allowed."""
    most: float | None = None
    """Largest value that is allowed."""
    above: float | None = None
    """Values must be larger than this."""
    environment: str = ""
    """Environment variable for the value, if the option is missing."""
    expert: bool = False
    """Shown by `--help --all` only; given by `--config FILE` or as an option."""
    help: str = ""
    """Help of the option, if it is generated at run time."""
    python: bool = False
    """The setting exists in Python only, such as a function."""
    function: bool = False
    """In Python, a function may stand in place of one of the choices."""


class Run(Protocol):
    """The result of a step that is stored as a run."""

    @property
    def run(self) -> str:
        """Id of the run."""


RunName = Annotated[str | PathLike[str] | Run, Setting(metavar="RUN")]
"""A run: its id, its folder, or the result of its step."""
Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One path or several; a step holds a tuple of them."""
Count = Annotated[int, Setting(least=1)]
"""A whole number, 1 or more."""
Share = Annotated[float, Setting(least=0, most=1)]
"""A share, 0 to 1."""
Positive = Annotated[float, Setting(above=0)]
"""A number above 0."""
Seed = Annotated[int, Setting(least=0, most=2**31 - 1)]
"""A random seed that every library accepts."""
PaperTypes = Annotated[tuple[str, ...], Setting(metavar="|".join(("TYPE", *GROUPS, ALL)))]
"""Types of papers, and groups of types."""
LOCAL = "local"
"""Tasks run in processes of this machine: `distributed.cluster.LOCAL`, without its imports."""
ClusterAddress = Annotated[
    str,
    Setting(
        metavar="local|auto|HOST:PORT",
        help="Where tasks run: `local`, `auto`, or the address HOST:PORT of the head of a Ray "
        "cluster.",
    ),
]
"""Where tasks over shards run, see `distributed.cluster.open_cluster`."""


@dataclass(frozen=True)
class Described:
    """One setting of a step with all parts of its declaration."""

    name: str
    type: Any
    """Type of one value: str, int, float, bool, Path."""
    default: Any
    """`dataclasses.MISSING` if a value must be given."""
    help: str
    choices: tuple[str, ...]
    many: bool
    """A tuple of values; the option may be repeated."""
    pairs: bool
    """A mapping of names to values: `--weights I=0.5`."""
    setting: Setting

    def check(self, value: object) -> None:
        """Compares a value, or each value of a tuple or mapping, with type, choices and bounds.

        Raises:
            ConfigError: it is of another type, not a choice or outside the bounds.
        """
        least, most, above = self.setting.least, self.setting.most, self.setting.above
        bounded = not (least is most is above is None)
        values: Iterable[object] = (value,)
        if self.pairs and value is not None:
            if not isinstance(value, Mapping):
                raise ConfigError(f"{self.name} is {value!r}; expected names with values")
            values = value.values()
        elif self.many and isinstance(value, tuple):
            values = value
        for item in values:
            if item is None or item is self.default:
                continue
            if self.setting.function and callable(item):
                continue
            if self.choices and item not in self.choices:
                raise invalid_choice(self.name, item, self.choices)
            if self.type is bool and not isinstance(item, bool):
                raise ConfigError(f"{self.name} is {item!r}; expected True or False")
            if self.type in (int, float):
                kind, words = _NUMBERS[self.type]
                if not isinstance(item, kind) or isinstance(item, bool):
                    raise ConfigError(f"{self.name} is {item!r}; expected {words}")
                number = cast(float, item)
                low = least is not None and number < least
                low = low or (above is not None and number <= above)
                high = most is not None and number > most
                if bounded and (low or high or not isfinite(number)):
                    raise ConfigError(f"{self.name} is {number}; expected {self.bounds()}")

    def bounds(self) -> str:
        """The bounds in words: "1 or more", "0 to 1", "more than 0"."""
        least, most, above = map(
            _write, (self.setting.least, self.setting.most, self.setting.above)
        )
        if above:
            return f"more than {above}" + (f", at most {most}" if most else "")
        if least and most:
            return f"{least} to {most}"
        return f"{least} or more" if least else f"at most {most}"


def _write(bound: float | None) -> str:
    """A bound as text; empty without one."""
    if bound is None:
        return ""
    return f"{int(bound):,}" if float(bound).is_integer() else f"{bound:g}"


@dataclass(frozen=True)
class Settings:
    """Base of steps, and of settings that several steps and functions share.

    Runs and paths are normalised; choices and bounds are those of the annotations. A class with
    rules of its own calls `super().__post_init__()` first, so that bases may be combined.
    """

    def __post_init__(self) -> None:
        for described in describe(type(self)):
            value = getattr(self, described.name)
            if described.many and not isinstance(value, tuple):
                value = tuple(value) if isinstance(value, list) else (value,)
            if described.type is Path and value is not None:
                value = tuple(map(Path, value)) if described.many else Path(value)
            if described.type is RunName:
                several = described.many or described.pairs
                value = name_runs(value) if several else _name_run(value)
            described.check(value)
            if described.type in (int, float) and isinstance(value, Real):
                value = described.type(value)  # numpy's numbers would not go into JSON
            object.__setattr__(self, described.name, value)


@dataclass(frozen=True)
class Step(Settings, Generic[R]):
    """Base of all steps. Fields are settings; `compute` does the work and returns its result."""

    writes: ClassVar[bool] = False
    """The step writes to the graph: a store that is a file is locked before the work begins. Steps
    of hours leave it False, and the store is locked when they write; their setting `write` says
    whether they do, so that a store opened to read only is refused before the work."""
    creates_store: ClassVar[bool] = False
    """A store that does not exist is created."""
    examples: ClassVar[str] = ""
    """Command lines, one per line."""

    @property
    def locks_store(self) -> bool:
        """Whether the store is locked before the work begins."""
        return self.writes

    def compute(self, context: Context) -> R:
        """Does the work on the store and the runs of `context`."""
        raise NotImplementedError


def extract(kind: type[C], step: C) -> C:
    """The settings that a step inherits from a class, as an object of that class.

    Args:
        kind: a base of the step's class, itself a dataclass.
        step: step with its settings.
    """
    return kind(**{item.name: getattr(step, item.name) for item in fields(kind)})  # type: ignore[arg-type]


def as_paths(value: Paths) -> tuple[Path, ...]:
    """One path or several as a tuple."""
    if isinstance(value, str | PathLike):
        return (Path(value),)
    return tuple(map(Path, value))


def name_runs(value: Any) -> Any:
    """The run ids or paths of results and paths, also in a tuple or mapping.

    Raises:
        ConfigError: it is neither a name nor the result of a step.
    """
    if isinstance(value, tuple | list):
        return tuple(name_runs(item) for item in value)
    if isinstance(value, Mapping):
        return {name: name_runs(item) for name, item in value.items()}
    return _name_run(value)


def _name_run(value: Any) -> str:
    if isinstance(value, str | PathLike):
        return fspath(value)
    named = getattr(value, "run", None)
    if not isinstance(named, str):
        raise ConfigError(
            f"{type(value).__name__} in place of a run; expected its id, a path, or the result of "
            "the step that made it"
        )
    return named


_described: dict[type[Any], tuple[Described, ...]] = {}


def describe(step: type[Settings]) -> tuple[Described, ...]:
    """The settings of a step in the order of its constructor."""
    if step not in _described:
        hints = get_type_hints(step, include_extras=True)
        texts = read_texts(step)
        ordered = sorted(fields(step), key=lambda item: bool(item.kw_only))
        _described[step] = tuple(
            _describe(item, hints[item.name], texts.get(item.name, "")) for item in ordered
        )
    return _described[step]


def _describe(item: Field[Any], hint: Any, text: str) -> Described:
    kind, setting, is_run = _unwrap(hint, Setting())
    if get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind) and not is_run:
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
        kind, setting, is_run = _unwrap(kind, setting)
    if kind == Paths:
        kind = tuple[Path, ...]
    origin = get_origin(kind)
    many = origin is tuple
    pairs = inspect.isclass(origin) and issubclass(origin, Mapping)
    if many or pairs:
        kind, setting, is_run = _unwrap(get_args(kind)[1 if pairs else 0], setting)
    choices = tuple(get_args(kind)) if get_origin(kind) is Literal else setting.choices
    default = item.default if item.default_factory is MISSING else item.default_factory()
    one = RunName if is_run else (str if choices or not inspect.isclass(kind) else kind)
    return Described(item.name, one, default, setting.help or text, choices, many, pairs, setting)


def _unwrap(hint: Any, setting: Setting) -> tuple[Any, Setting, bool]:
    """A type without annotations, its settings, and whether it is `RunName`.

    An outer annotation wins; the values of an inner one stay where the outer has defaults.
    """
    while get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        values = {item.name: getattr(setting, item.name) for item in fields(Setting)}
        for extra in reversed(extras):
            for item in fields(Setting) if isinstance(extra, Setting) else ():
                if values[item.name] == item.default:
                    values[item.name] = getattr(extra, item.name)
        setting = Setting(**values)
    is_run = get_origin(hint) in (Union, UnionType) and Run in get_args(hint)
    return hint, setting, is_run


def read_texts(kind: type) -> dict[str, str]:
    """The docstring after each field of a class and its bases, as one line."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if "__annotations__" not in vars(base) or base.__module__ == "builtins":
            continue
        path = getattr(sys.modules.get(base.__module__), "__file__", None)
        node = _list_classes(path).get(base.__name__) if path else None
        if node is None:  # a class of a notebook, or within a function
            (node,) = ast.parse(dedent(inspect.getsource(base))).body  # type: ignore[assignment]
        assert isinstance(node, ast.ClassDef)
        for field, text in zip(node.body, node.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
                and isinstance(text.value.value, str)
            ):
                found[field.target.id] = " ".join(text.value.value.split())
    return found


@cache
def _list_classes(path: str) -> dict[str, ast.ClassDef]:
    """Classes at the top of a file by name."""
    text = Path(path).read_text(encoding="utf-8") if path.endswith(".py") else ""
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}


def option_names(described: Described) -> tuple[str, ...]:
    """The names of the option: `--min-size`."""
    return described.setting.flags or (f"--{described.name.replace('_', '-')}",)


def command_words(command: str, step: Step[Any]) -> str:
    """A command line that runs a step again: the settings that are not the defaults.

    Args:
        command: words of the command, such as `network build`.
        step: step with its settings.
    """
    return shlex.join([*command.split(), *_words(step)])


def _words(step: Step[Any]) -> Iterator[str]:
    for described in describe(type(step)):
        value = getattr(step, described.name)
        if value == described.default:
            continue
        name = option_names(described)[-1]
        if isinstance(value, bool):
            yield name if value else f"--no-{name.removeprefix('--')}"
            continue
        values = [f"{key}={item}" for key, item in value.items()] if described.pairs else value
        for item in values if described.many or described.pairs else [value]:
            yield from [str(item)] if described.setting.argument else [name, str(item)]


def summary_line(step: Callable[..., Any]) -> str:
    """The first paragraph of a docstring as one line."""
    return " ".join((inspect.getdoc(step) or "").partition("\n\n")[0].split())
