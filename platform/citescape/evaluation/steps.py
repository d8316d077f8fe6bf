"""Steps: build benchmarks, evaluate rankers and encoders, find leakage, write reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from citescape.core.config import DEFAULT_STORE
from citescape.core.errors import ConfigError
from citescape.evaluation.config import FieldLimits, SciDocsConfig
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig, PoolSearch
from citescape.runs.context import Context
from citescape.runs.step import (
    Count,
    RunName,
    Seed,
    Setting,
    Settings,
    Share,
    Step,
    command_words,
    extract,
)

if TYPE_CHECKING:
    from citescape.evaluation.author_identity import AuthorEvaluation
    from citescape.evaluation.leakage.report import LeakageRun
    from citescape.evaluation.literature import Literature
    from citescape.evaluation.mdcr.build import MdcrRun
    from citescape.evaluation.published_tables import FilledTable, TableList
    from citescape.evaluation.reference_identity import ReferenceEvaluation
    from citescape.evaluation.results import (
        MdcrEvaluation,
        PoolEvaluation,
        RankerList,
        ReportFiles,
        TaskEvaluation,
    )
    from citescape.papers.documents import DocumentCorpus
    from citescape.ranking.registry import Basis

R = TypeVar("R")
_SYSTEM = Setting(argument=True, metavar="[SYSTEM]...")


@dataclass(frozen=True)
class _RankingStep(Step[R]):
    """Rankers, and the token limit of their encoders."""

    rankers: Annotated[tuple[RunName, ...], Setting(argument=True, metavar="[RANKER]...")] = ()
    """Rankers: names that `platform evaluate rankers` lists, runs, or NAME=RANKER; by default bm25
    and minilm."""
    _: KW_ONLY
    max_tokens: Annotated[int | None, Setting(least=8, default="limit of the encoder")] = None
    """Maximum tokens per text that encoders read."""

    def __post_init__(self) -> None:
        super().__post_init__()
        from citescape.search.vectors import is_vector_file

        for ranker in self.rankers:  # NAME=FILE, sgc:FILE: checked before the graph is read
            path = Path(re.split("[=:]", str(ranker))[-1])
            if is_vector_file(path) and not path.exists():
                raise ConfigError(f"no such file: {path}")

    def _basis(self, context: Context, corpus: DocumentCorpus, *, seed: int, metric: str) -> Basis:
        from citescape.ranking.registry import Basis

        return Basis(
            corpus,
            context.runs,
            metric=metric,
            max_tokens=self.max_tokens or 0,
            seed=seed,
            progress=context.progress,
        )


@dataclass(frozen=True, kw_only=True)
class _VectorSimilarity(Settings):
    """Similarity of vectors."""

    metric: Literal["cosine", "dot", "l2"] = "cosine"
    """Similarity of vectors."""


@dataclass(frozen=True, kw_only=True)
class _FieldLabels(Settings):
    """Fields of papers from a file."""

    labels: Annotated[str | PathLike[str] | Sequence[tuple[str, str]], Setting(metavar="FILE")] = ()
    """Fields of papers, in place of --fields: CSV file with the columns `id` and `label`; several
    labels are separated by `;`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.labels, str | PathLike) and not Path(self.labels).is_file():
            raise ConfigError(f"labels is {self.labels}; expected a CSV file")

    def _read(self, context: Context, source: str) -> Literature:
        from citescape.evaluation.literature import read_literature
        from citescape.sampling.labels import read_labels

        context.progress("reading papers and citations")
        rows: Sequence[tuple[str, str]]
        if isinstance(self.labels, str | PathLike):
            rows = read_labels(Path(self.labels))
        else:
            rows = tuple(self.labels)
        literature = read_literature(
            context.store, fields="labels" if rows else source, labels=rows
        )
        context.release()  # rankers may take hours
        return literature


