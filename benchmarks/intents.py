"""Citation intents: quality and speed of each kind of model.

    python benchmarks/intents.py                   trains three seeds of each kind, an hour
    python benchmarks/intents.py --runs FOLDER     takes the models there, trains what is missing
    python benchmarks/intents.py --quick           one seed of the linear model, results not kept

Models are trained on train.jsonl of SciCite and evaluated on its dev.jsonl, which was not used for
any choice. Labelling is timed on contexts of the crops corpus, batched and one at a time.
"""

from __future__ import annotations

import argparse
import os
import tarfile
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import measure

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")
SCICITE = DATA / "scicite"
KINDS = ("rules", "linear", "transformer", "combined")
SEEDS = (0, 1, 2)
PAPERS = 60
BATCHED = {"rules": 4_000, "linear": 4_000, "transformer": 2_000, "combined": 2_000}
ALONE = 150
CORPUS = 290_000
"""In-text citations of about three thousand papers."""
COLUMNS = {
    "peer": "model",
    "seeds": "seeds",
    "macro_f1": "dev macro-F1",
    "spread": "± sd",
    "background": "background",
    "method": "method",
    "result": "result",
    "calibration_error": "ECE",
    "train_seconds": "training s",
    "per_second": "contexts/CPU s",
    "alone_per_second": "one at a time",
    "corpus_minutes": "CPU min, 290k contexts",
}
NOTES = (
    "SciCite (Cohan et al. 2019): 8,243 citations for training, the 916 of dev.jsonl for "
    "evaluation. Macro-F1 is over the most probable intent, mean over the seeds; ECE is the "
    "expected calibration error. `transformer` is that member of the combined model, with "
    "uncalibrated margins. Training seconds are wall time of a whole run on a machine that was "
    "shared; `combined` trains both members. `contexts/CPU s` is measured on sentences of the "
    "first papers of the crops archive, where equal sentences are computed once: in one batch, "
    "and one at a time."
)


def sample_contexts(count: int) -> list[Any]:
    """Contexts of the first papers of the crops corpus, in order."""
    from citescape.loaders.jats import read_jats
    from citescape.text.intents.contexts import CitationContext

    found: list[CitationContext] = []
    with tarfile.open(DATA / "oa_crops.tar.xz", "r|*") as archive:
        for member in islice((m for m in archive if m.isfile()), PAPERS):
            held = archive.extractfile(member)
            assert held is not None
            paper = read_jats(held.read(), member.name)
            for occurrence in paper.occurrences:
                section = paper.sections[occurrence.section]
                found.append(CitationContext(occurrence.context, section.title, section.type))
    return found[:count]


def judge_of(kind: str, path: str) -> Any:
    """The model of a run, or the transformer of a combined model, depending on `kind`."""
    from citescape.text.intents.model import resolve_model

    model = resolve_model(Path(path), kind if kind == "rules" else path)
    return partial(by_margins, model.members[-1]) if kind == "transformer" else model.classify


def by_margins(member: Any, contexts: Sequence[Any]) -> Any:
    """Probabilities from the uncalibrated margins of a member."""
    import numpy as np

    return 1 / (1 + np.exp(-member(contexts)))


def child(kind: str, path: str) -> None:
    """Judges dev.jsonl and labels the sample with one model."""
    from citescape.text.intents.contexts import predict
    from citescape.text.intents.evaluate import evaluate
    from citescape.text.intents.scicite import read_examples

    classify, contexts = judge_of(kind, path), sample_contexts(BATCHED[kind])
    found = evaluate(classify, read_examples([SCICITE / "dev.jsonl"]))
    with measure.metered() as cost:
        predict(classify, contexts)
    begun = time.process_time()
    for context in contexts[:ALONE]:
        predict(classify, [context])
    alone = time.process_time() - begun
    measure.report(
        cost,
        macro_f1=found.confusion.macro_f1,
        **found.confusion.f1,
        calibration_error=found.calibration_error,
        per_second=round(len(contexts) / cost.cpu_seconds),
        alone_per_second=round(ALONE / alone),
        contexts=len(contexts),
    )


def train_all(runs: Path, seeds: Sequence[int], kinds: Sequence[str]) -> dict[str, list[Any]]:
    """Models by kind; existing models in the folder are not trained again."""
    from citescape.text.intents.model import train
    from citescape.text.intents.scicite import read_examples
    from citescape.text.intents.steps import IntentConfig

    examples = read_examples([SCICITE / "train.jsonl"])
    found: dict[str, list[Any]] = {}
    for kind in kinds:
        for seed in seeds:
            config = IntentConfig(kind=kind, seed=seed)  # type: ignore[arg-type]
            run = train(examples, config, runs=runs, progress=print)
            found.setdefault(kind, []).append(run)
    return found


def compare(runs: Path, seeds: Sequence[int], kinds: Sequence[str]) -> list[measure.Row]:
    """A row per kind with means over the seeds."""
    trained = train_all(runs, seeds, [kind for kind in kinds if kind in ("linear", "combined")])
    rows = []
    for kind in kinds:
        models = trained.get("combined" if kind == "transformer" else kind, [])
        paths = [model.path for model in models] or [runs]
        each = [measure.run_alone(__file__, "--child", kind, path) for path in paths]
        seconds = [model.record.seconds for model in models]
        rows.append(summarise(kind, each, seconds if kind in trained else []))
    return rows


def summarise(kind: str, each: list[measure.Row], seconds: list[float]) -> measure.Row:
    """Means over the seeds, and the standard deviation of macro-F1."""
    names = ("macro_f1", "background", "method", "result", "calibration_error")
    means = {name: round(mean(row[name] for row in each), 4) for name in names}
    rate = mean(row["per_second"] for row in each)
    return {
        "peer": kind,
        "seeds": len(each),
        **means,
        "spread": round(stdev(row["macro_f1"] for row in each), 4) if len(each) > 1 else None,
        "macro_f1_by_seed": [round(row["macro_f1"], 4) for row in each],
        "train_seconds": round(mean(seconds)) if seconds else None,
        "per_second": round(rate),
        "alone_per_second": round(mean(row["alone_per_second"] for row in each)),
        "corpus_minutes": round(CORPUS / rate / 60, 1),
        "peak_mb": max(row["peak_mb"] for row in each),
    }


def main() -> None:
    """Trains, compares, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one seed, rules and linear only")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--runs", type=Path, help="folder of models to use and to keep")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    seeds, kinds = (SEEDS[:1], KINDS[:2]) if options.quick else (options.seeds, KINDS)
    with tempfile.TemporaryDirectory() as folder:
        rows = compare(options.runs or Path(folder), seeds, kinds)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("numpy", "scipy", "scikit-learn", "torch", "transformers")
    path = measure.write_results("intents", rows, libraries=libraries, notes=NOTES, columns=COLUMNS)
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
