"""Answers of the explorer: single calls, and 50 users at once.

    python benchmarks/explorer.py            120,000 and 1,000,000 papers, ten minutes
    python benchmarks/explorer.py --quick    12,000 papers, results not kept

One paper in 50 has a full text with some 60 references; works are cited by a law of Zipf. `platform
serve` runs as users start it. Each user searches a paper while typing (three searches), opens it,
and reads five citations, with pauses of two seconds on average between two clicks. The program that
plays the users runs on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import measure
import numpy as np

SIZES = (120_000, 1_000_000)
USERS, SESSIONS = 50, 2
"""Users at once; papers that each of them opens."""
PAUSE = 2.0
"""Mean seconds between two clicks of a user."""
REPEATS = 40
"""Single calls, each with another paper."""
FULLTEXTS, REFERENCES = 1 / 50, 60
WORDS = 5_000
NOTES = (
    "Single calls follow each other without pause, each about another paper, so that no answer "
    "is kept from before. `users` are all calls of 50 users at once. Memory is that of the server "
    "after its users; the start includes the snapshot."
)
COLUMNS = {
    "papers": "papers",
    "citations": "citations",
    "call": "call",
    "calls": "calls",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "max_ms": "max ms",
    "server_mb": "server MB",
    "start_seconds": "start s",
}
Row = dict[str, Any]


def write_store(path: Path, papers: int) -> None:
    """A scored store of generated papers."""
    import pyarrow as pa

    import citescape
    from citescape.store.graph_store import Change, open_store
    from citescape.store.schema import TABLE

    with closing(open_store(str(path))) as store:
        for name, columns in make_tables(papers).items():
            schema = TABLE[name].arrow
            rows = len(next(iter(columns.values())))
            empty = {field.name: pa.nulls(rows, field.type) for field in schema}
            store.apply([Change("insert", name, pa.table(empty | columns).cast(schema))])
    with citescape.open(path) as corpus:
        corpus.score(features="I,R,D", weights="uniform")


def make_tables(papers: int) -> dict[str, dict[str, Any]]:
    """Tables of the store, and their columns that are not null."""
    import pyarrow as pa

    chance = np.random.default_rng(0)
    words = np.array([make_word(number) for number in range(WORDS)])
    ids = pa.array([f"doi:10.5555/{number}" for number in range(papers)])
    titles = [" ".join(row) for row in words[chance.integers(0, WORDS, (papers, 9))]]
    names = words[chance.integers(0, WORDS, (papers, 3))].tolist()
    citing, cited = draw_citations(chance, papers)
    texts = make_texts(chance, words, ids, citing, cited)
    described = {
        "id": ids,
        "title": titles,
        "year": chance.integers(1980, 2026, papers),
        "surnames": names,
        "venue": words[chance.integers(0, 200, papers)],
        "fulltext": np.arange(papers) < int(papers * FULLTEXTS),
    }
    cites = {"from": ids.take(pa.array(citing)), "to": ids.take(pa.array(cited))}
    return {"Paper": described, **texts, "CITES": cites}


def draw_citations(chance: np.random.Generator, papers: int) -> tuple[Any, Any]:
    """Places of citing and cited papers (citations,), each pair once."""
    citing = np.repeat(np.arange(int(papers * FULLTEXTS)), REFERENCES)
    cited = np.minimum(chance.zipf(1.3, len(citing)) * 7 % papers, papers - 1)
    other = citing != cited
    citing, cited = np.divmod(np.unique(citing[other] * papers + cited[other]), papers)
    return citing, cited


def make_texts(
    chance: np.random.Generator, words: Any, ids: Any, citing: Any, cited: Any
) -> dict[str, dict[str, Any]]:
    """Sections and sentences of citations, at least one of each, and the edges around them.

    Args:
        chance: random numbers.
        words: vocabulary.
        ids: ids of all papers.
        citing: (citations,) places of citing papers.
        cited: (citations,) places of cited papers.
    """
    import pyarrow as pa

    counts = chance.poisson(0.6, (len(citing), 4))
    counts[:, 0] += counts.sum(1) == 0
    pair = np.repeat(np.arange(len(citing)), counts.sum(1))  # (mentions,)
    mentioned = citing[pair] * 4 + np.concatenate([np.repeat(np.arange(4), row) for row in counts])
    sections = np.unique(mentioned)  # 4 x paper + type
    section_ids = pa.array([f"{ids[key // 4]}#{key % 4}" for key in sections.tolist()])
    occurrences = pa.array([f"o{number}" for number in range(len(pair))])
    compared = words[chance.integers(0, WORDS, (len(pair), 3))].tolist()
    sentence = "We compare {} with {} under {} as reported before [{}]."
    return {
        "Section": {
            "id": section_ids,
            "title": np.array(["Introduction", "Methods", "Results", "Discussion"])[sections % 4],
            "type": np.array(list("IMRD"))[sections % 4],
            "ordinal": sections % 4,
        },
        "Occurrence": {
            "id": occurrences,
            "ordinal": np.arange(len(pair)),
            "context": [sentence.format(*row, k % 60) for k, row in enumerate(compared)],
            "position": chance.random(len(pair)),
        },
        "HAS_SECTION": {"from": ids.take(pa.array(sections // 4)), "to": section_ids},
        "CONTAINS": {
            "from": section_ids.take(pa.array(np.searchsorted(sections, mentioned))),
            "to": occurrences,
        },
        "REFERS_TO": {"from": occurrences, "to": ids.take(pa.array(cited[pair]))},
    }


def make_word(number: int) -> str:
    """A word of five letters or more."""
    letters = ""
    for _ in range(3):
        number, rest = divmod(number, 17)
        letters += "bcdfghjklmnprstvz"[rest] + "aeiou"[(rest + number) % 5]
    return letters


@contextmanager
def serve(store: Path) -> Iterator[tuple[subprocess.Popen[str], str, float]]:
    """The process of a server, its address with the token, and seconds until it answers."""
    begun = time.perf_counter()
    program = [sys.executable, "-m", "citescape.cli.main", "serve", "--no-open", "--port", "0"]
    process = subprocess.Popen(
        [*program, "--json", "--store", str(store)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout
        state = json.loads(process.stdout.readline())
        yield process, state["address"], time.perf_counter() - begun
    finally:
        process.terminate()
        if status := process.wait():
            print(f"the server ended with status {status}", file=sys.stderr)


class User:
    """A browser's session."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.times: dict[str, list[float]] = {}

    async def call(self, step: str, **settings: Any) -> Any:
        """The answer of a step; its time is kept."""
        begun = time.perf_counter()
        answer = await self.client.post(f"/api/{step}", json=settings)
        self.times.setdefault(step, []).append(1000 * (time.perf_counter() - begun))
        answer.raise_for_status()
        return answer.json()

    async def explore(self, paper: int, chance: np.random.Generator) -> None:
        """Searches a paper, opens it, and reads five of its citations."""
        word = make_word(int(chance.integers(0, WORDS)))
        for letters in (3, 4, 6):
            await self.call("find", text=word[:letters], limit=8)
            await asyncio.sleep(0.15)
        await asyncio.sleep(chance.exponential(PAUSE))
        around = await self.call("neighbours", papers=[f"doi:10.5555/{paper}"], limit=300)
        for edge in around["citations"][:5]:
            await asyncio.sleep(chance.exponential(PAUSE))
            await self.call("explain", citing=edge["citing"], cited=edge["cited"])


