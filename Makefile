# The front door. Everything here is a thin call of CMake; see CMakePresets.json for what the builds are.
#
#   make          the libraries and the command, in build/ (build/bin/seen)
#   make demo     build the command, and watch a filter at work
#   make redis-demo  one filter over a cluster of three servers of Redis: one is killed, slots move (KEYS: how many keys)
#   make test     build and run every test
#   make bench    the benchmarks (SEEN_PEERS: a folder with checkouts of further peers, see docs/performance.md)
#   make soak     the long forms of the tests
#   make hash-quality  every hash against the tests of SMHasher and NIST SP 800-22: the tables of docs/hashes.md
#   make fuzz     every reader of files, guided by coverage, for RUNS (10^7) executions each
#   make arch     the tests on other machines, emulated (ARCHS, all by default)
#   make bare     demo and test in a bare Debian, as root: with and without registries (BARE="demo without" runs a part)
#   make deb      Debian's packages, into build-deb/ (make deb-test, as root: in a bare Debian they install, work and purge)
#   make archive  the sources of HEAD, into build/: what the recipes in packaging/ build from
#   make coverage line and branch figures
#   make install  to PREFIX (/usr/local); make uninstall takes it back
#
# Each first installs the Debian packages it needs and lacks (tools/install_packages.sh). The command needs few (tools/packages.txt),
# the tests many more (tools/packages_test.txt); `make packages` installs both.

PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo redis-demo test bench hash-quality soak fuzz arch bare deb deb-test archive coverage install uninstall packages packages_to_build format clean

# Warnings stop a build with the g++ that the tests use. A newer one knows more of them, and they must not keep anybody from building.
WERROR    = $(if $(filter 12%,$(shell g++ -dumpversion)),ON,OFF)
configure = cmake --preset release -DSEEN_BUILD_TESTS=OFF -DSEEN_SPLIT_TESTS=OFF -DSEEN_WERROR=$(WERROR) > /dev/null
build     = cmake --build --preset release -j $(JOBS) --target

all: packages_to_build
	@$(configure)
	@$(build) seen seen_c seen_cli

demo: packages_to_build
	@$(configure)
	@$(build) seen_cli example_demo example_lsm_tour
	@build/bin/seen_demo build/bin/seen
	@echo
	@build/bin/example_lsm_tour --brief

redis-demo:
	@tools/install_packages.sh tools/packages.txt tools/packages_redis.txt
	@$(configure)
	@$(build) seen seen_c seen_redis
	@KEYS='$(or $(KEYS),1e7)' integrations/redis/demo.sh build

test: packages
	@tools/run_tests.sh $(JOBS)

bench: packages
	-@tools/install_packages.sh tools/packages_bench.txt
	@bench/peers/fetch.sh build/peers
	@$(configure) -DSEEN_PEERS='$(SEEN_PEERS)'
	@$(build) seen_bench seen_bench_native seen_bench_avx2
	@SIZES='$(SIZES)' ROUNDS='$(ROUNDS)' PROCESSES='$(PROCESSES)' bench/run.sh

hash-quality: packages_to_build
	@$(configure)
	@$(build) seen_hash_quality
	@build/bin/seen_hash_quality

soak: packages
	@SEEN_SOAK=1 tools/run_tests.sh $(JOBS)

RUNS ?= 10000000
fuzz: packages
	@tools/fuzz.sh $(RUNS) $(JOBS)

ARCHS ?= s390x i386 armhf aarch64 ppc64 riscv64
arch: packages
	@tools/install_packages.sh tools/packages_arch.txt
	@tools/arch.sh $(JOBS) $(ARCHS)

bare:
	@tools/bare.sh $(BARE)

coverage: packages
	@tools/coverage.sh $(JOBS)

install: packages_to_build
	@$(configure)
	@$(build) seen seen_c seen_cli
	@cmake --install build --prefix $(PREFIX)

uninstall:
	@cmake -P cmake/uninstall.cmake build

deb: packages_to_build
	@packaging/debian/build.sh $(JOBS)

deb-test: deb
	@packaging/debian/test.sh

VERSION = $(shell awk '/^project/ { print $$3 }' CMakeLists.txt)
archive:
	@mkdir -p build
	@git archive --prefix=seen-$(VERSION)/ -o build/seen-$(VERSION).tar.gz HEAD
	@echo build/seen-$(VERSION).tar.gz

packages_to_build:
	@tools/install_packages.sh tools/packages.txt

packages:
	@tools/install_packages.sh tools/packages.txt tools/packages_test.txt

format:
	@clang-format-14 -i $$(git ls-files '*.hpp' '*.cpp' '*.h' '*.c')

clean:
	@rm -rf build build-*/
