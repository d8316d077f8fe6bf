"""The citation network and the reasons of its citations as a widget of Jupyter, VS Code and Colab.

A face of the results of `neighbours` and `explain`: what it shows is computed by these steps, and
drawn by the scripts of the explorer (`server/web/src/widget.tsx`). The module is a part of
`explore`, below the server, so that `CitationNeighbourhood.explore` reaches it without an import
that points upwards. It is imported on first use, because anywidget is optional.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING, Any, get_args

import anywidget
import pyarrow as pa
import pyarrow.compute as pc
import traitlets
from IPython.display import DisplayHandle, display

from citescape.core.errors import CitescapeError, ConfigError
from citescape.core.terminal import escape
from citescape.explore.config import AnyFacet, AnySection, Direction, Filters, SelfCitations
from citescape.explore.neighbourhood import CitationNeighbourhood
from citescape.explore.notebook.picture import draw_network, get_templates, name_paper
from citescape.importance.components import COUNTED
from citescape.importance.explain import Explanation
from citescape.importance.steps import Explain
from citescape.networks.config import parse_years
from citescape.runs.result import Result, plural
from citescape.runs.save import to_json

if TYPE_CHECKING:
    import pandas

EXPLAINED = 5
"""Citations whose reasons a saved notebook keeps, besides those that were read: the first ones."""
LISTED = 10
"""Citations in the table of a saved notebook."""
Pair = tuple[str, str]
_BUNDLES = files("citescape") / "static"


class EdgeExplorer(anywidget.AnyWidget):
    """A citation network to explore in a notebook. Its traits can be read, set and observed.

    A click on an arrow or a row selects a citation and shows its reasons; with Ctrl, Shift or the
    Mac's Command key it is added to the selection or removed from it. `selection` is a data frame
    of what is selected, `select` takes one. Filters and weights have the names that they have in
    `neighbours` and `score`.

    A saved notebook keeps the network, the reasons of the first citations and of those that were
    read, and a picture with a table for readers without a kernel.
    """

    _esm = _BUNDLES.joinpath("widget.js").read_text("utf-8")
    _css = _BUNDLES.joinpath("widget.css").read_text("utf-8")

    network = traitlets.Dict().tag(sync=True)
    """Papers and citations, as `platform neighbours --json` prints them."""
    explanations = traitlets.List(traitlets.Dict()).tag(sync=True)
    """Reasons of some citations, as `platform explain --json` prints them."""
    selected = traitlets.List(traitlets.Tuple(traitlets.Unicode(), traitlets.Unicode())).tag(
        sync=True
    )
    """Selected citations: pairs of citing and cited id. The reasons of the last one are shown."""
    weights = traitlets.Dict(traitlets.Float()).tag(sync=True)
    """Weights of the components of importance; at first those of the scores in the graph."""
    min_importance = traitlets.Float(0.0, min=0.0).tag(sync=True)
    """Minimum importance of the citations shown."""
    facet = traitlets.Enum(get_args(AnyFacet), "").tag(sync=True)
    """Intent of the citations shown: background, method or result; empty for all."""
    section = traitlets.Enum(get_args(AnySection), "").tag(sync=True)
    """Section type in which the citations shown are mentioned: I, M, R, D, other; empty for all."""
    self_citations = traitlets.Enum(get_args(SelfCitations), "include").tag(sync=True)
    """Self-citations: include, exclude or only."""
    direction = traitlets.Enum(get_args(Direction), "both").tag(sync=True)
    """Citations by the papers in the middle (references), of them (citing), or all (both)."""
    years = traitlets.Unicode().tag(sync=True)
    """Years of the papers around: 2018, 2015-2019, 2015- or -2019; empty for all."""
    type = traitlets.Unicode().tag(sync=True)
    """Type of the papers around, such as review-article; empty for all."""
    saved_as = traitlets.Unicode().tag(sync=True)
    """Class of the saved form in the document."""

    def __init__(self, network: CitationNeighbourhood) -> None:
        """Shows a network.

        Args:
            network: result of `corpus.neighbours`.
        """
        self._network = network
        rows = network.citations.select(["citing", "cited"]).to_pylist()
        self._pairs: dict[Pair, None] = dict.fromkeys((row["citing"], row["cited"]) for row in rows)
        self._explained: dict[Pair, Explanation] = {}
        self._saved: DisplayHandle | None = None
        if network.context:
            for pair in list(self._pairs)[:EXPLAINED]:
                self._explain(pair)
        super().__init__(
            network=_plain(network),
            weights=network.weights,
            explanations=[_plain(found) for found in self._explained.values()],
        )
        self.saved_as = f"citescape-{self.model_id}"
        self.on_msg(self._answer)

    @property
    def shown(self) -> pandas.DataFrame:
        """The citations that the picture shows, with their importance under the present weights."""
        return _to_frame(self._network, self._filter(self._weigh()))

    @property
    def selection(self) -> pandas.DataFrame:
        """The selected citations, the most important first under the present weights."""
        citations = self._weigh()
        return _to_frame(self._network, citations.filter(_is_in(citations, self.selected)))

    def select(self, chosen: object) -> int:
        """Selects citations of this network; others are left out.

        Args:
            chosen: a data frame (pandas, polars, Arrow) with the columns `citing` and `cited`, or
                with ids of papers in `id`; a list of pairs, or of ids. A paper stands for all
                citations that leave or reach it. An empty one selects nothing.

        Returns:
            Number of selected citations.

        Raises:
            ConfigError: something else, or none of it is in the network.
        """
        given = _read_chosen(chosen)
        pairs = [
            pair for pair in self._pairs if pair in given or pair[0] in given or pair[1] in given
        ]
        if given and not pairs:
            raise ConfigError(
                f"none of {plural(len(given), 'selected item')} is in this network of "
                f"{plural(len(self._pairs), 'citation')}; expected pairs of citing and cited ids, "
                "or ids of papers, as in `network.citations` and `network.papers`"
            )
        self.selected = pairs[::-1]  # the reasons of the last one are shown: the most important
        return len(pairs)

    def to_html(self) -> str:
        """Picture, citations and reasons as HTML without scripts."""
        network = self._network
        papers = {paper["id"]: paper for paper in network.papers.to_pylist()}
        names = {id_: name_paper(paper) for id_, paper in papers.items()}
        rows = network.citations.slice(0, LISTED).to_pylist()
        return (
            get_templates()
            .get_template("saved.html")
            .render(
                name=self.saved_as,
                picture=b64encode(draw_network(network).encode()).decode(),
                heading=str(network).partition("\n")[0],
                rows=[
                    (
                        _write_score(row["importance"]),
                        names[row["citing"]],
                        names[row["cited"]],
                        escape(papers[row["cited"]]["title"] or ""),
                        "·".join("-" if row[name] is None else str(row[name]) for name in COUNTED),
                        "yes" if row["self"] else "",
                    )
                    for row in rows
                ],
                more=len(network.citations) - len(rows),
                explanations=[
                    (
                        f"{names[citing]} cites {names[cited]}: importance "
                        f"{_write_score(found.score)}",
                        found._repr_html_(),
                    )
                    for (citing, cited), found in self._explained.items()
                ],
            )
        )

    def _ipython_display_(self) -> None:
        """Shows the widget, and after it the saved form, which the widget hides.

        Both in one output would not do: JupyterLab shows an error in place of a widget whose kernel
        is gone, and nbconvert an empty space without a network.
        """
        bundle = self._repr_mimebundle_()
        assert bundle is not None
        data, metadata = bundle
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        self._saved = display(self._save(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def _save(self) -> dict[str, str]:
        return {"text/html": self.to_html(), "text/plain": str(self._network)}

    def __repr__(self) -> str:
        papers, citations = len(self._network.papers), len(self._pairs)
        return f"EdgeExplorer({plural(papers, 'paper')}, {plural(citations, 'citation')})"

    def _weigh(self) -> pa.Table:
        """The citations with their importance under the present weights."""
        same = self.weights == self._network.weights
        return (self._network if same else self._network.weigh(self.weights)).citations

    def _filter(self, citations: pa.Table) -> pa.Table:
        filters = Filters(
            min_importance=self.min_importance,
            facet=self.facet,
            section=self.section,
            self_citations=self.self_citations,
            years=self.years,
            types=(self.type,) if self.type else (),
        )
        papers = self._network.papers
        kept = filters.select_papers(papers)["id"].to_pylist()
        ids = pa.array({*self._network.seeds, *kept}, pa.string())
        both = pc.and_(
            pc.is_in(citations["citing"], value_set=ids),
            pc.is_in(citations["cited"], value_set=ids),
        )
        if self.direction != "both":
            end = "citing" if self.direction == "references" else "cited"
            seeds = pa.array(self._network.seeds, pa.string())
            both = pc.and_(both, pc.is_in(citations[end], value_set=seeds))
        return filters.select_citations(citations.filter(both))

    def _explain(self, pair: Pair) -> Explanation:
        if self._network.context is None:
            raise ConfigError("this network has no corpus: make it with `corpus.neighbours`")
        if pair not in self._explained:
            self._explained[pair] = Explain(*pair).compute(self._network.context)
        return self._explained[pair]

    def _answer(self, _: object, pair: Any, __: object) -> None:
        """Answers the script, which wants the reasons of a citation."""
        citing, cited = pair.get("citing"), pair.get("cited")
        if (citing, cited) not in self._pairs:
            return
        answer = {"citing": citing, "cited": cited}
        known = (citing, cited) in self._explained
        try:
            found = _plain(self._explain((citing, cited)))
        except CitescapeError as error:
            answer["error"] = str(error)
        else:
            others = [kept for kept in self.explanations if _ends(kept) != _ends(found)]
            self.explanations = [*others, found]
            if self._saved and not known:
                self._saved.update(self._save(), raw=True)  # type: ignore[no-untyped-call]
        self.send(answer)

    @traitlets.validate("selected")
    def _check_selected(self, proposal: Any) -> list[Pair]:
        pairs: list[Pair] = list(dict.fromkeys(proposal["value"]))
        for citing, cited in pairs:
            if (citing, cited) not in self._pairs:
                raise ConfigError(
                    f"{citing} -> {cited} is no citation of this network; expected pairs of "
                    "`network.citations`"
                )
        return pairs

    @traitlets.validate("years")
    def _check_years(self, proposal: Any) -> str:
        years: str = proposal["value"]
        if years:
            parse_years(years)
        return f"{years}-{years}" if years.isdecimal() else years  # one form, for the script

    @traitlets.validate("weights")
    def _check_weights(self, proposal: Any) -> dict[str, float]:
        weights: dict[str, float] = proposal["value"]
        if weights.keys() != self._network.weights.keys():
            raise ConfigError(
                f"weights of {', '.join(weights) or 'nothing'}; expected those of the run: "
                f"{', '.join(self._network.weights) or 'none, because nothing is scored'}"
            )
        return weights


def _write_score(score: float | None) -> str:
    return "not scored" if score is None else f"{score:.4f}"


def _plain(result: Result) -> dict[str, Any]:
    """The figures of a result as JSON holds them."""
    figures: dict[str, Any] = json.loads(to_json(result.summarise().figures))
    return figures


def _ends(explanation: dict[str, Any]) -> Pair:
    return explanation["citing"]["id"], explanation["cited"]["id"]


def _read_chosen(chosen: Any) -> set[str | Pair]:
    """Pairs and ids of a data frame or a list."""
    if isinstance(chosen, str):
        return {chosen}
    chosen = getattr(chosen, "arrow", chosen)  # of a result
    names = getattr(chosen, "column_names", None)  # of Arrow, whose `columns` are arrays
    names = names or list(getattr(chosen, "columns", ()))
    if {"citing", "cited"} <= {*names}:
        return set(zip(map(str, chosen["citing"]), map(str, chosen["cited"]), strict=True))
    if "id" in names:
        return set(map(str, chosen["id"]))
    items = [] if names else [*chosen]
    wrong = [item for item in items if not isinstance(item, str | tuple | list) or len(item) != 2]
    wrong = [item for item in wrong if not isinstance(item, str)]
    if names or wrong:
        found = f"columns {', '.join(map(str, names))}" if names else f"{wrong[0]!r}"
        raise ConfigError(
            f"cannot select {found}; expected a data frame with `citing` and `cited` or with `id`, "
            "pairs of ids, or ids"
        )
    return {item if isinstance(item, str) else (str(item[0]), str(item[1])) for item in items}


def _is_in(citations: pa.Table, pairs: Iterable[Pair]) -> pa.Array:
    wanted = set(pairs)
    ends = zip(citations["citing"].to_pylist(), citations["cited"].to_pylist(), strict=True)
    return pa.array([pair in wanted for pair in ends], pa.bool_())


def _to_frame(network: CitationNeighbourhood, citations: pa.Table) -> pandas.DataFrame:
    """A row per citation, with the titles of both papers."""
    ids = network.papers["id"].combine_chunks()
    titles = {
        f"{end}_title": network.papers["title"].take(pc.index_in(citations[end], value_set=ids))
        for end in ("citing", "cited")
    }
    for name, column in titles.items():
        citations = citations.append_column(name, column)
    first = ["importance", "citing", "cited", *titles]
    rest = [name for name in citations.column_names if name not in first]
    frame: pandas.DataFrame = citations.select([*first, *rest]).to_pandas()
    return frame
