"""Where things are: camera, outlines, meshes, rasterisation and coverage; no colours."""
