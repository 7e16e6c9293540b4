"""The ground floor: dtypes, shapes and the array namespace that every rule is written against."""
