"""The compiled kernels beside plain forms of the same, and cases whose results are known."""
