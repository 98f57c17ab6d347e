"""Everything that does not depend on the screenshot: the backdrop, with the body composited over it."""
