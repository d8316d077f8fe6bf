// Reads the abstracts of some papers, and their present split.
// param papers: ids, each once
// returns: id, abstract, abstract_labels, abstract_parts, and the columns that
//   `platform text abstracts label` writes
UNWIND $papers AS id
MATCH (paper:Paper {id: id})
RETURN paper.id AS id, paper.abstract AS abstract, paper.abstract_labels AS abstract_labels,
  paper.abstract_parts AS abstract_parts, paper.abstract_ends AS abstract_ends,
  paper.abstract_facets AS abstract_facets, paper.abstract_background AS abstract_background,
  paper.abstract_method AS abstract_method, paper.abstract_result AS abstract_result,
  paper.split_source AS split_source, paper.split_run AS split_run
