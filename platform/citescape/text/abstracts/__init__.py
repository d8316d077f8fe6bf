"""Abstracts split into background, method and result."""
