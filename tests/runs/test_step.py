"""Steps: interfaces derived from the fields of a dataclass, and validation of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.runs.context import Context, run
from citescape.runs.methods import Group, Subgroup, list_members, method
from citescape.runs.result import Result, Rows, Summary, Table, Text, to_html
from citescape.runs.step import (
    Count,
    Paths,
    Positive,
    RunName,
    Seed,
    Setting,
    Share,
    Step,
    command_words,
    describe,
)


class Squares(Result):
    """Squares of numbers."""

    def __init__(self, numbers: range) -> None:
        self.numbers = numbers

    @property
    def arrow(self) -> pa.Table:
        """A row per number."""
        return pa.table({"n": [*self.numbers], "square": [n * n for n in self.numbers]})

    def summarise(self) -> Summary:
        """The table of squares."""
        rows = [(n, n * n) for n in self.numbers]
        parts = ["squares", Table(("n", "square"), rows, "all"), Text("of <b> & co")]
        return Summary(parts, {"count": len(rows)}, [("again", "square 3")], ["odd"])


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Settings of a base."""

    seed: Seed = 0
    """Random seed."""
    share: Annotated[Share, Setting(expert=True)] = 0.5
    """Share of the papers."""


@dataclass(frozen=True)
class Square(Bounds, Step["Squares"]):
    """Square numbers.

    All from 0 on.
    """

    count: Annotated[Count, Setting(argument=True)]
    """Number of numbers."""
    network: Annotated[RunName, Setting(default="the latest", flags=("-n", "--network"))] = ""
    """Network to use,
    in two lines."""
    networks: tuple[RunName, ...] = ()
    """Several runs."""
    files: Paths = ()
    """Files."""
    scale: Positive | None = None
    """Scale."""
    kind: Literal["plain", "odd"] = "plain"
    """Kind."""
    weights: Mapping[str, float] | None = None
    """Weight of each name."""
    fast: bool = True
    """Be fast."""
    function: Annotated[Callable[[int], int] | None, Setting(python=True)] = None
    """Function."""

    def compute(self, context: Context) -> Squares:
        context.progress(f"{self.count} numbers")
        return Squares(range(self.count))


class Numbers(Group):
    """Work on numbers."""

    __call__ = method(Square)
    square = method(Square)


class Home(Group):
    """All groups."""

    numbers = Subgroup(Numbers)


def settings() -> dict[str, Any]:
    return {item.name: item for item in describe(Square)}


