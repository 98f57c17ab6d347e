"""What a picture is made of, in words: settings, devices, scenes. No pixels."""
