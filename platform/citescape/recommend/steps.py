"""Steps: recommend papers to cite, build benchmarks of sentences and evaluate on them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from citescape.core.errors import ConfigError
from citescape.papers.types import QueryTypes
from citescape.runs.context import Context
from citescape.runs.step import Count, Positive, RunName, Seed, Setting, Share, Step

if TYPE_CHECKING:
    from citescape.recommend.lcr.benchmark import LcrRun
    from citescape.recommend.lcr.grid import GridRun
    from citescape.recommend.lcr.prepare import LcrEvaluationConfig
    from citescape.recommend.lcr.results import LcrEvaluation, LcrReranker
    from citescape.recommend.profiles import ProfileRun
    from citescape.recommend.profiling import ProfileConfig
    from citescape.recommend.results import Recommendations

R = TypeVar("R")
System = Literal["bm25", "bm25-profile", "dense", "profiler", "calibrated", "fused"]
"""Keys of `retriever.SYSTEMS`, which is slow to import."""
Protocol = Literal["train-union", "strict-global", "strict-per-query"]
"""Keys of `protocol.PROTOCOLS`."""
Candidates = Literal["all", "training"]
"""`lcr.config.ALL` or `TRAINING`."""
Contexts = Literal["mean", "first", "sum"]
"""Keys of `profiler.CONTEXTS`."""
_SWEEP_LENGTH = 1000
"""Works per list with `sweep`."""
File = Annotated[str | PathLike[str], Setting(metavar="FILE")]


@dataclass(frozen=True, kw_only=True)
class _ProfileStep(Step[R]):
    """Encoder, and weights of profiles (Profiler, Eq. 3)."""

    alpha: Annotated[Share, Setting(expert=True)] = 0.8
    """Weight of citing sentences in profiles (Eq. 3)."""
    beta: Annotated[Share, Setting(expert=True)] = 0.2
    """Weight of citing papers in profiles (Eq. 3)."""
    encoder: Annotated[
        RunName,
        Setting(metavar="FOLDER|HUB-ID|RUN", environment="CITESCAPE_ENCODER", default="MiniLM"),
    ] = ""
    """Encoder of texts and sentences. Published: allenai/specter2_base."""


@dataclass(frozen=True, kw_only=True)
class _WeightedStep(_ProfileStep[R]):
    """Weights of profiles and queries (Profiler, Eq. 3 and 4)."""

    gamma: Annotated[Share, Setting(expert=True)] = 0.7
    """Weight of the sentence in queries (Eq. 4)."""
    delta: Annotated[Share, Setting(expert=True)] = 0.3
    """Weight of title and abstract in queries (Eq. 4)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.gamma + self.delta:
            raise ConfigError("gamma and delta are 0; expected some weight of a query above 0")


def _profile_config(step: _ProfileStep[Any], context: Context, max_tokens: int) -> ProfileConfig:
    """Weights and encoder of the profiles of a store."""
    from citescape.embeddings.steps import EmbedConfig
    from citescape.recommend.profiler import ProfileWeights
    from citescape.recommend.profiling import ProfileConfig

    encoder = EmbedConfig(str(step.encoder) or context.encoder, max_tokens=max_tokens)
    return ProfileConfig(ProfileWeights(step.alpha, step.beta), encoder)


