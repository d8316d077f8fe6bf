// Lists the Medical Subject Headings of papers.
// returns: paper, term, major (true for main topics of the paper), qualifiers (with a slash between two)
MATCH (paper:Paper)-[heading:HAS_MESH]->(term:MeshDescriptor)
RETURN paper.id AS paper, term.id AS term, heading.major AS major,
  heading.qualifiers AS qualifiers
