"""The sections of the page about a corpus; the demo adds its own."""

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
    SECTION_NAMES,
    PairTable,
    compute_components,
    passing_citation,
    read_examples,
)
from citescape.corpus_report.pictures import draw_by_section, draw_distribution
from citescape.corpus_report.questions import TableQuestion
from citescape.embeddings.similar import SimilarPapers
from citescape.embeddings.steps import Similar
from citescape.importance.components import TABLE
from citescape.importance.weights import ComponentStatistics
from citescape.mapping.maps.drawn import MapRun
from citescape.reports.content import (
    Cell,
    Citation,
    Citations,
    Image,
    Lines,
    Part,
    Picture,
    Question,
    Section,
    Table,
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
"""Questions of the library that the page ends with, and their parameters but for `paper`."""
_NEAREST = 5


def write_command(program: str, location: str, *words: str) -> str:
    """A command line to paste: program, words, and the location of the store."""
    return shlex.join((program, *words, "--store", redact(location)))


def show_losses(store: GraphStore, loaded: int) -> Section:
    """Pointers in the texts = in-text citations + lost ones, by reason."""
    pointers, lost = 0, Counter[str]()
    for text in store.read(query("ingest/losses"))["losses"].to_pylist():
        account = json.loads(text) if text else {}
        pointers += account.get("anchors", 0)
        lost.update(account.get("lost", {}))
    counts = {"pointers to references in the texts": pointers, "in-text citations": loaded}
    counts |= {f"lost: {reason}": number for reason, number in lost.most_common()}
    caption = (
        "Every pointer from a text to a reference is counted: it became a citation, or the reason "
        "why not is named."
    )
    rows = [(name, Cell(f"{number:,}")) for name, number in counts.items()]
    return Section(
        "losses", "What was read and what was lost", [Table(caption, ("", "Count"), rows)]
    )


def show_importance(context: Context, pairs: PairTable) -> Section:
    """Pictures of importance, and the components of the score that is in the graph."""
    run = find_run(context.runs, read_meta(context.store, IMPORTANCE_RUN) or "")
    used = read_run(run).counts["components"] if run else None
    components = [ComponentStatistics(**one) for one in used] if used else compute_components(pairs)
    rows = [
        (
            TABLE[one.component].doc.capitalize(),
            one.component,
            Cell(f"{one.mean:.3f}"),
            Cell(f"{one.std:.3f}"),
            Cell("none" if one.entropy is None else f"{one.entropy:.3f}"),
            Cell(f"{one.weight:.1%}"),
        )
        for one in components
    ]
    header = ("Component", "Symbol", "Mean", "Spread", "Entropy", "Weight")
    return Section(
        "importance",
        "Where importance comes from",
        [
            "The importance of a citation adds up how often the work is mentioned in the "
            "introduction, the results and the discussion, and whether the two papers share an "
            "author. The weights come from the data: a component that tells citations apart "
            "weighs more than one that most of them have.",
            Picture(
                "by-section",
                "Importance by where a work is mentioned",
                "Line: 5 to 95% of the citations; box: the middle half. A work mentioned in "
                "several sections counts in each.",
                draw_by_section(pairs),
                draw_by_section(pairs, narrow=True),
            ),
            Picture(
                "distribution",
                "Distribution of importance",
                "Share of all citations.",
                draw_distribution(pairs.importance),
            ),
            Table(f"Components of the score over all {len(pairs):,} citations", header, rows),
            "Mean and spread (standard deviation) are those of the values of all citations. "
            "Entropy says how evenly a component is shared out among them: 1 if all have the same "
            "of it, less the fewer have most of it. Entropy weights are (1 \N{MINUS SIGN} "
            "entropy), scaled to a sum of one.",
        ],
    )


def show_examples(store: GraphStore, pairs: PairTable, examples: Sequence[Citation]) -> Section:
    """The most important citations, and one in passing."""
    parts: list[Part] = [
        "Read the sentences and judge for yourself: each is quoted from the citing paper with the "
        "section it stands in.",
        Citations(examples),
    ]
    row = passing_citation(pairs)
    if row is not None:
        contrast = (
            "For contrast, a citation in passing: to a citation count it weighs the same as those "
            "above."
        )
        parts.append(Citations(read_examples(store, pairs, [row]), contrast))
    return Section("examples", f"The {len(examples)} most important citations", parts)


def show_question(store: GraphStore, question: TableQuestion, program: str) -> Section | None:
    """A table with its Cypher; None if the query has no rows."""
    cypher = query(question.query)
    table = store.read(cypher, **{**cypher.defaults, **question.params})
    rows = question.arrange(table.to_pylist())
    if not rows:
        return None
    named, *_ = question.columns
    numbers = {
        column
        for column in question.columns
        if column != named and all(isinstance(row[column], int | float | None) for row in rows)
    }
    shown = [
        [
            Cell(_show(column, row[column])) if column in numbers else _show(column, row[column])
            for column in question.columns
        ]
        for row in rows
    ]
    command = write_command(program, store.location, "cypher", "--name", question.query)
    return Section(
        question.anchor,
        question.title,
        [
            Table(question.text, list(question.columns.values()), shown),
            Question("The Cypher of this table", cypher.text.strip(), command),
        ],
    )


def _show(column: str, value: Any) -> str:
    """Years as they are, shares in per cent, other numbers with thousands separated."""
    if value is None:
        return "–"
    if column == "type":
        return SECTION_NAMES.get(value, str(value))
    if column in ("rate", "self_citation_rate"):
        return f"{value:.1%}"
    if isinstance(value, float):
        return f"{value:.0f}" if column == "mean_year" else f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) and column != "year" else str(value)


