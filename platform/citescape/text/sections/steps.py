"""Steps: train a model of section types, label sections, evaluate the models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from citescape.ingest.shards.settings import ShardStep
from citescape.runs.context import Context
from citescape.runs.step import Count, Positive, Seed, Setting, Share, Step
from citescape.text.labeller import RULES, Encoder, Model

if TYPE_CHECKING:
    from citescape.text.sections.evaluate import SectionEvaluation
    from citescape.text.sections.label import LabelledSections
    from citescape.text.sections.model import SectionModel
    from citescape.text.shards import LabelledShards

Method = Literal[
    "rules",
    "words",
    "words, body",
    "linear CRF",
    "linear CRF, body",
    "BiLSTM-CRF",
    "BiLSTM-CRF, body",
    "BiLSTM-CRF, body, strict",
]
METHODS: tuple[Method, ...] = get_args(Method)
"""Models to compare, the simplest first."""


@dataclass(frozen=True)
class TrainSections(Step["SectionModel"]):
    """Train a model of section types on the sections that rules can type.

    A BiLSTM-CRF over the sections of a paper. Some of the titles that name the type are hidden
    during training, so that the model learns from the text and the order of sections. Training on
    two thousand papers takes seven minutes on two cores. The store is only read; the model is kept
    as a run. Requires `pip install 'citescape[learn]'`.
    """

    encoder: Encoder = ""
    """Pretrained transformer: a local folder, or an id of the Hugging Face hub."""
    body: bool = True
    """Read the first words of each section in addition to its title."""
    epochs: Count = 24
    """Number of passes over the papers; more for few papers, to reach `fewest_steps`."""
    batch: Annotated[Count, Setting(expert=True)] = 16
    """Papers per training step."""
    fewest_steps: Annotated[Count, Setting(expert=True)] = 400
    """Minimum number of training steps."""
    learning_rate: Annotated[Positive, Setting(expert=True)] = 3e-3
    """Highest learning rate of the one cycle (Smith and Topin 2018)."""
    weight_decay: Annotated[float, Setting(least=0, expert=True)] = 0.01
    """Weight decay."""
    hidden_share: Annotated[Share, Setting(expert=True)] = 0.5
    """Share of papers of an epoch in which all titles that name a type are hidden."""
    papers: Count = 4000
    """Maximum number of papers, drawn at random (CIA labelled 4,000)."""
    seed: Seed = 0
    """Random seed."""
    threads: Annotated[Count, Setting(expert=True)] = 2
    """Number of CPU threads; the last digits of a model depend on it."""

    def compute(self, context: Context) -> SectionModel:
        from citescape.text.sections.model import train

        config = replace(self, encoder=self.encoder or context.encoder)
        return train(context.store, config, runs=context.runs, progress=context.progress)


@dataclass(frozen=True)
class LabelSections(ShardStep["LabelledSections | LabelledShards[LabelledSections]"]):
    """Label the sections that rules leave open with their types.

    Each section keeps its type, the source of the type (sec-type, title, parent, lead, model) and
    the probability that the model gives. In papers for which the model is unsure on average, such
    as floras and proceedings, these sections stay `other`. An interrupted run continues where it
    stopped. `--model rules` removes the types that models gave.
    """

    writes = True
    model: Model = ""
    """Trained model, or `rules` to remove the types that models gave."""

    def compute(self, context: Context) -> LabelledSections | LabelledShards[LabelledSections]:
        from citescape.text.sections.label import label
        from citescape.text.sections.model import resolve_model

        model = resolve_model(context.runs, str(self.model), location=context.location)
        if not self.shards:
            return label(context.store, model, progress=context.progress)
        from citescape.text.shard_labellers import SECTIONS
        from citescape.text.shards import ModelReference, label_with_step

        run = model.run if model else RULES
        reference = ModelReference.resolved(
            context.runs, str(self.model), run, is_network=model is not None
        )
        return label_with_step(self, context, SECTIONS, reference)


@dataclass(frozen=True)
class EvaluateSections(Step["SectionEvaluation"]):
    """Evaluate models of section types on titles that rules cannot read.

    Trains on one half of the papers and tests on the other. TOP: sections at the top level, all
    titles hidden. SUB: subsections, the title of their parent hidden. Compares rules, words alone,
    a linear CRF and the BiLSTM-CRF, with and without the first words of each section; `strict`
    hides every title that rules can read.
    """

    encoder: Encoder = ""
    """Pretrained transformer: a local folder, or an id of the Hugging Face hub."""
    methods: Annotated[tuple[Method, ...], Setting(flags=("--method",), default="all")] = ()
    """Model to evaluate."""
    papers: Count = TrainSections.papers
    """Maximum number of papers, drawn at random."""
    seeds: Count = 3
    """Number of random splits into halves."""
    training: Annotated[TrainSections | None, Setting(python=True)] = None
    """Settings of the training; `encoder` and `papers` come from the evaluation."""

    def compute(self, context: Context) -> SectionEvaluation:
        from citescape.text.sections.evaluate import evaluate
        from citescape.text.sections.model import read_corpus

        config = replace(
            self.training or TrainSections(),
            encoder=self.encoder or context.encoder,
            papers=self.papers,
        )
        sections = read_corpus(context.store, papers=config.papers, seed=config.seed)
        context.release()
        return evaluate(
            sections,
            config,
            methods=self.methods or METHODS,
            seeds=range(self.seeds),
            progress=context.progress,
        )
