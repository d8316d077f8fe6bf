"""The explorer: pages in a browser, and the steps of a corpus as calls of HTTP."""
