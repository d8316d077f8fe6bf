// Lists the files of a source that hold some papers.
// param ids: ids of papers
// param source: name of the source
UNWIND $ids AS paper_id
MATCH (f:File)
WHERE f.paper = paper_id AND f.source = $source
RETURN f.id AS id
