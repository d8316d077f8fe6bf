"""How sure importance is: weights over samples of papers, and ranks under other choices.

Two questions. How much would the weights differ for other papers of the same literature? Citing
papers are drawn with replacement (bootstrap). And which references would change their place within
a paper if a choice were made differently: other weights, another rule for self-citation, other
types of papers? Ranks within a paper are what analysts read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.compiled import compiled
from citescape.core.errors import ConfigError
from citescape.core.pairs import Pairs, encode
from citescape.core.progress import Progress, silent
from citescape.importance.components import TABLE, unit
from citescape.importance.config import LEARNED, Weighting
from citescape.importance.counts import PairFeatures, mark_self_citations
from citescape.importance.kernel import COMBINED, DISCUSSION, GRID, MISSING, RESULT, SELF, TITLE
from citescape.importance.learned.scoring import score_pairs
from citescape.importance.learned.training import hash_values
from citescape.importance.read import hash_rows, read_counts, read_features, select_pairs
from citescape.importance.score import weigh_features
from citescape.importance.scored import ScoredPairs
from citescape.importance.text_encoder import load_text_encoder
from citescape.importance.titles import encoder_name
from citescape.ingest.names import block_names, initials_of
from citescape.papers.slices import read_slices
from citescape.papers.types import hash_mask
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

if TYPE_CHECKING:
    from citescape.importance.steps import Stability

Floats = npt.NDArray[np.float64]
WEIGHTS, RANKS = "weights.parquet", "ranks.parquet"
_SURE = ("orcid", "group")
"""Evidence of authors that count as sure."""
_BLOCK = 1 << 22
_LEVEL = (0.025, 0.975)


class StabilityRun(KeptRun):
    """weights.parquet: weights with intervals; ranks.parquet: ranks under other choices."""

    command = "evaluate stability"
    noun = "evaluations of stability"

    @property
    def arrow(self) -> pa.Table:
        """A row per choice: agreement of its ranks with those of the score."""
        return self.read_table(RANKS, "choice", "tau", "same_first")

    @property
    def weights(self) -> pa.Table:
        """A row per component: weight and its interval over citing papers."""
        return self.read_table(WEIGHTS, "component", "weight")

    def tables(self) -> dict[str, pa.Table]:
        """Weights and ranks."""
        return {"weights": self.weights, "ranks": self.arrow}

    def summarise(self) -> Summary:
        """Weights with intervals, ties, and ranks under other choices."""
        counts = self.counts
        parts: list[Part] = []
        if counts["papers"]:
            weights = [
                (row["component"], row["weight"], f"{row['low']:.4f} to {row['high']:.4f}")
                for row in self.weights.to_pylist()
            ]
            parts += [
                f"weights over {counts['draws']:,} samples of {plural(counts['papers'], 'paper')}:",
                Table(("component", "weight", "95% interval"), weights),
            ]
            if counts["undefined_draws"]:
                parts.append(
                    f"{plural(counts['undefined_draws'], 'sample')} left out: no component "
                    "varies, so that weights are undefined"
                )
            parts.append("")
        ranks = [
            (
                row["choice"],
                row["tau"],
                f"{row['same_first']:.1%}",
                row["overlap"],
                f"{row['tied']:.1%}",
                "" if row["self_citations"] is None else f"{row['self_citations']:.2%}",
            )
            for row in self.arrow.to_pylist()
        ]
        names = ("score", "Kendall's tau", "same first", "first 3", "tied", "self-citations")
        parts += [
            "ranks within papers, compared with this score:",
            Table(names, ranks),
            f"means over {plural(counts['ranked'], 'paper')} with two references. same first: "
            "share of orders of ties with the same most important reference; first 3: common share "
            "of the three most important ones; tied: pairs of references with equal scores",
            self.describe(),
        ]
        return Summary(parts, {"run": self.run, **counts, "ranks": self.arrow.to_pylist()})


def evaluate_stability(
    store: GraphStore, config: Stability, *, runs: Path, progress: Progress = silent
) -> StabilityRun:
    """Weights with intervals, and ranks under other weights, self-citations, types and models.

    Args:
        store: the graph.
        config: settings of the score and of the samples.
        runs: folder of runs.
        progress: called with the name of each stage.
    """
    progress("reading citations")
    slices = read_slices(store)
    titles = load_text_encoder(config.title_encoder) if "T" in config.components else None
    features = read_features(
        store, slices, titles=titles, sections=config.sections, progress=progress
    )
    by_rules = None
    if features.relabelled and config.sections == "model":
        counts, _, _ = read_counts(store, slices, features.pairs, sections="rules")
        by_rules = replace(features, counts=counts)
    settings = {
        "components": config.components,
        "weights": config.weighting,
        "combined": config.combined,
        "sections": config.sections,
        "types": config.types,
        "draws": config.draws,
        "ranked_draws": config.ranked_draws,
        "models": [str(model) for model in config.model],
        "title_encoder": encoder_name(titles) if titles else None,
        "seed": config.seed,
    }
    chosen = select_pairs(store, features.pairs, config.types)
    by_line = store.read(query("features/by_lines")).sort_by(
        [("paper", "ascending"), ("author", "ascending"), ("name", "ascending")]
    )
    learned = {
        f"{LEARNED}: {model}": score_pairs(
            store, slices, features, str(model), runs=runs, progress=progress
        )
        for model in config.model
    }

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        weights, _ = weigh_features(features, config, chosen=chosen)
        base = ScoredPairs(features, weights, config.combined).importance
        progress("drawing samples of papers")
        with clock.timed("bootstrap"):
            drawn = draw_weights(features, config, chosen)
            drawn = drawn[np.isfinite(drawn).all(axis=1)]
        with clock.timed("ranks"):
            rows = [
                _compare("this score", base, base, features),
                *_compare_draws(features, base, weights, drawn, config),
                *_compare_choices(
                    features, base, config, chosen=chosen, by_line=by_line, by_rules=by_rules
                ),
                *(
                    _compare(name, base, scores.importance, features)
                    for name, scores in learned.items()
                ),
            ]
        undefined = np.full((len(_LEVEL), len(weights)), np.nan)
        low, high = np.quantile(drawn, _LEVEL, axis=0) if len(drawn) else undefined
        table = pa.table(
            {
                "component": list(weights),
                "weight": list(weights.values()),
                "low": low,
                "high": high,
            }
        )
        directory.write_parquet(WEIGHTS, [table])
        directory.write_parquet(RANKS, [pa.Table.from_pylist(rows)])
        lengths = np.diff(features.pairs.indptr)
        return {
            "pairs": len(features.pairs),
            "papers": int((np.add.reduceat(chosen, _starts(features.pairs)) > 0).sum()),
            "ranked": int((lengths > 1).sum()),
            "draws": config.draws,
            "undefined_draws": config.draws - len(drawn),
        }

    return compute_run(
        StabilityRun,
        runs,
        settings,
        {
            "features": features.fingerprint(),
            "by_rules": by_rules.fingerprint() if by_rules else "",
            "chosen": hash_mask(chosen),
            "by_lines": hash_rows(by_line),
            "learned": [hash_values(scores.values) for scores in learned.values()],
        },
        fill=fill,
        seed=config.seed,
        libraries=("citescape", "numpy"),
    )


def draw_weights(
    features: PairFeatures, config: Stability, chosen: npt.NDArray[np.bool_]
) -> Floats:
    """Weights (draws, components) of samples of citing papers; NaN where no component varies.

    The entropy of a component needs three sums over pairs only: n, sum x and sum x ln x. They are
    summed once per citing paper, so that a draw is one product of matrices. A component that is
    constant over the pairs of a sample has weight 0, as in `compute_weights`.
    """
    components = config.components
    if config.weighting == "uniform":
        return np.full((config.draws, len(components)), 1 / len(components))
    values = np.column_stack([component_values(features, name, config) for name in components])
    starts = _starts(features.pairs)
    lowest = np.minimum.reduceat(np.where(chosen[:, None], values, np.inf), starts)
    highest = np.maximum.reduceat(np.where(chosen[:, None], values, -np.inf), starts)
    values[~chosen] = 0
    logs = np.where(values > 0, values * np.log(np.where(values > 0, values, 1)), 0)
    pairs = np.add.reduceat(chosen.astype(float), starts)
    sums, products = np.add.reduceat(values, starts), np.add.reduceat(logs, starts)
    papers = pairs > 0
    pairs, sums, products = pairs[papers], sums[papers], products[papers]
    lowest, highest = lowest[papers], highest[papers]  # (papers, components)
    chance, size = np.random.default_rng(config.seed), len(pairs)
    parts, left = [], config.draws
    while left:
        rows = min(left, max(1, _BLOCK // size))
        times = chance.multinomial(size, np.full(size, 1 / size), size=rows).astype(float)
        n, x, x_ln_x = times @ pairs, times @ sums, times @ products
        varies = np.empty(x.shape, np.bool_)
        for place in range(len(components)):
            low = np.where(times > 0, lowest[:, place], np.inf).min(axis=1)
            varies[:, place] = low < np.where(times > 0, highest[:, place], -np.inf).max(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            entropy = (np.log(x) - x_ln_x / x) / np.log(n)[:, None]
            divergence = np.where(varies, 1 - np.clip(entropy, 0, 1), 0)
            parts.append(divergence / divergence.sum(axis=1, keepdims=True))
        left -= rows
    return np.concatenate(parts)


def component_values(features: PairFeatures, name: str, config: Weighting) -> Floats:
    """The values (pairs,) of a component, in its unit."""
    slot, scale = TABLE[name].slot, 1 / unit(name, config.combined)
    if slot == SELF and name == "S":
        return features.selfs.astype(float)
    if slot == TITLE:
        return np.where(features.titles == MISSING, 0, features.titles * GRID) * scale
    column = features.counts[:, slot].astype(float)
    if config.combined == "both" and slot in (RESULT, DISCUSSION):
        half = features.counts[:, COMBINED] / 2
        column += -half if slot == RESULT else half
    return column * scale


def _compare_draws(
    features: PairFeatures,
    base: Floats,
    weights: Mapping[str, float],
    drawn: Floats,
    config: Stability,
) -> list[dict[str, Any]]:
    """Mean agreement of the ranks under the weights of some draws."""
    if config.weighting == "uniform" or not len(drawn):
        return []
    rows = [
        _compare(
            "weights of a sample of papers",
            base,
            ScoredPairs(
                features, dict(zip(weights, sample.tolist(), strict=True)), config.combined
            ).importance,
            features,
        )
        for sample in drawn[: config.ranked_draws]
    ]
    return [_average(rows)]


def _compare_choices(
    features: PairFeatures,
    base: Floats,
    config: Stability,
    *,
    chosen: npt.NDArray[np.bool_],
    by_line: pa.Table,
    by_rules: PairFeatures | None,
) -> list[dict[str, Any]]:
    """Agreement of ranks with the score if one choice is made differently.

    Args:
        features: features of all pairs.
        base: (pairs,) the score.
        config: settings of the score.
        chosen: (pairs,) pairs that weights are computed from.
        by_line: authors of papers with the evidence for each.
        by_rules: features by section types of rules alone; None where they are those of the score.
    """
    plain = Weighting(
        features=config.components,
        weights=config.weighting,
        combined=config.combined,
        sections=config.sections,
    )
    method = "uniform" if config.weighting == "entropy" else "entropy"
    choices = [
        (f"{method} weights", features, replace(plain, weights=method), chosen),
        ("weights from papers of all types", features, plain, np.ones_like(chosen)),
    ]
    if features.counts[:, COMBINED].any() and {"R", "D"} & set(config.components):
        other = replace(plain, combined="R" if config.combined == "both" else "both")
        place = "in results" if other.combined == "R" else "half in each"
        choices.append((f'"Results and Discussion" {place}', features, other, chosen))
    if by_rules:
        choices.append(("section types by rules only", by_rules, plain, chosen))
    if "S" in config.components:
        for name, sure in (("sure evidence", True), ("names", False)):
            marked = replace(features, selfs=_mark(features.pairs, by_line, sure=sure))
            choices.append((f"self-citation by {name} only", marked, plain, chosen))
        others = tuple(name for name in config.components if name != "S")
        if others:
            unmarked = replace(plain, features=others)
            choices.append(("without self-citation", features, unmarked, chosen))
    rows = []
    for name, marked, settings, among in choices:
        try:
            weights, _ = weigh_features(marked, settings, chosen=among)
        except ConfigError:  # no component varies
            continue
        importance = ScoredPairs(marked, weights, settings.combined).importance
        rows.append(_compare(name, base, importance, marked))
    mentions = features.mentions.astype(float)
    return [*rows, _compare("number of mentions", base, mentions, features)]


def _mark(pairs: Pairs, by_line: pa.Table, *, sure: bool) -> npt.NDArray[np.uint8]:
    """S (pairs,) with authors by ORCID or group only, or by surname and first initial alone."""
    if sure:
        kept = by_line.filter(pc.is_in(by_line["evidence"], value_set=pa.array(_SURE)))
        names = kept["author"]
    else:
        kept = by_line
        split = pc.extract_regex(by_line["name"], r"^(?P<given>.*?) ?(?P<surname>\S+)$")
        surnames = pc.fill_null(pc.struct_field(split, "surname"), "").to_pylist()
        givens = pc.fill_null(pc.struct_field(split, "given"), "").to_pylist()
        initials = [text[:1] for text in initials_of(givens)]
        names = pa.chunked_array(
            [[f"{a} {b}" for a, b in zip(block_names(surnames), initials, strict=True)]]
        )
    codes = encode(kept["paper"], pairs.ids)
    encoded = names.cast(pa.string()).combine_chunks().dictionary_encode().indices.to_numpy()
    present = codes >= 0
    return mark_self_citations(pairs, codes[present], encoded[present])


def _compare(name: str, base: Floats, other: Floats, features: PairFeatures) -> dict[str, Any]:
    """Agreement of the ranks within papers of two scores; figures are means over papers."""
    indptr = features.pairs.indptr
    tau, same, overlap, tied = compare_ranks(indptr, base, other)
    ranked = np.diff(indptr) > 1
    return {
        "choice": name,
        "tau": _mean(tau[ranked]),
        "same_first": _mean(same[ranked]),
        "overlap": _mean(overlap[ranked]),
        "tied": _mean(tied[ranked]),
        "self_citations": float(features.selfs.mean()) if len(features.selfs) else None,
    }


def _average(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    figures = ("tau", "same_first", "overlap", "tied", "self_citations")
    return {
        "choice": rows[0]["choice"],
        **{name: _mean(np.array([row[name] for row in rows])) for name in figures},
    }


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else math.nan


def _starts(pairs: Pairs) -> npt.NDArray[np.int64]:
    """First pair of each citing paper with references."""
    return pairs.indptr[:-1][np.diff(pairs.indptr) > 0]


@compiled
def compare_ranks(
    indptr: npt.NDArray[np.int64], base: Floats, other: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Agreement of two scores within each citing paper.

    Args:
        indptr: (papers + 1,) first pair of each citing paper.
        base: (pairs,) the score.
        other: (pairs,) the other score.

    Returns:
        Four arrays (papers,), NaN for papers with fewer than two references: Kendall's tau-b, NaN
        where one score is the same for all references; share of orders of ties with the same first
        reference; expected common share of the first three; share of pairs of references that tie
        under `other`.
    """
    papers = len(indptr) - 1
    tau, same = np.full(papers, np.nan), np.full(papers, np.nan)
    overlap, tied = np.full(papers, np.nan), np.full(papers, np.nan)
    for paper in range(papers):
        first, last = indptr[paper], indptr[paper + 1]
        n = last - first
        if n < 2:
            continue
        agree, ties_base, ties_other = 0.0, 0.0, 0.0
        for i in range(first, last):
            for j in range(i + 1, last):
                a, b = np.sign(base[i] - base[j]), np.sign(other[i] - other[j])
                agree += a * b
                ties_base += a == 0
                ties_other += b == 0
        pairs = n * (n - 1) / 2
        scale = np.sqrt((pairs - ties_base) * (pairs - ties_other))
        if scale > 0:
            tau[paper] = agree / scale
        tied[paper] = ties_other / pairs
        top, top_other = places(base[first:last], 1), places(other[first:last], 1)
        same[paper] = np.sum(top * top_other)
        k = min(3, n)
        top, top_other = places(base[first:last], k), places(other[first:last], k)
        overlap[paper] = np.sum(top * top_other) / k
    return tau, same, overlap, tied


@compiled
def places(scores: Floats, k: int) -> Floats:
    """Probability (n,) of each element to be among the k highest, ties in random order."""
    n = len(scores)
    share = np.zeros(n)
    for i in range(n):
        above, equal = 0, 0
        for j in range(n):
            above += scores[j] > scores[i]
            equal += scores[j] == scores[i]
        share[i] = min(1.0, max(0.0, (k - above) / equal))
    return share
