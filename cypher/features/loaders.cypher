// Names what read the papers that are loaded themselves, once each.
// returns: loader
MATCH (paper:Paper)
WHERE paper.loader IS NOT NULL
RETURN DISTINCT paper.loader AS loader
