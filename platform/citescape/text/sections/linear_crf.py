"""A linear-chain CRF over hashed features of sections: a baseline for the network."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from citescape.encoders.randomness import fixed_randomness
from citescape.text.crf import LinearChainCrf
from citescape.text.sections.gold import allowed_types, revealing_titles
from citescape.text.sections.inputs import compute_numbers
from citescape.text.sections.sequences import TYPES, Flags, Ints, SectionSequences

_BUCKETS = 1 << 17
_WORD = re.compile(r"[^\W\d_]+")
_EPOCHS, _BATCH_PAPERS, _RATE = 12, 32, 0.02


def linear_crf(
    train: SectionSequences, *, body: bool, seed: int, threads: int = 2
) -> Callable[[SectionSequences], Ints]:
    """A trained CRF on words of the title and of its neighbours, position, depth and length.

    Args:
        train: sections to train on.
        body: use the first words of each section in addition to its title.
        seed: order of the papers.
        threads: number of CPU threads.

    Returns:
        A function of sections to types (n,).
    """
    net = _LinearCrf()
    rng = np.random.default_rng(seed)
    bags, allowed = _bags(train, revealing_titles(train), body=body), allowed_types(train)
    spans = list(train.spans)
    with fixed_randomness(seed, threads=threads):
        optimiser = torch.optim.AdamW(net.parameters(), _RATE, weight_decay=0.1)
        for _ in range(_EPOCHS):
            order = rng.permutation(len(spans))
            for start in range(0, len(order), _BATCH_PAPERS):
                chosen = [spans[k] for k in order[start : start + _BATCH_PAPERS]]
                emissions, rows, mask = net.emit(bags, chosen)
                optimiser.zero_grad()
                net.crf.loss(emissions, torch.from_numpy(allowed)[rows], mask).backward()  # type: ignore[no-untyped-call]
                optimiser.step()

    def predict(sections: SectionSequences) -> Ints:
        bags = _bags(sections, revealing_titles(sections), body=body)
        types = np.zeros(len(sections), np.int64)
        with torch.no_grad():
            for span in sections.spans:
                emissions, rows, mask = net.emit(bags, [span])
                types[rows[mask].numpy()] = net.crf.decode(emissions, mask)[mask].numpy()
        return types

    return predict


class _LinearCrf(nn.Module):
    """One weight per feature and type."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = nn.EmbeddingBag(_BUCKETS, len(TYPES), mode="sum")
        nn.init.zeros_(self.weights.weight)
        self.crf = LinearChainCrf(len(TYPES))

    def emit(
        self, bags: list[list[int]], spans: list[tuple[int, int]]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Emissions (B, T, types), rows (B, T) and mask (B, T) of some papers."""
        width = max(end - begin for begin, end in spans)
        rows = torch.zeros(len(spans), width, dtype=torch.long)
        mask = torch.zeros(len(spans), width, dtype=torch.bool)
        for k, (begin, end) in enumerate(spans):
            rows[k, : end - begin] = torch.arange(begin, end)
            mask[k, : end - begin] = True
        chosen = [bags[row] for row in rows.flatten().tolist()]
        starts = np.cumsum([0, *(len(bag) for bag in chosen[:-1])])
        flat = torch.tensor([feature for bag in chosen for feature in bag])
        emissions = self.weights(flat, torch.from_numpy(starts))
        return emissions.view(*rows.shape, -1), rows, mask


def _bags(sections: SectionSequences, hidden: Flags, *, body: bool) -> list[list[int]]:
    """Hashed features of each section: words by position, numbers in ten steps each."""
    titles = [_WORD.findall(text.lower()) for text in sections.shown_titles(hidden)]
    openings = [_WORD.findall(text.lower()) for text in sections.texts("opening")]
    steps = np.round(compute_numbers(sections, hidden) * 10).astype(int).tolist()
    bags: list[list[int]] = []
    for begin, end in sections.spans:
        for k in range(begin, end):
            names = [f"{column}={step}" for column, step in enumerate(steps[k])]
            names += [f"t {word}" for word in titles[k]]
            names += [f"- {word}" for word in (titles[k - 1] if k > begin else ["<"])]
            names += [f"+ {word}" for word in (titles[k + 1] if k + 1 < end else [">"])]
            names += [f"b {word}" for word in openings[k]] if body else []
            bags.append([zlib.crc32(name.encode()) % _BUCKETS for name in names])
    return bags
