"""A generated corpus with a known ground truth, and how much of it the platform recovers.

`world` generates the ground truth, `manuscript` and `text` turn it into prose, `jats_writer` writes
full-text XML as publishers send it, `recovery` compares the graph with the ground truth, `run`
calls the steps as a user does, and `sections` adds the comparisons to the page of `platform
report`.
"""
