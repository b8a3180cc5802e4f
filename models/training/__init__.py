"""Makes the models again from public photographs and drawings; see README.md in this folder."""
