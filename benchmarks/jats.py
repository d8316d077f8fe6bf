"""Reading JATS: the loader, pubmed_parser, BeautifulSoup, and parsing with lxml only.

    python benchmarks/jats.py              the crops corpus, a few minutes
    python benchmarks/jats.py --quick      every tenth paper

All peers read the same files from one folder, each in a separate process. BeautifulSoup extracts
the same data from every twentieth file only. The two rows with workers compare wall time and need
idle cores: the load average before them is stored.
"""

from __future__ import annotations

import argparse
import gc
import os
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import measure

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")
ARCHIVE = DATA / "oa_crops.tar.xz"
SLOW_PEER_EVERY = 20
CHUNK = 25
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "references": "references",
    "citations": "citations",
    "failed": "failed",
    "cpu_seconds": "CPU s",
    "papers_per_cpu_second": "papers / CPU s",
    "times_slower": "times slower",
    "peak_mb": "peak MB",
    "wall_seconds": "wall s",
    "papers_per_second": "papers / s",
    "speed_up": "speed-up",
    "load_before": "load before",
}
NOTES = (
    "pubmed_parser runs parse_pubmed_xml, parse_pubmed_references and parse_pubmed_paragraph; "
    "each parses the file again. It gives no sentences, section types or losses. Its citations "
    "differ: it counts every pointer of a paragraph, a fifth of which lead to figures, tables or "
    "supplements, and misses pointers inside other markup such as a superscript. BeautifulSoup "
    "reads every twentieth paper. Wall times of workers are meaningful on idle cores only; "
    "compare `load before`."
)
Counts = tuple[int, int]
"""References and in-text citations found."""


def read_with_contexts(file: Path) -> Counts:
    """The loader, all facts."""
    from citescape.loaders.jats import read_jats

    paper = read_jats(file.read_bytes(), str(file))
    return len(paper.references), len(paper.occurrences)


def read_without_contexts(file: Path) -> Counts:
    """The loader without the sentences of citations."""
    from citescape.loaders.jats import read_jats

    paper = read_jats(file.read_bytes(), str(file), contexts=False)
    return len(paper.references), len(paper.occurrences)


def read_with_pubmed_parser(file: Path) -> Counts:
    """Metadata, references, and paragraphs with their references."""
    import pubmed_parser

    pubmed_parser.parse_pubmed_xml(str(file))
    references = pubmed_parser.parse_pubmed_references(str(file)) or []
    paragraphs = pubmed_parser.parse_pubmed_paragraph(str(file))
    return len(references), sum(len(p["reference_ids"]) for p in paragraphs)


def read_with_soup(file: Path) -> Counts:
    """The data of the loader without sentences and losses, in common BeautifulSoup style."""
    from bs4 import BeautifulSoup

    article: Any = BeautifulSoup(file.read_bytes(), "lxml-xml").find("article")
    meta = article.find("article-meta")
    facts = [meta.find("article-title"), *meta.find_all(["abstract", "kwd", "subject", "year"])]
    facts += [i.get_text() for i in meta.find_all("article-id")]
    facts += [(a.surname, a.find("given-names"), a.find("contrib-id"))
              for a in meta.find_all("contrib")]  # fmt: skip
    facts = [fact.get_text() if hasattr(fact, "get_text") else fact for fact in facts]
    references = [
        ([n.get_text(" ") for n in ref.find_all(["surname", "given-names"])],
         [n.get_text() for n in ref.find_all(
             ["pub-id", "article-title", "source", "year", "volume", "fpage", "ext-link"])])
        for ref in article.find_all("ref")
    ]  # fmt: skip
    citations = []
    for xref in article.find_all("xref", attrs={"ref-type": "bibr"}):
        block, section = xref.find_parent(["p", "tr"]), xref.find_parent("sec")
        title = section.find("title") if section else None
        citations.append((xref.get("rid"), block.get_text() if block else "",
                          title.get_text() if title else ""))  # fmt: skip
    return len(references), len(citations)


def parse_only(file: Path) -> Counts:
    """Only builds the tree with lxml."""
    from lxml import etree

    etree.fromstring(file.read_bytes())
    return 0, 0


