"""Networks and maps in the files of other tools."""
