"""What people and programs are shown of communities."""

from __future__ import annotations

from dataclasses import asdict

from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.lineage import EVENTS
from citescape.runs.result import Part, Summary, Table, plural

_COLUMNS = {
    "communities": "communities",
    "largest": "largest",
    "median": "median",
    "weighted_mean": "weighted mean",
    "singletons": "alone",
    "granularity": "granularity",
    "quality": "quality",
}
"""Columns of levels.parquet -> header."""


def summarise_clustering(made: ClusterRun) -> Summary:
    """Sizes and quality of each level, agreement of seeds, names, and what the graph holds."""
    counts, config = made.counts, made.record.config
    rows = made.figures().to_pylist()
    skip = 0 if counts["nested"] else 1
    table = [
        (row["level"], f"{row['resolution']:g}", *(_cell(name, row[name]) for name in _COLUMNS))
        for row in rows
    ]
    header = ("level", "resolution", *_COLUMNS.values())
    parts: list[Part] = [
        f"{plural(counts['core'], 'paper')} of {made.network} ({made.record.inputs['kind']}), "
        f"{counts['isolated']:,} without any edge; {config['quality']} by {config['engine']}",
        "",
        Table(header[skip:], [row[skip:] for row in table]),
        "",
    ]
    for row in rows:
        if row["ari"] is not None:
            spread = "" if row["ari_sd"] is None else f" ± {row['ari_sd']:.3f}"
            parts.append(
                f"{row['level']}: {config['seeds']} seeds agree by an adjusted Rand index of "
                f"{row['ari']:.3f}{spread}; consensus after {plural(row['rounds'], 'round')}"
            )
    for row in rows:
        if row["reassigned"]:
            papers = plural(row["reassigned"], "paper")
            parts.append(f"{row['level']}: {papers} of small communities merged into larger ones")
    events = counts["lineage"]
    if events:
        named = ", ".join(f"{events[one]:,} {one}" for one in EVENTS if one in events)
        parts.append(f"named after {made.record.inputs['previous']}: {named}")
    parts += [f"warning: {line}" for line in counts["warnings"]]
    parts += [made.describe(), *_graph(made)]
    return Summary(parts, _figures(made), _next(made))


def _cell(name: str, value: float) -> float:
    """Sizes as whole numbers."""
    return round(value) if name in ("median", "weighted_mean") else value


def _graph(made: ClusterRun) -> list[str]:
    graph = made.graph
    if graph is None:
        several = len(made.levels) > 1 and not made.counts["nested"]
        levels = ", ".join(made.levels)
        return [f"graph: none written; --write-level LEVEL writes one of {levels}"] * several
    lines = [
        f"graph: {plural(graph.communities, 'community', 'communities')} written, "
        f"{plural(graph.memberships, 'membership')}; {graph.removed:,} of earlier runs removed"
    ]
    if graph.not_in_graph:
        lines.append(f"       {plural(graph.not_in_graph, 'paper')} of the run are not in it")
    return lines


def _figures(made: ClusterRun) -> dict[str, object]:
    counts = made.counts
    return {
        "run": made.run,
        "path": str(made.path),
        "unchanged": made.unchanged,
        "network": made.network,
        "papers": counts["core"],
        "isolated": counts["isolated"],
        "levels": made.figures().to_pylist(),
        "previous": made.record.inputs["previous"] or None,
        "lineage": counts["lineage"],
        "warnings": counts["warnings"],
        "graph": asdict(made.graph) if made.graph else None,
    }


def _next(made: ClusterRun) -> list[tuple[str, str]]:
    steps = [
        ("topics of the communities", "topics"),
        ("agreement with a criterion", "evaluate accuracy"),
        ("a map", "map"),
    ]
    names = made.communities()["name"].to_pylist() if made.graph else []
    if len(names):
        words = f"cypher --name explore/community --param name={names[0]}"
        steps.insert(0, ("papers of one community", words))
    return steps
