"""Canonical order and hash of triplets, independent of their file."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pyarrow as pa

from citescape.sampling.triplets import RANDOM, Triplets


def recode(triplets: Triplets) -> Triplets:
    """The same triplets with `ids` of only the papers in them, in a canonical order.

    So training depends on the set of triplets, not on the order of rows in a file.
    """
    roles = (triplets.anchor, triplets.positive, triplets.negative)
    used, places = np.unique(np.concatenate(roles), return_inverse=True)
    anchor, positive, negative = places.astype(np.int32).reshape(3, -1)
    ids = triplets.ids.take(pa.array(used))
    coded = replace(triplets, ids=ids, anchor=anchor, positive=positive, negative=negative)
    last = (triplets.negative_reason == RANDOM, triplets.validation)
    return coded.select_rows(np.lexsort((*last, negative, positive, anchor)))


def hash_triplets(triplets: Triplets) -> str:
    """SHA-256 of papers, roles, split and the mask of random negatives, 64 digits.

    The mask is included because random negatives have separate figures.
    """
    digest = hashlib.sha256("\n".join(triplets.ids.to_pylist()).encode())
    roles = (triplets.anchor, triplets.positive, triplets.negative)
    for array in (*roles, triplets.validation, triplets.negative_reason == RANDOM):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
