"""Writes docs/benchmarks.md from the last results: `python benchmarks/table.py`."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import measure

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Measured by the scripts in `benchmarks/` (`make bench`). Each script runs its peers in separate
processes. Compare CPU seconds, which count all threads: wall time depends on other work of the
machine. Load averages are those of the kernel over the minute before the results were written, so
they include the benchmark itself.
"""
STAGES = {
    "jats": "Reading JATS",
    "sources": "Reading other sources",
    "ingest": "Archive to queryable store",
    "updates": "Updating a store",
    "changes": "Updating a store: random changes",
    "shards": "Shards, by stage",
    "shards_carried": "Shards of millions of full texts",
    "ladybug_lists": "Lists of relationships in ladybug",
    "ladybug_pieces": "Relationships in one COPY to ladybug",
    "authors": "Author disambiguation",
    "importance": "Importance of all pairs",
    "score_store": "Importance, store to store",
    "importance_cypher": "Importance in the database",
    "abstracts": "Splitting abstracts",
    "neo4j_load": "Loading Neo4j",
    "intents": "Citation intents",
    "sections": "Section types: comparison of methods",
    "sections_sure": "Section types: accuracy by probability",
    "sections_label": "Section types: labelling a corpus",
    "knn": "Nearest neighbours",
    "encode": "Encoding titles and abstracts",
    "pool": "Ranking a pool",
    "bm25": "BM25",
    "profiles": "Profiles of cited papers",
    "recommend": "Recommending citations",
    "metrics": "Metrics of rankings",
    "graph_embed": "Graph embeddings",
    "graph_vectors": "Graph embeddings: nearest papers",
    "network_report": "Structure of networks",
    "shared": "Coupling and co-citation",
    "leiden": "Communities",
    "planted": "Agreement with planted topics",
    "map": "Maps of papers",
    "map_page": "Maps of papers in the browser",
    "network_page": "The network of a paper in the browser",
    "explorer": "Answers of the explorer",
    "exports": "Network files",
    "sampling": "Triplets by importance",
    "bands": "Triplets from neighbourhoods",
    "train": "Training on triplets",
    "train_cuda": "Training on triplets, on a GPU",
    "kills": "Commands that are killed",
    "mutations": "Damaged documents",
}


def main() -> None:
    """Writes the page."""
    parts = [HEAD]
    for name, title in STAGES.items():
        path = measure.RESULTS / f"{name}.json"
        if path.exists():
            parts.append(section(title, name, json.loads(path.read_text(encoding="utf-8"))))
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    print(f"written to {PAGE}")


def section(title: str, name: str, found: measure.Row) -> str:
    """One benchmark: table, notes, machine and date."""
    keys = dict.fromkeys(key for row in found["rows"] for key in row)
    columns = found.get("columns") or {key: key.replace("_", " ") for key in keys}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        measure.print_table(found["rows"], columns)
    box = found["machine"]
    versions = ", ".join(f"{k} {v}" for k, v in found["versions"].items())
    notes = found.get("notes") or ""
    script = name
    for suffix in ("_label", "_sure", "_cuda", "_carried"):
        script = script.removesuffix(suffix)
    where = (
        f"`benchmarks/{script}.py`, {found['date']}; {box['cores']} cores ({box['cpu']}), "
        f"{box['memory_gb']} GB, Python {box['python']}, load average {box['load_average'][0]}; "
        f"{versions}."
    )
    return f"## {title}\n\n{printed.getvalue()}\n{notes}\n\n{where}\n"


if __name__ == "__main__":
    main()