@dataclass(frozen=True)
class Prepare(_ProfileStep["ProfileRun"]):
    """Make the vectors and profiles with which `recommend` answers best.

    The titles and abstracts of all papers and the sentences that cite them are encoded, each
    distinct text once; profiles of papers are computed from these vectors. Without them
    `platform recommend` answers by words alone.

    The weight of words in the score `fused` is chosen on the store's own sentences: those of a
    tenth of the citing papers are searched for with their citations masked, in profiles that have
    not seen these papers. With fewer than 100 such sentences it is 0.2.

    The remaining time is shown. After an interruption, run the same command again: texts that were
    encoded are kept. When papers have been added or have changed, only new texts are encoded;
    otherwise nothing is done.
    """

    examples = """
        platform prepare
        platform prepare --encoder allenai/specter2_base    then recommend with the same encoder
    """
    _: KW_ONLY
    max_tokens: Annotated[int, Setting(least=8, expert=True)] = 128
    """Maximum tokens per text."""

    def compute(self, context: Context) -> ProfileRun:
        from citescape.recommend.current import open_profiles
        from citescape.recommend.held_out import keep_word_weight

        config = _profile_config(self, context, self.max_tokens)
        progress = context.progress
        run, _ = open_profiles(context.store, config, runs=context.runs, progress=progress)
        return keep_word_weight(run, progress=progress)


