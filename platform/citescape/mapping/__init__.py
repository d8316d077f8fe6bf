"""Science mapping: communities, topics, maps, exports."""
