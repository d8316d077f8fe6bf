"""SciRepEval (Singh et al. 2023): classification, regression, proximity and search of papers."""
