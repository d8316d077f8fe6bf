"""What `platform network report`, `overlap` and `nearest` print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from citescape.cli.output import echo_table, number
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.networks.build import NetworkRun
    from citescape.networks.nearest_table import NearestTable
    from citescape.networks.report import NetworkReport

_TITLE = 48


def print_reports(found: Mapping[str, NetworkRun], told: Mapping[str, NetworkReport]) -> None:
    """Figures of networks as columns, each with the random network beside it."""
    _print_networks(found)
    columns: list[tuple[str, NetworkReport]] = []
    for name, one in told.items():
        columns += [(name, one), *([("random", one.random)] if one.random else [])]
    whole = all(one.core == one.papers for _, one in columns)
    rows = [
        (name, *(tell(one) for _, one in columns))
        for name, tell in _FIGURES.items()
        if not (name == "core papers" and whole)
    ]
    _print_right(["", *(name for name, _ in columns)], rows)


_FIGURES: Mapping[str, Callable[[NetworkReport], str]] = {
    "papers": lambda one: number(one.papers),
    "core papers": lambda one: number(one.core),
    "edges": lambda one: number(one.edges),
    "mean degree": lambda one: _decimals(one.mean_degree),
    "density": lambda one: _digits(one.density),
    "connected": lambda one: "yes" if one.connected else "no",
    "components": lambda one: number(one.components),
    "largest component": lambda one: number(one.largest),
    "share of papers in it": lambda one: _percent(one.largest_share),
    "isolated papers": lambda one: number(one.isolated),
    "local clustering": lambda one: _digits(one.local_clustering),
    "transitivity": lambda one: _digits(one.transitivity),
    "mean strength": lambda one: _decimals(one.mean_strength),
    "path length": lambda one: _decimals(one.path_length.mean if one.path_length else None),
    "its standard error": lambda one: _digits(
        one.path_length.standard_error if one.path_length else None
    ),
    "pairs measured": lambda one: _pairs(one),
}
"""What is told of a network -> its text."""


def _pairs(one: NetworkReport) -> str:
    if one.path_length is None:
        return "-"
    return f"{'all ' if one.path_length.exact else ''}{number(one.path_length.pairs)}"


def print_overlaps(
    found: Mapping[str, NetworkRun], table: pa.Table, *, edges: Mapping[str, int]
) -> None:
    """A row for each pair; for three networks or more a matrix of shares below it."""
    _print_networks(found)
    rows = table.to_pylist()
    header = ["network 1", "network 2", "papers", "E1", "E2", "shared", "of E1", "of E2"]
    shown = [
        (
            row["network"],
            row["other"],
            *(number(row[name]) for name in ("papers", "edges", "other_edges", "shared")),
            *(_percent(row[name]) for name in ("share", "other_share", "jaccard")),
            _decimals(row["expected"]),
            _decimals(row["times_expected"]),
        )
        for row in rows
    ]
    _print_right([*header, "of either", "by chance", "times"], shown, left=2)
    echo(
        "",
        "E1, E2: edges between papers that both have; by chance: E1 p, p the density of network 2",
    )
    if len(edges) > 2:
        echo("", "share of the row's edges that the column has too", "")
        _print_right(["", *edges], list(_matrix(rows, list(edges))))
    for row in rows:
        if row["left_out"] or row["other_left_out"]:
            echo(
                f"left out, of papers that only one has: {row['network']} "
                f"{number(row['left_out'])}, {row['other']} {number(row['other_left_out'])}"
            )


def _matrix(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[Sequence[str]]:
    shares = {(row["network"], row["other"]): row["share"] for row in rows}
    shares |= {(row["other"], row["network"]): row["other_share"] for row in rows}
    for name in names:
        yield [name, *("" if o == name else _percent(shares[name, o]) for o in names)]


def print_nearest(found: NearestTable) -> None:
    """The neighbours of a paper; titles are cut to the width of a line."""
    if not found.papers:
        echo(f"{found.paper} has no neighbours in {found.network}; --network names another")
        return
    echo(f"nearest to {found.paper} ({found.network})", "")
    rows = [
        (
            one.rank,
            f"{one.weight:.3f}",
            str(one.year or ""),
            _yes(one.cited),
            one.id,
            _cut(one.title),
        )
        for one in found.papers
    ]
    echo_table(("", found.measure, "year", "is cited", "paper", "title"), rows)
    cited = sum(one.cited for one in found.papers)
    rest = found.neighbours - found.gone - len(found.papers)
    echo(
        "",
        f"{number(cited)} of {number(len(found.papers))} are cited by it"
        + (f"; {plural(rest, 'neighbour')} more in the network" if rest else "")
        + (f"; {number(found.gone)} left out, not in the graph any more" if found.gone else ""),
    )


def nearest_markdown(found: NearestTable) -> list[str]:
    """The lines of a table in Markdown with the neighbours of a paper."""
    lines = [f"|  | title | year | {found.measure} | is cited |", "| --: | :-- | --: | --: | :-- |"]
    for one in found.papers:
        title = " ".join(one.title.replace("|", "\\|").split()) or one.id
        lines.append(
            f"| {one.rank} | {title} | {one.year or ''} | {one.weight:.3f} | {_yes(one.cited)} |"
        )
    return lines


def _print_networks(found: Mapping[str, NetworkRun]) -> None:
    """Which runs are meant by the names in the table."""
    for name, one in found.items():
        config = one.record.config
        extra = f", {config['normalise']}" if config.get("normalise", "none") != "none" else ""
        top = f", top {config['top']}" if config.get("top") else ""
        echo(f"{name}: {one.run}, {config.get('papers', '')} papers{extra}{top}")
    echo("")


def _print_right(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> None:
    """A table of texts, right-aligned but for the first `left` columns."""
    columns = [list(column) for column in zip(header, *rows, strict=True)]
    for column in columns[left:]:
        width = max(map(len, column))
        column[:] = [text.rjust(width) for text in column]
    first, *others = zip(*columns, strict=True)
    echo_table(first, others)


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:#.3g}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.2%}"


def _yes(whether: bool) -> str:
    return "yes" if whether else "no"


def _cut(title: str) -> str:
    return title if len(title) <= _TITLE else title[: _TITLE - 1].rstrip() + "…"
