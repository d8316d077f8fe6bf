"""The network learns the section structure of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from citescape.core.errors import ConfigError
from citescape.importance.titles import HashedWords
from citescape.store.graph_store import open_store
from citescape.text.sections.gold import revealing_titles, top_test
from citescape.text.sections.inputs import SectionInputs
from citescape.text.sections.model import read_corpus
from citescape.text.sections.network import Windows, fit, predict
from citescape.text.sections.sequences import TYPES, SectionSequences
from citescape.text.sections.steps import TrainSections

Build = Callable[..., SectionSequences]
CONFIG = TrainSections(epochs=10, fewest_steps=1, threads=1)


@pytest.fixture(scope="module")
def inputs(corpus: Path) -> Iterator[SectionInputs]:
    store = open_store(str(corpus), read_only=True)
    yield SectionInputs.from_sections(read_corpus(store), HashedWords(128), body=True)
    store.close()


def test_hidden_titles_of_unseen_papers_are_classified(inputs: SectionInputs) -> None:
    papers = inputs.sections.papers
    network = fit(inputs.select_papers(range(papers // 2)), CONFIG)
    test = inputs.select_papers(range(papers // 2, papers))
    types, sure = predict(network, test, hidden=revealing_titles(test.sections))
    tested = top_test(test.sections)
    right = types[tested] == test.sections.rule_types[tested]
    frequent = np.bincount(test.sections.rule_types[tested]).max() / tested.sum()
    assert right.mean() > frequent + 0.3
    assert ((sure >= 0) & (sure <= 1)).all()
    assert (np.round(sure, 4) == sure).all()


def test_types_by_rules_are_kept(inputs: SectionInputs) -> None:
    network = fit(inputs, TrainSections(epochs=1, fewest_steps=1, threads=1))
    known = inputs.sections.rule_types
    allowed = np.eye(len(TYPES), dtype=bool)[known]
    types, sure = predict(network, inputs, allowed=allowed)
    assert (types == known).all()
    assert sure == pytest.approx(1)


def test_the_same_seed_gives_the_same_bits(inputs: SectionInputs) -> None:
    some = inputs.select_papers(range(20))
    config = TrainSections(epochs=2, fewest_steps=1, threads=1, seed=4)
    torch.manual_seed(99)
    before = torch.random.get_rng_state()
    first, second = fit(some, config), fit(some, config)
    assert torch.equal(torch.random.get_rng_state(), before)
    for name, tensor in first.state_dict().items():
        assert torch.equal(tensor, second.state_dict()[name])
    other = fit(some, TrainSections(epochs=2, fewest_steps=1, threads=1, seed=5))
    assert not torch.equal(first.out.weight, other.out.weight)


def test_long_papers_are_cut_into_windows(build: Build) -> None:
    imrd = (("Introduction", 1), ("Methods", 1), ("Results", 1), ("Discussion", 1))
    flora = (*imrd, *((f"Species {k}", 1) for k in range(450)))
    inputs = SectionInputs.from_sections(build(imrd, flora, imrd), HashedWords(16), body=True)
    network = fit(inputs, TrainSections(epochs=1, fewest_steps=1, threads=1))
    types, sure = predict(network, inputs)
    assert len(types) == 4 + (4 + 450) + 4
    assert (sure > 0).all()  # a row outside all windows would have 0


def test_a_section_uses_its_top_level_section_within_its_window(build: Build) -> None:
    flora = (("Introduction", 1), ("Angiosperms", 1), *((f"Species {k}", 2) for k in range(450)))
    inputs = SectionInputs.from_sections(build(flora), HashedWords(16), body=True)
    windows = Windows(inputs, np.ones((452, len(TYPES)), bool))
    (batch,) = windows.batches(np.zeros(452, bool), [0, 1, 2], size=3)
    assert batch.heads[0, :4].tolist() == [0, 1, 1, 1]
    assert batch.heads[1].tolist() == list(range(200))
    assert batch.heads[2].tolist() == [*range(52), *[0] * 148]


def test_types_without_examples_are_named(build: Build) -> None:
    papers = build(*[(("Introduction", 1), ("Methods", 1), ("Results", 1))] * 3)
    inputs = SectionInputs.from_sections(papers, HashedWords(16), body=True)
    with pytest.raises(ConfigError, match=r"type D in fewer than 2 papers"):
        fit(inputs, CONFIG)
