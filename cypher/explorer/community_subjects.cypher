// Subject headings of the papers of a community.
// param community: id of the community
// returns: subject, papers
MATCH (s:Subject)<-[:HAS_SUBJECT]-(:Paper)-[:IN_COMMUNITY]->(:Community {id: $community})
RETURN s.text AS subject, count(*) AS papers
