// Lists the loaders of the loaded papers, each once.
// returns: loader
MATCH (paper:Paper)
WHERE paper.loader IS NOT NULL
RETURN DISTINCT paper.loader AS loader
