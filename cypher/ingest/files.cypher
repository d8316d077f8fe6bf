// Looks up loaded files by their paths.
// param paths: paths
UNWIND $paths AS path
MATCH (f:File {id: path})
RETURN f.id AS path, f.sha256 AS sha256, f.paper AS paper, f.source AS source, f.loader AS loader
