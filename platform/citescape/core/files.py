"""Atomic writes of files: written under another name, synced to disk, renamed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from citescape.core.errors import ConfigError
from citescape.core.outputs import watch_output

Part = TypeVar("Part")


def name_files(out: Path, parts: Mapping[str, Part]) -> dict[Path, Part]:
    """The files of a format: the given name without any of their suffixes, plus each suffix.

    `crops` and `crops.net` both give `crops.net`, `crops-year.vec` and so on.
    """
    ends = sorted((*parts, *(Path(end).suffix for end in parts)), key=len, reverse=True)
    end = next((end for end in ends if out.name.endswith(end) and out.name != end), "")
    base = out.name.removesuffix(end)
    return {out.with_name(base + end): part for end, part in parts.items()}


def check_folder(out: Path) -> None:
    """Checks before the work that files can be created there.

    Raises:
        ConfigError: there is no such folder, or nothing can be written in it.
    """
    folder = out.parent
    if out.is_dir() or not out.name:
        raise ConfigError(f"{out} is a folder; expected the name of a file")
    if not folder.is_dir():
        raise ConfigError(f"no folder {folder} for {out.name}; create it, or name another")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError(f"cannot write in {folder}; name a file in another folder")


def check_absent(files: Sequence[Path]) -> None:
    """Refuses to overwrite existing files.

    Raises:
        ConfigError: a file exists.
    """
    there = next((path for path in files if path.exists()), None)
    if there:
        raise ConfigError(f"{there} exists; name another file, or add --force to replace it")


def find_strays(files: Sequence[Path], suffix: str, varying: Sequence[str]) -> list[Path]:
    """Earlier files beside the new ones that seem to belong to them.

    Args:
        files: the new files; the name of the first one ends with `suffix`.
        suffix: suffix of the first file.
        varying: suffixes of files that a format writes only where there is something for them.
    """
    base = files[0].name.removesuffix(suffix)
    own = [path.name for path in files]
    beside = sorted(files[0].parent.iterdir())
    alike = [path for path in beside if path.name.startswith(f"{base}-") and path.name not in own]
    return [path for path in alike if path.suffix in varying]


def write_files(files: Mapping[Path, Callable[[BinaryIO], object]]) -> dict[Path, int]:
    """Writes all files under other names, then renames them; returns their sizes in bytes.

    Args:
        files: path -> function that writes its content.

    Raises:
        ConfigError: the disk is full, or nothing can be written there. What was written is removed;
            if several files were to be replaced, some may have been: the message says so.
        OutputError: another process deleted a file at once.
    """
    for path in files:
        if path.exists() and not path.is_file():
            raise _not_written(path, "it exists and is not a regular file")
    sizes: dict[Path, int] = {}
    asides = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    with ExitStack() as left:
        for path, aside in asides.items():
            left.callback(_remove, aside)
            try:
                with aside.open("wb", buffering=1 << 20) as sink:
                    files[path](sink)
                sync(aside)
                sizes[path] = aside.stat().st_size
            except OSError as error:
                raise _not_written(path, error.strerror or str(error)) from error
        for done, (path, aside) in enumerate(asides.items()):
            try:
                aside.replace(path)
            except OSError as error:
                raise _not_written(path, error.strerror or str(error), [*files][:done]) from error
            watch_output(path)
    sync(next(iter(files)).parent)
    return sizes


def _remove(aside: Path) -> None:
    with suppress(OSError):
        aside.unlink()


def _not_written(path: Path, reason: str, done: Sequence[Path] = ()) -> ConfigError:
    new = ", ".join(one.name for one in done)
    left = f"{new} written, the others not" if done else "nothing was left behind"
    return ConfigError(
        f"{path} cannot be written: {reason}; {left}: make room, or name a file elsewhere"
    )


def sync(path: Path) -> None:
    """Flushes a file or folder to disk (fsync)."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