@dataclass(frozen=True)
class BenchmarkMdcr(MdcrConfig, _FieldLabels, _RankingStep["MdcrRun"]):
    """Build a benchmark of citation recommendation in many fields (Medić and Šnajder 2022).

    Queries are papers of one year. Each query has five cited papers and ten negatives of each kind:
    from the lists of rankers, the neighbourhood of its references, the most cited papers of its
    field, and random papers. No candidate is newer than its query, and no query is in both splits.
    Files have the published format.

    Of more than three rankers, the three whose lists overlap least are used. On this benchmark,
    these rankers are evaluated on their own mistakes.
    """

    examples = """
        platform benchmark mdcr
        platform benchmark mdcr bm25 lsa minilm --fields subjects
        platform benchmark mdcr bm25 --min-abstract 0 --min-citations 1    with titles only
        """
    fields: Annotated[Literal["venue", "subjects"], Setting()] = field(
        default="venue", kw_only=True
    )
    """Fields of papers: their venues or their subjects."""

    def compute(self, context: Context) -> MdcrRun:
        from citescape.evaluation.mdcr.load import make_benchmark

        literature = self._read(context, self.fields)
        basis = self._basis(context, literature.corpus, seed=self.seed, metric="cosine")
        config = extract(MdcrConfig, self)
        return make_benchmark(_names(self.rankers), literature, config, basis=basis)


