"""Pictures drawn on demand: shapes, glyphs and lettering on a canvas measured in points."""
