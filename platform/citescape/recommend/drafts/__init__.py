"""Drafts of authors: places that need a citation, and the sentences around them."""
