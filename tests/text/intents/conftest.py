"""Labelled citations that a model can learn in a second, and a store to label."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.store.graph_store import GraphStore
from citescape.text.intents.contexts import CitationContext
from citescape.text.intents.label import find_count_changes
from citescape.text.intents.scicite import Example

SENTENCES = {
    "background": ("{x} is a known cause of {y} [{n}].", "Introduction", "I"),
    "method": ("We measured {x} in {y} as described [{n}].", "2. Methods", "M"),
    "result": ("Our {x} agrees with {y} reported by Li et al. (20{n}).", "Discussion", "D"),
}
PAPERS = 8
OF_PAIRS = """
UNWIND $papers AS wanted
MATCH (citing:Paper {id: wanted})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
MATCH (o)-[:REFERS_TO]->(cited:Paper)
WHERE o.intents IS NOT NULL OR o.intent_run IS NOT NULL
RETURN citing.id AS citing, cited.id AS cited, o.intents AS intents
"""
"""Intents of the labelled citations of some papers."""
EVERY_CONTEXT = """
UNWIND $papers AS paper_id
MATCH (a:Paper {id: paper_id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
MATCH (o)-[:REFERS_TO]->(b:Paper)
RETURN DISTINCT a.id AS citing, b.id AS cited
"""
"""Pairs of some papers with an in-text citation."""
NOUNS = ("yield", "drought", "rust", "height", "zinc", "starch", "tillering", "dormancy")


def make_examples(count: int, *, seed: int = 0) -> list[Example]:
    """`count` examples whose words indicate the intent; every tenth has two intents or none."""
    rng, examples = random.Random(seed), []
    for k in range(count):
        name = rng.choice(list(SENTENCES))
        text, title, section = SENTENCES[name]
        filled = text.format(x=rng.choice(NOUNS), y=rng.choice(NOUNS), n=10 + k % 90)
        intents = {3: (name, "result"), 7: ()}.get(k % 20, (name,))
        names = tuple(x for x in ("background", "method", "result") if x in intents)
        examples.append(Example(CitationContext(filled, title, section), names, f"paper {k // 3}"))  # type: ignore[arg-type]
    return examples


def update_counts(store: GraphStore, papers: Sequence[str]) -> int:
    """Updates the counts of all pairs, as labelling does; returns the number of changed pairs."""
    labelled, every = (store.read(text, papers=list(papers)) for text in (OF_PAIRS, EVERY_CONTEXT))
    changes = find_count_changes(store, papers, labelled, every)
    store.apply(changes, atomic=True)
    return sum(change.rows.num_rows for change in changes)


@pytest.fixture(scope="session")
def examples() -> Callable[..., list[Example]]:
    """Makes examples."""
    return make_examples


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a few generated papers."""
    every, some = tmp_path_factory.mktemp("every"), tmp_path_factory.mktemp("papers")
    write_corpus(generate_world(papers=50, seed=4), every)
    for path in sorted(path for path in every.rglob("*") if path.is_file())[:PAPERS]:
        (some / path.name).write_bytes(path.read_bytes())
    return some


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A transformer of three narrow layers with random weights, in a folder."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("encoder")
    words = sorted({w for t, _, _ in SENTENCES.values() for w in _tokens(t)} | set(NOUNS))
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    torch.manual_seed(0)
    shape = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    transformers.BertModel(shape).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


def _tokens(text: str) -> list[str]:
    letters = "".join(c if c.isalpha() else " " for c in text.lower())
    more = "citation introduction methods discussion ( ) . , : ; 0"
    return [*letters.split(), *more.split()]
