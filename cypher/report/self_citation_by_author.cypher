// Share of self-citations among the citations of each author's papers.
// A self-citation of a paper counts for all its authors, whichever of them wrote the cited paper.
// param min_citations = 20: minimum number of citations of an author's papers
// param limit = 15: maximum number of authors
MATCH (w:Author)-[:WROTE]->(a:Paper)-[c:CITES]->(:Paper)
WHERE c.importance IS NOT NULL
WITH w.id AS id, w.name AS author, count(DISTINCT a.id) AS papers, count(*) AS citations,
     sum(c.self) AS self_citations
WHERE citations >= $min_citations
RETURN author, papers, citations, self_citations, 1.0 * self_citations / citations AS rate
ORDER BY rate DESC, citations DESC, id
LIMIT $limit
