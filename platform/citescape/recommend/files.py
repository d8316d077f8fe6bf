"""Folders in the format of HAtten and SymTax: `contexts.json`, `papers.json`, lists of splits.

Each entry of `contexts.json` is a sentence and one work that it cites. A split lists contexts with
the works that count for them. All files may be compressed (`.json.gz`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import count, groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, SourceError
from citescape.core.files import sync
from citescape.core.outputs import watch_output
from citescape.recommend.contexts import COLUMNS, TEXT, Contexts, read_split
from citescape.recommend.file_records import (
    ContextEntry,
    escape,
    make_table,
    read_entries,
    read_papers,
)
from citescape.recommend.library import Library
from citescape.recommend.masking.mask import OTHER, TARGET

CONTEXTS, PAPERS = "contexts", "papers"
TRAINING, VALIDATION, TEST = SPLITS = ("train", "val", "test")
_ROWS = 10_000
"""Rows converted to Python objects at a time."""

EntryIds = dict[tuple[str, str], str]
"""(context, work) -> id of the entry in `contexts.json`."""


def is_library_folder(folder: Path) -> bool:
    """Whether a folder has the files of this format."""
    return all(_look_up(folder, name) is not None for name in (PAPERS, CONTEXTS))


def read_library_folder(folder: Path) -> tuple[Library, dict[str, Contexts]]:
    """Papers and contexts of a folder, and its splits; contexts have their texts.

    A context of several works has one text for each: that of the work's own entry
    (`citing_cited_k` with the same k) if it has the same sentence, else that of the context's id.
    Dates are those of `date` or `year`; papers of the ACL Anthology have their year in the id. HTML
    entities are resolved; unprintable characters become blanks.

    Records that do not have the format are skipped, and so are works of contexts that are not
    papers of the folder; `Library.skipped` lists them.

    Returns:
        The library, whose contexts are those of all splits and then entries that no split uses;
        split -> its contexts.

    Raises:
        SourceError: a file does not have the format, no record of a file can be read, or no
            context of any split is left; the message names the file.
    """
    skipped: list[str] = []
    papers = read_papers(_find(folder, PAPERS), skipped)
    entries = read_entries(_find(folder, CONTEXTS), skipped)
    paths = {name: path for name in SPLITS if (path := _look_up(folder, name))}
    if not paths:
        raise SourceError(str(folder), "no-splits", "expected one or more of train.json, val.json, "
                          "test.json (or .json.gz); found none")  # fmt: skip
    citing = {id_: entry.citing for id_, entry in entries.items()}
    known = papers["id"].combine_chunks()
    used: set[str] = set()
    splits = {}
    for name, path in paths.items():
        split = _keep_known(read_split(path, citing, skipped=skipped), known, path, skipped=skipped)
        splits[name] = _add_texts(split, entries, used=used)
    if not any(map(len, splits.values())):
        raise SourceError(str(folder), "no-contexts", f"no context is left; {skipped[-1]}")
    rest = [(id_, *entry) for id_, entry in entries.items() if id_ not in used]
    tables = [
        *(split.pairs for split in splits.values()),
        make_table(rest, (*COLUMNS, TEXT)),
    ]
    library = Library(papers, Contexts(pa.concat_tables(tables)), skipped=tuple(skipped))
    return library, splits


def write_library_folder(folder: Path, library: Library, splits: Mapping[str, Contexts]) -> None:
    """Writes `contexts.json`, `papers.json` and a list for each split.

    Each sentence is an entry of `contexts.json` for each work it cites, with the id
    `citing_cited_k`; k numbers the sentences of a citing paper. In `train.json` each entry is a
    context with its one work. In the other splits a sentence is one context, named after the entry
    of its first work, with all its works in the split: it is one query when it is read again. All
    files are first written under temporary names; if one cannot be written, none changes.

    Args:
        folder: created if missing.
        library: papers and contexts.
        splits: name of `SPLITS` -> contexts of the library.

    Raises:
        ConfigError: a split has another name, or contexts outside the library; the folder cannot be
            written, or has another split.
    """
    if set(splits).difference(SPLITS):
        raise ConfigError(f"found splits {', '.join(splits)}; expected some of {', '.join(SPLITS)}")
    ids = _name_entries(library.contexts)
    texts: dict[str, Iterable[str]] = {
        CONTEXTS: _format("{}", _make_entries(library.contexts, ids)),
        PAPERS: _format("{}", _make_papers(library.papers)),
    }
    for split, contexts in splits.items():
        texts[split] = _format("[]", _make_split(contexts, ids, split))
    _write_files(folder, texts)


def _look_up(folder: Path, name: str) -> Path | None:
    paths = (folder / f"{name}{suffix}" for suffix in (".json", ".json.gz"))
    return next((path for path in paths if path.is_file()), None)


def _find(folder: Path, name: str) -> Path:
    path = _look_up(folder, name)
    if path is None:
        raise SourceError(
            str(folder), "no-file", f"expected {name}.json or {name}.json.gz; found neither"
        )
    return path


def _add_texts(split: Contexts, entries: Mapping[str, ContextEntry], *, used: set[str]) -> Contexts:
    """A split with the text of each row; adds the ids of the entries to `used`."""
    texts = []
    for row in split.pairs.to_pylist():
        id_, entry = row["context"], entries[row["context"]]
        if row["cited"] != entry.cited:
            number = id_.rpartition("_")[2]
            own = f"{row['citing']}_{row['cited']}_{number}"
            sibling = entries.get(own)
            if sibling and sibling.text.replace(TARGET, OTHER) == entry.text.replace(TARGET, OTHER):
                id_, entry = own, sibling
        used.update((id_, row["context"]))
        texts.append(entry.text)
    return Contexts(split.pairs.append_column(TEXT, pa.array(texts, pa.string())))


def _keep_known(
    split: Contexts, known: pa.StringArray, path: Path, *, skipped: list[str]
) -> Contexts:
    """The rows of a split whose papers are known, the first of each context and work.

    Adds a message to `skipped` for each row that is left out.
    """
    pairs = split.pairs.append_column("row", pa.array(range(split.pairs.num_rows), pa.int64()))
    citing, cited = (pc.is_in(pairs[name], value_set=known) for name in ("citing", "cited"))
    unknown = pc.if_else(cited, pa.scalar(None, pa.string()), pairs["cited"])
    pairs = pairs.append_column("unknown", pc.if_else(citing, unknown, pairs["citing"]))
    valid = pairs.filter(pc.is_null(pairs["unknown"]))
    first = valid.group_by(["context", "cited"]).aggregate([("row", "min")])["row_min"]
    kept = pc.is_in(pairs["row"], value_set=first.combine_chunks())
    for row in pairs.filter(pc.invert(kept)).to_pylist():
        problem = "one work twice"
        if row["unknown"] is not None:
            problem = f"{row['unknown']!r}, which is not a paper of {PAPERS}.json"
        skipped.append(f"{path}, {row['context'][:80]!r}: found {problem}")
    return split.filter(kept)


def _name_entries(contexts: Contexts) -> EntryIds:
    """Ids of entries; the sentences of a paper are numbered in the order of their contexts' ids."""
    columns = (contexts.pairs[name].to_pylist() for name in ("citing", "context", "cited"))
    rows = sorted(set(zip(*columns, strict=True)))
    ids: EntryIds = {}
    used: set[str] = set()
    for citing, of_paper in groupby(rows, key=lambda row: row[0]):
        numbers = count()
        for context, of_context in groupby(of_paper, key=lambda row: row[1]):
            works = [row[2] for row in of_context]
            for number in numbers:  # ids that contain `_` may give another pair the same name
                names = [f"{citing}_{work}_{number}" for work in works]
                if used.isdisjoint(names):
                    break
            used.update(names)
            ids.update({(context, work): name for work, name in zip(works, names, strict=True)})
    return ids


