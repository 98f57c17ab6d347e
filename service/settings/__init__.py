"""The description of a picture: settings, how they merge, scenes, warnings. No pixels."""