def show_map(context: Context, folder: Path) -> Section | None:
    """The picture of the latest map, with a link from the page's folder; None without a map."""
    maps = list_kept(MapRun, context.runs)
    pictures = [path for path in maps[-1].pictures if path.is_file()] if maps else []
    if not pictures:
        return None
    latest = maps[-1]
    chosen = next((path for path in pictures if path.stem == "map-importance"), pictures[0])
    labels = [label for label in latest.read_topics()["label"].to_pylist() if label]
    linked = str(latest.record.inputs["source"]).startswith("network-")
    placed = "strong links" if linked else "similar vectors"
    image = Image(
        "Topics of the corpus, named by what sets their texts apart",
        f"data:image/png;base64,{b64encode(chosen.read_bytes()).decode()}",
        f"Map of topics: {', '.join(labels)}",
        f"Papers with {placed} lie together (run {latest.run})",
        quote(Path(relpath(latest.page, folder)).as_posix()),
    )
    return Section("map", "Map", [image])


def find_nearest(context: Context) -> SimilarPapers | None:
    """The papers nearest to the last one with an abstract; None without vectors in the graph."""
    if not read_meta(context.store, EMBEDDING_RUN):
        return None
    vectors = find_vectors(context.store, context.runs).vectors
    ids, texts = vectors.ids.to_pylist(), vectors.papers["text"].to_pylist()
    whole = [id_ for id_, text in zip(ids, texts, strict=True) if text == "title+abstract"]
    return Similar((whole or ids)[-1], _NEAREST).compute(context)


def show_nearest(context: Context) -> Section | None:
    """Papers with the nearest vectors, and the training of the encoder, if its run is here."""
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
    parts: list[Part] = [Table(caption, ("Paper", "Year", "Cited", "Cosine"), rows)]
    run = find_run(context.runs, nearest.run)
    name = Path(str(read_run(run).config.get("encoder", ""))).name if run else ""
    path = find_run(context.runs, name) if name.startswith("train-") else None
    if run and path:
        encoder = EncoderRun(path, read_run(path))
        text = (
            f"The encoder was trained on {encoder.counts['triplets']:,} triplets over "
            f"{Path(encoder.record.config['base']).name}. "
        )
        if "accuracy" in encoder.after and "accuracy" in encoder.before:  # some were held out
            text += (
                f"Of the triplets held out of the training it orders "
                f"{encoder.after['accuracy']:.1%} rightly, the base "
                f"{encoder.before['accuracy']:.1%}. "
            )
        parts.insert(
            0, f"{text}{read_run(run).counts['papers']:,} papers have a vector in the graph."
        )
    return Section("nearest", "Near papers", parts)


def show_next(store: GraphStore, program: str, example: Citation, *, similar: bool) -> Section:
    """Commands and queries to continue with, about an example; `similar` needs vectors."""
    paper = example.citing_id
    commands = [
        ("status",),
        ("explain", paper, example.cited_id),
        *([("similar", paper)] if similar else []),
        ("cypher",),
    ]
    lines = "\n".join(write_command(program, store.location, *words) for words in commands)
    parts: list[Part] = [
        f"Everything above lies in one store, {store.location}, as a graph of papers, authors, "
        "sections and sentences.",
        Lines(lines),
        f"Some questions of the library, in Cypher; {shlex.join((program, 'cypher', '--list'))} "
        "shows more:",
    ]
    for name, values in NEXT_QUERIES.items():
        cypher, words = query(name), ["cypher", "--name", name]
        for key, value in {"paper": paper, **values}.items():
            words += ["--param", f"{key}={value}"] if key in cypher.parameters else []
        command = write_command(program, store.location, *words)
        parts.append(Question(cypher.doc.partition("\n")[0], cypher.text.strip(), command))
    return Section("next", "What to ask next", parts)
