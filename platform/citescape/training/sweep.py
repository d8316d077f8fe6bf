"""Comparison of samplers and settings: adapters over many seeds, evaluated on held-out anchors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.draws import hash_ids
from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.documents import Adapter
from citescape.networks.citations import Citations
from citescape.sampling.config import (
    ImportanceConfig,
    NeighbourhoodConfig,
    SamplingConfig,
    SpecterConfig,
)
from citescape.sampling.controls import shuffle_importance
from citescape.sampling.draws import SPLIT, Ints, shuffle_anchors
from citescape.sampling.importance import count_usable, sample_importance
from citescape.sampling.neighbourhood import sample_neighbourhood
from citescape.sampling.pool import Mask
from citescape.sampling.specter import sample_specter
from citescape.sampling.triplets import Triplets, recode_triplets
from citescape.search.vectors import Vectors
from citescape.training.adapt import train_adapter
from citescape.training.config import TrainConfig
from citescape.training.paired import compute_lead
from citescape.training.pools import POOLS, compute_pools, draw_negatives

UNTRAINED = "untrained"
TASKS = ("validation", "test")
"""Columns with the mean figure of published tasks, in per cent."""
_MIN_REFERENCES = 7
"""Minimum references of a held-out anchor: as many as Algorithm 1 needs as published."""
Row = dict[str, Any]
Sampler = Callable[[Citations, Mask, int], Triplets]
"""Function of citations, a mask of the papers with a text, and a seed."""


@dataclass(frozen=True)
class Arm:
    """One arm of a sweep: a sampler and a training."""

    sample: Sampler
    config: TrainConfig = field(default_factory=lambda: TrainConfig(tune="adapter"))
    control: str = ""
    """Name of the arm to compare with; empty for none."""


def importance_sampler(config: ImportanceConfig | None = None) -> Sampler:
    """CIA's Algorithm 1."""
    return lambda citations, usable, seed: (
        sample_importance(citations, usable, config, sampling=_draw_all(seed)).triplets
    )


def shuffled_sampler(config: ImportanceConfig | None = None) -> Sampler:
    """The control: Algorithm 1 with importances shuffled within each reference list.

    With H = 0 it is uniform sampling: random references above random papers.
    """
    return lambda citations, usable, seed: importance_sampler(config)(
        shuffle_importance(citations, seed=seed), usable, seed
    )


def specter_sampler(config: SpecterConfig | None = None) -> Sampler:
    """SPECTER's triplets."""
    return lambda citations, usable, seed: (
        sample_specter(citations, usable, config, sampling=_draw_all(seed)).triplets
    )


def neighbourhood_sampler(
    embed: Callable[[Citations, int], Vectors], config: NeighbourhoodConfig | None = None
) -> Sampler:
    """SciNCL's triplets; `embed` computes vectors of citations with a seed.

    The graph is embedded again without the held-out anchors, which would leak otherwise.
    """

    def sample(citations: Citations, usable: Mask, seed: int) -> Triplets:
        unweighted = replace(citations, weights=np.ones(len(citations)))
        vectors = embed(unweighted, seed)
        part = vectors.select_rows(np.flatnonzero(usable & vectors.placed))
        drawn = sample_neighbourhood(
            part,
            config,
            citations=unweighted,
            queries=part.papers["cites"].to_numpy() > 0,
            sampling=_draw_all(seed),
        )
        return drawn.triplets

    return sample


def _draw_all(seed: int) -> SamplingConfig:
    """No validation triplets: the held-out anchors are not in the sampler's graph."""
    return SamplingConfig(seed=seed, validation=0.0)


