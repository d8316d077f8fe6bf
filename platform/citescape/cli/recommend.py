"""`platform recommend`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from citescape.cli.options import (
    add_options,
    encoder_option,
    output_options,
    runs_option,
    store_option,
)
from citescape.cli.output import echo_json
from citescape.cli.recommend_output import print_answers, tell_answers
from citescape.cli.weight_options import rerank_weight_option, weight_options
from citescape.core.progress import ticking
from citescape.core.terminal import echo

if TYPE_CHECKING:
    from citescape.namespaces.recommending import ProfilesConfig
    from citescape.papers.entries import Entry
    from citescape.recommend.asked import Asked
    from citescape.recommend.drafts.wants import Want
    from citescape.recommend.recommendations import Recommended
    from citescape.recommend.recommender import RecommendConfig
    from citescape.store.graph_store import GraphStore

SYSTEMS = ("bm25", "bm25-profile", "dense", "profiler", "calibrated", "fused")
"""Keys of `recommend.retriever.SYSTEMS`, which is not imported for `--help`."""
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("draft", required=False, type=click.Path(path_type=Path))
@click.option(
    "--context", default=None, metavar="TEXT|-", help="The sentence; - for standard input."
)
@click.option(
    "--title", default="", show_default="the draft's", help="Of the paper that it stands in."
)
@click.option("--abstract", default="", show_default="the draft's", help="Likewise.")
@click.option(
    "--before",
    default="",
    metavar="DATE",
    show_default="of any time",
    help="Find only works that are surely older: 2019, 2019-03 or 2019-03-04. Sentences that cite "
    "them, by which they are found and which are shown, may be of later papers.",
)
@click.option(
    "-k", "--k", type=click.IntRange(1), default=10, show_default=True, help="How many papers."
)
@click.option(
    "--system",
    type=click.Choice(SYSTEMS),
    default="fused",
    show_default=True,
    help="What contexts are held against; see above.",
)
@click.option(
    "--sentences",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Of others that cite a paper: how many are shown.",
)
@click.option(
    "--rerank", default="", show_default="none", metavar="RUN", help="A trained reranker."
)
@add_options(rerank_weight_option)
@click.option(
    "--profiles",
    default="",
    show_default="those of the store as it is, made on first use",
    metavar="RUN",
    help="Other profiles.",
)
@encoder_option
@click.option(
    "--max-tokens",
    type=click.IntRange(8),
    default=128,
    show_default=True,
    help="Read of a text by the encoder.",
)
@add_options(*weight_options)
@click.option("--brief", is_flag=True, help="The papers alone, without reasons.")
@click.option(
    "--bibtex",
    type=_FILE,
    metavar="FILE",
    help="Write all papers found as BibTeX too, and show their keys.",
)
@click.option("--ris", type=_FILE, metavar="FILE", help="Write them as RIS too.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@store_option
@runs_option
@output_options
def recommend(
    draft: Path | None,
    context: str | None,
    brief: bool,
    bibtex: Path | None,
    ris: Path | None,
    force: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Recommend papers to cite in a sentence or draft, and say why.

    DRAFT is a manuscript in LaTeX, Markdown or plain text that marks where citations are wanted:
    [?], [CITE], [citation needed], [@?], TARGETCIT, [?,?], [12,?]; in LaTeX also \\cite{},
    \\cite{?}, \\cite{TODO}, \\cite{smith2010,?}, any command with cite in its name, and
    \\todo{cite}. Sentences of a --context that are marked so are answered one by one.

    \b
    --system       papers are found by
      bm25           words of title and abstract
      bm25-profile   words of title, abstract and the sentences that cite the paper
      dense          vectors of title and abstract
      profiler       vectors of title, abstract, sentences that cite and papers that cite
      calibrated     the same; papers that nothing cites have a scale of their own
      fused          that and the like of words together

    Of each paper the sentence of others is shown that cites it and is nearest to yours. Profiles
    are made on first use, which takes minutes, and where papers have changed since. Which weights
    are best here `platform evaluate lcr --grid .1` tells.

    \b
    Examples:
      platform recommend --context "Root depth limits the uptake of nitrogen [?]."
      platform recommend paper.tex -k 5 --before 2020-06 --bibtex found.bib
      platform recommend --context - --title "Roots of wheat" --brief < sentence.txt
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.namespaces.recommending import Recommending
    from citescape.store.graph_store import open_store

    order = _read(draft, context, given)
    files = _check({"bibtex": bibtex, "ris": ris}, force=force)
    config, basis = _configure(given)
    with closing(open_store(store, read_only=True)) as graph, ticking() as ticker:
        made = Recommending(graph, runs)
        found = made.ask(order.asked, config, profiles=basis, progress=ticker.tell)
        entries = _gather(graph, order.wants, found) if files else []
        notes = *order.notes, *made.notes
    written, keys = _write(entries, files, force=force), _name(entries) if bibtex else {}
    if as_json:
        told = {**made.told, "system": config.system, "k": config.k}
        told |= tell_answers(order.wants, found, draft, keys=keys)
        echo_json({**told, "notes": notes, "files": written})
        return
    print_answers(order.wants, found, draft, brief=brief, keys=keys)
    for line in (*(f"note: {note}" for note in notes), *(f"written: {path}" for path in written)):
        echo("", line)


def _configure(given: dict[str, Any]) -> tuple[RecommendConfig, ProfilesConfig]:
    from citescape.namespaces.recommending import ProfilesConfig
    from citescape.recommend.recommender import RecommendConfig

    names = ("k", "system", "sentences", "gamma", "delta", "words", "weight")
    config = RecommendConfig(**{name: given.pop(name) for name in names})
    return config, ProfilesConfig(**given)


class _Order(NamedTuple):
    """What is asked."""

    asked: Sequence[Asked]
    wants: Sequence[Want]
    """Of a draft, one for each."""
    notes: Sequence[str] = ()


def _read(draft: Path | None, context: str | None, given: dict[str, Any]) -> _Order:
    if (draft is None) == (context is None):
        found = "both a draft and" if draft else "neither a draft nor"
        raise click.UsageError(f"found {found} --context; expected one: what is to be completed?")
    from citescape.recommend.asked import Asked
    from citescape.recommend.drafts.pasted import split_context
    from citescape.recommend.drafts.wants import read_draft

    title, abstract, before = (given.pop(name) for name in ("title", "abstract", "before"))
    if context is not None:
        text = sys.stdin.read() if context == "-" else context
        return _Order([Asked(one, title, abstract, before) for one in split_context(text)], [])
    assert draft is not None
    read = read_draft(draft)
    told = (title or read.title, abstract or read.abstract, before)
    return _Order([Asked(want.sentence, *told) for want in read.wants], read.wants, read.notes)


def _check(files: Mapping[str, Path | None], *, force: bool) -> dict[str, Path]:
    """Before the work: whether files can be written."""
    from citescape.papers.bibliography import name_bibliography

    return {
        form: name_bibliography(form, path, force=force) for form, path in files.items() if path
    }


def _gather(graph: GraphStore, wants: Sequence[Want], found: Sequence[Recommended]) -> list[Entry]:
    """All papers that were found, each once, with the lines of a draft that they are for."""
    from citescape.papers.entries import read_entries

    lines: dict[str, dict[str, None]] = {}
    for want, answer in zip_longest(wants, found):
        told = {_place(want): None} if want else {}
        for one in answer.papers:
            lines.setdefault(one.work.id, {}).update(told)
    entries = read_entries(graph, list(lines))
    return [entry._replace(keywords=tuple(lines[entry.id])) for entry in entries]


def _place(want: Want) -> str:
    file = want.file.replace(",", ";")  # keywords are parted by commas
    return " ".join(filter(None, ("citescape", file, f"line {want.line}")))


def _name(entries: Sequence[Entry]) -> dict[str, str]:
    from citescape.papers.bibtex import make_keys

    return make_keys(entries)


def _write(entries: Sequence[Entry], files: Mapping[str, Path], *, force: bool) -> list[str]:
    from citescape.papers.bibliography import write_bibliography

    return [
        str(write_bibliography(entries, form, path, force=force)) for form, path in files.items()
    ]
