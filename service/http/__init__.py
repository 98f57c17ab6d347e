"""HTTP/1.1 connections: uvicorn's server on h11, with limits on time, size and number."""
