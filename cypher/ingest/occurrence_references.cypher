// Which entry of the reference list each in-text citation names.
MATCH (o:Occurrence)
RETURN o.id AS id, o.reference AS reference
