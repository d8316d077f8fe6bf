// Number of papers, citations and other items in the store.
RETURN COUNT { MATCH (p:Paper) } AS papers,
       COUNT { MATCH (p:Paper) WHERE p.fulltext } AS fulltext_papers,
       COUNT { MATCH (a:Author) } AS authors,
       COUNT { MATCH (s:Section) } AS sections,
       COUNT { MATCH (o:Occurrence) } AS occurrences,
       COUNT { MATCH (:Paper)-[c:CITES]->(:Paper) } AS citations
