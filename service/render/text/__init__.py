"""Text: bidirectional order, fonts, shaping, lines and drawing. The package is imported only if there are
captions."""