def test_fields_are_described_in_the_order_of_the_constructor() -> None:
    result = settings()
    own = ["count", "network", "networks", "files", "scale", "kind", "weights", "fast", "function"]
    assert list(result) == [*own, "seed", "share"]
    assert result["network"].help == "Network to use, in two lines."
    assert result["network"].setting.metavar == "RUN"
    assert result["network"].setting.default == "the latest"
    assert result["share"].setting.expert
    assert (result["share"].setting.least, result["share"].setting.most) == (0, 1)
    assert result["kind"].choices == ("plain", "odd")
    assert result["networks"].many
    assert (result["files"].many, result["files"].type) == (True, Path)
    assert (result["weights"].pairs, result["weights"].type) == (True, float)
    assert (result["scale"].type, result["fast"].type) == (float, bool)
    assert result["function"].setting.python


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"count": 0}, "count is 0; expected 1 or more"),
        ({"seed": -1}, "seed is -1; expected 0 to"),
        ({"share": 1.1}, "share is 1.1; expected 0 to 1"),
        ({"share": float("nan")}, "share is nan"),
        ({"scale": 0.0}, "scale is 0.0; expected more than 0"),
        ({"count": 1.5}, "count is 1.5; expected a whole number"),
        ({"count": True}, "count is True; expected a whole number"),
        ({"count": "1"}, "count is '1'; expected a whole number"),
        ({"scale": "x"}, "scale is 'x'; expected a number"),
        ({"fast": 1}, "fast is 1; expected True or False"),
        ({"weights": 0.5}, "weights is 0.5; expected names with values"),
        ({"weights": {"I": "x"}}, "weights is 'x'; expected a number"),
        ({"kind": "even"}, "kind is 'even'; expected one of: odd, plain"),
        ({"network": 3}, "int in place of a run"),
        ({"networks": [3]}, "int in place of a run"),
    ],
    ids=str,
)
def test_invalid_values_are_refused(settings_: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Square(**{"count": 1, **settings_})


def test_numpy_numbers_become_python_numbers() -> None:
    step = Square(np.int64(2), scale=np.float32(0.5))  # type: ignore[arg-type]
    assert (type(step.count), type(step.scale)) == (int, float)


def test_results_and_paths_name_their_runs(tmp_path: Path) -> None:
    class Result:
        run = "network-1"

    step = Square(1, Result(), networks=[Result(), tmp_path], files="a")  # type: ignore[arg-type]
    assert (step.network, step.networks, step.files) == (
        "network-1",
        ("network-1", str(tmp_path)),
        (Path("a"),),
    )


def test_the_command_line_of_a_step_runs_it_again() -> None:
    step = Square(3, "a b", networks=("x", "y"), weights={"I": 0.5}, fast=False, seed=2)
    assert command_words("square", step) == (
        "square 3 --network 'a b' --networks x --networks y --weights I=0.5 --no-fast --seed 2"
    )


def test_unknown_settings_name_similar_settings(tmp_path: Path) -> None:
    home = Home(Context("absent.lbug", tmp_path, progress=print))
    with pytest.raises(TypeError, match=r"square\(\) has no setting 'wieghts'; expected: weights"):
        home.numbers.square(1, wieghts={})  # type: ignore[call-arg]


def test_an_unwritable_store_is_refused_before_the_work(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Late(Step[Rows]):
        """Write late."""

        write: bool = True
        """Write the rows to the graph."""

        def compute(self, context: Context) -> Rows:
            return Rows(pa.table({"n": [1]}))

    context = Context("absent.lbug", tmp_path, read_only=True, progress=print)
    with pytest.raises(StoreError, match="read_only"):
        run(Late(), context)
    assert len(run(Late(write=False), context)) == 1


def test_results_print_as_their_command_does() -> None:
    rows = Rows(pa.table({"title": ["a\x1b[31m", None], "year": [2012, 2013], "n": [1000, 20]}))
    shown = ["title      year      n", r"a\x1b[31m  2012  1,000", "-          2013     20"]
    assert str(rows).splitlines() == repr(rows).splitlines() == shown

    @dataclass(frozen=True)
    class Large(Result):
        values: tuple[int, ...]

        def summarise(self) -> Summary:
            return Summary([f"{len(self.values)} values"], next=[("a picture", "map")])

    assert repr(Large((1, 2))).splitlines() == ["2 values", "a picture: platform map"]


def test_methods_have_signature_and_documentation_of_their_step(tmp_path: Path) -> None:
    lines: list[str] = []
    home = Home(Context("absent.lbug", tmp_path, progress=lines.append))
    assert home.numbers.square(3).arrow["square"].to_pylist() == [0, 1, 4]
    assert len(home.numbers(2).arrow) == 2
    assert lines == ["3 numbers", "2 numbers"]
    text = Numbers.square.__doc__ or ""
    assert text.startswith("Square numbers.")
    assert "share: Share of the papers. Default: 0.5." in text
    assert "square()  Square numbers." in repr(home.numbers)
    assert [name for name, _ in list_members(Home)] == ["numbers"]


def test_progress_is_shown_by_default_and_restored(tmp_path: Path) -> None:
    context = Context("absent.lbug", tmp_path)
    before = context.progress
    run(Square(1), context)
    assert context.progress is before


def test_html_of_results_is_escaped() -> None:
    page = to_html(Squares(range(2)).summarise())
    assert "<caption>all</caption>" in page
    assert '<td style="text-align: right">1</td>' in page
    assert "of &lt;b&gt; &amp; co" in page
    assert "<code>platform square 3</code>" in page
    assert Squares(range(2))._repr_html_() == page


def test_results_become_frames() -> None:
    pytest.importorskip("pandas")
    assert Squares(range(3)).to_pandas()["square"].tolist() == [0, 1, 4]
    pytest.importorskip("polars")
    assert Squares(range(3)).to_polars()["n"].to_list() == [0, 1, 2]
    assert list(Squares(range(1)).tables()) == ["table"]
    rows = Rows(pa.table({"n": list(range(30))}))
    assert (len(rows), rows.summarise().parts[-1]) == (30, "10 more rows")
