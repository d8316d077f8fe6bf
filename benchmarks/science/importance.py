"""The figures of "How far can importance be trusted": agreement with labels, weights, ranks.

    python benchmarks/science/importance.py --labels scicite=DATA/scicite --archive oa_crops.tar.xz
    python benchmarks/science/importance.py --labels acl-arc=train.tsv --labels 3c=3c.csv
    python benchmarks/science/importance.py --render                       the page from its figures

Each set of labels is evaluated with the models of all sets. Results are kept in
benchmarks/results/science/importance.json, and the tables of docs/concepts/trust.md are written
from them. A quarter of an hour on two cores. On the archive, references are ranked by the model of
the first set of labels too.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from citescape.corpus import Corpus, open_corpus
from citescape.importance.components import PRESETS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "concepts" / "trust.md"
RESULTS = ROOT / "benchmarks" / "results" / "science" / "importance.json"
Row = dict[str, Any]
_BLOCK = re.compile(r"(<!-- figures: (\S+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
_SHORT = {"mentions": "number of mentions", "mentions, as the file states": "mentions, as stated"}


def measure_labels(corpus: Corpus, sets: Mapping[str, Path]) -> Row:
    """Models of each set of labels, and the agreement of all scores with each set."""
    models = {}
    for name, path in sets.items():
        for mentions in ("counted", "stated"):
            trained = corpus.importance.train(labels=(path,), mentions=mentions)
            models[f"{name}, {mentions}"] = trained
    found: Row = {}
    for name, path in sets.items():
        run = corpus.evaluate.importance(labels=(path,), model=tuple(models.values()))
        named = {f"learned: {model.run}": f"learned from {of}" for of, model in models.items()}
        rows = [
            {**row, "score": named.get(row["score"], row["score"])} for row in run.arrow.to_pylist()
        ]
        tied = {named.get(score, score): share for score, share in run.counts["tied"].items()}
        found[name] = {"labels": run.counts["labels"], "agreement": rows, "tied": tied}
    calibration = {
        name: {key: model.counts[key] for key in ("calibration_error", "brier", "brier_of_share")}
        for name, model in models.items()
    }
    return {"sets": found, "models": calibration}


def measure_corpus(archive: Path, sets: Mapping[str, Path]) -> Row:
    """Weights, ranks and types of papers on an archive of full texts."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with open_corpus(place / "corpus.lbug", runs=place / "runs", create=True) as corpus:
            corpus.ingest([archive])
            first = dict([*sets.items()][:1])  # a model with titles would encode them all
            models = tuple(corpus.importance.train(labels=(path,)) for path in first.values())
            stability = corpus.evaluate.stability(model=models)
            named = {
                f"learned: {model.run}": f"learned from {name}"
                for name, model in zip(first, models, strict=True)
            }
            ranks = [
                {**row, "choice": named.get(row["choice"], row["choice"])}
                for row in stability.arrow.to_pylist()
            ]
            by_type = {
                name: corpus.evaluate.weights(types=types).arrow.to_pylist()
                for name, types in {
                    "research": ("research", "unknown"),
                    "reviews": ("review",),
                    "all": ("all",),
                }.items()
            }
            corpus.score()
            presets = {}
            types = corpus.cypher("explore/types").arrow.to_pylist()
            preset: Any
            for preset in PRESETS:
                corpus.score(preset=preset)
                works = corpus.cypher("explore/most_important", limit=5).arrow.to_pylist()
                presets[preset] = [work["title"] for work in works]
            return {
                "archive": archive.name,
                "weights": stability.weights.to_pylist(),
                "ranks": [*ranks, measure_sections(corpus)],
                "weights_by_type": by_type,
                "types": types,
                "presets": presets,
                "pairs": stability.counts["pairs"],
                "papers": stability.counts["papers"],
                "ranked": stability.counts["ranked"],
            }


def measure_sections(corpus: Corpus) -> Row:
    """Agreement of ranks if a model types the sections that rules leave open."""
    corpus.text.sections.train()
    corpus.text.sections.label()
    rows = {row["choice"]: row for row in corpus.evaluate.stability().arrow.to_pylist()}
    other = rows["section types by rules only"]
    return {**other, "choice": "section types of a model", "tied": rows["this score"]["tied"]}


