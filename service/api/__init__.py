"""HTTP: operations, each declared once, responses, checks in the documented order; no pixels."""
