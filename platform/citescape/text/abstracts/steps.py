"""Steps: train a splitter of abstracts, split the abstracts of a store, evaluate splitters."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from citescape.core.config import ShardsLocation
from citescape.core.errors import ConfigError
from citescape.ingest.shards.settings import ShardStep
from citescape.runs.context import Context
from citescape.runs.step import Count, Positive, Seed, Setting, Step
from citescape.text.labeller import RULES, Encoder, Model

if TYPE_CHECKING:
    from citescape.runs.directory import RunRecord
    from citescape.text.abstracts.evaluate import AbstractEvaluations
    from citescape.text.abstracts.label import SplitResult
    from citescape.text.abstracts.train import SplitterRun
    from citescape.text.shards import LabelledShards

Kind = Literal["position", "linear", "sequence", "vectors"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds of models that can be trained."""


@dataclass(frozen=True)
class TrainAbstracts(Step["SplitterRun"]):
    """Train a model on the structured abstracts of the store.

    It learns from abstracts whose headings name background, method and result; the headings
    themselves are hidden. The store is only read; the model is stored as a run. Requires
    `pip install 'citescape[learn]'`.
    """

    kind: Kind = "sequence"
    """Kind of model. position: the most frequent facet of each tenth of an abstract, a control;
    linear: logistic regression on words and position; sequence: a CRF on the same
    features; vectors: that CRF with the vectors of --encoder added."""
    # sequence is the best kind without an encoder; vectors differ from it by less than the spread
    # over the halves, and are many times slower (docs/benchmarks.md)
    seed: Seed = 0
    """Random seed."""
    encoder: Encoder = ""
    """Pretrained transformer of the kind vectors: a local folder, or an id of the Hugging Face
    hub."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind != "vectors":  # an unused setting must not change the run id
            object.__setattr__(self, "encoder", "")

    def compute(self, context: Context) -> SplitterRun:
        from citescape.text.abstracts.train import train

        config = replace(self, encoder=self.encoder or context.encoder)
        return train(context.store, config, runs=context.runs, progress=context.progress)


@dataclass(frozen=True)
class LabelAbstracts(ShardStep["SplitResult | LabelledShards[SplitResult]"]):
    """Split the abstract of every paper into background, method and result.

    Each sentence belongs to exactly one part, unchanged. Writes abstract_background,
    abstract_method and abstract_result, where each sentence ends and its facet, the source of the
    split (headings, model, rules, llm) and the run. An interrupted run continues where it stopped.
    """

    writes = True
    examples = """
    platform text abstracts label                   split all abstracts with the latest model
    platform text abstracts label --model rules     without any model
    """
    model: Model = ""
    """Trained model, or `rules`, which need no training."""
    llm: Annotated[str, Setting(metavar="URL")] = ""
    """OpenAI-compatible address of an instruction-tuned LLM that splits instead, such as
    http://localhost:8000/v1; its key is read from CITESCAPE_LLM_KEY. Abstracts that the
    LLM does not split are split by the model, or by rules if no model is trained."""
    llm_model: Annotated[str, Setting(metavar="NAME")] = ""
    """Name of the LLM on the server."""
    llm_parallel: Annotated[int, Setting(least=1, most=256)] = 4
    """Number of parallel requests to the LLM."""
    llm_attempts: Count = 3
    """Maximum number of answers per abstract, until an answer keeps every sentence."""
    llm_timeout: Positive = 120.0
    """Seconds to wait for one answer of the LLM."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.llm_model and not self.llm:
            raise ConfigError("--llm-model names a model of a server; expected --llm URL as well")
        if self.llm and self.shards:
            raise ConfigError("an LLM splits the abstracts of a store; expected shards without it")

    def compute(self, context: Context) -> SplitResult | LabelledShards[SplitResult]:
        from citescape.text.abstracts.label import label
        from citescape.text.abstracts.train import has_trained, load_splitter

        named = str(self.model)
        if not self.llm:
            model = load_splitter(context.runs, named, location=context.location)
            if self.shards:
                return self._label_shards(context, model.record)
            return label(context.store, model, progress=context.progress)
        from citescape.text.abstracts.chat import Chat, ChatConfig
        from citescape.text.abstracts.llm import LlmSplitter

        config = ChatConfig(
            self.llm, self.llm_model, timeout=self.llm_timeout, parallel=self.llm_parallel
        )
        named = named or ("" if has_trained(context.runs) else RULES)
        fallback = load_splitter(context.runs, named, location=context.location)
        with closing(Chat(config)) as chat:
            splitter = LlmSplitter(chat, fallback, self.llm_attempts)
            return label(context.store, splitter, progress=context.progress)

    def _label_shards(self, context: Context, model: RunRecord) -> LabelledShards[SplitResult]:
        from citescape.text.abstracts.label import no_abstracts
        from citescape.text.shard_labellers import ABSTRACTS
        from citescape.text.shards import ModelReference, label_with_step

        reference = ModelReference.resolved(
            context.runs,
            str(self.model),
            model.id,
            is_network=model.config.get("kind") == "vectors",
        )
        found = label_with_step(self, context, ABSTRACTS, reference)
        if not found.labelled.abstracts:
            raise no_abstracts(ShardsLocation(self.shards))
        return found


@dataclass(frozen=True)
class EvaluateAbstracts(Step["AbstractEvaluations"]):
    """Evaluate models that split abstracts, on structured abstracts with hidden headings.

    Each kind learns from one half of the structured abstracts and is tested on the other. "In-text
    F1" is measured on abstracts of other journals, whose headings are printed in the text.
    Abstracts without headings are less orderly: for them the figures are an upper bound.
    """

    kinds: Annotated[
        tuple[Literal["rules", "position", "linear", "sequence", "vectors"], ...],
        Setting(flags=("--kind",), default="all but vectors, which needs an encoder"),
    ] = ()
    """Kind of model to evaluate."""
    encoder: Encoder = ""
    """Pretrained transformer of the kind vectors: a local folder, or an id of the Hugging Face
    hub."""
    seeds: Count = 3
    """Number of random splits into halves."""
    folds: Annotated[bool, Setting(expert=True)] = False
    """Cross-validate inside the training halves too; kinds are chosen by these figures."""

    def compute(self, context: Context) -> AbstractEvaluations:
        from citescape.text.abstracts.evaluate import EVALUATED, AbstractEvaluations, evaluate
        from citescape.text.abstracts.gold import check_gold, collect_gold
        from citescape.text.abstracts.train import read_abstracts

        gold = collect_gold(read_abstracts(context.store, context.progress))
        check_gold(gold, context.location)
        context.release()
        evaluations = evaluate(
            gold,
            kinds=self.kinds or EVALUATED,
            seeds=range(self.seeds),
            encoder=self.encoder or context.encoder,
            folds=self.folds,
            progress=context.progress,
        )
        return AbstractEvaluations(len(gold.complete), len(gold.written), tuple(evaluations))
