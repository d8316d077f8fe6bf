"""Run directories: settings, inputs, results and timings of each computation."""
