"""Quality of the data in a store: completeness, references, losses, conflicts between sources."""
