"""Damaged documents of every format: read, or rejected with a reason; never an error of a loader.

    python benchmarks/mutations.py                   100,000 documents, a quarter of an hour
    python benchmarks/mutations.py --quick           2,400 documents, results not kept
    python benchmarks/mutations.py --only TEI --seed 7 --keep faults/
                                                     one format; documents that fail are kept

Documents of the crops corpus in each format, and the real files of other formats, are cut,
repeated, mixed and filled with hostile bytes. Exits with 1 if any of them ends in an error other
than a rejection, or takes over a minute.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import jats
import measure
from lxml import etree
from source_articles import Article, Counts
from sources import FORMATS, read_corpus

DOCUMENTS = 100_000
SEEDS = 20
"""Every n-th paper of the crops corpus is damaged."""
SECONDS = 60
"""Most seconds for one document."""
MOST = 4
"""Most mutations of a document."""
NOTES = (
    "Half of the documents stay well-formed: elements and values are removed, repeated, moved, "
    "renamed, replaced by others or by other types. Of the others bytes are changed: cut off, "
    "spans removed, repeated or exchanged, bytes overwritten, numbers and names replaced, texts "
    "emptied, deep nesting, entities, bytes that are no UTF-8; of a tenth both. They are read as "
    "`platform ingest` reads them, up to Arrow tables. `faults` are errors other than a rejection "
    "with a reason, and documents that take over a minute."
)
COLUMNS = {
    "format": "format",
    "documents": "documents",
    "loaded": "loaded",
    "rejected": "rejected",
    "reasons": "reasons, the most frequent first",
    "faults": "faults",
    "slowest_ms": "slowest ms",
    "cpu_seconds": "CPU s",
    "peak_mb": "peak MB",
}
NAMES = (
    *("JATS", "TEI", "S2ORC, release 2019", "S2ORC, doc2json", "S2ORC, data set", "unarXive"),
    *("PubMed", "Crossref", "OpenAlex", "S2AG, API", "Scopus", "Web of Science"),
)
_HOSTILE = (
    *(b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\xc0\xaf"),
    *("\u202e".encode(), "\u0000".encode(), b"\\ud800", b"&#xd800;", b"&#0;", b"&nbsp;", b"]]>"),
    *(b"<!--", b"<![CDATA[", b"<?x", b"{}", b"[]", b"null", b"1e999", b"NaN", b'"', b"\\", b"\n"),
)
_DOCTYPE = (
    b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]>'
)
_NUMBERS = (b"0", b"-1", b"99999999999999999999999", b"1.5", b"1e400", b"00", b"2147483648")
_NUMBER, _TOKEN, _TEXT = (
    re.compile(pattern) for pattern in (rb"\d+", rb"[A-Za-z_]{2,}", rb'(?<=[>"])[^<"]{2,}(?=[<"])')
)
Mutation = Callable[[bytes, random.Random], bytes]


def _span(data: bytes, chance: random.Random, most: int = 2_000) -> tuple[int, int]:
    """Begin and end of some bytes."""
    begin = chance.randrange(len(data) + 1)
    return begin, min(len(data), begin + chance.randint(1, most))


def _replace(pattern: re.Pattern[bytes], data: bytes, chance: random.Random, new: bytes) -> bytes:
    """The data with one match of a pattern replaced."""
    found = list(pattern.finditer(data, chance.randrange(len(data) + 1)))[:50]
    if not found:
        return data
    match = chance.choice(found)
    return data[: match.start()] + new + data[match.end() :]


def cut(data: bytes, chance: random.Random) -> bytes:
    """The first bytes."""
    return data[: chance.randrange(len(data) + 1)]


def remove(data: bytes, chance: random.Random) -> bytes:
    """Without a span."""
    begin, end = _span(data, chance)
    return data[:begin] + data[end:]


def repeat(data: bytes, chance: random.Random) -> bytes:
    """With a span several times."""
    begin, end = _span(data, chance)
    return data[:end] + data[begin:end] * chance.randint(1, 50) + data[end:]


def exchange(data: bytes, chance: random.Random) -> bytes:
    """With two spans in each other's place."""
    (a, b), (c, d) = sorted((_span(data, chance), _span(data, chance)))
    if b > c:
        return data
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def overwrite(data: bytes, chance: random.Random) -> bytes:
    """With random bytes."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 20)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def insert(data: bytes, chance: random.Random) -> bytes:
    """With bytes that parsers dislike."""
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(_HOSTILE) + data[place:]


def renumber(data: bytes, chance: random.Random) -> bytes:
    """With another number."""
    return _replace(_NUMBER, data, chance, chance.choice(_NUMBERS))


def rename(data: bytes, chance: random.Random) -> bytes:
    """With a name or word in the place of another."""
    found = list(_TOKEN.finditer(data, chance.randrange(len(data) + 1)))[:50]
    return _replace(_TOKEN, data, chance, chance.choice(found)[0]) if found else data


def empty(data: bytes, chance: random.Random) -> bytes:
    """With an empty text."""
    return _replace(_TEXT, data, chance, b"")


def nest(data: bytes, chance: random.Random) -> bytes:
    """With deep nesting."""
    place, depth = chance.randrange(len(data) + 1), chance.choice((3, 50, 500, 5_000))
    begin, end = chance.choice(((b"<sec>", b"</sec>"), (b"[", b"]"), (b'{"a":', b"}")))
    inside = begin * depth + (end * depth if chance.random() < 0.7 else b"")
    return data[:place] + inside + data[place:]


def declare(data: bytes, chance: random.Random) -> bytes:
    """With entities, and a use of one."""
    at = data.find(b"?>") + 2 if data.startswith(b"<?xml") else 0
    place = chance.randrange(at, len(data) + 1) if at <= len(data) else at
    use = chance.choice((b"&c;", b"&d;", b"&e;"))
    return data[:at] + _DOCTYPE + data[at:place] + use + data[place:]


MUTATIONS: tuple[Mutation, ...] = (
    *(cut, remove, repeat, exchange, overwrite, insert),
    *(renumber, rename, empty, nest, declare),
)


_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1.5, "", " ", "0", "\u202e", [], {}, [[]], [None], {"": None}),
    *("x" * 100_000, [{}] * 1_000),
)


def alter_json(data: bytes, chance: random.Random) -> bytes:
    """JSON with other values, keys or types; the data if it is none."""
    try:
        root = json.loads(data)
    except ValueError:
        return data
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [root]
    while waiting:
        value = waiting.pop()
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in list(items):
            places.append((value, key))
            if isinstance(inner, dict | list):
                waiting.append(inner)
    for _ in range(chance.randint(1, MOST)):
        if not places:
            break
        owner, key = chance.choice(places)
        other, others = chance.choice(places)
        with suppress(IndexError, KeyError):  # an earlier change has removed it
            match chance.randrange(5):
                case 0:
                    owner[key] = chance.choice(_VALUES)
                case 1:
                    del owner[key]
                case 2:
                    owner[key] = other[others]
                case 3:
                    owner[key] = [owner[key]] * chance.randint(1, 20)
                case 4 if isinstance(owner, dict):
                    owner[str(others)] = owner.pop(key)
    try:
        return json.dumps(root).encode()
    except ValueError:  # a value holds itself
        return data


def alter_xml(data: bytes, chance: random.Random) -> bytes:
    """XML with elements removed, repeated, moved, renamed or emptied; the data if it is none."""
    try:
        root = etree.fromstring(data)
    except (etree.XMLSyntaxError, ValueError):
        return data
    elements = [element for element in root.iter(etree.Element) if element is not root]
    for _ in range(chance.randint(1, 2 * MOST)):
        if not elements:
            break
        element, other = chance.choice(elements), chance.choice(elements)
        parent = element.getparent()
        if parent is None:  # an earlier change has removed it
            continue
        match chance.randrange(7):
            case 0:
                parent.remove(element)
            case 1:
                for _ in range(chance.randint(1, 20)):
                    parent.append(deepcopy(element))
            case 2:
                other.append(deepcopy(element))
            case 3:
                element.tag = other.tag
            case 4:
                element.text = chance.choice(("", " ", "\u202e", "0", "x" * 100_000, other.text))
            case 5:
                for name in element.attrib:
                    element.attrib[name] = chance.choice(("", "0", "#", *other.attrib.values()))
            case 6:
                for name in list(element.attrib):
                    del element.attrib[name]
    altered: bytes = etree.tostring(root)
    return altered


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The data after some mutations: of its elements or values, of its bytes, or of both."""
    kind = chance.random()
    if kind < 0.6:
        data = (alter_json if data.lstrip()[:1] in (b"{", b"[") else alter_xml)(data, chance)
    if kind > 0.5:
        for _ in range(chance.randint(1, MOST)):
            data = chance.choice(MUTATIONS)(data, chance)
    return data


