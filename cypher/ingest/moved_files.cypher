// Lists the files that hold some papers.
// param ids: ids of papers
UNWIND $ids AS paper_id
MATCH (f:File)
WHERE f.paper = paper_id
RETURN f.id AS id, f.paper AS paper, f.source AS source
