"""Maps of papers and topics."""