@dataclass(frozen=True)
class EvaluateMdcr(_VectorSimilarity, _RankingStep["MdcrEvaluation"]):
    """Evaluate rankers by the ranks of cited papers among the candidates of a benchmark.

    Figures are means over fields of the means over their queries, in per cent, with 95% intervals
    from 10,000 bootstrap samples of queries. Other rankers are compared with the first: p is from a
    paired randomisation test, adjusted for the comparisons of the same metric (Holm). Rankers whose
    lists contain the negatives are evaluated on their own mistakes: see the figures by kind. The
    ranker `random` is the chance level.
    """

    examples = """
        platform evaluate mdcr bm25 minilm RUN      RUN of `platform train`
        platform evaluate mdcr --benchmark mdcr_test.json --scores scincl=scincl_scores.json
        """
    _: KW_ONLY
    benchmark: Annotated[
        RunName, Setting(metavar="RUN|FILE", default="the latest of `platform benchmark mdcr`")
    ] = ""
    """Benchmark: a run or folder, or a published file (mdcr_test.json). Rankers need the texts
    beside it; scores need neither texts nor a store."""
    texts: Path | None = None
    """Titles and abstracts for a published file: JSON Lines."""
    split: Literal["test", "val"] = "test"
    """Split of a run."""
    scores: Annotated[Mapping[str, str | PathLike[str]], Setting(metavar="NAME=FILE")] = field(
        default_factory=dict
    )
    """Scores of an external system: JSON as published, {"QUERY_CANDIDATE": number}, or Parquet with
    query, candidate, score."""
    published: bool = False
    """Print figures in the format of the published evaluator."""
    seed: Seed = 0
    """Random seed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for path in (self.texts, *self.scores.values()):
            if path and not Path(path).is_file():
                raise ConfigError(f"no file {path}")

    def compute(self, context: Context) -> MdcrEvaluation:
        from citescape.evaluation.mdcr.load import BenchmarkSource, open_benchmark
        from citescape.evaluation.results import MdcrEvaluation
        from citescape.networks.citations import Citations, read_citations

        def read() -> Citations:
            citations = read_citations(context.store, weight="none")
            context.release()
            return citations

        if self.rankers or not self.scores or not Path(str(self.benchmark)).is_file():
            _check_store(context)
        source = BenchmarkSource(str(self.benchmark), self.split, self.texts)
        benchmark = open_benchmark(context.runs, source, location=context.location)
        repeated = replace(self, benchmark=benchmark.source.benchmark, published=False)
        run = benchmark.measure(
            _names(self.rankers),
            self._basis(context, benchmark.corpus, seed=self.seed, metric=self.metric),
            scores={name: Path(path) for name, path in self.scores.items()},
            citations=read,
            request=_record("evaluate mdcr", repeated, context),
        )
        return MdcrEvaluation(run.path, run.record, run.unchanged, self.published)


@dataclass(frozen=True)
class EvaluatePool(
    FieldLimits, PoolSearch, _FieldLabels, _VectorSimilarity, _RankingStep["PoolEvaluation"]
):
    """Evaluate rankers by the ranks of cited papers in large pools, for queries of one year.

    A pool contains all papers that the queries cite, and random papers; none is newer than the
    queries. With --fields or --labels, each field has its own queries, and pools of one size (by
    default 100,000) drawn from the references of its papers.

    MAP and nDCG are over all cited papers; `MAP found` and `nDCG found` are over those in the
    ranking, as in published figures of large pools. A figure is the mean over queries of the mean
    over samples. Other rankers are compared with the first.
    """

    examples = """
        platform evaluate pool bm25 minilm
        platform evaluate pool bm25 --sizes 20000,50000,100000 --min-abstract 0 --min-citations 1
        platform evaluate pool bm25 minilm --fields venue
        """
    _: KW_ONLY
    sizes: Annotated[
        str | Sequence[int], Setting(metavar="N,N,...", default="four, up to all papers")
    ] = ""
    """Papers in a pool, ascending; one size for pools of fields."""
    queries: Annotated[Count | None, Setting(default="3,800, or 200 of a field")] = None
    """Maximum number of queries."""
    fields: Literal["venue", "subjects"] | None = None
    """Pools by field: venues or subjects of papers."""

    def __post_init__(self) -> None:
        if not isinstance(self.sizes, str):
            object.__setattr__(self, "sizes", ",".join(map(str, self.sizes)))
        super().__post_init__()
        self._configure()

    def compute(self, context: Context) -> PoolEvaluation:
        from citescape.evaluation.mdcr.load import DEFAULT
        from citescape.evaluation.pool.basis import search_pools
        from citescape.evaluation.results import PoolEvaluation

        config, literature = self._configure(), self._read(context, self.fields or "venue")
        basis = self._basis(context, literature.corpus, seed=self.seed, metric=self.metric)
        named = _names(self.rankers) or DEFAULT
        is_file = isinstance(self.labels, str | PathLike)
        repeated = self if is_file or not self.labels else replace(self, labels=())
        request = _record("evaluate pool", repeated, context, fields=self.fields or "")
        if self.labels:
            request["labels"] = str(self.labels) if is_file else "given in Python"
        run = search_pools(named, literature, config, basis=basis, request=request)
        return PoolEvaluation.from_run(run)

    def _configure(self) -> PoolConfig | FieldPoolConfig:
        """The settings of pools of all papers, or of pools of fields."""
        parts = [part.strip() for part in str(self.sizes).split(",") if part.strip()]
        if not all(part.isdecimal() and int(part) for part in parts):
            raise ConfigError(
                f"sizes is {self.sizes}; expected numbers of 1 or more, separated by commas"
            )
        sizes = tuple(map(int, parts))
        shared: dict[str, Any] = {
            item.name: getattr(self, item.name) for item in fields(PoolSearch)
        }
        shared |= {"queries": self.queries} if self.queries else {}
        if not (self.fields or self.labels):
            return PoolConfig(sizes=sizes, **shared)
        if len(sizes) > 1:
            raise ConfigError(f"sizes is {self.sizes}; expected one size for pools of fields")
        shared |= {item.name: getattr(self, item.name) for item in fields(FieldLimits)}
        shared |= {"size": sizes[0]} if sizes else {}
        return FieldPoolConfig(**shared)


@dataclass(frozen=True)
class _EmbeddingStep(Step["TaskEvaluation"]):
    """Systems with embeddings, for published benchmarks."""

    systems: Annotated[tuple[RunName, ...], _SYSTEM] = ()
    """Systems: files of embeddings (JSON Lines), runs of `platform embed`, or encoders, which read
    titles and abstracts of the benchmark; NAME=SYSTEM gives a system a name."""
    _: KW_ONLY
    max_tokens: Annotated[int | None, Setting(least=8, default="limit of the encoder")] = None
    """Maximum tokens per text that encoders read."""
    seed: Seed = 0
    """Random seed of intervals and tests."""


@dataclass(frozen=True)
class EvaluateSciDocs(SciDocsConfig, _EmbeddingStep):
    """Evaluate embeddings on SciDocs, like its published evaluator (Cohan et al. 2020).

    A system is a file of embeddings (JSON Lines with `paper_id` and `embedding`), a folder of
    cls.jsonl, user-citation.jsonl and recomm.jsonl, a run of `platform embed`, or an encoder, which
    reads titles and abstracts of paper_metadata_*.json.

    Figures are in per cent, with 95% intervals from 10,000 bootstrap samples of queries where they
    are means over queries. The average is over all twelve columns; without one of them it is
    missing. Other systems are compared with the first.
    """

    examples = """
        platform evaluate scidocs --data scidocs/data scincl=scincl/ minilm
        platform evaluate scidocs --data scidocs/data mine.jsonl --ranker features
        """
    _: KW_ONLY
    data: Annotated[Path, Setting(metavar="FOLDER")]
    """Folder of the published data: mag/, mesh/, cite/, cocite/, coread/, coview/, recomm/."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not Path(self.data).is_dir():
            raise ConfigError(f"data is {self.data}; expected a folder")

    def compute(self, context: Context) -> TaskEvaluation:
        from citescape.core.cores import usable_cores
        from citescape.evaluation.results import TaskEvaluation
        from citescape.evaluation.scidocs.run import find_systems, measure_scidocs
        from citescape.metrics.summary import Resampling
        from citescape.runs.directory import Stopwatch

        clock, folder = Stopwatch(), Path(self.data)
        systems = find_systems(
            _names(self.systems),
            folder,
            context.runs,
            max_tokens=self.max_tokens or 0,
            progress=context.progress,
            clock=clock,
        )
        run = measure_scidocs(
            folder,
            systems,
            extract(SciDocsConfig, self),
            resampling=Resampling(self.seed),
            request=_record("evaluate scidocs", self, context, data=str(folder)),
            runs=context.runs,
            cores=usable_cores(),
            progress=context.progress,
            clock=clock,
        )
        return TaskEvaluation.from_run(run)


