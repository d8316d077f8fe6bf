"""The Python reference: `citescape.open`, methods of a corpus, results and settings."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from page_markup import code, escape, table, to_markdown

import citescape
from citescape.corpus import Corpus
from citescape.runs.methods import Subgroup, list_members
from citescape.runs.result import Result
from citescape.runs.step import Settings, describe, read_texts

_HEAD = """# Python

`citescape.open(...)` gives a `Corpus`. Its methods run the same steps as the commands, with the
same settings, defaults and help. The public interface is this function, the names in
`citescape.__all__`, and the methods and properties on these pages; other modules may change.

```python
import citescape

with citescape.open("citescape.lbug") as corpus:
    corpus.status()
```
"""
_TOCTREE = "```{toctree}\n:hidden:\n\nresults\nsettings\n```"
Home = tuple[str, str]
"""Module and name of a class."""


def make_pages() -> dict[str, str]:
    """Pages by their path below `docs/`."""
    steps = list(_steps(Corpus, "corpus"))
    index = [_HEAD, _TOCTREE, "## Opening a corpus", _function(citescape.open, "citescape.open")]
    index += ["## A corpus", *_corpus(steps)]
    results = [
        "# Results",
        "What the methods of a corpus return. Every result prints what its command prints, shows"
        " itself in a notebook, and has the methods of `Result`.",
        _class(Result),
        *map(_class, _result_classes(steps)),
    ]
    settings = [
        "# Settings",
        "Dataclasses of settings and other names of the package.",
        *(_class(getattr(citescape, name)) for name in _setting_names()),
    ]
    return {
        "reference/python/index.md": "\n\n".join(index) + "\n",
        "reference/python/results.md": "\n\n".join(results) + "\n",
        "reference/python/settings.md": "\n\n".join(settings) + "\n",
    }


def _setting_names() -> list[str]:
    return [
        name
        for name in citescape.__all__
        if isinstance(getattr(citescape, name), type) and name != "Corpus"
    ]


def _steps(kind: type, prefix: str) -> Iterator[tuple[str, type]]:
    """Methods by their words (`corpus.train.graph`) with the class of the step."""
    for name, member in list_members(kind):
        words = prefix if name == "__call__" else f"{prefix}.{name}"
        if isinstance(member, Subgroup):
            yield from _steps(member.kind, words)
        else:
            yield words, member.step


def _corpus(steps: list[tuple[str, type]]) -> Iterator[str]:
    yield to_markdown(inspect.getdoc(Corpus) or "")
    own = [
        name
        for name, value in vars(Corpus).items()
        if inspect.isfunction(value) and not name.startswith("_") and not hasattr(value, "step")
    ]
    for name in own:
        yield _function(getattr(Corpus, name), f"corpus.{name}")
    yield "## Methods that run a step"
    for words, step in steps:
        yield _step_method(words, step)


def _directive(kind: str, signature: str, body: str) -> str:
    ticks = "`" * max(4, *(len(run) + 1 for run in re.findall(r"`+", body) or [""]))
    return f"{ticks}{{py:{kind}}} {signature}\n\n{body}\n{ticks}"


def _step_method(words: str, step: type) -> str:
    given, rows = [], []
    for item in describe(step):
        if item.default is MISSING:
            given.append(item.name)
            default = "required"
        else:
            given.append(f"{item.name}={_value(item.default)}")
            default = escape(item.setting.default) or code(_value(item.default))
        rows.append((code(item.name), _type(item), default, escape(item.help)))
    result = " | ".join(name for _, name in _returns(step))
    body = to_markdown(inspect.getdoc(step) or "")
    if rows:
        body += "\n\n" + table(("setting", "type", "default", "meaning"), rows)
    command = words.removeprefix("corpus.").replace(".", " ").replace("_", "-")
    top = command.split()[0]
    anchor = f"platform-{command.replace(' ', '-')}"
    link = f"[`platform {command}`](../commands/{top}.md#{anchor})"
    body += f"\n\nReturns {code(result)}. Command: {link}."
    return _directive("method", f"{words}({', '.join(given)})", body)


def _type(item: Any) -> str:
    if item.choices:
        name = ", ".join(code(choice) for choice in item.choices)
    else:
        kind = item.type if inspect.isclass(item.type) else None
        name = {"Path": "path"}.get(kind.__name__, kind.__name__) if kind else "run"
    if item.pairs:
        return f"mapping of names to {name}"
    return f"one or several: {name}" if item.many else name


def _value(value: object) -> str:
    if isinstance(value, Path):
        return repr(str(value))
    return "..." if "object at" in repr(value) else repr(value)


def _returns(step: type) -> list[Home]:
    """The classes that `compute` returns, also where they are imported for type checkers only."""
    text = str(inspect.get_annotations(step.compute)["return"]).strip("\"'")  # type: ignore[attr-defined]
    homes = _imports(step.compute.__module__)  # type: ignore[attr-defined]
    return [
        (homes.get(name, step.compute.__module__), name)  # type: ignore[attr-defined]
        for name in (part.strip() for part in text.split("|"))
        if name.isidentifier()
    ]


@cache
def _imports(module: str) -> dict[str, str]:
    tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _result_classes(steps: list[tuple[str, type]]) -> list[type]:
    homes = sorted({home for _, step in steps for home in _returns(step)}, key=lambda home: home[1])
    found = [getattr(import_module(module), name) for module, name in homes]
    return [kind for kind in dict.fromkeys(found) if isinstance(kind, type)]


def _function(function: Any, words: str) -> str:
    parameters = []
    for one in inspect.signature(function).parameters.values():
        if one.name != "self":
            parameters.append(one.replace(annotation=inspect.Parameter.empty))
    signature = str(inspect.Signature(parameters))
    kind = "function" if words.startswith("citescape.") else "method"
    return _directive(kind, f"{words}{signature}", _document(inspect.getdoc(function) or ""))


def _document(text: str) -> str:
    """A docstring with sections `Args:` and `Raises:` as Markdown."""
    parts = re.split(r"^(Args|Raises|Returns|Yields):\n", text, flags=re.MULTILINE)
    out = [to_markdown(parts[0].strip())] if parts[0].strip() else []
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        indented, _, rest = body.partition("\n\n")
        out.append(f"**{title}**")
        if title in ("Args", "Raises"):
            items = re.findall(
                r"^(\w[\w.]*): (.+?)(?=^\w[\w.]*: |\Z)",
                textwrap.dedent(indented),
                re.MULTILINE | re.DOTALL,
            )
            out.append("\n".join(f"- {code(n)}: {escape(' '.join(t.split()))}" for n, t in items))
        else:
            out.append(to_markdown(textwrap.dedent(indented)))
        if rest.strip():
            out.append(to_markdown(rest))
    return "\n\n".join(out)


def _class(kind: type) -> str:
    parts = [_document(inspect.getdoc(kind) or "")]
    rows = list(_field_rows(kind)) if is_dataclass(kind) else []
    if rows:
        parts.append(table(("field", "default", "meaning"), rows))
    own = [name for base in (kind,) for name in vars(base) if not name.startswith("_")]
    for name in own:
        value = vars(kind)[name]
        if isinstance(value, property | cached_property):
            getter = value.fget if isinstance(value, property) else value.func
            doc = inspect.getdoc(getter) or ""
            if doc:
                parts.append(_directive("property", f"{kind.__name__}.{name}", _document(doc)))
        elif inspect.isfunction(value) and inspect.getdoc(value) and name != "summarise":
            signature = [
                one.replace(annotation=inspect.Parameter.empty)
                for one in inspect.signature(value).parameters.values()
                if one.name != "self"
            ]
            words = f"{kind.__name__}.{name}{inspect.Signature(signature)}"
            parts.append(_directive("method", words, _document(inspect.getdoc(value) or "")))
    # Members are after the class, not within it, so that fences of one depth suffice.
    head, *members = parts if not rows else [f"{parts[0]}\n\n{parts[1]}", *parts[2:]]
    return "\n\n".join([f"## {kind.__name__}", _directive("class", kind.__name__, head), *members])


def _field_rows(kind: type) -> Iterator[tuple[str, str, str]]:
    if issubclass(kind, Settings):
        for item in describe(kind):
            default = "required" if item.default is MISSING else code(_value(item.default))
            yield code(item.name), default, escape(item.help)
        return
    texts = read_texts(kind)
    for item in fields(kind):
        if item.name.startswith("_"):
            continue
        value = item.default if item.default_factory is MISSING else item.default_factory()
        default = "" if value is MISSING else code(_value(value))
        yield code(item.name), default, escape(texts.get(item.name, ""))
