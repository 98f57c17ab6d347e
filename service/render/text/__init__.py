"""Text: bidirectional order, fonts, shaping, lines, drawing. Imported only where there are captions."""