@dataclass(frozen=True)
class EvaluateSciRepEval(_EmbeddingStep):
    """Evaluate embeddings on SciRepEval, like its published evaluator (Singh et al. 2023).

    A system is a file of embeddings (JSON Lines with `doc_id` and `embedding`), a run of `platform
    embed`, or an encoder, which reads titles and abstracts from the folder `meta` of a task.
    Without systems, the files in `embeddings` of the tasks are evaluated.

    Figures are in per cent. There is an average over the nineteen tasks of published tables, and
    one over the tasks of each format. Without one of its tasks an average is missing.
    """

    examples = """
        platform evaluate scirepeval --tasks scirepeval_tasks.jsonl --data data/ mine.jsonl
        platform evaluate scirepeval --tasks scirepeval_tasks.jsonl minilm --type proximity
        """
    _: KW_ONLY
    tasks: Annotated[Path, Setting(metavar="FILE")]
    """Configuration of tasks, such as the published scirepeval_tasks.jsonl."""
    data: Annotated[Path | None, Setting(metavar="FOLDER", default="folder of --tasks")] = None
    """Folder of the data, from which paths in the configuration start."""
    task: Annotated[tuple[str, ...], Setting(metavar="NAME")] = ()
    """Evaluate only the task of this name."""
    type: tuple[Literal["classification", "regression", "proximity", "adhoc_search"], ...] = ()
    """Evaluate only tasks of this type."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not Path(self.tasks).is_file():
            raise ConfigError(f"tasks is {self.tasks}; expected a file")
        if self.data and not Path(self.data).is_dir():
            raise ConfigError(f"data is {self.data}; expected a folder")

    def compute(self, context: Context) -> TaskEvaluation:
        from citescape.core.cores import usable_cores
        from citescape.evaluation.results import TaskEvaluation
        from citescape.evaluation.scirepeval.run import measure_scirepeval, read_texts
        from citescape.evaluation.scirepeval.tasks import choose_tasks, read_tasks
        from citescape.evaluation.systems import SystemSources, open_systems
        from citescape.metrics.summary import Resampling
        from citescape.runs.directory import Stopwatch

        clock, data = Stopwatch(), Path(self.data) if self.data else None
        tasks = choose_tasks(read_tasks(Path(self.tasks), data), self.task, self.type)
        sources = SystemSources(
            context.runs,
            lambda: read_texts(tasks),
            max_tokens=self.max_tokens or 0,
            progress=context.progress,
            clock=clock,
        )
        run = measure_scirepeval(
            tasks,
            open_systems(_names(self.systems), sources) if self.systems else (),
            resampling=Resampling(self.seed),
            request=_record("evaluate scirepeval", self, context, tasks=str(self.tasks)),
            runs=context.runs,
            cores=usable_cores(),
            progress=context.progress,
            clock=clock,
        )
        return TaskEvaluation.from_run(run)


@dataclass(frozen=True)
class EvaluateAuthors(Step["AuthorEvaluation"]):
    """Evaluate author disambiguation: hide ORCIDs, find authors again, compare.

    Precision, recall and F1 over pairs of names and by B-cubed, with 95% intervals over people, and
    by frequency of the name. Measured are only names with an ORCID, which are those of full texts.
    An ORCID that a by-line prints beside two names is left out. Nothing is written.
    """

    examples = """
        platform evaluate authors
        platform evaluate authors --hide 0.5         with half of the ORCIDs as evidence
        platform evaluate authors --initials 0.5     with initials in half of the papers
        """
    hide: Share = 1.0
    """Share of ORCIDs that are hidden, and measured."""
    initials: Share = 0.0
    """Share of papers whose given names are reduced to initials, as in reference lists."""
    seed: Seed = 0
    """Random seed of both shares and of the intervals."""

    def compute(self, context: Context) -> AuthorEvaluation:
        from citescape.evaluation.author_identity import evaluate_authors
        from citescape.ingest.resolve import read_by_lines
        from citescape.store.schema import REL
        from citescape.store.statements import read_text

        context.progress("reading by-lines")
        papers = read_by_lines(context.store)
        cites = context.store.read(read_text(REL["CITES"]))
        context.release()
        context.progress("disambiguating authors")
        return evaluate_authors(
            papers, cites, hide=self.hide, initials=self.initials, seed=self.seed
        )


@dataclass(frozen=True)
class EvaluateReferences(Step["ReferenceEvaluation"]):
    """Evaluate how entries of reference lists find their work: hide their ids, match again.

    Recall is the share of entries with hidden ids that find their work, if any other entry or paper
    has one of the ids. Precision is the share of those that find a work with ids whose ids are the
    hidden ones. Printed ids are taken as true, though some are misprints: entries that find another
    work are listed. 95% intervals are over citing papers. Nothing is written.
    """

    examples = """
        platform evaluate references
        platform evaluate references --hide 0.5
        """
    hide: Share = 0.2
    """Share of the entries with a DOI whose ids are hidden, and measured."""
    seed: Seed = 0
    """Random seed of the entries and of the intervals."""

    def compute(self, context: Context) -> ReferenceEvaluation:
        from citescape.evaluation.reference_identity import evaluate_references
        from citescape.ingest.resolve import read_entries_of_papers

        context.progress("reading references")
        papers, references = read_entries_of_papers(context.store)
        context.release()
        context.progress("matching references")
        return evaluate_references(papers, references, hide=self.hide, seed=self.seed)


@dataclass(frozen=True)
class EvaluateLeakage(Step["LeakageRun"]):
    """Find papers of a benchmark in the training list of a model, by id and by title.

    Titles with at least 25 letters and digits are compared, without case, accents and punctuation.
    If a store exists, it matches different ids of a paper and adds missing titles; bare digits are
    compared unchanged. Leaked papers are listed in papers.csv of the run.
    """

    examples = """
        platform evaluate leakage TRAINED --benchmark BENCHMARK        runs of train, benchmark mdcr
        platform evaluate leakage specter_ids.txt --benchmark scidocs/data
        """
    trained: Annotated[RunName, Setting(argument=True, metavar="RUN|FILE")]
    """Training list: a run of `platform train`, `train combine` or `sample`; triplets as Parquet;
    records with an id and an optional title (.csv, .jsonl, .parquet); or a text file with an id per
    line."""
    benchmark: Annotated[RunName, Setting(metavar="RUN|FILE|FOLDER")]
    """Benchmark: a run of `benchmark mdcr` or `evaluate pool`, mdcr_test.json, the folder of
    SciDocs, scirepeval_tasks.jsonl, or a list of papers."""
    texts: Path | None = None
    """Titles of the papers of the benchmark, if they are not beside it: JSON Lines, CSV or Parquet
    with an id and a title."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.texts and not Path(self.texts).is_file():
            raise ConfigError(f"texts is {self.texts}; expected a file")

    def compute(self, context: Context) -> LeakageRun:
        from citescape.evaluation.leakage.benchmarks import read_benchmark_list
        from citescape.evaluation.leakage.report import report_leakage
        from citescape.evaluation.leakage.trained import read_trained

        context.progress("reading lists")
        trained = read_trained(context.runs, str(self.trained))
        benchmark = read_benchmark_list(context.runs, str(self.benchmark), self.texts)
        context.progress("comparing lists")
        _check_store(context)
        store = context.store if context.exists else None
        return report_leakage(trained, benchmark, store, runs=context.runs)


