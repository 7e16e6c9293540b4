"""Derivatives beyond the gradient."""
