"""A generated corpus whose truth is known, and the report of what the platform found in it.

`world` plants the truth, `manuscript` and `text` turn it into prose, `jats_writer` prints it as the
full-text XML that publishers send, `recovery` compares the graph with the truth,
`run` does what a user does, and `sections` adds what was planted to the page of `platform report`.
"""
