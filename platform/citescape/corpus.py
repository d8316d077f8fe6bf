"""The Python interface: `citescape.open("corpus.lbug")` returns a `Corpus`.

The command line and the notebooks call the same steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from citescape.core.config import QUERY_SECONDS
from citescape.core.errors import ConfigError
from citescape.corpus_report.steps import Report
from citescape.embeddings.steps import Embed, Similar, TrainGraph
from citescape.evaluation.steps import (
    BenchmarkMdcr,
    EvaluateAuthors,
    EvaluateLeakage,
    EvaluateMdcr,
    EvaluatePool,
    EvaluateReferences,
    EvaluateSciDocs,
    EvaluateSciRepEval,
    FillTable,
    ListRankers,
    ReportEvaluation,
)
from citescape.explore.steps import (
    Check,
    Communities,
    Community,
    Contexts,
    Find,
    Neighbours,
    Related,
)
from citescape.importance.steps import (
    EvaluateImportance,
    Explain,
    NormaliseImportance,
    Score,
    Stability,
    TrainImportance,
    Weights,
)
from citescape.ingest.steps import Doctor, Ingest, Status
from citescape.mapping.communities.steps import Accuracy, Cluster, Topics
from citescape.mapping.exports.steps import Export
from citescape.mapping.maps.steps import Map
from citescape.networks.steps import (
    BuildNetwork,
    NearestPapers,
    OverlapNetworks,
    RemoveNetwork,
    ReportNetworks,
)
from citescape.papers.steps import (
    AddCollection,
    JoinIdentity,
    ListCollections,
    ListDecisions,
    Load,
    Remove,
    RemoveCollection,
    ShowIdentity,
    SplitIdentity,
    UndoIdentity,
)
from citescape.recommend.steps import BenchmarkLcr, EvaluateLcr, Prepare, Recommend, TrainReranker
from citescape.runs.context import Context
from citescape.runs.methods import Group, Subgroup, method
from citescape.runs.result import Rows
from citescape.runs.step import RunName, name_runs
from citescape.runs.steps import Runs
from citescape.sampling.steps import (
    SampleCollisions,
    SampleFacet,
    SampleImportance,
    SampleLabels,
    SampleNeighbourhood,
    SampleSpecter,
)
from citescape.text.abstracts.steps import EvaluateAbstracts, LabelAbstracts, TrainAbstracts
from citescape.text.intents.steps import EvaluateIntents, LabelIntents, TrainIntents
from citescape.text.sections.steps import EvaluateSections, LabelSections, TrainSections
from citescape.training.steps import Combine, Sweep, Train

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from citescape.store.graph_store import GraphStore
    from citescape.training.dataset import TripletDataset


class BenchmarkSteps(Group):
    """Build benchmarks from your papers and citations."""

    mdcr = method(BenchmarkMdcr)
    lcr = method(BenchmarkLcr)


class EvaluateSteps(Group):
    """Measure rankers, encoders, networks and the weights of importance."""

    mdcr = method(EvaluateMdcr)
    lcr = method(EvaluateLcr)
    pool = method(EvaluatePool)
    scidocs = method(EvaluateSciDocs)
    scirepeval = method(EvaluateSciRepEval)
    authors = method(EvaluateAuthors)
    references = method(EvaluateReferences)
    leakage = method(EvaluateLeakage)
    rankers = method(ListRankers)
    accuracy = method(Accuracy)
    weights = method(Weights)
    importance = method(EvaluateImportance)
    stability = method(Stability)
    report = method(ReportEvaluation)
    table = method(FillTable)


class SectionSteps(Group):
    """Label sections as introduction, method, results, discussion or other.

    Rules on titles type most sections when papers are loaded. A model trained on those types the
    others, from title, first words, position and length, and from the sections around them. Scores
    depend on the types: run `platform score` after labelling.
    """

    train = method(TrainSections)
    label = method(LabelSections)
    evaluate = method(EvaluateSections)


class IntentSteps(Group):
    """Label the intents of citations: background, method, result, several or none.

    Rules need no training. Models are trained on labelled citations in SciCite's format, one JSON
    object a line; a list `labels` in place of `label` names several intents or none:

    {"string": "We used ... [12].", "sectionName": "Methods", "label": "method"}
    """

    train = method(TrainIntents)
    label = method(LabelIntents)
    evaluate = method(EvaluateIntents)


class AbstractSteps(Group):
    """Split abstracts into background, method and result.

    A structured abstract is split by its own headings (conclusions are results), any other by a
    model trained on structured abstracts, by rules, or by an LLM.
    """

    train = method(TrainAbstracts)
    label = method(LabelAbstracts)
    evaluate = method(EvaluateAbstracts)


class TextSteps(Group):
    """Label the text: types of sections, intents of citations, parts of abstracts.

    Each labeller has rules, which need no training, and models, which are trained first.
    """

    sections = Subgroup(SectionSteps)
    intents = Subgroup(IntentSteps)
    abstracts = Subgroup(AbstractSteps)


class ImportanceSteps(Group):
    """Learn importance from labelled citations, and compare it between papers and fields."""

    train = method(TrainImportance)
    normalise = method(NormaliseImportance)


class SampleSteps(Group):
    """Sample triplets (anchor, positive, negative) for an encoder to learn from."""

    importance = method(SampleImportance)
    specter = method(SampleSpecter)
    neighbourhood = method(SampleNeighbourhood)
    facet = method(SampleFacet)
    labels = method(SampleLabels)
    collisions = method(SampleCollisions)


class TrainSteps(Group):
    """Train encoders on triplets and on the citation graph, combine and compare them."""

    __call__ = method(Train)
    graph = method(TrainGraph)
    combine = method(Combine)
    reranker = method(TrainReranker)
    sweep = method(Sweep)


class NetworkSteps(Group):
    """Build networks of related papers, describe and compare them."""

    build = method(BuildNetwork)
    report = method(ReportNetworks)
    overlap = method(OverlapNetworks)
    nearest = method(NearestPapers)
    remove = method(RemoveNetwork)


class CollectionSteps(Group):
    """Keep lists of papers, such as those of a reference manager, in the graph."""

    add = method(AddCollection)
    list = method(ListCollections)
    remove = method(RemoveCollection)


class IdentitySteps(Group):
    """See and decide which records and entries of reference lists are one work."""

    show = method(ShowIdentity)
    list = method(ListDecisions)
    split = method(SplitIdentity)
    join = method(JoinIdentity)
    undo = method(UndoIdentity)


class Corpus(Group):
    """One citation graph and its steps. A context manager.

    Each method runs a step, as the command of the same name does: `corpus.score()` is
    `platform score`.
    """

    ingest = method(Ingest)
    load = method(Load)
    remove = method(Remove)
    text = Subgroup(TextSteps)
    score = method(Score)
    explain = method(Explain)
    importance = Subgroup(ImportanceSteps)
    find = method(Find)
    neighbours = method(Neighbours)
    contexts = method(Contexts)
    related = method(Related)
    check = method(Check)
    collection = Subgroup(CollectionSteps)
    identity = Subgroup(IdentitySteps)
    benchmark = Subgroup(BenchmarkSteps)
    evaluate = Subgroup(EvaluateSteps)
    sample = Subgroup(SampleSteps)
    train = Subgroup(TrainSteps)
    embed = method(Embed)
    similar = method(Similar)
    network = Subgroup(NetworkSteps)
    report = method(Report)
    status = method(Status)
    runs = method(Runs)
    doctor = method(Doctor)
    cluster = method(Cluster)
    topics = method(Topics)
    communities = method(Communities)
    community = method(Community)
    prepare = method(Prepare)
    recommend = method(Recommend)
    map = method(Map)
    export = method(Export)

    @property
    def store(self) -> GraphStore:
        """The graph database, opened on first use."""
        return self.context.store

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Corpus({self.context.location!r})"

    def cypher(
        self, text: str, /, *, write: bool = False, timeout: float = QUERY_SECONDS, **params: object
    ) -> Rows:
        """Runs one statement, or a library query by its name (`explore/totals`).

        Values go in as parameters: ``cypher("MATCH (p:Paper {id: $id}) RETURN p.title", id=x)``.
        A library query accepts any identifier of a paper:
        ``cypher("explore/contexts", paper="10.1000/abc")``.

        Args:
            text: statement or name.
            write: allow changes of the graph, and reading and writing files.
            timeout: time limit in seconds; 0 for no limit.
            params: values of its `$parameters`.

        Raises:
            ConfigError: a `$parameter` is missing or not used, or the statement does more than
                read the graph without `write`.
            QueryTimeoutError: the statement took longer than `timeout`.
            StoreError: the engine refused the statement.
        """
        from citescape.papers.cypher import run_cypher
        from citescape.store.queries import query

        named = "/" in text and " " not in text.strip()
        statement = query(text.strip()) if named else text
        return Rows(run_cypher(self.store, statement, params, write=write, timeout=timeout))

    def arrow(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Rows of the shards that the graph was loaded from, also those outside its slice.

        Name the columns that you need: all rows are in memory.

        Args:
            table: label or relationship type: `Paper`, `CITES`.
            columns: columns to read; by default all.

        Raises:
            ConfigError: the graph was not loaded from shards (see `load`), or there is no such
                table or column.
            StoreError: the shards are gone, or others are in their place.
        """
        from citescape.papers.loading.read import read_shards

        return read_shards(self.store, table, columns)

    def encode(
        self, texts: Iterable[str | tuple[str, str]], *, encoder: RunName = ""
    ) -> npt.NDArray[np.float32]:
        """Vectors (texts, dimensions) of texts, not normalised.

        Args:
            texts: titles, or pairs of title and abstract.
            encoder: a run of `train` or `train.combine`, a folder or a hub id; MiniLM by default.

        Raises:
            ConfigError: no such encoder, a text in place of several, or torch is not installed.
        """
        from citescape.core.types import Document
        from citescape.encoders.saved import (
            check_encoder,
            find_document_encoder,
            load_document_encoder,
        )

        if isinstance(texts, str):
            raise ConfigError("texts is a single text; expected a list of texts")
        named = name_runs(encoder) or self.context.encoder
        check_encoder(self.context.runs, named)
        encode = load_document_encoder(find_document_encoder(self.context.runs, named))
        return encode(
            [Document(text, "") if isinstance(text, str) else Document(*text) for text in texts]
        )

    def dataset(
        self,
        triplets: RunName,
        *,
        side: Literal["train", "validation", "all"] = "train",
        facet: str = "",
        separator: str = " ",
    ) -> TripletDataset:
        """Triplets as a torch `Dataset` of texts, for a `DataLoader` or sentence-transformers.

        An item is `{"anchor": text, "positive": text, "negative": text}`. The texts are written to
        the run folder once and mapped into memory.

        Args:
            triplets: a result or run of `sample`, or a Parquet file.
            side: training triplets, validation triplets, or all.
            facet: facet of the triplets; texts are title and this part of the abstract.
            separator: between title and abstract, such as `[SEP]`; a blank by default.

        Raises:
            ConfigError: no such triplets, none on this side, or torch is not installed.
            StoreError: papers of the triplets are not in the store, or have no text.
        """
        from citescape.core.extras import require
        from citescape.sampling.triplets import locate_triplets, read_triplets

        require("torch")
        from citescape.training.dataset import write_dataset

        runs = self.context.runs
        samples = read_triplets(locate_triplets(runs, name_runs(triplets), facet))
        return write_dataset(self.store, samples, runs, side=side, facet=facet, separator=separator)

    def close(self) -> None:
        """Releases the store."""
        self.context.release()


def open_corpus(
    location: str | Path = "",
    *,
    runs: str | Path = "",
    create: bool = False,
    read_only: bool = False,
) -> Corpus:
    """Opens the graph at a path (ladybug) or a `bolt://`/`neo4j://` address.

    Queries only read. The first step that writes to the graph locks a file against other processes
    that write.

    Args:
        location: path or address; by default CITESCAPE_STORE, else `citescape.lbug`.
        runs: folder of run directories; by default CITESCAPE_RUNS, else `runs` beside the store.
        create: create the store if it does not exist.
        read_only: refuse every change of the graph.

    Raises:
        ConfigError: a malformed address, or one that contains a password.
        StoreError: locked, unreachable, unauthorised, or of another schema version. A missing store
            is an error on first use, except for `ingest`, which creates it.
    """
    from citescape.store.neo4j.address import check_location

    location, problem = check_location(str(location))
    if problem:
        raise problem
    context = Context.open(location, runs=runs, create=create)
    context.read_only = read_only
    if read_only or create or context.exists:
        context.store  # noqa: B018 - opened now, so that errors appear here
    return Corpus(context)
