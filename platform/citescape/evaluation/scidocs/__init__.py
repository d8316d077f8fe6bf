"""SciDocs (Cohan et al. 2020): classes, reading, citations and recommendations of papers."""
