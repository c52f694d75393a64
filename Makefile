# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# peat: make run      installs what is missing, builds, prints kernel events
#       make check    installs what is missing, builds, runs all the tests
#       make          builds
#
# CC=clang builds with clang, SAN=1 with the address and undefined-behaviour sanitizers (in
# build/san), SAN=thread with that of threads (in build/thread), CROSS=arm64 or CROSS=s390x for that architecture (in build/arm64 or build/s390x, with
# the packages of make deps-vm).  V=1 shows the commands.

MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:

# bpftool and depmod live where an ordinary user does not look.
export PATH := $(PATH):/usr/sbin:/sbin

# ---- what is built for -----------------------------------------------------------------------------
# Of another architecture the compiler is Debian's, and the libraries are those that tests/vm/sysroot
# fetches; BPF code has its byte order.

MACHINE_arm64 := aarch64
MACHINE_s390x := s390x
ifdef CROSS
ifndef MACHINE_$(CROSS)
$(error CROSS is arm64 or s390x, not $(CROSS))
endif
MACHINE := $(MACHINE_$(CROSS))
TOOLS   := $(MACHINE)-linux-gnu-
ifeq ($(shell command -v $(TOOLS)gcc),)
$(error no $(TOOLS)gcc: make deps-vm installs it)
endif
SYSROOT_CFLAGS := $(or $(shell tests/vm/sysroot --cflags $(CROSS)),$(error no libraries of $(CROSS)))
SYSROOT_LIBS   := $(shell tests/vm/sysroot --libs $(CROSS))
BPF_TARGET := $(if $(filter s390x,$(CROSS)),bpfeb,bpfel)
else
MACHINE    := $(shell uname -m)
BPF_TARGET := bpf
endif

# As bpf_tracing.h names them.
BPF_ARCH_x86_64  := x86
BPF_ARCH_aarch64 := arm64
BPF_ARCH_s390x   := s390
BPF_ARCH_ppc64le := powerpc

VERSION := $(shell sed -n 's/^.define PEAT_VERSION "\(.*\)"/\1/p' include/peat/peat.h)
PREFIX  ?= /usr/local
BUILD   := build$(if $(CROSS),/$(CROSS))$(if $(SAN),/$(SAN:1=san))
ifeq ($(origin CC),default)
CC := $(TOOLS)gcc
endif
AR     := $(TOOLS)ar
BPF_CC ?= clang

# ---- packages --------------------------------------------------------------------------------------
# Debian's names of all that building, testing and linting need, and of what the kernels of other
# architectures in tests/vm/kernels need on top.  deps and deps-vm install those that are missing, and
# touch no network when there are none.
PACKAGES := make gcc g++ libc6-dev clang llvm bpftool libbpf-dev libelf-dev libdw-dev libzstd-dev zlib1g-dev pkg-config \
	check libsubunit-dev linux-perf libclang-rt-14-dev clang-format shellcheck universal-ctags git \
	qemu-system-x86 binutils cpio debian-archive-keyring kmod xz-utils zstd
FOREIGN_PACKAGES := gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-system-arm \
	gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-system-misc
# Those that bench-peers compares with.
PEER_PACKAGES := golang-go golang-github-cilium-ebpf-dev python3-bpfcc bpftrace libbpf-tools

SUDO = $(if $(filter 0,$(shell id -u)),,sudo)

# ---- flags -----------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wpointer-arith -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -Werror
SANITIZERS_1 := -fsanitize=address,undefined -fno-sanitize-recover=undefined
# It does not see fences: ring.c and stage.c, which have them, are what it cannot judge.
SANITIZERS_thread := -fsanitize=thread $(if $(findstring clang,$(CC)),,-Wno-tsan)
ifneq ($(SAN),)
SANITIZE := $(or $(SANITIZERS_$(SAN)),$(error SAN is 1 or thread, not $(SAN)))
endif
# Reads DWARF; without it only the types in BTF are known.
DW := $(if $(CROSS),libdw,$(shell pkg-config --exists libdw && echo libdw))
# A sanitizer's runtime is in the program, not in the library.
NO_UNDEFINED := -Wl,-z,defs
CFLAGS   ?= -O2 -g
ALL_CFLAGS := -std=gnu11 $(WARNINGS) $(CFLAGS) $(SANITIZE) -fPIC -fvisibility=hidden \
	-D_GNU_SOURCE $(if $(DW),-DHAVE_LIBDW) -Iinclude $(SYSROOT_CFLAGS) -MMD -MP
