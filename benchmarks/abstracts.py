"""Splitting abstracts into background, method and result: comparison of splitters.

    python benchmarks/abstracts.py            the crops corpus, about five minutes
    python benchmarks/abstracts.py --quick    one seed, without an encoder, results not kept

All kinds are trained on the same halves of structured abstracts whose headings name all facets,
and tested on the other halves with hidden headings. Needs the crops corpus (CITESCAPE_DATA).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from statistics import mean, stdev

import measure

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")
KINDS = ("position", "rules", "linear", "sequence", "vectors")
SEEDS = 3
FEW = 200
"""Number of abstracts for the rate of the kind with an encoder."""
NOTES = (
    "The structured abstracts are split into halves by paper three times; equal texts stay "
    "together. Figures are means; the next column is the standard deviation. `difference from "
    "sequence` is the mean difference from `sequence` over the same halves, with its standard "
    "deviation. `CV F1` is threefold cross-validation inside the training halves. The default "
    "kind (`sequence`) was chosen by it. Seven of eight abstracts are in a training half of at "
    "least one split, so this choice has seen nearly all test abstracts, and the figures of "
    "`sequence` may be slightly too high. `in-text F1` is measured on `n` abstracts of other "
    "journals, whose headings are printed in the text and hidden too. Abstracts without headings "
    "are less regular; no figure here covers them. `CPU s` counts the CPU seconds of the "
    "process, all threads, for one training and test: the mean over the seeds, after a first run "
    "that loads the libraries. `abstracts / CPU s` is the rate of labelling all abstracts in "
    "memory on one thread of torch (200 abstracts for `vectors`, which uses an encoder). The "
    "last row is measured from store to store, and includes reading, writing and the threads of "
    "the database."
)
COLUMNS = {
    "kind": "kind",
    "macro_f1": "macro-F1",
    "macro_f1_spread": "±",
    "difference": "difference from sequence",
    "difference_spread": "±",
    "accuracy": "accuracy",
    "f1_background": "F1 background",
    "f1_method": "F1 method",
    "f1_result": "F1 result",
    "cross_validated_macro_f1": "CV F1",
    "sentences": "test sentences",
    "written_macro_f1": "in-text F1",
    "written_macro_f1_spread": "±",
    "written_abstracts": "n",
    "train_seconds": "CPU s",
    "abstracts_per_second": "abstracts / CPU s",
}


def child(kind: str, path: str, seeds: int) -> None:
    """Evaluates one kind, then times its labels of the corpus."""
    import torch

    from citescape.store.graph_store import open_store
    from citescape.text.abstracts.evaluate import evaluate
    from citescape.text.abstracts.gold import collect_gold
    from citescape.text.abstracts.rules import RuleSplitter
    from citescape.text.abstracts.steps import TrainAbstracts
    from citescape.text.abstracts.train import fit, read_abstracts
    from citescape.text.labeller import RULES

    torch.set_num_threads(1)
    store = open_store(path, read_only=True)
    abstracts = list(read_abstracts(store))
    store.close()
    gold = collect_gold(abstracts)
    evaluate(gold, kinds=(kind,), seeds=(0,))  # loads libraries and the encoder
    (found,) = evaluate(gold, kinds=(kind,), seeds=range(seeds), folds=True)
    config = None if kind == RULES else TrainAbstracts(kind)  # type: ignore[arg-type]
    splitter = fit(gold.complete, config) if config else RuleSplitter()
    sentences = [abstract.sentences for abstract in abstracts[: FEW if kind == "vectors" else None]]
    splitter(sentences[:10])
    with measure.metered() as cost:
        splitter(sentences)
    figures = found.as_dict()
    f1: dict[str, float] = figures.pop("f1")  # type: ignore[assignment]
    measure.report(
        cost,
        **figures,
        **{f"f1_{facet}": value for facet, value in f1.items()},
        abstracts=len(sentences),
        train_seconds=round(found.seconds / seeds, 2),
        abstracts_per_second=round(len(sentences) / max(cost.cpu_seconds, 0.001)),
    )


def label_child(path: str) -> None:
    """Times `platform text abstracts label` with a trained model, from store to store."""
    import torch

    from citescape.store.graph_store import open_store
    from citescape.text.abstracts.label import label
    from citescape.text.abstracts.train import load_splitter, train

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(path)
        run = train(store, runs=Path(folder))
        splitter = load_splitter(Path(folder), run.record.id)
        with measure.metered() as cost:
            result = label(store, splitter)
        again = label(store, splitter)
        store.close()
    if again.written or result.written != result.abstracts:
        raise RuntimeError(f"expected all to be written once: {result}, {again}")
    measure.report(
        cost,
        abstracts=result.abstracts,
        abstracts_per_second=round(result.abstracts / cost.cpu_seconds),
    )


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one seed, without an encoder")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--label", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        kind, path, seeds = options.child
        return child(kind, path, int(seeds))
    if options.label:
        return label_child(options.label)
    rows = compare(KINDS[:-1] if options.quick else KINDS, 1 if options.quick else SEEDS)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("numpy", "scikit-learn", "torch", "transformers", "ladybug")
    path = measure.write_results(
        "abstracts", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


def compare(kinds: tuple[str, ...], seeds: int) -> list[measure.Row]:
    """A row per kind on a store of the corpus, and a row for labelling the store."""
    from citescape.ingest.ingest import ingest
    from citescape.store.graph_store import open_store

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/crops.lbug"
        store = open_store(path)
        ingest(store, [DATA / "oa_crops.tar.xz"])
        store.close()
        rows = [measure.run_alone(__file__, "--child", kind, path, seeds) for kind in kinds]
        label = measure.run_alone(__file__, "--label", path)
    return [*_paired(rows), {"kind": "sequence, store to store", **label}]


def _paired(rows: list[measure.Row]) -> list[measure.Row]:
    """Rows with the difference from the default kind, for each seed on the same halves."""
    base = next(row["macro_f1_by_seed"] for row in rows if row["kind"] == "sequence")
    for row in rows:
        pairs = zip(row["macro_f1_by_seed"], base, strict=True)
        less = [own - other for own, other in pairs]
        row["difference"] = mean(less)
        row["difference_spread"] = stdev(less) if len(less) > 1 else 0.0
    return rows


if __name__ == "__main__":
    main()