async def connect(address: str) -> httpx.AsyncClient:
    """A client that has opened the printed address."""
    origin = address.partition("/?")[0]
    headers = {"X-Citescape": "1"}
    client = httpx.AsyncClient(base_url=origin, headers=headers, follow_redirects=True, timeout=120)
    (await client.get(address)).raise_for_status()
    return client


async def measure_single(address: str, full: int) -> dict[str, list[float]]:
    """Times of calls one after the other; the first search reads the catalogue."""
    user, chance = User(await connect(address)), np.random.default_rng(1)
    await user.call("find", text="first", limit=8)
    first = user.times.pop("find")
    for paper in chance.choice(full, REPEATS, replace=False).tolist():
        await user.call("find", text=make_word(int(chance.integers(0, WORDS)))[:5], limit=8)
        around = await user.call("neighbours", papers=[f"doi:10.5555/{paper}"], limit=300)
        edge = around["citations"][0]
        await user.call("explain", citing=edge["citing"], cited=edge["cited"])
    await user.client.aclose()
    return {"first find": first, **user.times}


async def measure_users(address: str, full: int) -> list[float]:
    """Times of all calls of 50 users at once."""
    chance = np.random.default_rng(2)
    users = [User(await connect(address)) for _ in range(USERS)]
    papers = chance.choice(full, USERS * SESSIONS, replace=False).reshape(USERS, SESSIONS)

    async def live(user: User, own: Sequence[int], seed: int) -> None:
        draws = np.random.default_rng(seed)
        await asyncio.sleep(draws.random() * PAUSE)
        for paper in own:
            await user.explore(paper, draws)

    await asyncio.gather(
        *(live(user, papers[seed].tolist(), seed) for seed, user in enumerate(users))
    )
    return [time for user in users for times in user.times.values() for time in times]


def measure_size(papers: int, folder: Path) -> list[Row]:
    """Rows of one size."""
    from citescape.store.graph_store import open_store

    store = folder / f"{papers}.lbug"
    write_store(store, papers)
    with closing(open_store(str(store), read_only=True)) as opened:
        count = opened.read("MATCH (:Paper)-[c:CITES]->(:Paper) RETURN count(*) AS n")
    full = int(papers * FULLTEXTS)
    with serve(store) as (process, address, started):
        times = asyncio.run(measure_single(address, full))
        times["users"] = asyncio.run(measure_users(address, full))
        memory = sum(map(measure._share_mb, measure._family(process.pid)))
    rows: list[Row] = []
    for call, values in times.items():
        last = {"server_mb": round(memory), "start_seconds": round(started, 1)}
        rows.append(
            {
                "papers": papers,
                "citations": count["n"][0].as_py(),
                "call": call,
                "calls": len(values),
                "p50_ms": round(float(np.percentile(values, 50)), 1),
                "p95_ms": round(float(np.percentile(values, 95)), 1),
                "max_ms": round(max(values), 1),
                **(last if call == "users" else {}),
            }
        )
        print(rows[-1], flush=True)
    store.unlink()
    return rows


def main() -> None:
    """Measures all sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="12,000 papers; results not kept")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            row
            for papers in ((12_000,) if quick else SIZES)
            for row in measure_size(papers, Path(folder))
        ]
    if not quick:
        libraries = ["ladybug", "pyarrow", "starlette", "uvicorn"]
        measure.write_results("explorer", rows, libraries=libraries, columns=COLUMNS, notes=NOTES)


if __name__ == "__main__":
    main()
