"""What labellers read of a graph of shards, and what they write."""

from __future__ import annotations

from citescape.text.abstracts.label import WRITTEN, SplitResult, split_abstracts
from citescape.text.abstracts.train import load_splitter
from citescape.text.intents.label import COUNTS, LabelledIntents
from citescape.text.intents.label import WRITTEN as WRITTEN_INTENTS
from citescape.text.intents.label import label as label_intents
from citescape.text.intents.model import resolve_model as load_intent_model
from citescape.text.sections.label import WRITTEN as WRITTEN_TYPES
from citescape.text.sections.label import LabelledSections
from citescape.text.sections.label import label as label_sections
from citescape.text.sections.model import resolve_model as load_section_model
from citescape.text.shards import Labeller

SECTIONS = Labeller(
    kind="sections",
    result=LabelledSections,
    load=load_section_model,
    label=label_sections,
    reads={
        "Paper": ("fulltext", "type"),
        "Section": (
            *("kind", "ordinal", "depth", "parent", "title", "words", "opening", "combined"),
            *WRITTEN_TYPES,
        ),
        "HAS_SECTION": (),
        "Occurrence": (),
        "CONTAINS": (),
    },
    writes={"Section": WRITTEN_TYPES},
    sized_by="Section",
    rows=20_000,
)
INTENTS = Labeller(
    kind="intents",
    result=LabelledIntents,
    load=load_intent_model,
    label=label_intents,
    reads={
        "Paper": ("fulltext",),
        "Section": ("title", "type"),
        "Occurrence": ("context", *WRITTEN_INTENTS),
        "HAS_SECTION": (),
        "CONTAINS": (),
        "REFERS_TO": (),
        "CITES": COUNTS,
    },
    writes={"Occurrence": WRITTEN_INTENTS, "CITES": COUNTS},
    sized_by="Occurrence",
    rows=50_000,
    reads_labels=("sections",),
)
ABSTRACTS = Labeller(
    kind="abstracts",
    result=SplitResult,
    load=load_splitter,
    label=split_abstracts,
    reads={
        "Paper": ("fulltext", "abstract", "abstract_labels", "abstract_parts", *WRITTEN),
    },
    writes={"Paper": WRITTEN},
    sized_by="Paper",
    rows=20_000,
    full_texts=False,
)
