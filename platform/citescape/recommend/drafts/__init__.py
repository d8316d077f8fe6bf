"""Manuscripts and sentences of authors: where citations are wanted, and the words around."""
