"""HTTP/1.1 connections: uvicorn's server on h11, with bounds on time, size and number."""
