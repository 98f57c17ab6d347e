"""Everything that does not depend on the screenshot: backdrop and body, laid over each other."""