@dataclass(frozen=True)
class Recommend(_WeightedStep["Recommendations"]):
    r"""Recommend papers to cite in a sentence or draft, with reasons.

    DRAFT is a manuscript in LaTeX, Markdown or plain text that marks where citations are wanted:
    [?], [CITE], [citation needed], [@?], TARGETCIT, [?,?], [12,?]; in LaTeX also \cite{},
    \cite{?}, \cite{TODO}, \cite{smith2010,?}, any command with cite in its name, and
    \todo{cite}. Each marked place of the draft or of --context gets its own recommendations.

    Systems find papers by words of title and abstract (`bm25`), and of the sentences that cite them
    (`bm25-profile`); by vectors of title and abstract (`dense`), and of citing sentences and citing
    papers (`profiler`). `calibrated` is `profiler` with a separate scale for papers that nothing
    cites; `fused` combines vectors and words.

    `platform prepare` makes the vectors. Before that, `recommend` answers by words alone
    (`bm25-profile`) and says so; it makes the vectors itself if at most 1,000 texts are new, or if
    you name a system that needs them, which may take many minutes.

    The reason for each paper is the sentence that cites it and is nearest to yours.
    `platform evaluate lcr --grid .1` finds the best weights for your papers.
    """

    examples = """
        platform recommend --context "Root depth limits the uptake of nitrogen [?]."
        platform recommend paper.tex -k 5 --before 2020-06 --bibtex refs.bib
        platform recommend --context - --title "Roots of wheat" --brief < sentence.txt
    """
    context: Annotated[str, Setting(metavar="TEXT|-")] = ""
    """Sentence to complete; - reads standard input."""
    _: KW_ONLY
    draft: Annotated[str | PathLike[str], Setting(argument=True, metavar="[DRAFT]")] = ""
    """File of a manuscript with marked places."""
    title: Annotated[str, Setting(default="title of the draft")] = ""
    """Title of your paper."""
    abstract: Annotated[str, Setting(default="abstract of the draft")] = ""
    """Abstract of your paper."""
    before: Annotated[str | int, Setting(metavar="DATE", default="any date")] = ""
    """Recommend only papers published before this date: 2019, 2019-03 or 2019-03-04. Sentences
    shown as reasons may be newer."""
    k: Annotated[Count, Setting(flags=("-k", "--k"))] = 10
    """Number of papers per sentence."""
    system: Annotated[
        System | None, Setting(default="fused; bm25-profile until `platform prepare` was run")
    ] = None
    """Retrieval system."""
    sentences: Annotated[int, Setting(least=0)] = 1
    """Number of citing sentences shown per paper."""
    word_weight: Annotated[
        Share | None,
        Setting(expert=True, default="that of the reranker, else of `platform prepare`, else 0.2"),
    ] = None
    """Weight of words in the fused score; the rest is the weight of vectors."""
    rerank: Annotated[RunName, Setting(default="none")] = ""
    """Reranker: a run of `platform train reranker`, a folder, or a cross-encoder (owner/name)."""
    weight: Annotated[Share, Setting(expert=True)] = 1.0
    """Weight of the reranker's score; the rest is the weight of the retriever's score."""
    profiles: Annotated[RunName, Setting(default="current profiles of the store")] = ""
    """Run whose profiles are searched."""
    max_tokens: Annotated[int, Setting(least=8, expert=True)] = 128
    """Maximum tokens per text."""
    make_vectors: Annotated[bool, Setting(python=True)] = True
    """Make missing vectors; with False, every system answers by words if there are no profiles."""
    brief: bool = False
    """Show the papers only, without reasons."""
    bibtex: Annotated[File | None, Setting(metavar="FILE")] = None
    """Write all recommended papers to a BibTeX file, and show their keys."""
    ris: Annotated[File | None, Setting(metavar="FILE")] = None
    """Write all recommended papers to a RIS file."""
    force: bool = False
    """Replace existing files."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.context) == bool(self.draft):
            problem = "both a context and" if self.draft else "neither a context nor"
            raise ConfigError(f"found {problem} a draft; expected one of them")

    @property
    def missing_vectors(self) -> Literal["make all", "make few", "answer by words"]:
        """What is done about texts without vectors before the answer."""
        from citescape.recommend.retriever import WORD_SYSTEMS

        if not self.make_vectors or self.system in WORD_SYSTEMS:
            return "answer by words"
        return "make all" if self.system or self.rerank else "make few"

    def profile_config(self, context: Context) -> ProfileConfig:
        """Weights and encoder of the profiles that are searched."""
        return _profile_config(self, context, self.max_tokens)

    def compute(self, context: Context) -> Recommendations:
        from citescape.papers.bibliography import name_bibliography, write_bibliography
        from citescape.papers.bibtex import make_keys
        from citescape.recommend.cache import RecommenderCache
        from citescape.recommend.requests import clean_request, read_requests
        from citescape.recommend.results import Recommendations, list_entries
        from citescape.recommend.retriever import DEFAULT
        from citescape.runs.directory import Stopwatch

        clock, cache = Stopwatch(), context.hold(RecommenderCache)
        requests, places, notes = read_requests(self)
        for request in requests:
            clean_request(request)
        given = {"bibtex": self.bibtex, "ris": self.ris}
        files = {
            form: name_bibliography(form, Path(path), force=self.force)
            for form, path in given.items()
            if path
        }
        reranker = cache.open_reranker(self, context, clock)
        recommender = cache.open(self, context, clock)
        settings = replace(
            self,
            system=recommender.choose_system(self.system),
            word_weight=recommender.find_word_weight(self.word_weight, reranker),
        )
        if settings.system != (self.system or DEFAULT):
            notes = (*notes, cache.describe_missing(recommender, self, context))
        with clock.timed("recommendations"):
            papers = recommender.recommend(
                context.store, requests, settings, rerank=reranker, progress=context.progress
            )
        entries = list_entries(context.store, places, papers) if files else []
        for form, path in files.items():
            write_bibliography(entries, form, path, force=self.force)
        return Recommendations(
            settings,
            tuple(papers),
            tuple(places),
            profiles=recommender.run,
            timings=clock.timings,
            notes=(*notes, *cache.describe_outdated(context)),
            files=tuple(map(str, files.values())),
            keys=make_keys(entries) if self.bibtex else {},
        )


@dataclass(frozen=True)
class BenchmarkLcr(QueryTypes, Step["LcrRun"]):
    """Build a benchmark of local citation recommendation: find the works that a sentence cites.

    Query sentences are those of papers of one year, with their citations masked; any work that the
    sentence cites is correct. Sentences of earlier papers are the training data. Files have the
    format of HAtten and SymTax: papers.json, contexts.json, train.json, val.json, test.json.

    Protocols (Profiler, Eq. 1 and 2): with `strict-per-query` candidates are older than the query
    paper; with `strict-global` they are older than every query paper, including validation papers,
    and are not query papers (with `--validation 0` only papers of the year are query papers);
    `train-union` ignores dates, as published benchmarks do. Validation papers are drawn from all
    earlier papers, so that some works may be newer than a validation paper; these are counted.
    """

    examples = """
        platform benchmark lcr
        platform benchmark lcr --year 2019 --validation .2
        platform benchmark lcr --protocol train-union --candidates training    as published
    """
    _: KW_ONLY
    year: Annotated[int, Setting(least=0, default="the last year")] = 0
    """Year of the query papers; earlier papers are for training."""
    validation: Share = 0.1
    """Share of the earlier papers used for validation only, below 1."""
    protocol: Protocol = "strict-per-query"
    """Protocol that decides which works are candidates."""
    candidates: Candidates = "all"
    """Candidates: every known work, or the papers of the training sentences, as published."""
    seed: Seed = 0
    """Random seed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.validation == 1:
            raise ConfigError("validation is 1; expected a share below 1")

    def compute(self, context: Context) -> LcrRun:
        from citescape.recommend.lcr.benchmark import build_from_graph

        context.progress("reading papers and sentences")
        return build_from_graph(context.store, self, runs=context.runs, progress=context.progress)


