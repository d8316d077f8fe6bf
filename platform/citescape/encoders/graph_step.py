"""One step of a graph embedding: vectors looked up, scores of all pairs in a chunk, gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.graph_edges import Floats, Step
from citescape.encoders.graph_loss import Candidates, differentiate
from citescape.encoders.graph_tables import Table


def compute_loss(
    tables: Sequence[Table],
    step: Step,
    config: GraphConfig,
    *,
    device: torch.device,
    draws: tuple[Floats, Floats] | None = None,
) -> tuple[float, list[tuple[Tensor, Tensor]]]:
    """The loss of a step, and for each table the rows (k,) it touches and their vectors (k, d).

    The vectors carry their gradients. With `draws`, of `expect_draws`, softmax is corrected: each
    score is lessened by the log of how often its candidate is drawn.
    """
    sides = [[step.sources, step.other_sources], [step.targets, step.other_targets]]
    sides = sides if len(tables) == 2 else [[*sides[0], *sides[1]]]
    found = [_look_up(*pair, config, device=device) for pair in zip(tables, sides, strict=True)]
    s, us, t, ut = (view for _, _, views in found for view in views)  # (k, c or u, d)
    inside, to_others = s @ t.mT, s @ ut.mT  # (k, c, c), (k, c, u)
    from_others = t @ us.mT  # (k, c, u)
    scores = [inside, to_others, from_others]
    with torch.no_grad():
        loss, gradients = _compare(step, scores, config, draws=draws or (None, None))
    torch.autograd.backward(scores, gradients)
    return float(loss), [(rows, leaf) for rows, leaf, _ in found]


def _compare(
    step: Step,
    scores: Sequence[Tensor],
    config: GraphConfig,
    *,
    draws: tuple[Floats | None, Floats | None],
) -> tuple[Tensor, list[Tensor]]:
    """Loss of both ends, and its gradient by each of the three blocks of scores."""
    inside, to_others, from_others = scores
    device = inside.device
    weights = torch.from_numpy(step.weights).to(device)
    once = torch.ones((), device=device)
    found = []
    for own, others, near, far, often in (
        (step.targets, step.other_targets, inside, to_others, draws[1]),
        (step.sources, step.other_sources, inside.mT, from_others, draws[0]),
    ):
        nodes, drawn = torch.from_numpy(own).to(device), torch.from_numpy(others).to(device)
        blocks = [
            Candidates(near, weights.unsqueeze(1), nodes.unsqueeze(2) == nodes.unsqueeze(1)),
            Candidates(far, once, nodes.unsqueeze(2) == drawn.unsqueeze(1)),
        ]
        positives = inside.diagonal(dim1=1, dim2=2)
        if often is not None:
            logs, far_logs = (
                torch.from_numpy(often[codes]).to(device) * config.scale for codes in (own, others)
            )
            positives = positives - logs
            blocks[0] = replace(blocks[0], scores=near - logs.unsqueeze(1))
            blocks[1] = replace(blocks[1], scores=far - far_logs.unsqueeze(1))
        found.append(differentiate(positives, weights, blocks, config=config))
    target, source = found
    both = target.candidates[0] + source.candidates[0].mT
    both.diagonal(dim1=1, dim2=2).add_(target.positives + source.positives)
    return target.loss + source.loss, [both, target.candidates[1], source.candidates[1]]


def _look_up(
    table: Table,
    parts: Sequence[npt.NDArray[np.int64]],
    config: GraphConfig,
    *,
    device: torch.device,
) -> tuple[Tensor, Tensor, list[Tensor]]:
    """Rows touched, their vectors as a leaf, and the vectors of each part (..., d)."""
    flat = torch.from_numpy(np.concatenate([part.reshape(-1) for part in parts]))
    rows, places = torch.unique(flat, return_inverse=True)
    leaf = table.gather(rows, device).requires_grad_()
    vectors = F.normalize(leaf, dim=1) if config.comparator == "cosine" else leaf
    split = places.to(device).split([part.size for part in parts])
    views = [
        F.embedding(place.reshape(part.shape), vectors)
        for place, part in zip(split, parts, strict=True)
    ]
    return rows, leaf, views
