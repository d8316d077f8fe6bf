// Share of self-citations among the citations of each year of publication, with their importance.
// Needs scores (`platform score`): unscored citations are left out.
MATCH (a:Paper)-[c:CITES]->(:Paper)
WHERE c.importance IS NOT NULL
RETURN a.year AS year, count(*) AS citations, sum(c.self) AS self_citations,
       1.0 * sum(c.self) / count(*) AS rate, avg(c.importance) AS mean_importance
ORDER BY year
