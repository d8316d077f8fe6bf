"""The query library: named `.cypher` files, text only; `citescape.store.queries` reads them."""
