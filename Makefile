# make demo    the main job: train on scanned digits, check the articles' programs, explain lost gradients
# make test    lint, types and tests, as CI runs them
# Each target makes its own virtual environment from nothing but Python 3.11 or newer; a second run reuses it.

PYTHON ?= python3

DEMO_ENVIRONMENT := .venv-demo
TEST_ENVIRONMENT := .venv
BENCH_ENVIRONMENT := .venv-bench

# $(1): directory of the environment, $(2): extras of pyproject.toml
define make_environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Wengert needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(1)
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[$(2)]'
	touch $@
endef

.PHONY: demo test test-slow bench clean

demo: $(DEMO_ENVIRONMENT)/installed
	$(DEMO_ENVIRONMENT)/bin/wengert demo

test: $(TEST_ENVIRONMENT)/installed
	$(TEST_ENVIRONMENT)/bin/ruff check .
	$(TEST_ENVIRONMENT)/bin/ruff format --check .
	$(TEST_ENVIRONMENT)/bin/mypy
	$(TEST_ENVIRONMENT)/bin/python -m pytest -n auto

test-slow: $(TEST_ENVIRONMENT)/installed
	$(TEST_ENVIRONMENT)/bin/python -m pytest -m slow

# These two variables make OpenBLAS pick a kernel other than the machine's own; peers with their own BLAS ignore them.
bench: $(BENCH_ENVIRONMENT)/installed
	env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE $(BENCH_ENVIRONMENT)/bin/wengert bench --output benchmarks/RESULTS.md

clean:
	rm -rf $(DEMO_ENVIRONMENT) $(TEST_ENVIRONMENT) $(BENCH_ENVIRONMENT) out build dist
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks src/*.egg-info
	find src tests -name __pycache__ -type d -exec rm -rf {} +

$(DEMO_ENVIRONMENT)/installed: pyproject.toml
	$(call make_environment,$(DEMO_ENVIRONMENT),demo)

$(TEST_ENVIRONMENT)/installed: pyproject.toml
	$(call make_environment,$(TEST_ENVIRONMENT),dev)

$(BENCH_ENVIRONMENT)/installed: pyproject.toml
	$(call make_environment,$(BENCH_ENVIRONMENT),bench)
