"""Decoder processes: disposable, and unable to do anything but decode untrusted pictures."""
