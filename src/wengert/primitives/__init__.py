"""The primitives: each operation with forward function, derivatives and shape rule in one place, a family a file."""
