// Lists works that the graph marks as retracted, corrected and so on.
// returns: id, notice, notice_date, notice_year, notice_doi, notice_source
MATCH (p:Paper)
WHERE p.notice IS NOT NULL
RETURN p.id AS id, p.notice AS notice, p.notice_date AS notice_date, p.notice_year AS notice_year,
       p.notice_doi AS notice_doi, p.notice_source AS notice_source