@dataclass(frozen=True)
class ListRankers(Step["RankerList"]):
    """List the rankers for evaluations and benchmarks.

    NAME=RANKER names a ranker. Evaluations show the dimension of the vectors of each ranker, and
    whether citations, contrast and importance were used in training or ranking.
    """

    def compute(self, context: Context) -> RankerList:
        from citescape.evaluation.results import RankerList
        from citescape.ranking.files import FORMATS
        from citescape.ranking.registry import KINDS

        files = {f"FILE{end}": form.meaning for end, form in FORMATS.items() if end != ".bin"}
        further = {
            "sgc:RANKER": "vectors of another ranker, smoothed over citations",
            "RUN": "vectors of `embed` or `train graph`; encoder of `train` or `train combine`",
            "FOLDER": "encoder, or vectors.npy and papers.parquet",
            "HUB-ID": "encoder of the Hugging Face hub",
        }
        known = {name: kind.meaning for name, kind in KINDS.items()}
        return RankerList({**known, **further, **files})


@dataclass(frozen=True)
class ReportEvaluation(Step["ReportFiles"]):
    """Write a report on an evaluation.

    report.html is a single file that needs no network. It contains the finding in one sentence,
    figures with intervals, differences with p, figures by field, kind of candidates and size of the
    pool, skipped data, and the command that repeats the run. report.md is the same as text, with
    pictures as SVG files; figures.csv and differences.csv contain all figures. An older report in
    the folder is replaced; other files are kept.
    """

    examples = """
        platform evaluate report --open
        platform evaluate report evaluate-c6742cecae88 --out paper/figures
        """
    run: Annotated[RunName, Setting(argument=True, metavar="[RUN]")] = ""
    """Evaluation: its id or folder; by default the latest."""
    _: KW_ONLY
    out: Annotated[Path | None, Setting(metavar="FOLDER", default="folder of the run")] = None
    """Folder for the files; created if it does not exist."""
    open: bool = False
    """Open the page in a browser."""

    def compute(self, context: Context) -> ReportFiles:
        import webbrowser

        from citescape.evaluation.export import write_report
        from citescape.evaluation.results import ReportFiles
        from citescape.metrics.evaluation_run import EvaluationRun

        run = context.find(EvaluationRun, str(self.run))
        files = write_report(run, Path(self.out) if self.out else None)
        if self.open:
            webbrowser.open(files[0].absolute().as_uri())
        return ReportFiles(run, files)


