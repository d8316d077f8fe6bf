// The works with the largest sum of importance over the citations of research articles.
// One citation in passing adds little; a work discussed again and again in results adds much.
// Citations of other papers, such as reviews and monographs, are added up apart.
// param min_citing = 2: minimum number of citing papers; 1 includes works of one citing paper
// param types = ["research-article", "brief-report", "rapid-communication", "case-report", "methods-article", "data-paper", "clinical-trial", ""]: types of citing papers, "" if unknown
// param limit = 20: maximum number of works
MATCH (a:Paper)-[c:CITES]->(p:Paper)
WHERE c.importance IS NOT NULL
WITH p.id AS id, p.title AS title, p.year AS year, c.importance AS score,
     coalesce(a.type, '') IN $types AS counts
WITH id, title, year, sum(CASE WHEN counts THEN 1 ELSE 0 END) AS cited_by,
     sum(CASE WHEN counts THEN score ELSE 0.0 END) AS importance,
     avg(CASE WHEN counts THEN score ELSE null END) AS mean_importance,
     sum(CASE WHEN counts THEN 0 ELSE 1 END) AS cited_by_others,
     sum(CASE WHEN counts THEN 0.0 ELSE score END) AS importance_of_others
WHERE cited_by >= $min_citing
RETURN id, title, year, cited_by, importance, mean_importance,
       cited_by_others, importance_of_others
ORDER BY importance DESC, id
LIMIT $limit
