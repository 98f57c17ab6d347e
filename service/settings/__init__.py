"""What a picture is made of, in words: settings, how they merge, scenes, warnings. No pixels."""
