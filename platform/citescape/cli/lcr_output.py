"""What `platform evaluate lcr` prints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.cli.evaluation_output import (
    Figures,
    echo_run,
    print_run,
    read_figures,
    show_interval,
)
from citescape.cli.output import echo_table, number
from citescape.core.terminal import echo
from citescape.runs.directory import is_run_id
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun
    from citescape.recommend.lcr.grid import GridRun
    from citescape.runs.kept import KeptRun

SHOWN = {"mrr": "MRR", "recall@10": "R@10", "recall@300": "R@300", "ndcg@10": "nDCG@10"}
"""Of all metrics, those that the first tables show."""
_CONDITIONS = {
    "all": "all works",
    "warm": "warm: works that training sentences cite",
    "cold": "cold: works that no training sentence cites",
    "warm-only": "warm-only: warm works, searched for among the {warm} warm ones alone",
}
_SWEPT = {"recall": "R", "ndcg": "nDCG", "mrr": "MRR"}
_LEAKS = {
    "contexts_in_training": "sentences to be completed are training sentences too",
    "citing_in_training": "papers have sentences both to be completed and to learn from",
    "outside": "works to be found are no candidates",
    "not_older": "works to be found are not surely older",
    "evaluation_papers": "papers that ask may be found",
}
_KNOWN = {
    "newer_sentences": "training sentences are not surely older than every paper that asks",
    "asked_of_newer": "sentences ask for a work whose profile has a sentence not surely older",
    "undated": "sentences that ask stand in papers without a date",
    "same_words": "sentences stand word for word in another paper, of training",
}
"""What is no leak, but to be told, see `count_foreknowledge`."""
_GRID = {"mrr": "MRR", "recall@10": "R@10", "ndcg@10": "nDCG@10"}


def read_benchmark(made: KeptRun, path: Path | str, split: str) -> dict[str, str]:
    """By what a run was measured: run or folder, protocol, split."""
    name = Path(path).name
    named = name if is_run_id(name) else str(path)
    return {"benchmark": named, "protocol": made.record.inputs["protocol"], "split": split}


def tell_benchmark(told: Mapping[str, str]) -> str:
    """The same as words."""
    return f"{told['benchmark']} ({told['protocol']}), {told['split']}"


def print_grid(made: GridRun, path: Path, *, as_json: bool) -> None:
    """The figures of all weights tried by a benchmark, and which are best."""
    from citescape.recommend.lcr.config import VALIDATION
    from citescape.recommend.lcr.grid import PICTURE

    told = read_benchmark(made, path, VALIDATION)
    if as_json:
        echo_run(made, **told, grid=made.grid.to_pylist())
        return
    echo(f"tried on {tell_benchmark(told)}")
    echo(f"{plural(made.counts['queries'], 'sentence')} to be completed, MRR", "")
    rows = [row for row in made.grid.to_pylist() if row["system"] == "profiler"]
    alphas, deltas = (sorted({row[name] for row in rows}) for name in ("alpha", "delta"))
    shown = {(row["alpha"], row["delta"]): f"{100 * row['mrr']:.1f}" for row in rows}
    table = [(f"delta {delta:g}", *(shown[a, delta] for a in alphas)) for delta in deltas]
    echo_table(("", *(f"alpha {alpha:g}" for alpha in alphas)), table)
    shares = [row for row in made.grid.to_pylist() if row["system"] == "fused"]
    echo("", "fused with the best of these, by the share of words")
    fused = [(f"{row['share']:g}", *(f"{100 * row[m]:.1f}" for m in _GRID)) for row in shares]
    echo_table(("words", *_GRID.values()), fused)
    _tell_best(made)
    if (made.path / PICTURE).exists():
        echo(f"picture: {made.path / PICTURE}")
    print_run(made)


def _tell_best(made: GridRun) -> None:
    """Which weights, and how far they lead those that were given, which may be chance."""
    best = {system: made.find_best(system) for system in ("profiler", "fused")}
    alpha, delta, share = (best["fused"][name] for name in ("alpha", "delta", "share"))
    told, given = made.record.config, {**made.record.config["asking"]["weights"]}
    given |= {name: told["weights"][name] for name in ("alpha", "beta")}
    chosen = {"alpha": alpha, "beta": 1 - alpha, "gamma": 1 - delta, "delta": delta}
    echo("", f"best: {_name_weights(chosen, share)}")
    echo(f"MRR less that of {_name_weights(given, told['share'])}:")
    rows = [
        (system, f"{100 * row['lead']:+.1f}{show_interval(row, '+.1f')}", _judge(row))
        for system, row in best.items()
    ]
    echo_table(("", "difference", ""), rows)
    echo("the best was chosen on these very sentences, which flatters it: measure it on test")


def _name_weights(weights: Mapping[str, Any], share: float) -> str:
    """As options."""
    names = ("alpha", "beta", "gamma", "delta")
    told = " ".join(f"--{name} {weights[name]:g}" for name in names)
    return f"{told} --words {share:g}"


def _judge(row: Mapping[str, Any]) -> str:
    if row["low"] is None:
        return "of too few papers for an interval"
    return "may be chance" if row["low"] <= 0 <= row["high"] else ""


def read_measured(made: EvaluationRun) -> dict[str, str]:
    """The benchmark of an evaluation, which was the last one made if none was named."""
    return read_benchmark(made, made.record.asked["benchmark"], made.record.config["split"])


def print_figures(made: EvaluationRun) -> None:
    """By what was measured, what was asked, and figures by condition."""
    counts, figures = made.counts, read_figures(made)
    echo(f"measured by {tell_benchmark(read_measured(made))}")
    echo(
        f"{plural(counts['queries'], 'sentence')} of {plural(counts['asking'], 'paper')} to be "
        f"completed, with {plural(counts['citations'], 'citation')}, "
        f"{number(counts['warm_citations'])} of warm works; "
        f"{plural(counts['candidates'], 'work')} may be found"
    )
    for reason, count in counts["leaks"].items():
        if count:
            echo(f"leak: {number(count)} {_LEAKS.get(reason, reason)}")
    for told in tell_known(counts, made.record.config["split"]):
        echo(told)
    warm = number(counts["candidates"] - counts["cold_candidates"])
    for condition, title in _CONDITIONS.items():
        asking = counts["queries" if condition == "all" else f"{condition[:4]}_queries"]
        echo("", f"{title.format(warm=warm)} ({plural(asking, 'sentence')})")
        _print_condition(figures, condition, counts["systems"])
    _tell_cold(counts)


def _print_condition(figures: Figures, condition: str, systems: list[str]) -> None:
    rows = [
        (name, *(figures.get((name, condition, "", metric), "") for metric in SHOWN))
        for name in systems
    ]
    echo_table(("", *SHOWN.values()), rows)


def _tell_cold(counts: Any) -> None:
    """Where nearly every cold work is one that is asked for, cold figures flatter."""
    cold, wanted = counts["cold_candidates"], counts["cold_candidates_wanted"]
    if cold:
        echo(
            "",
            f"of {plural(cold, 'cold work')} that may be found {number(wanted)} are cited by "
            "these sentences: whatever brings cold works forward looks good here, except under "
            "warm-only",
        )


def print_sweep(made: EvaluationRun) -> None:
    """What lists of several lengths hold, each with its share of all works."""
    counts = made.counts
    means = {
        (row["system"], row["metric"]): row["mean"]
        for row in made.figures.to_pylist()
        if row["condition"] == "all"
    }
    shares = [f"{k} ({min(k / counts['candidates'], 1):.2%})" for k in counts["lengths"]]
    rows = [
        (system, name, *(f"{100 * means[system, f'{metric}@{k}']:.1f}" for k in counts["lengths"]))
        for system in counts["systems"]
        for metric, name in _SWEPT.items()
    ]
    echo("", "all works, by the length of the list (its share of what may be found)")
    echo_table(("", "", *shares), rows)


def print_times(made: EvaluationRun) -> None:
    """What systems built, how fast they answered, and what all of them share."""
    from citescape.recommend.lcr.evaluate import name_building

    timings, counts = made.record.timings, made.counts
    rows = [
        (
            name,
            timings.get(name_building(name)),
            timings[name],
            1000 * timings[name] / max(counts["queries"], 1),
        )
        for name in counts["systems"]
        if name in timings
    ]
    echo("", "time")
    echo_table(("", "building, s", "answering, s", "ms a sentence"), rows)
    both = timings["encode queries"], timings["questions"]
    echo(
        f"questions, the same for all: vectors {both[0]:,.1f} s, words {both[1]:,.1f} s; "
        f"warm-only lists: {timings['warm-only']:,.1f} s"
    )
    made_in = ", ".join(f"{name} {value:,.1f} s" for name, value in counts["profiling"].items())
    echo(f"profiles ({counts['profiles']}): {made_in}")


def tell_known(counts: Mapping[str, Any], split: str) -> list[str]:
    """What nothing answers, and what training knows beforehand of a split."""
    told, wordless = tell_reasons(counts["known_before"][split]), counts["wordless"][split]
    if wordless:
        told.append(f"{plural(wordless, 'sentence')} without words, which count as missed")
    if skipped := counts.get("skipped_records", 0):
        odd = "; ".join(counts["odd_records"][:3])
        told.append(f"skipped {plural(skipped, 'record')} that cannot be read: {odd}")
    return told


def tell_reasons(known: Mapping[str, int]) -> list[str]:
    """What is known beforehand, a line for each reason."""
    told = (f"{number(count)} {_KNOWN[reason]}" for reason, count in known.items() if count)
    return [f"no leak, but known beforehand: {one}" for one in told]
