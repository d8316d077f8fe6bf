// Reads the configuration and the figures of one run.
// param run: run id
// returns: config, counts (JSON)
MATCH (run:Run {id: $run})
RETURN run.config AS config, run.counts AS counts
