"""Speed: the same scenes drawn by this service's engine and its peers, and the HTTP server under load."""
