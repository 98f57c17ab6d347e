"""Pictures drawn when asked for: shapes, glyphs and lettering on a canvas measured in points."""
