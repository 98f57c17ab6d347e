"""Speed: the same scenes by this service's engine and its peers, and the HTTP server under load."""
