"""Sections of the report on a corpus."""

from __future__ import annotations

import json
import shlex
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from os.path import relpath
from pathlib import Path
from typing import Any
from urllib.parse import quote

from citescape.core.redaction import redact
from citescape.corpus_report.pairs import (
    SECTION_LABELS,
    PairTable,
    compute_components,
    find_perfunctory,
    read_examples,
)
from citescape.corpus_report.pictures import draw_by_section, draw_distribution
from citescape.corpus_report.questions import TableQuestion
from citescape.embeddings.similar import SimilarPapers
from citescape.embeddings.steps import Similar
from citescape.importance.components import TABLE
from citescape.importance.weights import ComponentStatistics
from citescape.mapping.maps.map_run import MapRun
from citescape.reports.content import (
    Cell,
    CitationList,
    Image,
    Lines,
    Picture,
    Question,
    QuotedCitation,
    ReportBlock,
    ReportSection,
    ReportTable,
)
from citescape.runs.context import Context
from citescape.runs.directory import find_run, read_run
from citescape.runs.kept import list_kept
from citescape.search.stored import find_vectors
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import EMBEDDING_RUN, IMPORTANCE_RUN, read_meta
from citescape.training.kept import EncoderRun

NEXT_QUERIES: dict[str, dict[str, int]] = {
    "explore/references": {"limit": 10},
    "explore/cited_in_depth": {"limit": 10},
    "explore/cited_in_passing": {"least": 10, "limit": 10},
    "explore/discussed_together": {"limit": 10},
}
"""Library queries at the end of the page, and their parameters except `paper`."""
_NEAREST = 5


def write_command(program: str, location: str, *words: str) -> str:
    """Command line with the program, words, and the location of the store."""
    return shlex.join((program, *words, "--store", redact(location)))


def show_losses(store: GraphStore, loaded: int) -> ReportSection:
    """Section on losses: pointers in the texts = in-text citations + losses by reason."""
    pointers, lost = 0, Counter[str]()
    for text in store.read(query("ingest/losses"))["losses"].to_pylist():
        account = json.loads(text) if text else {}
        pointers += account.get("anchors", 0)
        lost.update(account.get("lost", {}))
    counts = {"pointers to references in the texts": pointers, "in-text citations": loaded}
    counts |= {f"lost: {reason}": number for reason, number in lost.most_common()}
    caption = (
        "Every pointer from a text to a reference is counted: as an in-text citation, or as a loss "
        "with its reason."
    )
    rows = [(name, Cell(f"{number:,}")) for name, number in counts.items()]
    return ReportSection(
        "losses", "Citations read and lost", [ReportTable(caption, ("", "Count"), rows)]
    )


def show_importance(context: Context, pairs: PairTable) -> ReportSection:
    """Pictures of importance, and the components of the score that is in the graph."""
    run = find_run(context.runs, read_meta(context.store, IMPORTANCE_RUN) or "")
    stored = read_run(run).counts["components"] if run else None
    components = (
        [ComponentStatistics(**row) for row in stored] if stored else compute_components(pairs)
    )
    rows = [
        (
            TABLE[row.component].doc.capitalize(),
            row.component,
            Cell(f"{row.mean:.3f}"),
            Cell(f"{row.std:.3f}"),
            Cell("none" if row.entropy is None else f"{row.entropy:.3f}"),
            Cell(f"{row.weight:.1%}"),
        )
        for row in components
    ]
    header = ("Component", "Symbol", "Mean", "Spread", "Entropy", "Weight")
    return ReportSection(
        "importance",
        "Where importance comes from",
        [
            "The importance of a citation adds up how often the work is mentioned in the "
            "introduction, the results and the discussion, and whether the two papers share an "
            "author. The weights come from the data: a component that varies "
            "between citations weighs more than one that most of them share.",
            Picture(
                "by-section",
                "Importance by where a work is mentioned",
                "Line: 5% to 95% of the citations; box: quartiles. A work mentioned in several "
                "sections counts in each.",
                draw_by_section(pairs),
                draw_by_section(pairs, narrow=True),
            ),
            Picture(
                "distribution",
                "Distribution of importance",
                "Share of all citations.",
                draw_distribution(pairs.importance),
            ),
            ReportTable(f"Components of the score over all {len(pairs):,} citations", header, rows),
            "Mean and spread (standard deviation) are those of the values of all citations. "
            "Entropy measures how evenly a component is distributed over citations: 1 if all have "
            "the same value, lower if few have most of it. Entropy weights are (1 \N{MINUS SIGN} "
            "entropy), scaled to a sum of one.",
        ],
    )


def show_examples(
    store: GraphStore, pairs: PairTable, examples: Sequence[QuotedCitation]
) -> ReportSection:
    """Section with the most important citations and a perfunctory one.

    Args:
        store: store to read.
        pairs: all citation pairs.
        examples: the most important citations.
    """
    parts: list[ReportBlock] = [
        "Sentences are quoted from the citing paper, each with its section.",
        CitationList(examples),
    ]
    row = find_perfunctory(pairs)
    if row is not None:
        contrast = "For contrast, a perfunctory citation, which a citation count weights equally."
        parts.append(CitationList(read_examples(store, pairs, [row]), contrast))
    return ReportSection("examples", f"The {len(examples)} most important citations", parts)