# Includes of the library name the room: "ring/ring.h".  -iquote, so that no room hides a system header.
LIB_CFLAGS := -iquote user/lib
LINK     = $(CC) $(SANITIZE) $(SYSROOT_LIBS) $(LDFLAGS)
LIBS     := -lbpf $(if $(DW),-ldw) -lelf -lzstd -lz
BPF_CFLAGS := -g -O2 -target $(BPF_TARGET) -mcpu=v3 -D__TARGET_ARCH_$(or $(BPF_ARCH_$(MACHINE)),$(MACHINE)) \
	-Wall -Wextra -Wno-unused-parameter -Werror -Ivmlinux -Iinclude -MMD -MP
FUZZ_CC = clang -std=gnu11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-D_GNU_SOURCE $(if $(DW),-DHAVE_LIBDW) -Iinclude $(LIB_CFLAGS)
# The tests' own macros are not as strict as the library.
TEST_CFLAGS = $(filter-out -Wconversion -Wmissing-prototypes -Wshadow,$(ALL_CFLAGS)) \
	$(LIB_CFLAGS) -Iuser/cli -Iuser/probes -Ibpf -Itests/support -DTEST_OBJECTS='"$(@D)"'

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) '$(2)')

# ---- what there is ---------------------------------------------------------------------------------

