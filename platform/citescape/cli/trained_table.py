"""What `platform train` prints: figures on held-out triplets, speed, run directories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from citescape.cli.output import echo_table, number
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.training.train import TrainResult

_SHOWN = {
    "loss": "loss",
    "accuracy": "ordered rightly",
    "hard": "ordered rightly, hard negatives",
    "easy": "ordered rightly, random negatives",
}


def as_json_row(result: TrainResult) -> dict[str, Any]:
    """Run and figures of one training, for JSON."""
    told: dict[str, Any] = {"run": result.run, "path": str(result.path), "seed": result.seed}
    told |= {"unchanged": result.unchanged, "resumed_after": result.resumed_after}
    return {**told, **result.figures}


def _taught(figures: Mapping[str, Any]) -> str:
    if "taught" not in figures:
        return ""
    without = figures["papers"] - figures["taught"]
    return f"{number(without)} without a vector of the teacher, "


def print_trained(results: list[TrainResult]) -> None:
    """What was learned, how well, how fast, and where it is."""
    from citescape.runs.directory import read_run

    figures = results[0].figures
    echo(
        f"{plural(figures['triplets'], 'triplet')} of {plural(figures['papers'], 'paper')} "
        f"({number(figures['titles_only'])} with a title only), "
        f"{_taught(figures)}"
        f"{plural(figures['updates'], 'update')}",
        "",
    )
    _print_validation(results)
    echo("")
    speed, memory = figures["throughput"], read_run(results[0].path).peak_memory_mb
    if speed["tokens"]:
        echo(
            f"{speed['tokens_a_second']:,.0f} tokens/s, {speed['share_of_peak']:.0%} of the "
            f"{speed['peak_flops_a_second'] / 1e12:,.2f} TFLOP/s of a plain matrix product here; "
            f"at most {number(memory)} MB"
        )
    if "leaks" in figures:
        echo(figures["leaks"])
    for result in results:
        seed = f", seed {result.seed}" if len(results) > 1 else ""
        echo(f"{_done(result)}{seed}: {result.path}")


def _print_validation(results: list[TrainResult]) -> None:
    """Before and after; of several seeds, which train on the same triplets, before is the same."""
    from citescape.training.repeat import compare

    figures, found = results[0].figures, compare(results)
    measured = figures.get("measured", figures["validation"])
    if not measured:
        echo("no triplets are held out, so nothing was measured")
        return
    several = len(results) > 1
    rows = [
        (_SHOWN[name], before.mean, str(after) if several else after.mean)
        for name, (before, after) in found.items()
    ]
    seeds = f", {len(results)} seeds, mean ± standard deviation" if several else ""
    echo_table((f"{plural(measured, 'held-out triplet')}{seeds}", "before", "after"), rows)
    before, after = found["loss"]
    if after.mean >= before.mean:
        echo("", "no better than before: the loss on held-out triplets did not fall")


def _done(result: TrainResult) -> str:
    if result.unchanged:
        return "there already"
    after = result.resumed_after
    return f"trained, going on after update {number(after)}" if after else "trained"