@dataclass(frozen=True, kw_only=True)
class _BenchmarkStep(_WeightedStep[R]):
    """A benchmark of sentences, and the profiles that systems search."""

    benchmark: Annotated[
        RunName, Setting(metavar="RUN|FOLDER", default="latest run of `platform benchmark lcr`")
    ] = ""
    """Benchmark: a run, or a folder in the format of HAtten and SymTax."""
    protocol: Annotated[
        Protocol | None, Setting(default="protocol of the run; train-union for a folder")
    ] = None
    """Protocol that decides which works are candidates, see `platform benchmark lcr --help`."""
    candidates: Annotated[
        Candidates | None, Setting(default="candidates of the run; training for a folder")
    ] = None
    """Candidates: every known work, or the papers of the training sentences."""
    word_weight: Annotated[Share, Setting(expert=True)] = 0.2
    """Weight of words in the fused score; the rest is the weight of vectors."""
    contexts: Annotated[Contexts, Setting(expert=True)] = "mean"
    """How several sentences in which one paper cites another are combined."""

    @property
    def changes(self) -> dict[str, str]:
        """Settings of the benchmark that are replaced."""
        given = {"protocol": self.protocol, "candidates": self.candidates}
        return {name: value for name, value in given.items() if value}

    def evaluation(self, context: Context, max_tokens: int, **settings: Any) -> LcrEvaluationConfig:
        """Encoder and weights of the retriever, and further settings of the evaluation."""
        from citescape.embeddings.steps import EmbedConfig
        from citescape.recommend.lcr.prepare import LcrEvaluationConfig
        from citescape.recommend.profiler import ProfileWeights
        from citescape.recommend.profiling import ProfileConfig
        from citescape.recommend.queries import QueryWeights

        weights = ProfileWeights(self.alpha, self.beta, self.gamma, self.delta, self.contexts)
        encoder = EmbedConfig(str(self.encoder) or context.encoder, max_tokens=max_tokens)
        return LcrEvaluationConfig(
            profiles=ProfileConfig(weights, encoder),
            query_weights=QueryWeights(weights),
            word_weight=self.word_weight,
            **settings,
        )


