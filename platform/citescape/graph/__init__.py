"""The citation graph: schema, two engines behind one port, ingest, identity."""
