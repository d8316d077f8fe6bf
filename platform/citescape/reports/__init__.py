"""Reports: content, HTML template, SVG canvas and plot settings."""
