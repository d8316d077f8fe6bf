// Sentences that cite some works, with section, intents and citing paper.
//
// OPTIONAL: otherwise ladybug reads all citations of the graph. Works without a sentence have a row
// of nulls.
// param papers (papers): the cited works
// returns: cited, citing, title, year, paper_type (of the citing paper), type (of the section),
//   section (its title), ordinal (in the text), position (share of the text), intents (null before
//   labelling), context
UNWIND $papers AS paper_id
MATCH (b:Paper {id: paper_id})
OPTIONAL MATCH (b)<-[:REFERS_TO]-(o:Occurrence)<-[:CONTAINS]-(s:Section)<-[:HAS_SECTION]-(a:Paper)
RETURN b.id AS cited, a.id AS citing, a.title AS title, a.year AS year, a.type AS paper_type,
       s.type AS type, s.title AS section, o.ordinal AS ordinal, o.position AS position,
       o.intents AS intents, o.context AS context