def compare_arms(
    arms: Mapping[str, Arm],
    citations: Citations,
    vectors: Vectors,
    *,
    seeds: int = 5,
    held_out: float = 0.2,
    max_anchors: int = 300,
    min_references: int = 1,
    judge: Callable[[Adapter | None], float] | None = None,
    done: Sequence[Row] = (),
    keep: Callable[[Row], None] = lambda _: None,
    progress: Progress = silent,
) -> pa.Table:
    """Trains an adapter per seed and arm, and evaluates it on held-out anchors.

    For each seed a share of the citing papers is removed from the graph. Every arm samples the
    rest, from the same anchors.

    Args:
        arms: name -> sampler and training.
        citations: weighted by importance.
        vectors: vectors of the frozen encoder; papers without one are ignored.
        seeds: number of random seeds.
        held_out: share of the anchors to remove from the graph.
        max_anchors: maximum number of these anchors to evaluate on.
        min_references: minimum references with a text of an anchor to train on: the maximum over
            the arms, so that all arms have the same anchors.
        judge: computes the column `validation` of an adapter, and of None for `untrained`.
        done: rows of an interrupted call; they are not computed again.
        keep: called with each new row.
        progress: reports the progress.

    Returns:
        `arm`, `control`, `seed`, `anchors`, `triplets` and the AUC of each pool, `easy`, `hard`,
        `important` (`training.pools`), and with a judge `validation`; with the arm `untrained` for
        the vectors as they were.

    Raises:
        ConfigError: too few anchors to hold some out, or an arm without triplets.
    """
    rows = vectors.rows(citations.ids)
    usable = rows >= 0
    base = np.zeros((len(rows), vectors.dimensions), np.float32)
    base[usable] = np.asarray(vectors.values)[rows[usable]]
    results = {(row["arm"], row["seed"]): row for row in done}
    for seed in range(seeds):
        held = choose_held_out(citations, usable, share=held_out, seed=seed)
        negatives = draw_negatives(citations, held[:max_anchors], seed=seed)
        remaining = citations.without(citations.ids.take(pa.array(held)).to_pylist())
        mask = np.asarray(vectors.rows(remaining.ids) >= 0)
        for name, arm in {UNTRAINED: None, **arms}.items():
            if (name, seed) in results:
                continue
            progress(f"{name}, seed {seed + 1} of {seeds}")
            values, count, adapter = base, 0, None
            if arm:
                triplets = arm.sample(remaining, mask, seed)
                sizes = count_usable(remaining.indptr, remaining.cited, mask)
                enough = remaining.ids.filter(pa.array(sizes >= min_references))
                known = pc.is_in(triplets.ids, value_set=enough).to_numpy(zero_copy_only=False)
                triplets = triplets.select_rows(known[triplets.anchor])
                count, config = len(triplets), replace(arm.config, seed=seed)
                if not count:
                    raise ConfigError(
                        f"{name} gives no triplets: no anchor has enough references; expected some "
                        "to learn from: try fewer positives or hard negatives, or load more papers"
                    )
                triplets = recode_triplets(triplets, citations.ids)
                adapter = train_adapter(base, triplets, config).adapter
                values = adapter(base)
                values[~np.any(base, axis=1)] = 0  # papers without a vector stay without
            pools = compute_pools(values, negatives)
            row = {
                "arm": name,
                "control": arm.control if arm else "",
                "seed": seed,
                "anchors": pools.anchors,
                "triplets": count,
                **pools.as_dict(),
                **({"validation": judge(adapter)} if judge else {}),
            }
            keep(row)
            results[name, seed] = row
    names = (UNTRAINED, *arms)
    return pa.Table.from_pylist([results[name, seed] for seed in range(seeds) for name in names])


def choose_held_out(citations: Citations, usable: Mask, *, share: float, seed: int) -> Ints:
    """Codes of the anchors to hold out, in random order.

    Args:
        citations: the whole graph.
        usable: (papers,) whether a paper has a vector.
        share: share of the anchors with a vector and enough references with one.
        seed: random seed.

    Raises:
        ConfigError: too few such anchors.
    """
    sizes = count_usable(citations.indptr, citations.cited, usable)
    anchors = np.flatnonzero(usable & (sizes >= _MIN_REFERENCES)).astype(np.int32)
    shuffled = shuffle_anchors(anchors, hash_ids(citations.ids), seed=seed, purpose=SPLIT)
    held = shuffled[: round(share * len(anchors))]
    if not len(held) or len(held) == len(anchors):
        raise ConfigError(
            f"{len(anchors)} papers have a vector and {_MIN_REFERENCES} references with one; "
            f"expected enough to hold out {share:.0%} and learn from the others: encode all papers "
            "of the store, or load more"
        )
    return held


def summarise_arms(rows: pa.Table) -> pa.Table:
    """Mean and standard deviation (n - 1) of each pool over the seeds, one row per arm.

    Columns: `encoder` if the rows have it, `arm`, `control`, `seeds`, `triplets` (mean), and for
    each pool and each of `TASKS` that the rows have: `NAME`, `NAME_sd`, and the lead over the
    control, paired by seed, `NAME_lead` with its standard error `NAME_lead_se`. Null: no anchor has
    such a pool, no control, the deviation of a single seed, or no test figure.
    """
    if "encoder" in rows.column_names:
        parts = []
        for name in pc.unique(rows["encoder"]):
            part = summarise_arms(rows.filter(pc.equal(rows["encoder"], name)).drop("encoder"))
            parts.append(part.add_column(0, "encoder", pa.repeat(name, part.num_rows)))
        return pa.concat_tables(parts, promote_options="permissive")
    arms = list(dict.fromkeys(rows["arm"].to_pylist()))
    table = []
    for arm in arms:
        own = rows.filter(pc.equal(rows["arm"], arm))
        control = own["control"][0].as_py()
        others = rows.filter(pc.equal(rows["arm"], control))
        row: Row = {"arm": arm, "control": control, "seeds": own.num_rows}
        row["triplets"] = round(float(np.mean(own["triplets"].to_numpy())))
        for name in (*POOLS, *(name for name in TASKS if name in rows.column_names)):
            values, baseline = own[name].to_numpy(), others[name].to_numpy()
            deviation = float(values.std(ddof=1)) if len(values) > 1 else np.nan
            lead = compute_lead(values, baseline) if len(baseline) else None
            row[name], row[f"{name}_sd"] = _or_none(float(values.mean())), _or_none(deviation)
            row[f"{name}_lead"] = _or_none(lead.mean) if lead else None
            row[f"{name}_lead_se"] = _or_none(lead.error) if lead else None
        table.append(row)
    return pa.Table.from_pylist(table)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
