// Reads all notices, with the paper that states each (null for those of tables).
// returns: id, kind, stated_by, date; doi, pmid, pmcid, openalex, s2 of the notice; the same of the
//   work with the prefix work_; paper
MATCH (n:Notice)
OPTIONAL MATCH (p:Paper)-[:STATES]->(n)
RETURN n.id AS id, n.kind AS kind, n.stated_by AS stated_by, n.date AS date, n.doi AS doi,
       n.pmid AS pmid, n.pmcid AS pmcid, n.openalex AS openalex, n.s2 AS s2,
       n.work_doi AS work_doi, n.work_pmid AS work_pmid, n.work_pmcid AS work_pmcid,
       n.work_openalex AS work_openalex, n.work_s2 AS work_s2, p.id AS paper
