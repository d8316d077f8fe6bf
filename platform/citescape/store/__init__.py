"""The graph database: one port, two engines (ladybug, Neo4j), schema and query library."""