@dataclass(frozen=True)
class FillTable(Step["FilledTable | TableList"]):
    """Show a result table of a paper with rows of your evaluations.

    The rows of the paper have the published figures, which were measured on other data. Your rows
    have the figures of `platform evaluate scidocs`, `scirepeval`, `mdcr` or `lcr`; a missing figure
    is blank, with the reason below the table. Without a table, the tables are listed.
    """

    examples = """
        platform evaluate table
        platform evaluate table scincl-table-1 evaluate-c6742cecae88
        platform evaluate table mdcr-table-3 evaluate-c6742cecae88 --out table.tex
        """
    table: Annotated[str, Setting(argument=True, metavar="[TABLE]")] = ""
    """Name of the table, such as scincl-table-1."""
    evaluations: Annotated[tuple[RunName, ...], Setting(argument=True, metavar="[RUN]...")] = ()
    """Evaluations by id or folder; each of their systems has a row."""
    _: KW_ONLY
    out: Annotated[Path | None, Setting(metavar="FILE")] = None
    """File for the table: Markdown (.md) or LaTeX (.tex). For CSV use --save."""
    force: bool = False
    """Replace an existing file."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.out and not self.table:
            raise ConfigError("found out without a table; expected the name of a table")
        if self.out and Path(self.out).suffix not in (".md", ".tex"):
            raise ConfigError(f"out is {self.out}; expected a file that ends in .md or .tex")

    def compute(self, context: Context) -> FilledTable | TableList:
        from citescape.core.files import check_absent, check_folder, write_files
        from citescape.evaluation.published_tables import (
            TableList,
            fill_table,
            find_published,
            read_published,
        )
        from citescape.metrics.evaluation_run import EvaluationRun

        if not self.table:
            return TableList(tuple(read_published().values()))
        published, out = find_published(self.table), Path(self.out) if self.out else None
        if out:
            check_folder(out)
            if not self.force:
                check_absent([out])
        runs = [context.find(EvaluationRun, name) for name in _names(self.evaluations)]
        filled = fill_table(published, runs)
        if out:
            text = filled.to_markdown() if out.suffix == ".md" else filled.to_latex()
            write_files({out: lambda sink: sink.write(text.encode())})
        return filled


def _names(runs: Sequence[Any]) -> tuple[str, ...]:
    """Names of runs or results."""
    return tuple(map(str, runs))


def _record(words: str, step: Step[Any], context: Context, **more: str) -> dict[str, object]:
    """The request for the record of a run: command, store, and `more`."""
    return {"command": command_words(words, step), "store": context.location, **more}


def _check_store(context: Context) -> None:
    """Checks that a store given by name exists, since it selects the folder of runs.

    Raises:
        StoreError: the store does not exist.
    """
    if context.location != DEFAULT_STORE and not context.exists:
        context.store  # noqa: B018 - opening it raises