def show_question(store: GraphStore, question: TableQuestion, program: str) -> ReportSection | None:
    """Section with a table and its Cypher; None if the query has no rows.

    Args:
        store: store to query.
        question: query and columns.
        program: name of the command line.
    """
    cypher = query(question.query)
    table = store.read(cypher, **{**cypher.defaults, **question.params})
    rows = question.arrange(table.to_pylist())
    if not rows:
        return None
    name_column, *_ = question.columns
    numbers = {
        column
        for column in question.columns
        if column != name_column
        and all(isinstance(row[column], int | float | None) for row in rows)
    }
    shown = [
        [
            Cell(_format(column, row[column]))
            if column in numbers
            else _format(column, row[column])
            for column in question.columns
        ]
        for row in rows
    ]
    command = write_command(program, store.location, "cypher", question.query)
    return ReportSection(
        question.anchor,
        question.title,
        [
            ReportTable(question.text, list(question.columns.values()), shown),
            Question("The Cypher of this table", cypher.text.strip(), command),
        ],
    )


def _format(column: str, value: Any) -> str:
    """Formats years as they are, shares in per cent, other numbers with thousands separators."""
    if value is None:
        return "–"
    if column == "type":
        return SECTION_LABELS.get(value, str(value))
    if column in ("rate", "self_citation_rate"):
        return f"{value:.1%}"
    if isinstance(value, float):
        return f"{value:.0f}" if column == "mean_year" else f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) and column != "year" else str(value)


def show_map(context: Context, folder: Path) -> ReportSection | None:
    """Section with the latest map; None without a map. `folder` is the folder of the page."""
    maps = list_kept(MapRun, context.runs)
    pictures = [path for path in maps[-1].pictures if path.is_file()] if maps else []
    if not pictures:
        return None
    latest = maps[-1]
    chosen = next((path for path in pictures if path.stem == "map-importance"), pictures[0])
    labels = [label for label in latest.read_topics()["label"].to_pylist() if label]
    linked = str(latest.record.inputs["source"]).startswith("network-")
    reason = "strong links" if linked else "similar vectors"
    image = Image(
        "Topics of the corpus, labelled by the distinctive terms of their texts",
        f"data:image/png;base64,{b64encode(chosen.read_bytes()).decode()}",
        f"Map of topics: {', '.join(labels)}",
        f"Papers with {reason} are close together (run {latest.run})",
        quote(Path(relpath(latest.page, folder)).as_posix()),
    )
    return ReportSection("map", "Map", [image])


def find_nearest(context: Context) -> SimilarPapers | None:
    """Papers nearest to the last paper with an abstract; None without vectors in the graph."""
    if not read_meta(context.store, EMBEDDING_RUN):
        return None
    vectors = find_vectors(context.store, context.runs).vectors
    ids, texts = vectors.ids.to_pylist(), vectors.papers["text"].to_pylist()
    with_abstract = [id_ for id_, text in zip(ids, texts, strict=True) if text == "title+abstract"]
    return Similar((with_abstract or ids)[-1], _NEAREST).compute(context)


def show_nearest(context: Context) -> ReportSection | None:
    """Section with nearest papers and accuracy of the encoder; None without vectors."""
    nearest = find_nearest(context)
    if nearest is None:
        return None
    rows = [
        (
            paper.title,
            Cell(f"{paper.year or ''}"),
            "cited" if paper.cites else "",
            Cell(f"{paper.similarity:.3f}"),
        )
        for paper in nearest.papers
    ]
    caption = f"Nearest to “{nearest.paper.title}”, and which of them it cites"
    parts: list[ReportBlock] = [ReportTable(caption, ("Paper", "Year", "Cited", "Cosine"), rows)]
    run = find_run(context.runs, nearest.run)
    name = Path(str(read_run(run).config.get("encoder", ""))).name if run else ""
    path = find_run(context.runs, name) if name.startswith("train-") else None
    if run and path:
        encoder = EncoderRun(path, read_run(path))
        text = (
            f"The encoder was trained on {encoder.counts['triplets']:,} triplets over "
            f"{Path(encoder.record.config['base']).name}. "
        )
        if "accuracy" in encoder.after and "accuracy" in encoder.before:  # with held-out triplets
            text += (
                f"Of the triplets held out of the training it orders "
                f"{encoder.after['accuracy']:.1%} correctly, the base "
                f"{encoder.before['accuracy']:.1%}. "
            )
        parts.insert(
            0, f"{text}{read_run(run).counts['papers']:,} papers have a vector in the graph."
        )
    return ReportSection("nearest", "Nearest papers", parts)


def show_next(
    store: GraphStore, program: str, example: QuotedCitation, *, similar: bool
) -> ReportSection:
    """Section with commands and queries about an example.

    Args:
        store: store of the commands.
        program: name of the command line.
        example: citation of the commands.
        similar: whether the graph has vectors for `similar`.
    """
    paper = example.citing_id
    commands = [
        ("status",),
        ("explain", paper, example.cited_id),
        *([("similar", paper)] if similar else []),
        ("cypher",),
    ]
    lines = "\n".join(write_command(program, store.location, *words) for words in commands)
    parts: list[ReportBlock] = [
        f"The store {store.location} holds all of this as a graph of papers, authors, sections and "
        "sentences.",
        Lines(lines),
        f"Some queries of the library; {shlex.join((program, 'cypher', '--list'))} shows more:",
    ]
    for name, values in NEXT_QUERIES.items():
        cypher, words = query(name), ["cypher", name]
        for key, value in {"paper": paper, **values}.items():
            words += ["--param", f"{key}={value}"] if key in cypher.parameters else []
        command = write_command(program, store.location, *words)
        parts.append(Question(cypher.doc.partition("\n")[0], cypher.text.strip(), command))
    return ReportSection("next", "What to query next", parts)
