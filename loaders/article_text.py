"""The text of an article whose elements have the names of JATS: sections and in-text citations.

Readers of other formats rename their elements, or build the tree from paragraphs and spans. So a
paper has the same sections, positions, sentences and ranges, whatever its format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from citescape.core.types import Losses, Occurrence, Section
from citescape.loaders.jats_body import BodyReader
from citescape.loaders.jats_index import index_article
from citescape.loaders.jats_pointers import Pointers
from citescape.loaders.jats_references import ReferenceList


@dataclass(frozen=True, slots=True)
class ArticleText:
    """Sections, citations and losses of one article."""

    sections: tuple[Section, ...]
    occurrences: tuple[Occurrence, ...]
    losses: Losses


def read_article_text(
    article: etree._Element,
    references: ReferenceList,
    *,
    notes: Mapping[str, int],
    contexts: bool = True,
) -> ArticleText:
    """Reads the text of an article; its tree cannot be used afterwards.

    Args:
        article: `front/article-meta/abstract`, `body`, `back`, `floats-group`, any of which may be
            missing; pointers are `xref` with `ref-type="bibr"` and the ids of references as `rid`.
        references: the reference list.
        notes: oddities of the article by name; those of the text are added.
        contexts: read the sentences of citations; if False they are empty.
    """
    pointers = Pointers(index_article(article), references.targets)
    body = BodyReader(pointers, references.numbering, contexts=contexts).read(article)
    counted = {**notes, "cut-contexts": body.cut_contexts}
    losses = pointers.losses({name: count for name, count in counted.items() if count})
    return ArticleText(body.sections, tuple(body.occurrences), losses)
