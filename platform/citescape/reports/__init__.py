"""Pictures and pages: one template, one canvas, one set of plot settings."""
