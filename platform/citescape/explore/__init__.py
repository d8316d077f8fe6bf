"""Looks around in the graph: find papers, the citations around them, sentences that cite a work."""
