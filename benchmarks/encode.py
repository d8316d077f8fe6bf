"""Encoding titles and abstracts with MiniLM: `platform embed` and sentence-transformers.

    python benchmarks/encode.py [--papers N] [--archive PATH]

All peers use the same weights, texts (title, blank, abstract), limit of 512 tokens and one thread.
Loading the model is not counted. Vectors must have the same direction.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import measure
import numpy as np

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")
ARCHIVE = DATA / "oa_crops.tar.xz"
TOKENS = 512
SHUFFLED = 0
LEAST_COSINE = 1 - 1e-5
NOTES = (
    "{papers:,} papers of {archive} in random order, {tokens:,} tokens; one thread, and float32 "
    "unless the row names another precision. `lowest cosine` is the lowest cosine between a "
    "vector of the peer and the vector of sentence-transformers for the same paper. `--precision "
    "auto` uses bfloat16 where that is faster than float32."
)
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "cpu_seconds": "CPU s",
    "rate": "papers / CPU s",
    "tokens_rate": "tokens / CPU s",
    "faster": "speed-up over sentence-transformers",
    "least_cosine": "lowest cosine",
    "extra_mb": "peak MB above model",
}
Encode = Callable[[list[str]], np.ndarray]


def load_citescape(precision: str) -> Encode:
    """citescape, with vectors that are not normalised."""
    from citescape.encoders.documents import EncoderSettings
    from citescape.encoders.saved import load_document_encoder

    settings = EncoderSettings("joined", "mean", TOKENS)
    encoder = load_document_encoder("", settings, precision=precision)
    return lambda texts: encoder.encode(texts).vectors


def load_sentence_transformers(batch: str) -> Encode:
    """sentence-transformers, which also sorts by length and pads to the longest text of a batch."""
    from sentence_transformers import SentenceTransformer

    from citescape.encoders.files import default_encoder, locate

    model = SentenceTransformer(locate(default_encoder()), device="cpu")
    model.max_seq_length = TOKENS
    return lambda texts: model.encode(texts, batch_size=int(batch), show_progress_bar=False)


def load_plain(batch: str) -> Encode:
    """Transformers alone: unsorted texts, padded to the longest text of each batch."""
    import torch

    from citescape.encoders.files import default_encoder, load_transformer
    from citescape.encoders.tokens import mean_pool

    model, tokenizer = load_transformer(default_encoder())
    model.eval()

    def encode(texts: list[str]) -> np.ndarray:
        found = []
        for start in range(0, len(texts), int(batch)):
            given = tokenizer(
                texts[start : start + int(batch)],
                padding=True,
                truncation=True,
                max_length=TOKENS,
                return_tensors="pt",
            )
            with torch.inference_mode():
                states = model(**given).last_hidden_state
            found.append(mean_pool(states, given["attention_mask"]).numpy())
        return np.concatenate(found)

    return encode


PEERS: dict[str, tuple[Callable[[str], Encode], str]] = {
    "sentence-transformers": (load_sentence_transformers, "32"),
    "citescape": (load_citescape, "float32"),
    "citescape, bfloat16": (load_citescape, "bfloat16"),
    "transformers, unsorted batches": (load_plain, "32"),
}


def read_texts(archive: Path, papers: int) -> list[str]:
    """Title and abstract of the first papers of the archive that have both, in random order."""
    from citescape.core.types import Document
    from citescape.encoders.documents import document_text
    from citescape.loaders.jats import read_jats
    from citescape.loaders.sources import iter_documents

    read = (
        read_jats(document.read(), document.path, contexts=False)
        for document in iter_documents([archive])
    )
    both = (paper for paper in read if paper.title and paper.abstract)
    texts = [
        document_text(Document(paper.title, paper.abstract), "joined", "")
        for paper in islice(both, papers)
    ]
    random.Random(SHUFFLED).shuffle(texts)
    return texts


def child(peer: str, texts: str, vectors: str) -> None:
    """Measures one peer on the texts of a file, after a warm-up, and saves its vectors."""
    import torch

    torch.set_num_threads(1)
    given = Path(texts).read_text(encoding="utf-8").split("\n")
    load, option = PEERS[peer]
    encode = load(option)
    encode(given[:32])
    with measure.metered() as cost:
        found = encode(given)
    np.save(vectors, found.astype(np.float32))
    measure.report(cost, papers=len(given))


def count_tokens(texts: list[str]) -> int:
    """Number of tokens that encoders read."""
    from transformers import AutoTokenizer

    from citescape.encoders.files import default_encoder, locate

    tokenizer = AutoTokenizer.from_pretrained(locate(default_encoder()))
    return sum(map(len, tokenizer(texts, truncation=True, max_length=TOKENS)["input_ids"]))


def compare(texts: list[str], folder: Path) -> list[measure.Row]:
    """A row per peer; vectors must agree, except those of lower precision."""
    (folder / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
    tokens, rows = count_tokens(texts), list[measure.Row]()
    units = {}
    for peer in PEERS:
        path = folder / "vectors.npy"
        row = measure.run_alone(__file__, "--child", peer, folder / "texts.txt", path)
        found = np.load(path)
        units[peer] = found / np.linalg.norm(found, axis=1, keepdims=True)
        least = float((units[peer] * units["sentence-transformers"]).sum(1).min())
        if least < LEAST_COSINE and "bfloat16" not in peer:
            raise RuntimeError(f"{peer} disagrees: a cosine of {least}")
        seconds = row["cpu_seconds"]
        rows.append(
            {
                **{"peer": peer, **row},
                "rate": round(len(texts) / seconds, 2),
                "tokens_rate": round(tokens / seconds),
                "faster": round((rows[0] if rows else row)["cpu_seconds"] / seconds, 2),
                "least_cosine": f"{least:.7f}",
                "tokens": tokens,
            }
        )
    return rows


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=600)
    parser.add_argument("--archive", type=Path, default=ARCHIVE)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    if not options.archive.exists():
        raise SystemExit(f"no archive at {options.archive}; name one with --archive")
    with tempfile.TemporaryDirectory() as folder:
        rows = compare(read_texts(options.archive, options.papers), Path(folder))
    measure.print_table(rows, COLUMNS)
    notes = NOTES.format(
        papers=options.papers, archive=options.archive.name, tokens=rows[0]["tokens"]
    )
    libraries = ("torch", "transformers", "sentence-transformers", "numpy")
    path = measure.write_results("encode", rows, libraries=libraries, notes=notes, columns=COLUMNS)
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