def render_labels(found: Row) -> str:
    """AUC and average precision of all scores on each set of labels."""
    parts = []
    for name, one in found["labels"]["sets"].items():
        rows = {(row["score"], row["metric"]): row for row in one["agreement"]}
        scores = [
            score
            for score in dict.fromkeys(row["score"] for row in one["agreement"])
            if not _repeats(score, rows)
        ]
        scores.sort(key=lambda score: -(rows[score, "AUC"]["value"] or 0))
        table = [
            (
                _SHORT.get(score, score),
                _interval(rows[score, "AUC"]),
                _lead(rows[score, "AUC"]),
                _interval(rows[score, "AP"]),
                f"{one['tied'][score]:.0%}",
            )
            for score in scores
        ]
        header = ("score", "AUC", "lead over mentions", "average precision", "tied pairs")
        parts.append(f"**{name}**: {'; '.join(one['labels'])}.\n\n{_table(header, table)}")
    return "\n\n".join(parts)


def render_weights(found: Row) -> str:
    """Weights of the components with intervals, and by type of paper."""
    corpus = found["corpus"]
    by_type = {
        name: {row["component"]: row["weight"] for row in rows}
        for name, rows in corpus["weights_by_type"].items()
    }
    table = [
        (
            row["component"],
            f"{row['weight']:.3f}",
            f"{row['low']:.3f} to {row['high']:.3f}",
            f"{by_type['reviews'][row['component']]:.3f}",
            f"{by_type['all'][row['component']]:.3f}",
        )
        for row in corpus["weights"]
    ]
    return _table(("component", "weight", "95% interval", "reviews alone", "all papers"), table)


def render_ranks(found: Row) -> str:
    """Agreement of the ranks within papers under other choices."""
    table = [
        (
            row["choice"],
            f"{row['tau']:.3f}",
            f"{row['same_first']:.0%}",
            f"{row['overlap']:.0%}",
            f"{row['tied']:.0%}",
        )
        for row in found["corpus"]["ranks"]
    ]
    return _table(("score", "Kendall's tau", "same first", "common first three", "tied"), table)


def render_types(found: Row) -> str:
    """Citations of each type of paper, and the share without importance."""
    table = [
        (
            row["type"] or "unknown",
            f"{row['papers']:,}",
            f"{row['citations']:,}",
            f"{row['mean_importance']:.3f}",
            f"{row['without_importance'] / row['citations']:.0%}",
        )
        for row in found["corpus"]["types"]
        if row["citations"] >= 200
    ]
    return _table(("type", "papers", "citations", "mean importance", "importance 0"), table)


def render_presets(found: Row) -> str:
    """The first works of each preset."""
    table = [
        (name, PRESETS[name].question, "; ".join(titles[:3]))
        for name, titles in found["corpus"]["presets"].items()
    ]
    return _table(("preset", "question", "first works"), table)


BLOCKS: Mapping[str, Callable[[Row], str]] = {
    "labels": render_labels,
    "weights": render_weights,
    "ranks": render_ranks,
    "types": render_types,
    "presets": render_presets,
}
"""Name of a block of the page -> its text."""


def render_page(page: str, found: Row) -> str:
    """The page with all blocks written anew."""
    return _BLOCK.sub(lambda match: f"{match[1]}{BLOCKS[match[2]](found)}\n{match[3]}", page)


def _repeats(score: str, rows: Mapping[tuple[str, str], Row]) -> bool:
    """Whether a model with stated mentions equals that with counted ones: none are stated."""
    counted = rows.get((score.replace(", stated", ", counted"), "AUC"))
    equal = counted is not None and counted["value"] == rows[score, "AUC"]["value"]
    return score.endswith(", stated") and equal


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _interval(row: Row) -> str:
    if row["value"] is None:
        return "-"
    if row["low"] is None:
        return f"{row['value']:.3f}"
    return f"{row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})"


def _lead(row: Row) -> str:
    if row["lead"] is None:
        return "-"
    return f"{row['lead']:+.3f} ({row['lead_low']:+.3f} to {row['lead_high']:+.3f})"


def save(found: Row) -> None:
    """Writes the results, with the date and versions."""
    found["date"] = datetime.now(UTC).date().isoformat()
    found["versions"] = {name: version(name) for name in ("citescape", "numpy", "scikit-learn")}
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Measures what is given, and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--keep", action="store_true", help="Keep the figures of labels.")
    parser.add_argument("--render", action="store_true", help="Write the page from its figures.")
    given = parser.parse_args()
    found = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    sets = {name: Path(path) for name, _, path in (item.partition("=") for item in given.labels)}
    if sets and not given.keep:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            with open_corpus(place / "none.lbug", runs=place / "runs", create=True) as corpus:
                found["labels"] = measure_labels(corpus, sets)
        save(found)
    if given.archive:
        found["corpus"] = measure_corpus(given.archive, sets)
        save(found)
    PAGE.write_text(render_page(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
