"""Citation recommendation from large pools (MDCR, section 3)."""
