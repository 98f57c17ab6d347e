"""Geometry: camera, outlines, meshes, rasterisation and coverage; no colours."""
