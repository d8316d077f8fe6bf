"""Summaries of networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    "reciprocal": "{} pairs are reciprocal",
    "negative": "{} with a cosine of 0 or less are excluded",
    "without_vector": "{} without a vector",
    "without_text": "{} without a text",
    "without_terms": "{} without a term",
    "terms": "{} terms",
    "citations": "{} citations",
    "without_weight": "{} without weight are excluded",
    "outside": "{} papers outside the network link its papers",
}
"""Count of a run -> its clause, omitted if the count is 0."""


@dataclass(frozen=True)
class NetworkReports(Result):
    """Structure of networks, each beside a random network."""

    networks: Mapping[str, NetworkRun]
    reports: Mapping[str, NetworkReport]
    pairs: int
    seed: int

    @property
    def arrow(self) -> pa.Table:
        """One row per network, followed by its random network."""
        table = report_table(self.reports)
        runs = [self.networks[name].run for name in table["network"].to_pylist()]
        return table.append_column("run", pa.array(runs))

    def summarise(self) -> Summary:
        """Figures as rows, networks as columns."""
        columns: list[tuple[str, NetworkReport]] = []
        for name, report in self.reports.items():
            columns.append((name, report))
            if report.random:
                columns.append(("random", report.random))
        core_only = all(report.core == report.papers for _, report in columns)
        rows = [
            (name, *(show(report) for _, report in columns))
            for name, show in _FIGURES.items()
            if not (name == "core papers" and core_only)
        ]
        figures = [
            {**_identify(self.networks[name]), **asdict(report)}
            for name, report in self.reports.items()
        ]
        runs = " ".join(network.run for network in self.networks.values())
        next_ = ("agreement with a criterion", f"evaluate accuracy {runs}")
        if len(self.networks) == 1:
            next_ = ("communities", f"cluster --network {runs}")
        return Summary(
            [
                *_list_networks(self.networks),
                _align_right(["", *(name for name, _ in columns)], rows),
            ],
            {"networks": figures, "pairs": self.pairs, "seed": self.seed},
            [next_],
        )


@dataclass(frozen=True)
class NetworkOverlaps(Result):
    """Edges shared by each pair of networks."""

    networks: Mapping[str, NetworkRun]
    table: pa.Table
    names: Sequence[str]
    """Names of all compared networks, a random network included."""
    seed: int

    @property
    def arrow(self) -> pa.Table:
        """One row per pair of networks; see `overlap.overlap_table`."""
        return self.table

    def summarise(self) -> Summary:
        """One row per pair; for three networks or more a matrix of shares below."""
        rows = self.table.to_pylist()
        header = ["network 1", "network 2", "papers", "E1", "E2", "shared", "of E1", "of E2"]
        shown = [
            (
                row["network"],
                row["other"],
                *(f"{row[name]:,}" for name in ("papers", "edges", "other_edges", "shared")),
                *(_percent(row[name]) for name in ("share", "other_share", "jaccard")),
                _decimals(row["expected"]),
                _decimals(row["times_expected"]),
            )
            for row in rows
        ]
        parts: list[Part] = [
            *_list_networks(self.networks),
            _align_right([*header, "of either", "expected", "ratio"], shown, left=2),
            "",
            "E1, E2: edges between papers that both have; expected: E1 p, p the density of "
            "network 2",
        ]
        if len(self.names) > 2:
            shares = {(row["network"], row["other"]): row["share"] for row in rows}
            shares |= {(row["other"], row["network"]): row["other_share"] for row in rows}
            matrix = [
                [name, *("" if o == name else _percent(shares[name, o]) for o in self.names)]
                for name in self.names
            ]
            parts += ["", "share of the row's edges that are in the column's network", ""]
            parts.append(_align_right(["", *self.names], matrix))
        for row in rows:
            if row["left_out"] or row["other_left_out"]:
                parts.append(
                    f"excluded, not of common papers: {row['network']} "
                    f"{row['left_out']:,}, {row['other']} {row['other_left_out']:,}"
                )
        named = {name: _identify(network) for name, network in self.networks.items()}
        return Summary(parts, {"networks": named, "overlaps": rows, "seed": self.seed})


@dataclass(frozen=True)
class RemovedEdges(Result):
    """Edges that were removed from the graph."""

    removed: int

    def summarise(self) -> Summary:
        """The number of removed edges."""
        return Summary(
            [f"graph: {plural(self.removed, 'edge')} of networks removed"],
            {"removed": self.removed},
        )


def summarise_network(network: NetworkRun) -> Summary:
    """Papers, edges, counts of the kind, and edges written to the graph."""
    counts, graph = network.counts, network.graph
    parts: list[Part] = [
        f"{network.kind}: {plural(counts['edges'], 'edge')} between "
        f"{plural(counts['papers'], 'paper')}, {2 * counts['edges'] / counts['papers']:.2f} per "
        f"paper; {counts['isolated']:,} papers without edges"
    ]
    clauses = [
        text.format(f"{counts[name]:,}") for name, text in _COUNTS.items() if counts.get(name)
    ]
    if "recall" in counts:
        clauses.append(f"{counts['method']} search, recall {counts['recall']:.4f}")
    parts += ["; ".join(clauses)] if clauses else []
    parts += [f"warning: {counts['warning']}"] if "warning" in counts else []
    parts.append(network.describe())
    steps = [
        ("its structure", f"network report {network.run}"),
        ("communities", f"cluster --network {network.run}"),
    ]
    if graph:
        parts.append(
            f"graph: {plural(graph.inserted, 'edge')} written, {graph.removed:,} of earlier "
            "networks removed"
        )
        if graph.not_in_graph:
            parts.append(
                f"       {plural(graph.not_in_graph, 'paper')} of the network not in the graph"
            )
        steps.insert(0, ("related papers", "cypher explore/related --param paper=PAPER"))
    figures = {
        **_identify(network),
        "unchanged": network.unchanged,
        **counts,
        "graph": asdict(graph) if graph else None,
    }
    return Summary(parts, figures, steps)


def summarise_nearest(table: NearestTable) -> Summary:
    """The neighbours of a paper; titles are shortened, except in Markdown."""
    figures = {name: value for name, value in asdict(table).items() if name != "markdown"}
    if table.markdown:
        return Summary(list_markdown(table), figures)
    if not table.papers:
        return Summary(
            [
                f"{table.paper} has no neighbours in {table.network}; choose another network with "
                "--network"
            ],
            figures,
        )
    rows = [
        (
            paper.rank,
            f"{paper.weight:.3f}",
            str(paper.year or ""),
            "yes" if paper.cited else "no",
            paper.id,
            cut_title(paper.title, _TITLE),
        )
        for paper in table.papers
    ]
    cited = sum(paper.cited for paper in table.papers)
    rest = table.neighbours - table.not_in_graph - len(table.papers)
    last = f"{cited:,} of {len(table.papers):,} are cited by it"
    last += f"; {plural(rest, 'neighbour')} more in the network" if rest else ""
    last += f"; {table.not_in_graph:,} no longer in the graph" if table.not_in_graph else ""
    columns = ("", table.measure, "year", "is cited", "paper", "title")
    return Summary(
        [f"nearest to {table.paper} ({table.network})", "", Table(columns, rows), "", last],
        figures,
    )


def cut_title(title: str, width: int) -> str:
    """A title of at most `width` characters; longer titles end in an ellipsis."""
    return title if len(title) <= width else title[: width - 1].rstrip() + "…"


def list_markdown(table: NearestTable) -> list[str]:
    """Lines of a Markdown table of the neighbours of a paper."""
    lines = [f"|  | title | year | {table.measure} | is cited |", "| --: | :-- | --: | --: | :-- |"]
    for paper in table.papers:
        title = " ".join(paper.title.replace("|", "\\|").split()) or paper.id
        cited = "yes" if paper.cited else "no"
        lines.append(
            f"| {paper.rank} | {title} | {paper.year or ''} | {paper.weight:.3f} | {cited} |"
        )
    return lines


def _show_pairs(report: NetworkReport) -> str:
    if report.path_length is None:
        return "-"
    return f"{'all ' if report.path_length.exact else ''}{report.path_length.pairs:,}"


_FIGURES: Mapping[str, Callable[[NetworkReport], str]] = {
    "papers": lambda report: f"{report.papers:,}",
    "core papers": lambda report: f"{report.core:,}",
    "edges": lambda report: f"{report.edges:,}",
    "mean degree": lambda report: _decimals(report.mean_degree),
    "density": lambda report: _digits(report.density),
    "connected": lambda report: "yes" if report.connected else "no",
    "components": lambda report: f"{report.components:,}",
    "largest component": lambda report: f"{report.largest:,}",
    "share of papers in it": lambda report: _percent(report.largest_share),
    "isolated papers": lambda report: f"{report.isolated:,}",
    "local clustering": lambda report: _digits(report.local_clustering),
    "transitivity": lambda report: _digits(report.transitivity),
    "mean strength": lambda report: _decimals(report.mean_strength),
    "path length": lambda report: _decimals(
        report.path_length.mean if report.path_length else None
    ),
    "its standard error": lambda report: _digits(
        report.path_length.standard_error if report.path_length else None
    ),
    "pairs measured": _show_pairs,
}
"""Row of a report -> its text."""


def _identify(network: NetworkRun) -> dict[str, Any]:
    return {"run": network.run, "kind": network.kind, "path": str(network.path)}


def _list_networks(networks: Mapping[str, NetworkRun]) -> list[Part]:
    """Lines with the run of each name in the table."""
    lines: list[Part] = []
    for name, network in networks.items():
        config = network.record.config
        extra = f", {config['normalise']}" if config.get("normalise", "none") != "none" else ""
        top = f", top {config['top']}" if config.get("top") else ""
        lines.append(f"{name}: {network.run}, {config.get('papers', '')} papers{extra}{top}")
    return [*lines, ""]


def _align_right(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> Table:
    """A table, right-aligned except for the first `left` columns."""
    columns = [list(column) for column in zip(header, *rows, strict=True)]
    for column in columns[left:]:
        width = max(map(len, column))
        column[:] = [text.rjust(width) for text in column]
    first, *others = zip(*columns, strict=True)
    return Table(first, others)


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:#.3g}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.2%}"
