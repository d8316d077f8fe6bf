"""Types of sections: rules, the section above, and a learned sequence model for the rest."""
