"""Exports of networks and maps to files of other tools."""