PEERS: dict[str, tuple[Callable[[Path], Counts], int]] = {
    "citescape": (read_with_contexts, 1),
    "citescape, no contexts": (read_without_contexts, 1),
    "pubmed_parser": (read_with_pubmed_parser, 1),
    "BeautifulSoup": (read_with_soup, SLOW_PEER_EVERY),
    "lxml, parsing only": (parse_only, 1),
}


def child(peer: str, folder: Path) -> None:
    """One peer's reading of the folder, after a warm-up."""
    read, every = PEERS[peer]
    files = sorted(folder.glob("*.xml"))[::every]
    for file in files[:3]:
        read(file)
    prepare()
    failed = 0
    counts: list[Counts] = []
    with measure.metered() as cost:
        for file in files:
            try:
                counts.append(read(file))
            except (KeyError, ValueError, AttributeError, IndexError, TypeError):
                failed += 1  # peers may fail on real files; the time counts
    measure.report(
        cost,
        papers=len(files),
        failed=failed,
        references=sum(c[0] for c in counts),
        citations=sum(c[1] for c in counts),
        papers_per_cpu_second=round(len(files) / cost.cpu_seconds, 1),
    )


def prepare() -> None:
    """Reduces garbage collection like `platform ingest`, because data is not cyclic."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def read_chunk(files: Sequence[Path]) -> int:
    """A worker's task."""
    return sum(read_with_contexts(file)[1] for file in files)


def time_workers(folder: Path) -> list[measure.Row]:
    """Wall time of one and of two processes, best of two runs each."""
    files = sorted(folder.glob("*.xml"))
    chunks = [files[i : i + CHUNK] for i in range(0, len(files), CHUNK)]
    load = round(os.getloadavg()[0], 2)
    walls: dict[int, list[float]] = {1: [], 2: []}
    for workers in (1, 2, 1, 2):
        with ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=prepare
        ) as pool:
            list(pool.map(read_chunk, chunks[: 2 * workers]))
            begun = time.perf_counter()
            list(pool.map(read_chunk, chunks))
            walls[workers].append(time.perf_counter() - begun)
    return [
        {
            "peer": f"citescape, {workers} worker{'s' * (workers > 1)}",
            "papers": len(files),
            "wall_seconds": round(min(wall), 2),
            "papers_per_second": round(len(files) / min(wall), 1),
            "speed_up": round(min(walls[1]) / min(wall), 2),
            "load_before": load,
        }
        for workers, wall in walls.items()
    ]


def unpack(folder: Path, every: int) -> None:
    """Extracts the XML files of the archive, or every n-th of them."""
    with tarfile.open(ARCHIVE, mode="r|xz") as archive:
        members = (m for m in archive if m.name.endswith(".xml"))
        for member in islice(members, 0, None, every):
            stream = archive.extractfile(member)
            if stream is not None:
                (folder / Path(member.name).name).write_bytes(stream.read())


def compare(folder: Path) -> list[measure.Row]:
    """A row per peer, with the time per paper relative to the loader with contexts."""
    rows = [
        {"peer": peer, **measure.run_alone(__file__, "--child", peer, folder)} for peer in PEERS
    ]
    own = rows[0]["papers_per_cpu_second"]
    for row in rows:
        row["times_slower"] = round(own / row["papers_per_cpu_second"], 2)
    return rows


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every tenth paper")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child[0], Path(options.child[1]))
    if not ARCHIVE.exists():
        raise SystemExit(f"no {ARCHIVE}; set CITESCAPE_DATA to the folder that holds it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(folder, 10 if options.quick else 1)
        rows = compare(folder) + time_workers(folder)
    measure.print_table(rows, COLUMNS)
    libraries = ("lxml", "sentencex", "pubmed-parser", "beautifulsoup4")
    written = measure.write_results(
        "jats-quick" if options.quick else "jats",
        rows,
        libraries=libraries,
        notes=NOTES,
        columns=COLUMNS,
    )
    print(f"\nwritten to {written}")


if __name__ == "__main__":
    main()