@dataclass(frozen=True)
class EvaluateLcr(_BenchmarkStep["LcrEvaluation | GridRun"]):
    """Evaluate systems by how early they rank the works that a sentence cites.

    SYSTEM is bm25, bm25-profile, dense, profiler, calibrated or fused; by default all of them, and
    with --rerank fused only. Profiles are computed from the training sentences. Any work that a
    sentence cites is correct: MRR is the mean of 1 / r, where r is the rank of the first correct
    work; R@k is the share of sentences with r <= k; nDCG@k is the mean of 1 / log2(r + 1) up to k.

    Warm works are cited by training sentences, cold works are not; a sentence may cite both. In a
    graph of full texts, a cold work is known only because a query sentence cites it, which favours
    systems that prefer cold works; `warm-only` ranks warm works among warm works only, without
    this effect. Intervals resample papers, because sentences of one paper are alike. Requires
    `pip install 'citescape[learn]'`, because every evaluation computes vectors of the texts.
    """

    examples = """
        platform evaluate lcr
        platform evaluate lcr bm25 fused --sweep    lists of 10 to 1,000 works
        platform evaluate lcr fused --rerank rerank-0f3c5a1b2c3d --compare
        platform evaluate lcr profiler fused --benchmark ACL-200/ --candidates training
        platform evaluate lcr --choose-word-weight --compare
        platform evaluate lcr --grid .1    the best weights on validation sentences
    """
    systems: Annotated[tuple[System, ...], Setting(argument=True, metavar="[SYSTEM]...")] = ()
    """Systems to evaluate; all of them by default."""
    _: KW_ONLY
    split: Literal["test", "val"] = "test"
    """Split of the benchmark; use `val` to choose settings."""
    queries: Annotated[int, Setting(least=0, default="all")] = 0
    """Number of query sentences, drawn at random."""
    k: Annotated[Count | None, Setting(flags=("-k", "--k"), default="300; 1,000 with --sweep")] = (
        None
    )
    """Number of works per list."""
    sweep: bool = False
    """Show figures by the length of the list."""
    rerank: Annotated[tuple[RunName, ...], Setting(metavar="RUN|FOLDER|HUB-ID")] = ()
    """Rerankers; each reorders the lists of the last system."""
    depth: tuple[Count, ...] = (50,)
    """Number of works per list that are reranked."""
    weight: Annotated[Share, Setting(expert=True)] = 1.0
    """Weight of the reranker's score; the rest is the weight of the retriever's score."""
    grid: Annotated[float | None, Setting(above=0, most=1, metavar="STEP")] = None
    """Search alpha, delta and the weight of words on a grid with this step, on 1,000 validation
    sentences unless --queries is given, and compare with the given weights."""
    choose_word_weight: bool = False
    """Choose the weight of words on validation sentences, and compare fused with this weight, with
    the given one, with vectors alone (0) and with words alone (1)."""
    compare: bool = False
    """Show the difference of each system from the first, with p values adjusted for all
    comparisons of the same metric (Holm)."""
    max_tokens: Annotated[int, Setting(least=4, expert=True)] = 128
    """Maximum tokens per text."""
    seed: Seed = 0
    """Random seed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.choose_word_weight and (self.systems or self.rerank or self.split != "test"):
            raise ConfigError(
                "choose_word_weight with systems, rerank or split; expected it alone: it compares "
                "weights of `fused` on test sentences"
            )
        ignored = ("systems", "rerank", "sweep", "choose_word_weight", "compare")
        given = [name for name in ignored if getattr(self, name)]
        given += ["split"] if self.split != "test" else []
        if self.grid and given:
            raise ConfigError(
                f"grid is {self.grid:g}; expected it without {', '.join(given)}: the grid compares "
                "weights of `profiler` and `fused` on validation sentences"
            )

    def compute(self, context: Context) -> LcrEvaluation | GridRun:
        from citescape.metrics.summary import Resampling
        from citescape.recommend.lcr.benchmark import find_lcr
        from citescape.recommend.lcr.evaluate import evaluate_lcr
        from citescape.recommend.lcr.grid import GridConfig, try_weights
        from citescape.recommend.lcr.prepare import check_evaluation

        systems = self.systems or (("fused",) if self.rerank else ())
        evaluation = self.evaluation(
            context,
            self.max_tokens,
            split=self.split,
            queries=self.queries,
            k=self.k or (_SWEEP_LENGTH if self.sweep else 300),
            rerankers=tuple(map(str, self.rerank)),
            depths=self.depth,
            weight=self.weight,
            choose_word_weight=self.choose_word_weight,
            resampling=Resampling(self.seed),
            **({"systems": systems} if systems else {}),
        )
        check_evaluation(evaluation, context.runs)
        grid = (
            GridConfig(self.grid, self.queries or GridConfig.queries, self.seed)
            if self.grid
            else None
        )
        context.progress("reading papers and sentences")
        path, task = find_lcr(
            context.runs, str(self.benchmark), location=context.location, changes=self.changes
        )
        if grid:
            return try_weights(
                task,
                evaluation,
                grid,
                runs=context.runs,
                benchmark=str(path),
                progress=context.progress,
            )
        encoder = evaluation.profiles.encoder
        run = evaluate_lcr(
            task,
            evaluation,
            runs=context.runs,
            options={
                "": list(self.systems),
                "benchmark": str(path),
                "store": context.location,
                **self.changes,
                "rerank": list(evaluation.rerankers),
                **({"choose-word-weight": True} if self.choose_word_weight else {}),
                "depth": list(evaluation.depths),
                "encoder": encoder.encoder,
                "max-tokens": encoder.max_tokens,
            },
            progress=context.progress,
        )
        return replace(run, sweep=self.sweep, compare=self.compare)


@dataclass(frozen=True, kw_only=True)
class TrainReranker(_BenchmarkStep["LcrReranker"]):
    """Train a reranker on the works retrieved for the training sentences of a benchmark.

    DAVINCI reads sentence and paper together with the result of the retriever; a gate weighs both,
    dimension by dimension. It learns to rank the cited work above other retrieved works. Profiles
    for a training sentence are computed without its paper, as for test sentences.

    With `davinci`, as published, a transformer reads both texts, and the result of the retriever is
    the prior 0.95 ** rank. The kind sets learning rate, loss, margin, weight decay, dropout, batch
    and k as published; retriever and encoders are named as in the example. With `vectors` the same
    head reads the vectors of sentence, citing paper and candidate, and the score of the retriever.
    With `cross-encoder` a transformer reads the texts only.

    Ctrl-C stops the training after the current update; the same command continues it.
    """

    examples = """
        platform train reranker
        platform train reranker --kind davinci --system profiler --queries 0    as published
            --encoder allenai/specter2_base --base allenai/scibert_scivocab_uncased
        platform train reranker --ablation semantics
    """
    kind: Literal["davinci", "vectors", "cross-encoder"] = "vectors"
    """Kind of model: `vectors` trains in minutes, the other kinds in hours or on a GPU."""
    base: Annotated[RunName, Setting(metavar="FOLDER|HUB-ID|RUN", default="MiniLM")] = ""
    """Transformer to start from. Published: allenai/scibert_scivocab_uncased."""
    system: System = "fused"
    """Retrieval system, see `platform evaluate lcr --help`."""
    queries: Annotated[int | None, Setting(least=0, default="all; 8000 for other kinds")] = None
    """Number of training sentences, drawn at random; 0 for all."""
    epochs: Annotated[Count | None, Setting(default="5; 3 for other kinds")] = None
    """Number of passes over the sentences."""
    learning_rate: Annotated[
        float | None, Setting(above=0, default="0.0003; 1e-05 for other kinds")
    ] = None
    """Learning rate of AdamW; the published value is for SciBERT on a GPU."""
    ablation: Annotated[
        Literal["none", "semantics", "raw", "softmax", "scalar-gate"] | None,
        Setting(expert=True, default="raw; none for other kinds"),
    ] = None
    """Part of DAVINCI that differs from the published model (A1 to A4 of its Table 5)."""
    loss: Annotated[
        Literal["margin", "softmax"] | None,
        Setting(expert=True, default="softmax; margin for other kinds"),
    ] = None
    """Loss: by a margin (Eq. 11), or cross-entropy of the cited work among the negatives."""
    inject: Annotated[bool | None, Setting(expert=True, default="no; yes for other kinds")] = None
    """Also train on sentences whose cited work was not retrieved; it is appended to the list.
    By default no with `vectors`, yes with other kinds."""
    folds: Annotated[int, Setting(least=2, expert=True)] = 5
    """Number of folds of the training papers; profiles for one fold come from the others."""
    abstracts: Annotated[bool, Setting(expert=True)] = False
    """Read the abstract of the citing paper too; not with `vectors`."""
    k: Annotated[
        Count | None, Setting(flags=("--k",), expert=True, default="50; 300 for other kinds")
    ] = None
    """Number of works retrieved per sentence."""
    negatives: Annotated[Count | None, Setting(expert=True, default="15; 7 for other kinds")] = None
    """Number of negatives per sentence and epoch."""
    batch: Annotated[Count, Setting(expert=True)] = 16
    """Number of sentences per update."""
    weight_decay: Annotated[float, Setting(least=0, expert=True)] = 0.01
    """Weight decay of AdamW."""
    dropout: Annotated[float, Setting(least=0, expert=True)] = 0.3
    """Dropout in the heads."""
    margin: Annotated[Positive, Setting(expert=True)] = 0.1
    """Margin of the loss (Eq. 11)."""
    hidden: Annotated[Count, Setting(expert=True)] = 128
    """Dimensions of the hidden layers of text and score."""
    patience: Annotated[
        int | None, Setting(least=0, expert=True, default="1; 0 for other kinds")
    ] = None
    """Number of epochs without a higher MRR after which training stops; 0 for never."""
    pair_tokens: Annotated[int, Setting(least=8, expert=True)] = 256
    """Maximum tokens of sentence and paper together; not with `vectors`."""
    max_tokens: Annotated[int, Setting(least=4, expert=True)] = 128
    """Maximum tokens per text of the retriever's encoder."""
    checkpoint_seconds: Annotated[float, Setting(least=0, expert=True)] = 300.0
    """Seconds between checkpoints."""
    seed: Seed = 0
    """Random seed."""

    def compute(self, context: Context) -> LcrReranker:
        from citescape.core.cores import usable_cores
        from citescape.recommend.lcr.benchmark import find_lcr
        from citescape.recommend.lcr.results import LcrReranker
        from citescape.recommend.lcr.shortlists import (
            ShortlistConfig,
            check_training,
            train_on_benchmark,
        )
        from citescape.training.reranking.config import USUAL, RerankConfig

        by_kind = {
            name: value
            for name in USUAL[self.kind]
            if (value := getattr(self, name, None)) is not None
        }
        config = RerankConfig(
            kind=self.kind,
            base=str(self.base),
            abstracts=self.abstracts,
            batch=self.batch,
            weight_decay=self.weight_decay,
            dropout=self.dropout,
            margin=self.margin,
            hidden=self.hidden,
            max_tokens=self.pair_tokens,
            seed=self.seed,
            threads=usable_cores(),
            **by_kind,
        )
        drawn = {} if self.queries is None else {"queries": self.queries}
        lists = ShortlistConfig.usual(config, system=self.system, folds=self.folds, **drawn)
        evaluation = self.evaluation(context, self.max_tokens)
        check_training(config, evaluation, context.runs)
        context.progress("reading papers and sentences")
        path, task = find_lcr(
            context.runs, str(self.benchmark), location=context.location, changes=self.changes
        )
        run = train_on_benchmark(
            task,
            config,
            lists=lists,
            evaluation=evaluation,
            runs=context.runs,
            checkpoint_seconds=self.checkpoint_seconds,
            progress=context.progress,
        )
        return LcrReranker(
            run.path,
            run.record,
            run.unchanged,
            run.resumed_after,
            benchmark=str(path),
            system=self.system,
            word_weight=self.word_weight,
        )
