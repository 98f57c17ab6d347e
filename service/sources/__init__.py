"""Where screenshots come from: inline base64 or a URL; bytes come out, never pixels."""
