"""HTTP: operations as a table, answers, checks in the documented order. Knows no pixels."""