def write_jats(folder: Path, articles: Sequence[Article]) -> Counts:
    """The files of the articles, and real ones with harder markup."""
    for article in articles:
        (folder / f"{article.number}.nxml").write_bytes(article.jats)
    for path in (jats.ARCHIVE.parent / "formats").glob("*.nxml"):
        (folder / path.name).write_bytes(path.read_bytes())
    return len(articles), 0


REAL = {"TEI": "*.tei.xml", "S2ORC, doc2json": "[0-9N]*.json", "unarXive": "unarxive*"}
"""Format -> names of real files that are damaged too."""


def child(name: str, documents: int, seed: int, folder: Path, keep: str) -> None:
    """Reads damaged documents of one format."""
    from citescape.core.errors import SourceError
    from citescape.ingest.parse import report_row
    from citescape.ingest.tables import paper_id, paper_tables
    from citescape.loaders.document_formats import read_document
    from citescape.loaders.sources import iter_documents
    from citescape.loaders.text_limits import check_texts

    whole = [document.read() for document in iter_documents(sorted(folder.iterdir()))]
    chance = random.Random(f"{seed} {name}")
    reasons, faults, loaded, slowest = Counter[str](), Counter[str](), 0, 0.0

    def stop(*_: object) -> None:
        raise TimeoutError(f"over {SECONDS} s")

    signal.signal(signal.SIGALRM, stop)
    with measure.metered() as cost:
        for number in range(documents):
            data = mutate(chance.choice(whole), chance)
            begun = time.perf_counter()
            signal.alarm(SECONDS)
            try:
                paper = check_texts(read_document(data, f"{number}.document"))
                paper_tables([paper])
                report_row(paper, paper_id(paper))
                loaded += 1
            except SourceError as error:
                reasons[error.reason] += 1
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                faults[f"{type(error).__name__}: {error}"[:300]] += 1
                if keep:
                    Path(keep).mkdir(exist_ok=True)
                    Path(keep, f"{name} {seed} {number}".replace(", ", " ")).write_bytes(data)
            finally:
                signal.alarm(0)
            slowest = max(slowest, time.perf_counter() - begun)
    for text, count in faults.most_common():
        print(f"FAULT {name}: {count} x {text}", file=sys.stderr)
    measure.report(
        cost,
        documents=documents,
        loaded=loaded,
        rejected=reasons.total(),
        reasons=", ".join(f"{reason} {count:,}" for reason, count in reasons.most_common(4)),
        faults=faults.total(),
        kinds=dict(faults.most_common()),
        slowest_ms=round(1000 * slowest, 1),
    )


