"""Multi-domain citation recommendation (MDCR): queries of many fields with hard candidates."""
