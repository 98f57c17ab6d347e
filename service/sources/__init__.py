"""Screenshots from inline base64 or a URL; returns bytes, never pixels."""
