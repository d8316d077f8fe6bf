"""What people and programs are shown of networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from citescape.networks.build import NetworkRun
from citescape.networks.nearest_table import NearestTable
from citescape.networks.report import NetworkReport, report_table
from citescape.runs.result import Part, Result, Summary, Table, plural

_TITLE = 48
_COUNTS = {
    "k": "{} nearest of each",
    "reciprocal": "{} pairs are each other's",
    "negative": "{} with a cosine of 0 or less are left out",
    "without_vector": "{} without a vector",
    "without_text": "{} without a text",
    "without_terms": "{} without a term",
    "terms": "{} terms",
    "citations": "{} citations",
    "without_weight": "{} more have no weight and are left out",
    "outside": "{} papers outside the network link its papers",
}
"""Count of a run -> the clause that says it, unless it is 0."""


@dataclass(frozen=True)
class NetworkReports(Result):
    """The structure of networks, each beside a random one."""

    networks: Mapping[str, NetworkRun]
    reports: Mapping[str, NetworkReport]
    pairs: int
    seed: int

    @property
    def arrow(self) -> pa.Table:
        """A row a network, the random one below it."""
        table = report_table(self.reports)
        runs = [self.networks[name].run for name in table["network"].to_pylist()]
        return table.append_column("run", pa.array(runs))

    def summarise(self) -> Summary:
        """Figures as rows, networks as columns."""
        columns: list[tuple[str, NetworkReport]] = []
        for name, one in self.reports.items():
            columns += [(name, one), *([("random", one.random)] if one.random else [])]
        whole = all(one.core == one.papers for _, one in columns)
        rows = [
            (name, *(tell(one) for _, one in columns))
            for name, tell in _FIGURES.items()
            if not (name == "core papers" and whole)
        ]
        figures = [
            {**_named(self.networks[name]), **asdict(one)} for name, one in self.reports.items()
        ]
        runs = " ".join(one.run for one in self.networks.values())
        next_ = ("agreement with a criterion", f"evaluate accuracy {runs}")
        if len(self.networks) == 1:
            next_ = ("communities", f"cluster --network {runs}")
        return Summary(
            [*_list_networks(self.networks), _right(["", *(name for name, _ in columns)], rows)],
            {"networks": figures, "pairs": self.pairs, "seed": self.seed},
            [next_],
        )


@dataclass(frozen=True)
class NetworkOverlaps(Result):
    """The edges that every two networks share."""

    networks: Mapping[str, NetworkRun]
    table: pa.Table
    names: Sequence[str]
    """Of all that are compared, a random network included."""
    seed: int

    @property
    def arrow(self) -> pa.Table:
        """A row a pair of networks; see `overlap.overlap_table`."""
        return self.table

    def summarise(self) -> Summary:
        """A row a pair; for three networks or more a matrix of shares below."""
        rows = self.table.to_pylist()
        header = ["network 1", "network 2", "papers", "E1", "E2", "shared", "of E1", "of E2"]
        shown = [
            (
                row["network"],
                row["other"],
                *(_count(row[name]) for name in ("papers", "edges", "other_edges", "shared")),
                *(_percent(row[name]) for name in ("share", "other_share", "jaccard")),
                _decimals(row["expected"]),
                _decimals(row["times_expected"]),
            )
            for row in rows
        ]
        parts: list[Part] = [
            *_list_networks(self.networks),
            _right([*header, "of either", "by chance", "times"], shown, left=2),
            "",
            "E1, E2: edges between papers that both have; by chance: E1 p, p the density of "
            "network 2",
        ]
        if len(self.names) > 2:
            parts += ["", "share of the row's edges that the column has too", ""]
            parts.append(_right(["", *self.names], list(_matrix(rows, self.names))))
        for row in rows:
            if row["left_out"] or row["other_left_out"]:
                parts.append(
                    f"left out, of papers that only one has: {row['network']} "
                    f"{_count(row['left_out'])}, {row['other']} {_count(row['other_left_out'])}"
                )
        named = {name: _named(one) for name, one in self.networks.items()}
        return Summary(parts, {"networks": named, "overlaps": rows, "seed": self.seed})


@dataclass(frozen=True)
class RemovedEdges(Result):
    """Edges that were removed from the graph."""

    removed: int

    def summarise(self) -> Summary:
        """Their number."""
        return Summary(
            [f"graph: {plural(self.removed, 'edge')} of networks removed"],
            {"removed": self.removed},
        )


def summarise_network(made: NetworkRun) -> Summary:
    """Papers and edges, what the kind counts, and what was written to the graph."""
    counts, graph = made.counts, made.graph
    parts: list[Part] = [
        f"{made.kind}: {plural(counts['edges'], 'edge')} between "
        f"{plural(counts['papers'], 'paper')}, {2 * counts['edges'] / counts['papers']:.2f} a "
        f"paper; {counts['isolated']:,} without any edge"
    ]
    clauses = [
        text.format(_count(counts[name])) for name, text in _COUNTS.items() if counts.get(name)
    ]
    if "recall" in counts:
        clauses.append(f"{counts['method']} search, recall {counts['recall']:.4f}")
    parts += ["; ".join(clauses)] if clauses else []
    parts += [f"warning: {counts['warning']}"] if "warning" in counts else []
    parts.append(made.describe())
    steps = [
        ("its structure", f"network report {made.run}"),
        ("communities", f"cluster --network {made.run}"),
    ]
    if graph:
        parts.append(
            f"graph: {plural(graph.inserted, 'edge')} written, {graph.removed:,} of earlier "
            "networks removed"
        )
        if graph.not_in_graph:
            parts.append(f"       {plural(graph.not_in_graph, 'paper')} of the network not in it")
        steps.insert(0, ("related papers", "cypher --name explore/related --param paper=PAPER"))
    figures = {
        **_named(made),
        "unchanged": made.unchanged,
        **counts,
        "graph": asdict(graph) if graph else None,
    }
    return Summary(parts, figures, steps)


def summarise_nearest(found: NearestTable) -> Summary:
    """The neighbours of a paper; titles are cut, unless they are shown in Markdown."""
    figures = {name: value for name, value in asdict(found).items() if name != "markdown"}
    if found.markdown:
        return Summary(list_markdown(found), figures)
    if not found.papers:
        return Summary(
            [f"{found.paper} has no neighbours in {found.network}; --network names another"],
            figures,
        )
    rows = [
        (
            one.rank,
            f"{one.weight:.3f}",
            str(one.year or ""),
            _yes(one.cited),
            one.id,
            one.title if len(one.title) <= _TITLE else one.title[: _TITLE - 1].rstrip() + "…",
        )
        for one in found.papers
    ]
    cited = sum(one.cited for one in found.papers)
    rest = found.neighbours - found.gone - len(found.papers)
    last = f"{cited:,} of {len(found.papers):,} are cited by it"
    last += f"; {plural(rest, 'neighbour')} more in the network" if rest else ""
    last += f"; {found.gone:,} left out, not in the graph any more" if found.gone else ""
    return Summary(
        [
            f"nearest to {found.paper} ({found.network})",
            "",
            Table(("", found.measure, "year", "is cited", "paper", "title"), rows),
            "",
            last,
        ],
        figures,
    )


def list_markdown(found: NearestTable) -> list[str]:
    """The lines of a table in Markdown with the neighbours of a paper."""
    lines = [f"|  | title | year | {found.measure} | is cited |", "| --: | :-- | --: | --: | :-- |"]
    for one in found.papers:
        title = " ".join(one.title.replace("|", "\\|").split()) or one.id
        lines.append(
            f"| {one.rank} | {title} | {one.year or ''} | {one.weight:.3f} | {_yes(one.cited)} |"
        )
    return lines


_FIGURES: Mapping[str, Callable[[NetworkReport], str]] = {
    "papers": lambda one: _count(one.papers),
    "core papers": lambda one: _count(one.core),
    "edges": lambda one: _count(one.edges),
    "mean degree": lambda one: _decimals(one.mean_degree),
    "density": lambda one: _digits(one.density),
    "connected": lambda one: "yes" if one.connected else "no",
    "components": lambda one: _count(one.components),
    "largest component": lambda one: _count(one.largest),
    "share of papers in it": lambda one: _percent(one.largest_share),
    "isolated papers": lambda one: _count(one.isolated),
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
    return f"{'all ' if one.path_length.exact else ''}{_count(one.path_length.pairs)}"


def _named(one: NetworkRun) -> dict[str, Any]:
    return {"run": one.run, "kind": one.kind, "path": str(one.path)}


def _matrix(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[Sequence[str]]:
    shares = {(row["network"], row["other"]): row["share"] for row in rows}
    shares |= {(row["other"], row["network"]): row["other_share"] for row in rows}
    for name in names:
        yield [name, *("" if o == name else _percent(shares[name, o]) for o in names)]


def _list_networks(networks: Mapping[str, NetworkRun]) -> list[Part]:
    """Which runs are meant by the names in the table."""
    lines: list[Part] = []
    for name, one in networks.items():
        config = one.record.config
        extra = f", {config['normalise']}" if config.get("normalise", "none") != "none" else ""
        top = f", top {config['top']}" if config.get("top") else ""
        lines.append(f"{name}: {one.run}, {config.get('papers', '')} papers{extra}{top}")
    return [*lines, ""]


def _right(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> Table:
    """A table of texts, right-aligned but for the first `left` columns."""
    columns = [list(column) for column in zip(header, *rows, strict=True)]
    for column in columns[left:]:
        width = max(map(len, column))
        column[:] = [text.rjust(width) for text in column]
    first, *others = zip(*columns, strict=True)
    return Table(first, others)


def _count(value: int) -> str:
    return f"{value:,}"


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:#.3g}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.2%}"


def _yes(whether: bool) -> str:
    return "yes" if whether else "no"
