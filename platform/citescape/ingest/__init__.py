"""From records to the graph: tables, identity of works and authors, updates."""