def _iterate_rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=_ROWS):
        yield from batch.to_pylist()


def _make_entries(contexts: Contexts, ids: EntryIds) -> Iterator[str]:
    for row in _iterate_rows(contexts.pairs):
        id_ = ids[row["context"], row["cited"]]
        fields = {"context_id": id_, "citing_id": row["citing"], "refid": row["cited"]}
        yield f"{_dump(id_)}: {_dump({'masked_text': escape(row[TEXT]), **fields})}"


def _make_papers(papers: pa.Table) -> Iterator[str]:
    for row in _iterate_rows(papers):
        fields = {name: escape(row[name]) for name in ("title", "abstract")}
        fields |= {"date": row["date"]} if row["date"] else {}
        yield f"{_dump(row['id'])}: {_dump(fields)}"


def _make_split(contexts: Contexts, ids: EntryIds, split: str) -> Iterator[str]:
    """Entries of a split's list, in the order of its rows."""
    works: dict[str, list[str]] = {}
    for row in _iterate_rows(contexts.pairs.select(["context", "cited"])):
        works.setdefault(row["context"], []).append(row["cited"])
    for context, cited in works.items():
        if any((context, work) not in ids for work in cited):
            raise ConfigError(f"{split}: found {context!r}; expected contexts of the library only")
        for positives in [[work] for work in cited] if split == TRAINING else [cited]:
            yield _dump({"context_id": ids[context, positives[0]], "positive_ids": positives})


def _format(brackets: str, entries: Iterable[str]) -> Iterator[str]:
    """JSON of an object or a list, one entry per line."""
    before = f"{brackets[0]}\n"
    for entry in entries:
        yield f"{before}{entry}"
        before = ",\n"
    yield f"\n{brackets[1]}\n" if before == ",\n" else f"{brackets}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_files(folder: Path, texts: Mapping[str, Iterable[str]]) -> None:
    """Writes all files under temporary names, then renames them."""
    stale = [path for name in SPLITS if name not in texts and (path := _look_up(folder, name))]
    if stale:
        raise ConfigError(f"{stale[0]} is of another set of contexts; expected a folder without it")
    temporary = {name: folder / f".{name}.json.part" for name in texts}
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, pieces in texts.items():
                stack.callback(temporary[name].unlink, missing_ok=True)
                with temporary[name].open("w", encoding="utf-8") as file:
                    file.writelines(pieces)
                sync(temporary[name])
            for name, part in temporary.items():
                part.replace(folder / f"{name}.json")
                watch_output(folder / f"{name}.json")
        except OSError as error:
            raise ConfigError(
                f"{folder} cannot be written: {error.strerror or error}; make room, or name a "
                "folder elsewhere"
            ) from error
