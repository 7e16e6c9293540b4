"""The primitives: every operation with its forward function, derivatives and shape rule in one place, a family a file."""