def measure_format(
    name: str, articles: Sequence[Article], documents: int, seed: int, keep: str
) -> measure.Row:
    """The row of a format."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write = write_jats if name == "JATS" else FORMATS[name].write
        write(folder, articles)
        for path in (jats.ARCHIVE.parent / "formats").glob(REAL.get(name, "none")):
            (folder / path.name).write_bytes(path.read_bytes())
        found = measure.run_alone(__file__, "--child", name, documents, seed, folder, keep)
    return {"format": name, **found}


def main() -> int:
    """Reads the documents of all formats, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="200 documents of each format")
    parser.add_argument("--only", nargs="+", choices=NAMES, help="formats; results not kept")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations")
    parser.add_argument("--keep", default="", metavar="FOLDER", help="for documents that fail")
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, documents, seed, folder, keep = options.child
        child(name, int(documents), int(seed), Path(folder), keep)
        return 0
    if not jats.ARCHIVE.exists():
        raise SystemExit(f"no {jats.ARCHIVE}; set CITESCAPE_DATA to the folder that holds it")
    sys.path.insert(0, str(Path(__file__).parents[1]))  # for the converters in tests
    articles = read_corpus(SEEDS)
    each = 200 if options.quick else -(-DOCUMENTS // len(NAMES))
    rows: list[measure.Row] = []
    for name in options.only or NAMES:
        rows.append(measure_format(name, articles, each, options.seed, options.keep))
        print(json.dumps(rows[-1]), flush=True)
    measure.print_table(rows, COLUMNS)
    faults: list[Any] = [row for row in rows if row["faults"]]
    if not options.quick and not options.only:
        libraries = ("lxml", "orjson", "pyarrow")
        path = measure.write_results(
            "mutations", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
