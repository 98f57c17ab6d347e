"""HTTP: operations as a table, responses, checks in the documented order; no pixels."""
