"""The screenshot warped, composed with a plate and finished by the effects."""
