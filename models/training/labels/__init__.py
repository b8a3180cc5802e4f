"""Hand-made labels of tile backs, edges and walls in public photographs (format: README.md beside this file)."""
