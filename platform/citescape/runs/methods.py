"""Methods of a corpus, derived from steps, and groups of methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING
from functools import cached_property
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast, get_type_hints, overload

from citescape.core.near import find_near
from citescape.runs.context import Context, run
from citescape.runs.step import Step, describe, summary_line

P = ParamSpec("P")
R = TypeVar("R")
G = TypeVar("G", bound="Group")


class Group:
    """Methods that belong together, such as `corpus.evaluate`. Prints a list of its methods."""

    def __init__(self, context: Context, name: str = "") -> None:
        self.context = context
        self._name = name

    def __repr__(self) -> str:
        lines = [f"{self._name}: {(inspect.getdoc(type(self)) or '').strip()}"]
        for name, member in list_members(type(self)):
            is_group = isinstance(member, Subgroup)
            text = summary_line(member.kind if is_group else member.step)
            lines.append(f"  .{name}{'' if is_group else '()'}  {text}")
        return "\n".join(lines)


class Method:
    """A method that creates a step from its arguments, runs it, and returns its result.

    Signature and documentation are those of the step, generated on first use.
    """

    def __init__(self, step: type[Step[Any]]) -> None:
        self.step = step

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The method as a function of the group."""
        step = self.step

        name = step.__name__.lower()

        def run_step(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            known = [item.name for item in describe(step)]
            for unknown in kwargs.keys() - known:
                near = ", ".join(find_near(unknown, known) or known)
                raise TypeError(f"{name}() has no setting {unknown!r}; expected: {near}")
            return run(step(*args, **kwargs), self.context)

        lines = [inspect.getdoc(step) or "", "", "Args:"]
        for item in describe(step):
            default = "" if item.default is MISSING else f" Default: {item.default!r}."
            lines.append(f"    {item.name}: {item.help}{default}")
        run_step.__name__ = name
        run_step.__doc__ = "\n".join(lines if len(lines) > 3 else lines[:1])
        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        hints = get_type_hints(step)
        settings = [
            parameter.replace(annotation=hints[name])
            for name, parameter in inspect.signature(step).parameters.items()
        ]
        run_step.__signature__ = inspect.Signature([own, *settings])  # type: ignore[attr-defined]
        run_step.step = step  # type: ignore[attr-defined]
        return run_step

    def __get__(self, owner: Group | None, kind: type) -> Callable[..., Any]:
        return self.function if owner is None else MethodType(self.function, owner)


def method(step: Callable[P, Step[R]]) -> Callable[Concatenate[Any, P], R]:
    """The method of a step, as an attribute of a group; typed as its constructor is."""
    return cast("Callable[Concatenate[Any, P], R]", Method(cast("type[Step[Any]]", step)))


class Subgroup(Generic[G]):
    """A group as an attribute of a corpus or of another group."""

    def __init__(self, kind: type[G]) -> None:
        self.kind = kind
        self._name = ""
        self.__doc__ = inspect.getdoc(kind)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, owner: None, kind: type) -> Subgroup[G]: ...
    @overload
    def __get__(self, owner: Group, kind: type) -> G: ...
    def __get__(self, owner: Group | None, kind: type) -> Subgroup[G] | G:
        return self if owner is None else self.kind(owner.context, self._name)


def list_members(kind: type[Group]) -> Iterator[tuple[str, Any]]:
    """The methods made from steps and the groups of a class, in the order of its definition."""
    for base in reversed(kind.__mro__):
        for name, member in vars(base).items():
            if isinstance(member, Subgroup) or hasattr(member, "step"):
                yield name, member
