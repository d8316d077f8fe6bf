"""Files of loaded papers: which are up to date, and which replace others.

A paper has one current file, the source of its text. Other files with the same paper are its
copies: each path with its last hash. They are stored, so that loading two copies in turn has no
effect; a file that changes at the current path is always read again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import pyarrow as pa

from citescape.core.types import Identifiers

_IDS = Identifiers._fields


class LoadedFiles:
    """Files of the full texts in a store, updated while more are loaded."""

    def __init__(self, loaded: pa.Table, *, loaders: Collection[str]) -> None:
        """From rows of `ingest/known_files`; papers of loaders not in `loaders` are read again."""
        self._ids: list[str] = loaded["id"].to_pylist()
        self._rows = {paper: row for row, paper in enumerate(self._ids)}
        self._known = {name: loaded[name].to_pylist() for name in (*_IDS, "key")}
        self._file = dict(
            zip(
                self._ids,
                zip(loaded["path"].to_pylist(), loaded["sha256"].to_pylist(), strict=True),
                strict=True,
            )
        )
        self._copies = {
            paper: dict(zip(paths, hashes, strict=True))
            for paper, paths, hashes in zip(
                self._ids,
                loaded["copy_paths"].to_pylist(),
                loaded["copy_sha256"].to_pylist(),
                strict=True,
            )
            if paths
        }
        self._at = {path: paper for paper, (path, _) in self._file.items()}
        self._loader: dict[str, str] = dict(
            zip(self._ids, loaded["loader"].to_pylist(), strict=True)
        )
        self._paper_of_hash: dict[str, str] = {}
        for paper, version in self._loader.items():
            if version in loaders:
                for sha256 in (*self._copies.get(paper, {}).values(), self._file[paper][1]):
                    self._paper_of_hash[sha256] = paper

    def find(self, path: str, sha256: str) -> str | None:
        """The paper of a document, if it was loaded from it or from a copy."""
        paper = self._paper_of_hash.get(sha256)
        if paper is None or self.is_current(paper, sha256):
            return paper
        return paper if path != self._file[paper][0] else None

    def is_current(self, paper: str, sha256: str) -> bool:
        """Whether the paper's text is that of a file with this hash."""
        return paper in self._file and self._file[paper][1] == sha256

    def loader(self, paper: str) -> str:
        """Loader of the paper; empty if it is not loaded."""
        return self._loader.get(paper, "")

    def path(self, paper: str) -> str:
        """The current path of a paper that is loaded."""
        path: str = self._file[paper][0]
        return path

    def with_path(self, start: str) -> Iterator[str]:
        """The papers whose current path begins with `start`."""
        return (paper for paper, (path, _) in self._file.items() if path.startswith(start))

    def with_id(self, start: str) -> Iterator[tuple[str, str]]:
        """Id and current path of the papers whose id begins with `start`."""
        return ((paper, file[0]) for paper, file in self._file.items() if paper.startswith(start))

    def replace(self, paper: str, path: str, sha256: str, *, loader: str) -> None:
        """Makes a file the current one of its paper; the previous one becomes a copy.

        Args:
            paper: id of the paper.
            path: path of the file.
            sha256: hash of its bytes.
            loader: name and version of the loader.
        """
        self._loader[paper] = loader
        before = self._file.get(paper)
        self._file[paper] = (path, sha256)
        if before is not None:
            self.add_copy(paper, *before)
        self._copies.get(paper, {}).pop(path, None)

    def add_copy(self, paper: str, path: str, sha256: str) -> None:
        """Keeps another file of a paper as a copy.

        Args:
            paper: id of the paper.
            path: path of the other file.
            sha256: hash of its bytes.
        """
        current, same = self._file[paper]
        if path != current and sha256 != same:
            self._copies.setdefault(paper, {})[path] = sha256

    def copies(self, paper: str) -> list[tuple[str, str]]:
        """Path and hash of every copy, by path."""
        return sorted(self._copies.get(paper, {}).items())

    def earlier_version(self, paper: Mapping[str, str | None]) -> str | None:
        """The full text that a paper replaces under another id, for example from before its DOI.

        Both have the same path, no id of the two differs, and they share one or the title.
        """
        path = paper["path"] or ""
        old = self._at.get(path)
        if old is None or old == paper["id"] or self._file.get(old, ("",))[0] != path:
            return None
        before = {name: values[self._rows[old]] for name, values in self._known.items()}
        both = [name for name in before if before[name] and paper[name]]
        if any(before[name] != paper[name] for name in both if name != "key"):
            return None
        return old if any(before[name] == paper[name] for name in both) else None
