"""The query library: named `.cypher` files, text only; `citescape.graph.queries` reads them."""
