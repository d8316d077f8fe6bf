// Looks up papers by their ids, loaded or only cited.
// param ids: ids of papers
UNWIND $ids AS paper_id
MATCH (p:Paper {id: paper_id})
RETURN p.id AS id