# flood is a load for tests and measurements, not a probe.
PROBES     := $(filter-out flood,$(patsubst bpf/%.bpf.c,%,$(wildcard bpf/*.bpf.c)))
LIB_OBJS   := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %.bpf.c,$(shell find user/lib -name '*.c')))
CLI_OBJS   := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %.bpf.c,$(wildcard user/cli/*.c user/probes/*.c)))
BENCH_BPF  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard user/cli/bench_*.bpf.c))
UNIT_OBJS  := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %.bpf.c,$(wildcard tests/unit/*.c)))
UNIT_BPF   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/unit/*.bpf.c))
SUPPORT    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
LIVE_TESTS := $(patsubst %.c,$(BUILD)/%,$(filter-out %.bpf.c,$(wildcard tests/live/*.c)))
LIVE_BPF   := flood $(patsubst tests/live/%.bpf.c,%,$(wildcard tests/live/*.bpf.c))
FUZZERS    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
# With the parts of peat bench that are not its verb.
PEERS_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/peer*.c)) \
	$(patsubst %,$(BUILD)/user/cli/%.o,bench_measure bench_objects bench_reader bench_rig bench_run \
		bench_table bench_transports json_text messages)

.PHONY: all deps deps-vm deps-peers run bench-peers check check-unit check-san check-live check-vm check-fuzz check-clang \
	check-install check-examples tests tests-live fuzzers lint format install uninstall clean vmlinux FORCE

all: $(BUILD)/peat $(BUILD)/libpeat.a $(BUILD)/libpeat.so.0 $(BUILD)/libpeat.so

deps: WANTED = $(PACKAGES)
deps-vm: WANTED = $(PACKAGES) $(FOREIGN_PACKAGES)
deps-peers: WANTED = $(PACKAGES) $(PEER_PACKAGES)
deps deps-vm deps-peers deps-parts:
	@missing=; for p in $(WANTED); do \
		[ "$$(dpkg-query -Wf '$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || \
			missing="$$missing $$p"; \
	done; \
	[ -z "$$missing" ] || { echo "installing:$$missing"; \
		$(SUDO) apt-get update -q && \
		$(SUDO) env DEBIAN_FRONTEND=noninteractive \
			apt-get install -q -y --no-install-recommends $$missing; }

# Only the run itself is privileged, so that nothing in build/ belongs to root.
run: deps
	@$(MAKE) all
	$(SUDO) $(BUILD)/peat trace exec

# ---- building --------------------------------------------------------------------------------------

# Changes when the compiler or its flags do, and then everything is built anew.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D); printf '%s\n' '$(CC) $(ALL_CFLAGS) $(BPF_CC) $(BPF_CFLAGS)' | cmp -s - $@ || \
		printf '%s\n' '$(CC) $(ALL_CFLAGS) $(BPF_CC) $(BPF_CFLAGS)' > $@

$(BUILD)/user/%.o: user/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(OWN_CFLAGS) -c $< -o $@

$(BUILD)/bpf/%.bpf.o: bpf/%.bpf.c $(BUILD)/flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_CC) $(BPF_CFLAGS) -c $< -o $@

$(BUILD)/bpf/probes.def: $(patsubst %,bpf/%.bpf.c,$(PROBES)) Makefile
	@mkdir -p $(@D)
	$(Q)printf 'PROBE(%s)\n' $(PROBES) > $@

# The command has the probes' objects in it.
$(BUILD)/user/cli/%.o: OWN_CFLAGS := -Iuser/probes
$(BUILD)/user/probes/%.o: OWN_CFLAGS := -I$(BUILD)/bpf -DPROBE_OBJECTS='"$(BUILD)/bpf"'
$(BUILD)/user/probes/probe.o: $(BUILD)/bpf/probes.def $(PROBES:%=$(BUILD)/bpf/%.bpf.o)

# So has peat bench, which is no probe.
$(BUILD)/user/cli/%.bpf.o: user/cli/%.bpf.c $(BUILD)/flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_CC) $(BPF_CFLAGS) -c $< -o $@

$(BUILD)/user/cli/bench_objects.o: OWN_CFLAGS := -DBENCH_OBJECTS='"$(BUILD)/user/cli"'
$(BUILD)/user/cli/bench_objects.o: $(BENCH_BPF)

$(BUILD)/user/lib/%.o: OWN_CFLAGS := $(LIB_CFLAGS)

# The library's own program, on machines that have it.
$(BUILD)/user/lib/%.bpf.o: user/lib/%.bpf.c $(BUILD)/flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_CC) $(BPF_CFLAGS) $(LIB_CFLAGS) -c $< -o $@

$(BUILD)/user/lib/channel/collector.o: OWN_CFLAGS += -DCOLLECT_OBJECT='"$(BUILD)/user/lib/channel/collect.bpf.o"'
$(BUILD)/user/lib/channel/collector.o: $(BUILD)/user/lib/channel/collect.bpf.o

$(BUILD)/libpeat.a: $(LIB_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/libpeat.so.0: $(LIB_OBJS) user/lib/libpeat.map
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,libpeat.so.0 -Wl,--version-script=user/lib/libpeat.map \
		$(if $(SAN),,$(NO_UNDEFINED)) $(LIB_OBJS) $(LIBS) -o $@

$(BUILD)/libpeat.so: $(BUILD)/libpeat.so.0
	$(Q)ln -sf $(<F) $@

$(BUILD)/peat: $(CLI_OBJS) $(BUILD)/libpeat.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(LIBS) -o $@

# ---- tests -----------------------------------------------------------------------------------------

# Everything the tests need, built without privileges.
tests: all $(BUILD)/tests/unit/unit $(LIVE_TESTS) $(BUILD)/tests/bench/peers

# What goes into a virtual machine.
tests-live: $(BUILD)/peat $(LIVE_TESTS)

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) -c $< -o $@

# Compiled in: process__program().
$(BUILD)/tests/support/nothing/nothing: tests/support/nothing/nothing.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -Werror -Os -static -nostdlib $< -o $@

$(BUILD)/tests/support/process.o: $(BUILD)/tests/support/nothing/nothing

# The tests see the insides of the library, so they link the archive.
$(BUILD)/tests/unit/unit: $(UNIT_OBJS) $(SUPPORT) $(BUILD)/user/cli/units.o \
		$(BUILD)/libpeat.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lcheck -lsubunit -lm -lrt -lpthread $(LIBS) -o $@

$(BUILD)/tests/%.bpf.o: tests/%.bpf.c $(BUILD)/flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_CC) $(BPF_CFLAGS) -c $< -o $@

# Compiled in: EMBED_OBJECT() of tests/support/object.h, from beside the test.
$(BUILD)/tests/live/flood.bpf.o: $(BUILD)/bpf/flood.bpf.o
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(UNIT_OBJS): $(UNIT_BPF)

$(LIVE_TESTS:%=%.o): $(LIVE_BPF:%=$(BUILD)/tests/live/%.bpf.o)

$(LIVE_TESTS): %: %.o $(SUPPORT) $(BUILD)/libpeat.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lcheck -lsubunit -lm -lrt -lpthread $(LIBS) -o $@

$(BUILD)/tests/bench/peers: $(PEERS_OBJS) $(BUILD)/libpeat.a | $(BUILD)/tests/support/nothing/nothing
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lpthread $(LIBS) -o $@

# Of Debian's sources, without a module and without the network.
GO = env GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS= GOCACHE=$(CURDIR)/$(BUILD)/tests/bench/go go

$(BUILD)/tests/bench/cilium_reader: tests/bench/cilium_reader.go
	$(call say,GO,$<)
	@mkdir -p $(@D)
	$(Q)gofmt -d $< | { ! grep . >&2; }
	$(Q)$(GO) vet $<
	$(Q)$(GO) build -o $@ $<

# The library once, for all fuzzers.
$(BUILD)/tests/fuzz/lib/%.o: user/lib/%.c $(BUILD)/flags
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(OWN_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

$(BUILD)/tests/fuzz/lib/channel/collector.o: OWN_CFLAGS += -DCOLLECT_OBJECT='"$(BUILD)/user/lib/channel/collect.bpf.o"'
$(BUILD)/tests/fuzz/lib/channel/collector.o: $(BUILD)/user/lib/channel/collect.bpf.o

$(BUILD)/tests/fuzz/libpeat.a: $(LIB_OBJS:$(BUILD)/user/lib/%=$(BUILD)/tests/fuzz/lib/%)
	$(Q)rm -f $@
	$(Q)ar rcs $@ $^

$(BUILD)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/tests/fuzz/libpeat.a
	$(call say,FUZZ,$@)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer -Itests/unit -MMD -MP -MF $@.d $< $(BUILD)/tests/fuzz/libpeat.a $(LIBS) -o $@

check: deps
	@$(MAKE) -j $(shell nproc) tests
	@tests/run-all $(MAKE)

check-unit: $(BUILD)/tests/unit/unit
	@tests/unit/run-unit $(BUILD)/tests/unit/unit

check-san:
	@$(MAKE) SAN=1 check-unit

check-live: tests
	@tests/live/run-live $(BUILD)

# All kernels, those of other architectures among them, or only KERNELS.
check-vm:
	@$(if $(KERNELS),,$(MAKE) deps-vm)
	@$(MAKE) tests-live
	@tests/vm/check $(MAKE) $(BUILD) $(KERNELS)

check-install: all
	@tests/check-install $(MAKE)

check-examples: all
	@tests/check-examples $(MAKE)

check-clang:
	@$(MAKE) BUILD=build/clang CC=clang all

# peat beside its peers in other languages and whole tools; -j and -q: tests/bench/run-peers.
bench-peers: deps-peers
	@$(MAKE) all $(BUILD)/tests/bench/peers $(BUILD)/tests/bench/cilium_reader
	@$(SUDO) tests/bench/run-peers $(BUILD)

fuzzers: $(FUZZERS)

check-fuzz: FUZZ_JOBS = $(shell nproc)
check-fuzz: fuzzers
	@tests/fuzz/run-fuzzers $(BUILD)/tests/fuzz $(FUZZ_JOBS) $(FUZZ_RUNS)

lint: all
	@tests/lint.sh $(BUILD)

# ---- the benchmark's other forms -------------------------------------------------------------------
# They measure, for developers, and are no part of make check.

.PHONY: bench-check bench-parts bench-scale deps-parts

# Against the ratios that are to hold: half a minute, on a machine that does nothing else.
bench-check: all
	@tests/bench/check-ratios $(BUILD)/peat

# Parts of the library alone, or only PARTS.
PARTS_PACKAGES := libyajl-dev
PARTS_OBJS     := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/parts*.c)) \
	$(BUILD)/tests/support/fake_ring.o $(BUILD)/tests/support/written.o \
	$(patsubst %,$(BUILD)/user/cli/%.o,bench_table json_text messages)

deps-parts: WANTED = $(PARTS_PACKAGES)

$(BUILD)/tests/bench/parts: $(PARTS_OBJS) $(BUILD)/libpeat.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lyajl -lcheck -lsubunit -lm -lrt -lpthread $(LIBS) -o $@

bench-parts: deps-parts
	@$(MAKE) all $(BUILD)/tests/bench/parts
	@PEAT=$(BUILD)/peat $(BUILD)/tests/bench/parts $(PARTS)

# More of it: larger events, more of them, more programs, CPUs and rings; SECONDS of a steady load.
SECONDS    ?= 5
SCALE_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/scale*.c)) \
	$(patsubst %,$(BUILD)/user/cli/%.o,bench_measure bench_objects bench_reader bench_rig bench_run \
		bench_table bench_transports bench_workloads json_text messages)

$(BUILD)/tests/bench/scale: $(SCALE_OBJS) $(BUILD)/libpeat.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lm -lpthread $(LIBS) -o $@

bench-scale: deps-parts
	@$(MAKE) all $(BUILD)/tests/bench/parts $(BUILD)/tests/bench/scale
	@tests/bench/scale-here $(BUILD) $(SECONDS)

format:
	$(Q)git ls-files -co --exclude-standard '*.c' '*.h' '*.cc' | grep -v '^vmlinux/' | xargs clang-format -i

# ---- the rest --------------------------------------------------------------------------------------

# All types of the running kernel, for probes of your own: -Ibuild/vmlinux instead of -Ivmlinux.
vmlinux:
	@mkdir -p $(BUILD)/vmlinux
	$(Q)bpftool btf dump file /sys/kernel/btf/vmlinux format c > $(BUILD)/vmlinux/vmlinux.h
	@echo $(BUILD)/vmlinux/vmlinux.h

DEST     = $(DESTDIR)$(PREFIX)
EXAMPLES = $(DEST)/share/doc/peat/examples

install: all
	install -d $(DEST)/bin $(DEST)/lib/pkgconfig $(DEST)/include/peat/vmlinux \
		$(DEST)/share/man/man1 $(DEST)/share/man/man7 $(EXAMPLES)
	install $(BUILD)/peat $(DEST)/bin
	install -m 644 $(BUILD)/libpeat.a $(DEST)/lib
	install $(BUILD)/libpeat.so.0 $(DEST)/lib
	ln -sf libpeat.so.0 $(DEST)/lib/libpeat.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(LIBS)|' \
		user/share/libpeat.pc.in > $(DEST)/lib/pkgconfig/libpeat.pc
	install -m 644 include/peat/*.h $(DEST)/include/peat
	install -m 644 vmlinux/vmlinux.h $(DEST)/include/peat/vmlinux
	install -m 644 user/man/peat.1 $(DEST)/share/man/man1
	install -m 644 user/man/peat-probe.7 $(DEST)/share/man/man7
	install -m 644 user/examples/*.c user/examples/*.cc $(EXAMPLES)

uninstall:
	rm -f $(DEST)/bin/peat $(DEST)/lib/libpeat.a $(DEST)/lib/libpeat.so $(DEST)/lib/libpeat.so.0
	rm -f $(DEST)/lib/pkgconfig/libpeat.pc $(DEST)/share/man/man1/peat.1 \
		$(DEST)/share/man/man7/peat-probe.7
	rm -rf $(DEST)/include/peat $(DEST)/share/doc/peat

clean:
	rm -rf build

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
