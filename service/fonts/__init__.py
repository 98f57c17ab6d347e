"""The fonts of captions: those of the package, of the system and of `MOCKUP_FONTS_DIR`. No pixels."""
