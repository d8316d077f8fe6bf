"""Section types: quality of methods, and time to label a corpus.

    python benchmarks/sections.py [--archive PATH] [--seeds N]

All methods are trained on one half of the papers and tested on the other. Labelling by `platform
text sections label` is compared with encoding one text at a time.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING

import measure

if TYPE_CHECKING:
    from citescape.store.graph_store import GraphStore

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")
PAPERS = 3_000
SAMPLE = 40
SLICE = 256
REACHED = {
    "method": "method",
    "top_f1": "TOP F1",
    "top_accuracy": "TOP accuracy",
    "sub_f1": "SUB F1",
    "sub_accuracy": "SUB accuracy",
    "cpu_seconds": "CPU s, train and test",
}
REACHED_NOTES = (
    "{papers:,} papers, {seeds} splits into halves; mean ± standard deviation over the splits. "
    "TOP: {top:,} top-level sections per split, with all titles of the test half hidden. SUB: "
    "{sub:,} subsections whose type is inherited from the section above and whose title is "
    "hidden. Macro-F1 is over I, M, R, D; `other` counts as an error in both. `body`: the method "
    "also reads the first words of the text of each section. `strict`: titles of other "
    "subsections that rules can read are hidden in the test too. Rules assign the most frequent "
    "type where no rule applies, which is everywhere at the top level. CPU seconds exclude "
    "encoding, which costs {encode:,.0f} once."
)
SPEED = {
    "way": "method",
    "papers": "papers encoded",
    "sections": "sections",
    "wall_seconds": "wall s",
    "cpu_seconds": "CPU s",
    "extra_mb": "MB above libraries",
    "rate": "papers/s",
    "whole": f"min for {PAPERS:,} papers",
}
SPEED_NOTES = (
    "`platform text sections label` on the store of {archive}, from opening the store to the "
    "last write. Papers in which rules leave no section open are skipped and not counted. `one "
    f"text at a time` encodes the titles and first words of {SAMPLE} of these papers and does "
    "nothing else. Minutes are extrapolated from the rate, as if each paper had an open section."
)


SURE = {
    "learned": "training papers",
    "sure": "mean probability in a paper",
    "papers": "papers",
    "sections": "test sections",
    "right": "accuracy",
}
SURE_NOTES = (
    "The model of one split is trained on its first half, or on a few papers of that half, and "
    "evaluated on TOP and SUB of the other half together. Labelling leaves sections as `other` "
    "in papers with a mean probability below {sure}."
)
BOUNDS = (0.0, 0.7, 0.8, 0.9, 0.95, 1.0001)
FEW = 60


def child_label(store: Path, runs: Path) -> None:
    """Labels a whole store with the model in `runs`."""
    from citescape.store.graph_store import open_store
    from citescape.text.sections.label import label
    from citescape.text.sections.model import resolve_model
    from citescape.text.sections.sequences import read_sections
    from citescape.text.write_back import batches

    model = resolve_model(runs, "")
    assert model is not None
    model.network.eval()  # loaded before the clock starts, like that of the peer
    graph = open_store(str(store))
    todo = open_papers(graph)
    count = sum(len(read_sections(graph, batch)) for batch in batches(todo, SLICE))
    graph.close()
    with measure.metered() as cost:
        graph = open_store(str(store))
        done = label(graph, model)
        graph.close()
    measure.report(cost, papers=len(todo), sections=count, written=done.written)


def child_one(store: Path) -> None:
    """Encodes titles and first words of sections of some papers one at a time."""
    from citescape.encoders.pretrained import PretrainedEncoder
    from citescape.store.graph_store import open_store
    from citescape.text.sections.sequences import read_sections

    graph = open_store(str(store), read_only=True)
    papers = open_papers(graph)
    sections = read_sections(graph, papers[:: max(1, len(papers) // SAMPLE)][:SAMPLE])
    encoder = PretrainedEncoder.load()
    texts = [*sections.texts("title"), *sections.texts("opening")]
    with measure.metered() as cost:
        for text in texts:
            encoder([text])
    measure.report(cost, papers=sections.papers, sections=len(sections))


def open_papers(graph: GraphStore) -> list[str]:
    """Papers with sections that rules leave open."""
    text = (
        "MATCH (p:Paper)-[:HAS_SECTION]->(s:Section) WHERE s.kind = 'body' "
        "AND s.type_source = 'none' RETURN DISTINCT p.id AS id ORDER BY id"
    )
    found: list[str] = graph.read(text)["id"].to_pylist()
    return found


def compare_methods(store: Path, seeds: int) -> None:
    """Makes the table of methods."""
    from citescape.encoders.pretrained import PretrainedEncoder
    from citescape.store.graph_store import open_store
    from citescape.text.sections.evaluate import evaluate
    from citescape.text.sections.inputs import SectionInputs
    from citescape.text.sections.model import read_corpus
    from citescape.text.sections.steps import METHODS

    graph = open_store(str(store), read_only=True)
    sections = read_corpus(graph)
    with measure.metered() as cost:
        SectionInputs.from_sections(sections, PretrainedEncoder.load(), body=True)
    found = evaluate(sections, seeds=range(seeds), progress=print)
    rows = [
        {
            "method": method,
            "top_f1": spread([s.top.macro_f1 for s in found.scores_of(method)]),
            "top_accuracy": spread([s.top.accuracy for s in found.scores_of(method)]),
            "sub_f1": spread([s.sub.macro_f1 for s in found.scores_of(method)]),
            "sub_accuracy": spread([s.sub.accuracy for s in found.scores_of(method)]),
            "cpu_seconds": round(mean(s.cpu_seconds for s in found.scores_of(method)), 1),
        }
        for method in METHODS
    ]
    measure.print_table(rows, REACHED)
    first = found.scores[0]
    measure.write_results(
        "sections",
        rows,
        libraries=("torch", "transformers", "scikit-learn"),
        notes=REACHED_NOTES.format(
            papers=found.papers,
            seeds=seeds,
            top=first.top.total,
            sub=first.sub.total,
            encode=cost.cpu_seconds,
        ),
        columns=REACHED,
        each=[
            {"method": s.method, "seed": s.seed, "top": s.top.as_dict(), "sub": s.sub.as_dict()}
            for s in found.scores
        ],
    )


def compare_probabilities(store: Path) -> None:
    """Makes the table of accuracy by mean probability in a paper."""
    from citescape.encoders.pretrained import PretrainedEncoder
    from citescape.store.graph_store import open_store
    from citescape.text.sections.evaluate import FULL, fit_method, halves
    from citescape.text.sections.gold import sub_test, top_test
    from citescape.text.sections.inputs import SectionInputs
    from citescape.text.sections.label import MIN_CONFIDENCE
    from citescape.text.sections.model import read_corpus
    from citescape.text.sections.steps import TrainSections

    sections = read_corpus(open_store(str(store), read_only=True))
    half, test = halves(
        SectionInputs.from_sections(sections, PretrainedEncoder.load(), body=True), 0
    )
    is_tested = top_test(test.sections) | sub_test(test.sections)
    rows = []
    for train in (half, half.select_papers(list(range(FEW)))):
        types, sure = fit_method(FULL, train, TrainSections())(test)
        right = types == test.sections.rule_types
        of_paper = [
            (
                sure[rows_of_paper][is_tested[rows_of_paper]].mean(),
                int(is_tested[rows_of_paper].sum()),
                int(right[rows_of_paper][is_tested[rows_of_paper]].sum()),
            )
            for rows_of_paper in (slice(*span) for span in test.sections.spans)
            if is_tested[rows_of_paper].any()
        ]
        for least, most in pairwise(BOUNDS):
            found = [(n, good) for mean_, n, good in of_paper if least <= mean_ < most]
            n = sum(n for n, _ in found)
            rows.append(
                {
                    "learned": train.sections.papers,
                    "sure": f"{least:g} to {min(most, 1):g}",
                    "papers": len(found),
                    "sections": n,
                    "right": round(sum(good for _, good in found) / n, 3) if n else None,
                }
            )
    measure.print_table(rows, SURE)
    measure.write_results(
        "sections_sure",
        rows,
        libraries=("torch", "transformers"),
        notes=SURE_NOTES.format(sure=MIN_CONFIDENCE),
        columns=SURE,
    )


def spread(values: Sequence[float]) -> str:
    """Mean and standard deviation."""
    return f"{mean(values):.3f} ± {stdev(values) if len(values) > 1 else 0:.3f}"


def time_labelling(store: Path, runs: Path, archive: str) -> None:
    """Makes the table of labelling times."""
    from citescape.store.graph_store import open_store
    from citescape.text.sections.model import train

    graph = open_store(str(store), read_only=True)
    train(graph, runs=runs, progress=print)
    graph.close()
    rows = [
        {"way": "one text at a time", **measure.run_alone(__file__, "--one", store)},
        {"way": "citescape", **measure.run_alone(__file__, "--label", store, "--runs", runs)},
    ]
    for row in rows:
        row["rate"] = round(row["papers"] / row["wall_seconds"], 1)
        row["whole"] = round(PAPERS / row["rate"] / 60, 1)
    measure.print_table(rows, SPEED)
    measure.write_results(
        "sections_label",
        rows,
        libraries=("torch", "transformers", "ladybug"),
        notes=SPEED_NOTES.format(archive=archive),
        columns=SPEED,
    )


def main() -> None:
    """Runs both comparisons, prints the tables, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, default=DATA / "oa_crops.tar.xz")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--label", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.label:
        return child_label(options.label, options.runs)
    if options.one:
        return child_one(options.one)
    from citescape.ingest.ingest import ingest
    from citescape.store.graph_store import open_store

    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "corpus.lbug"
        graph = open_store(str(store))
        ingest(graph, [options.archive])
        graph.close()
        compare_methods(store, options.seeds)
        compare_probabilities(store)
        time_labelling(store, Path(folder) / "runs", options.archive.name)


if __name__ == "__main__":
    main()
