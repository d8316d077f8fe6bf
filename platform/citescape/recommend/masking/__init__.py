"""Masks the citations in sentences, so that the text does not reveal the cited works."""
