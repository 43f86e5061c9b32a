# The front door. Everything here is a thin call of CMake; see CMakePresets.json for what the builds are.
#
#   make          the library and the command, in build/ (build/bin/seen)
#   make demo     install what is missing, build, and watch a filter at work
#   make test     install what is missing, build, run every test
#   make bench    the benchmarks        make soak     the long forms of the tests
#   make coverage line and branch figures          make install  to PREFIX (/usr/local)

PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo test bench soak coverage install packages format clean

all: packages
	@cmake --preset release -DSEEN_BUILD_TESTS=OFF > /dev/null
	@cmake --build --preset release -j $(JOBS)

demo: all
	@build/bin/seen_demo build/bin/seen

test: packages
	@tools/run_tests.sh $(JOBS)

bench: all
	@build/bin/seen_bench
	@build/bin/seen_bench_native

soak: packages
	@SEEN_SOAK=1 tools/run_tests.sh $(JOBS)

coverage: packages
	@tools/coverage.sh $(JOBS)

install: all
	@cmake --install build --prefix $(PREFIX)

packages:
	@tools/install_packages.sh

format:
	@clang-format-14 -i $$(git ls-files '*.hpp' '*.cpp' '*.h')

clean:
	@rm -rf build build-dev build-tsan build-coverage
