# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# peat: make run      installs what is missing, builds, prints kernel events
#       make check    installs what is missing, builds, runs all the tests
#       make soak     runs the agent for an hour under load and troubles
#       make check-fleet   kills agents, receivers and servers of a stream
#       make          builds
#       make static   builds the command as one static file, build/static/peat, and compressed, peat.zst
#       make deb      installs what is missing, builds Debian packages
#       make image    builds a container image, build/peat-image.tar
#
# CC=clang		builds with clang
# SAN=1			builds with clang and its address and undefined-behaviour sanitizers, in build/san
# SAN=thread		builds with the thread sanitizer, in build/thread
# SAN=coverage		builds with clang, and counts the lines that run, in build/coverage
# CROSS=arm64|s390x	builds for that architecture, in build/arm64 or build/s390x; needs make deps-vm
# V=1			prints the commands

MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:

# bpftool and depmod are in directories that are not in an ordinary user's PATH.
export PATH := $(PATH):/usr/sbin:/sbin

# ---- target architecture ---------------------------------------------------------------------------
# For another architecture, the compiler is Debian's cross compiler and the libraries are fetched by
# tests/vm/sysroot.  BPF code has the byte order of the target.

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

# Names of architectures in bpf_tracing.h.
BPF_ARCH_x86_64  := x86
BPF_ARCH_aarch64 := arm64
BPF_ARCH_s390x   := s390
BPF_ARCH_ppc64le := powerpc

VERSION := $(shell sed -n 's/^.define PEAT_VERSION "\(.*\)"/\1/p' include/peat/peat.h)
# The version of the ABI.  Before 1.0 each minor version may change the ABI, later only each major version:
# user/doc/changes.md.
ABI     := $(if $(VERSION:0.%=),$(firstword $(subst ., ,$(VERSION))),$(basename $(VERSION)))
SONAME  := libpeat.so.$(ABI)
DATA_SONAME := libpeat-data.so.$(ABI)
AGENT_SONAME := libpeat-agent.so.$(ABI)
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
# BPF objects are in PLAIN, as sanitizers do not change them.
PLAIN   := build$(if $(CROSS),/$(CROSS))
BUILD   := $(PLAIN)$(if $(SAN),/$(SAN:1=san))
ifeq ($(origin CC),default)
CC := $(TOOLS)gcc
endif
# Fuzzers are clang's: tests share their build.
ifneq ($(filter 1 coverage,$(SAN)),)
ifneq ($(CROSS),)
$(error SAN=$(SAN) does not build for other architectures)
endif
ifeq ($(findstring clang,$(CC)),)
override CC := clang
endif
endif
AR     := $(TOOLS)ar
NM     := $(TOOLS)nm
OBJCOPY := $(TOOLS)objcopy
BPF_CC ?= clang
BPF_STRIP := llvm-objcopy --strip-debug --remove-section=.rel.BTF --remove-section=.rel.BTF.ext \
	--wildcard --strip-symbol='LBB*'

# ---- packages --------------------------------------------------------------------------------------
# Debian packages for building; additional ones for testing and linting, and for the kernels of other
# architectures in tests/vm/kernels.  deps and deps-vm install the missing ones; without missing packages
# they do not use the network.
BUILD_PACKAGES := make gcc libc6-dev clang llvm bpftool libbpf-dev libelf-dev libdw-dev libiberty-dev \
	liblzma-dev libprotobuf-c-dev protobuf-c-compiler libzstd-dev zlib1g-dev libncurses-dev libyajl-dev pkg-config \
	libyaml-dev libcurl4-openssl-dev libmicrohttpd-dev libnats-dev libseccomp-dev libdeflate-dev zstd
# npm is in a package of its own, if nodejs is Debian's.
PACKAGES := $(BUILD_PACKAGES) g++ libdebuginfod-dev check libsubunit-dev linux-perf libclang-rt-dev clang-format \
	shellcheck universal-ctags git qemu-system-x86 binutils cpio debian-archive-keyring kmod xz-utils \
	chromium lld nodejs $(if $(shell command -v npm),,npm) protobuf-compiler python3 rustc tshark zsh openssl gnutls-bin \
	curl runc abigail-tools
FOREIGN_PACKAGES := gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-system-arm \
	gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-system-misc
# The peers of bench-peers.
PEER_PACKAGES := golang-go golang-github-cilium-ebpf-dev python3-bpfcc bpftrace libbpf-tools

# Those of the supported compilers that the suite has.
COMPILERS = $(filter $(patsubst %,gcc-%,12 13 14 15) $(patsubst %,clang-%,14 15 16 17 18 19 20 21 22), \
	$(shell apt-cache search -n '^(gcc|clang)-[0-9]+$$' | cut -d ' ' -f 1 | sort -V))

SUDO = $(if $(filter 0,$(shell id -u)),,sudo)

# ---- flags -----------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wpointer-arith -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -Werror
SANITIZERS_1 := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined
SANITIZERS_coverage := -fprofile-instr-generate -fcoverage-mapping
# The thread sanitizer does not support fences, so its reports on ring.c and stage.c are unreliable.
SANITIZERS_thread := -fsanitize=thread $(if $(findstring clang,$(CC)),,-Wno-tsan)
ifneq ($(SAN),)
SANITIZE := $(or $(SANITIZERS_$(SAN)),$(error SAN is 1, thread or coverage, not $(SAN)))
endif
# libdw reads DWARF; without it, types come from BTF only.
DW := $(if $(CROSS),libdw,$(shell pkg-config --exists libdw && echo libdw))
# liblzma unpacks mini-debuginfo; without it, programs of Fedora have no names of local functions.
LZMA := $(if $(CROSS),liblzma,$(shell pkg-config --exists liblzma && echo liblzma))
# libyajl reads JSON of podman and docker; without it, containers have no names of these.  The systems for other
# machines (tests/vm/sysroot) have none.
YAJL := $(if $(CROSS),,$(shell pkg-config --exists yajl && echo yajl))
# The parts of the agent that need a library are left out without it; see user/agent/README.md.
AGENT_PARTS := $(if $(CROSS),,$(foreach part,YAML:yaml-0.1 CURL:libcurl MICROHTTPD:libmicrohttpd NATS:libnats SECCOMP:libseccomp \
	DEFLATE:libdeflate,$(shell pkg-config --exists $(lastword $(subst :, ,$(part))) && echo $(part))))
AGENT_PKGS  := $(foreach part,$(AGENT_PARTS),$(lastword $(subst :, ,$(part))))
AGENT_HAVE  := $(foreach part,$(AGENT_PARTS),-DHAVE_$(firstword $(subst :, ,$(part))))
# Not with sanitizers: their runtime is in the program, not in the library.
NO_UNDEFINED := -Wl,-z,defs
CFLAGS   ?= $(if $(SAN),-O1 -g1,-O2 -g)
# A sanitized program has relocations for thousands of places of code, and takes a third less time to start so.
LDFLAGS  ?= $(if $(filter 1,$(SAN)),-no-pie)
ALL_CFLAGS := -std=gnu11 $(WARNINGS) $(CFLAGS) $(SANITIZE) -fPIC -fvisibility=hidden \
	-D_GNU_SOURCE $(if $(DW),-DHAVE_LIBDW) $(if $(LZMA),-DHAVE_LZMA) $(if $(YAJL),-DHAVE_YAJL) -Iinclude $(SYSROOT_CFLAGS) -MMD -MP
# Includes of the library name the room: "ring/ring.h".  -iquote, so that no room hides a system header.
LIB_CFLAGS := -iquote user/lib -iquote user/data -isystem $(BUILD)/generated
AGENT_CFLAGS := $(LIB_CFLAGS) -iquote user/agent $(AGENT_HAVE)
# libpeat-data and libpeat-agent call functions of libpeat that no one else sees: the map hides them, not the compiler.
VISIBLE  := -fvisibility=default -fno-semantic-interposition
LINK     = $(CC) $(SANITIZE) $(SYSROOT_LIBS) $(LDFLAGS)
# Some 300 programs of tests link in half of the time.
LLD := $(if $(CROSS),,$(shell command -v ld.lld > /dev/null && echo -fuse-ld=lld -Wl,--build-id=sha1))
TEST_LINK = $(LINK) $(LLD)
# Not live tests: lld puts strings into pages of their own, which in a virtual machine are not in memory when a BPF program
# reads them.  Those with sanitizers run in none.
LIVE_LINK = $(if $(SAN),$(TEST_LINK),$(LINK))
# libpeat needs LIB_LIBS, libpeat-data LIBS, libpeat-agent AGENT_LIBS beside these two.  Nothing refers to readers of DWARF
# and of mangled names, which offer themselves.
LIB_LIBS := -lbpf -lelf -lz
DATA_LIBS := -Wl,-u,peat_dwarf_types,-u,peat_demangle $(if $(DW),-ldw) $(if $(LZMA),-llzma) -lzstd -liberty -lprotobuf-c $(if $(YAJL),-lyajl)
LIBS     := $(DATA_LIBS) $(LIB_LIBS)
AGENT_LIBS := $(if $(AGENT_PKGS),$(shell pkg-config --libs $(AGENT_PKGS))) -lzstd -lz -lm -lpthread
# The screen of peat top; deviations of peat stat.
CLI_LIBS := -lncursesw -ltinfo -lm
# The last warning is one of clang 21 and later: BPF_CORE_READ() of libbpf declares variables of const types.
BPF_CFLAGS := -g -O2 -target $(BPF_TARGET) -mcpu=v3 -D__TARGET_ARCH_$(or $(BPF_ARCH_$(MACHINE)),$(MACHINE)) \
	-Wall -Wextra -Wno-unused-parameter -Wno-unknown-warning-option -Wno-default-const-init-var-unsafe -Werror \
	-Ivmlinux -Iinclude -MMD -MP
# Tests compile in half of the time, and only their memory is checked by sanitizers; with a user's CFLAGS, such as those
# of fortified functions, not.
QUICK := $(if $(filter file,$(origin CFLAGS)),tests/unit/% tests/support/% tests/live/% tests/soak/% tests/fleet/%)
QUICK_CFLAGS := -O0 $(if $(filter 1,$(SAN)),-fno-sanitize=undefined -fno-sanitize=fuzzer-no-link)
# Test code need not comply with all warnings of the library.  __SANITIZE_ADDRESS__: gcc defines it, clang does not.
TEST_CFLAGS = $(filter-out -Wconversion -Wmissing-prototypes -Wshadow,$(ALL_CFLAGS)) \
	$(AGENT_CFLAGS) -iquote user -iquote tests -Iuser/probes -Ibpf \
	$(if $(findstring clang,$(CC)),-Wno-unknown-attributes -Wno-gnu-variable-sized-type-not-at-end) \
	$(if $(filter 1,$(SAN)),-D__SANITIZE_ADDRESS__) $(if $(filter $(QUICK),$<),$(QUICK_CFLAGS)) \
	-DTEST_OBJECTS='"$(if $(filter tests/live/% tests/soak/% tests/fleet/%,$<),$(LIVE_OBJECTS),$(PLAIN)/$(<D))"'
LIVE_OBJECTS = $(PLAIN)/tests/live/bpf

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) '$(2)')

# ---- files -----------------------------------------------------------------------------------------

# flood generates load for tests and benchmarks; it is not a probe.
PROBES     := $(filter-out flood,$(patsubst bpf/%.bpf.c,%,$(wildcard bpf/*.bpf.c)))
sources    = $(sort $(filter-out %.bpf.c,$(shell find $(1) -name '*.c')))
PROFILE    := stacks/profile.pb-c.o
LIB_OBJS   := $(patsubst %.c,$(BUILD)/%.o,$(call sources,user/lib))
AGENT_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(call sources,user/agent))
PROGRAM_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard user/peat-agent/*.c)) $(BUILD)/user/probes/probe.o
# peat recv --top has the screen of peat top.
RECV_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard user/peat-recv/*.c)) $(patsubst %,$(BUILD)/user/cli/%.o, \
	base/progress base/progress_text base/signals base/size_text base/terminal_text options/parse_unit table/screen \
	table/top_view)
ARCHIVES   := $(BUILD)/libpeat-data.a $(BUILD)/libpeat.a
# In the order in which they are linked.
ALL_ARCHIVES := $(BUILD)/libpeat-agent.a $(ARCHIVES)
# Everything that is installed in bin and lib.
PROGRAMS   := peat peat-agent peat-recv
LIBRARIES  := libpeat libpeat-data libpeat-agent
SONAMES    := $(SONAME) $(DATA_SONAME) $(AGENT_SONAME)
INSTALLED  := $(ALL_ARCHIVES:$(BUILD)/%=$(BUILD)/installed/%)
DATA_OBJS  := $(patsubst %.c,$(BUILD)/%.o,$(call sources,user/data)) $(BUILD)/user/data/$(PROFILE)
CLI_OBJS   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard user/cli/*.c user/cli/*/*.c user/bench/*.c user/probes/*.c))
BENCH_BPF  := $(patsubst %.c,$(PLAIN)/%.o,$(wildcard user/bench/bpf/*.bpf.c))
UNIT_OBJS  := $(patsubst %.c,$(BUILD)/%.o,$(call sources,tests/unit))
# Files of the command that unit tests link.
CLI_UNITS  := $(patsubst %,$(BUILD)/user/cli/%.o,base/json_text base/messages base/name_hash base/new_file \
	base/option_words base/progress base/progress_text base/shell_word base/size_text base/terminal_text \
	base/whole_file base/words complete/command_line doctor/doctor_checks options/parse_unit options/stack_format_words \
	profile/functions record/written_files run/event_filter stat/cpu_topology stat/row_groups stat/spread \
	stat/stat_print stat/stat_rows stat/stat_runs stat/thread_names table/kept_stacks) $(BUILD)/user/probes/probe.o
UNIT_BPF   := $(patsubst %.c,$(PLAIN)/%.o,$(shell find tests/unit -name '*.bpf.c'))
SUPPORT    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*/*.c))
# Those that make check-live runs: see tests/live/run-live.
LIVE_TESTS := $(patsubst %.c,$(BUILD)/%,$(filter-out $(wildcard $(PEAT_TEST_WITHOUT:%=tests/live/*/test_%.c)), \
	$(wildcard $(patsubst %,tests/live/%/test_*.c,$(or $(ROOMS),*)))))
AGENT_TESTS := $(filter $(BUILD)/tests/live/agent/%,$(LIVE_TESTS))
SOAK_OBJS  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/soak/*.c))
FLEET_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fleet/*.c))
LIVE_BPF   := $(LIVE_OBJECTS)/flood.bpf.o $(patsubst %.c,$(PLAIN)/%.o,$(wildcard tests/live/bpf/*.bpf.c))
FUZZERS    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
# Benchmarks print messages and JSON, too.
MESSAGE_OBJS := $(patsubst %,$(BUILD)/user/cli/%.o,base/json_text base/messages base/option_words base/progress \
	base/progress_text base/size_text base/terminal_text)
# The files of peat bench that the other benchmarks use.
BENCH_PARTS := $(patsubst %,$(BUILD)/user/bench/%.o,measure objects reader rig run table transports) \
	$(MESSAGE_OBJS)
PEERS_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/peers/*.c)) $(BENCH_PARTS)

.PHONY: all deps-build deps deps-vm deps-peers deps-pictures deps-compilers deps-debian deps-deb run deb bench-peers check check-unit check-mutants \
	check-san check-live soak check-fleet check-vm check-fuzz check-coverage check-failures check-objects check-spool check-abi record-abi check-deb \
	check-compilers check-debian check-install check-examples check-static check-image static image tests tests-live fuzzers lint format \
	install uninstall clean vmlinux FORCE

all: $(PROGRAMS:%=$(BUILD)/%) $(ALL_ARCHIVES) $(INSTALLED) $(LIBRARIES:%=$(BUILD)/%.so)

deps-build: WANTED = $(BUILD_PACKAGES)
deps: WANTED = $(PACKAGES)
deps-vm: WANTED = $(PACKAGES) $(FOREIGN_PACKAGES)
deps-peers: WANTED = $(PACKAGES) $(PEER_PACKAGES)
deps-pictures: WANTED = $(PACKAGES) pngquant
deps-compilers: WANTED = $(BUILD_PACKAGES) $(COMPILERS)
deps-debian: WANTED = git debootstrap debian-archive-keyring
deps-deb: WANTED = $(BUILD_PACKAGES) git build-essential debhelper lintian abigail-tools debootstrap \
	debian-archive-keyring iproute2
deps-build deps deps-vm deps-peers deps-pictures deps-compilers deps-debian deps-deb:
	@missing=; for p in $(WANTED); do \
		[ "$$(dpkg-query -Wf '$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || \
			missing="$$missing $$p"; \
	done; \
	[ -z "$$missing" ] || { echo "installing:$$missing"; \
		$(SUDO) apt-get update -q && \
		$(SUDO) env DEBIAN_FRONTEND=noninteractive \
			apt-get install -q -y --no-install-recommends $$missing; }

# Only the run is privileged, so that no file in build/ is owned by root.
run: deps-build
	@$(MAKE) all
	$(SUDO) $(BUILD)/peat trace exec

# ---- building --------------------------------------------------------------------------------------

# Change with the compiler and its flags, so that everything is rebuilt.
$(BUILD)/flags: FLAGS := $(CC) $(ALL_CFLAGS) $(VISIBLE)
$(PLAIN)/bpf-flags: FLAGS := $(BPF_CC) $(BPF_CFLAGS) $(subst ',,$(BPF_STRIP))
$(BUILD)/flags $(PLAIN)/bpf-flags: FORCE
	@mkdir -p $(@D); printf '%s\n' '$(FLAGS)' | cmp -s - $@ || printf '%s\n' '$(FLAGS)' > $@

$(BUILD)/user/%.o: user/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(OWN_CFLAGS) -c $< -o $@

# Objects that programs and libraries contain, without the half of them that no loader reads: DWARF (types and lines are
# in their BTF), relocations of BTF, which already has the offsets in its section, and labels.
BPF_COMPILE = $(BPF_CC) $(BPF_CFLAGS) -c $< -o $@ && $(BPF_STRIP) $@

$(PLAIN)/bpf/%.bpf.o: bpf/%.bpf.c $(PLAIN)/bpf-flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_COMPILE)

# The names of the target's system calls.
$(PLAIN)/bpf/syscall.bpf.o: $(PLAIN)/bpf/syscall_names.h
$(PLAIN)/bpf/syscall.bpf.o: BPF_CFLAGS += -I$(PLAIN)/bpf

$(PLAIN)/bpf/syscall_names.h: user/probes/syscall-names user/lib/field/call_rows.h $(PLAIN)/bpf-flags
	@mkdir -p $(@D)
	$(Q)user/probes/syscall-names $(CC) $(SYSROOT_CFLAGS) > $@

# Their numbers, for probes that have other uses for the names: CALL_openat.
$(PLAIN)/bpf/fileslow.bpf.o $(PLAIN)/bpf/filechange.bpf.o: $(PLAIN)/bpf/syscall_numbers.h
$(PLAIN)/bpf/fileslow.bpf.o $(PLAIN)/bpf/filechange.bpf.o: BPF_CFLAGS += -I$(PLAIN)/bpf

$(PLAIN)/bpf/syscall_numbers.h: $(PLAIN)/bpf/syscall_names.h
	$(Q)sed -n 's/^\t\([a-z_0-9]*\) = \(.*\),$$/#define CALL_\1 \2/p' $< > $@

$(PLAIN)/bpf/probes.def: $(patsubst %,bpf/%.bpf.c,$(PROBES)) Makefile
	@mkdir -p $(@D)
	$(Q)printf 'PROBE(%s)\n' $(PROBES) > $@

# The command contains the probes' objects.
$(BUILD)/user/cli/%.o: OWN_CFLAGS := -Iuser/probes -iquote user
$(BUILD)/user/bench/%.o: OWN_CFLAGS := -iquote user
$(BUILD)/user/probes/%.o: OWN_CFLAGS := -I$(PLAIN)/bpf -DPROBE_OBJECTS='"$(PLAIN)/bpf"'
$(BUILD)/user/probes/probe.o: $(PLAIN)/bpf/probes.def $(PROBES:%=$(PLAIN)/bpf/%.bpf.o)

# The examples of peat examples and of its manual page.
EXAMPLE_TEXT := user/cli/examples/examples.txt

$(PLAIN)/generated/examples.%: user/cli/examples/examples.awk $(EXAMPLE_TEXT)
	@mkdir -p $(@D)
	$(Q)awk -v form=$(if $(filter def,$*),rows,manual) -f $^ > $@

$(BUILD)/user/cli/examples/examples.o: OWN_CFLAGS += -I$(PLAIN)/generated
$(BUILD)/user/cli/examples/examples.o: $(PLAIN)/generated/examples.def

# BPF objects of peat bench, which the command contains, too.
$(PLAIN)/user/bench/bpf/%.bpf.o: user/bench/bpf/%.bpf.c $(PLAIN)/bpf-flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_COMPILE)

$(BUILD)/user/bench/objects.o: OWN_CFLAGS += -DBENCH_OBJECTS='"$(PLAIN)/user/bench/bpf"'
$(BUILD)/user/bench/objects.o: $(BENCH_BPF)

$(BUILD)/user/lib/%.o: OWN_CFLAGS := $(LIB_CFLAGS) $(VISIBLE)
$(BUILD)/user/data/%.o: OWN_CFLAGS := $(LIB_CFLAGS) $(VISIBLE)
$(BUILD)/user/agent/%.o: OWN_CFLAGS := $(AGENT_CFLAGS)
$(BUILD)/user/peat-recv/%.o: OWN_CFLAGS := -iquote user
$(BUILD)/user/peat-agent/%.o: OWN_CFLAGS := -Iuser/probes -iquote user $(AGENT_HAVE)

# The library's own BPF programs.
$(PLAIN)/user/lib/%.bpf.o: BPF_CFLAGS += $(LIB_CFLAGS)
$(PLAIN)/user/lib/%.bpf.o: user/lib/%.bpf.c $(PLAIN)/bpf-flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_COMPILE)

COLLECTOR   := channel/collector.o
COLLECT     := $(PLAIN)/user/lib/channel/collect.bpf.o
OWN_IDS     := $(PLAIN)/user/lib/channel/own_ids.bpf.o
DESCENDANTS := $(PLAIN)/user/lib/session/descendants.bpf.o
PLAN        := $(PLAIN)/user/lib/functions/plan.bpf.o
USDT        := $(PLAIN)/user/lib/functions/usdt.bpf.o

$(BUILD)/user/lib/$(COLLECTOR): OWN_CFLAGS += -DCOLLECT_OBJECT='"$(COLLECT)"'
$(BUILD)/user/lib/$(COLLECTOR): $(COLLECT)
$(BUILD)/user/lib/channel/own_ids.o: OWN_CFLAGS += -DOWN_IDS_OBJECT='"$(OWN_IDS)"'
$(BUILD)/user/lib/channel/own_ids.o: $(OWN_IDS)
$(BUILD)/user/lib/session/descendants.o: OWN_CFLAGS += -DDESCENDANTS_OBJECT='"$(DESCENDANTS)"'
$(BUILD)/user/lib/session/descendants.o: $(DESCENDANTS)
$(BUILD)/user/lib/functions/plan_object.o: OWN_CFLAGS += -DPLAN_OBJECT='"$(PLAN)"' -DUSDT_OBJECT='"$(USDT)"'
$(BUILD)/user/lib/functions/plan_object.o: $(PLAN) $(USDT)
# libbpf's part of it includes <linux/errno.h>, which is the same for all machines.
$(USDT) $(PLAIN)/tests/live/bpf/targetless.bpf.o: BPF_CFLAGS += -idirafter /usr/include/$(shell cc -print-multiarch)

# The messages of profiles.
PROFILE_C := $(BUILD)/generated/profile.pb-c.c

$(PROFILE_C): user/data/stacks/profile.proto
	$(call say,PROTOC,$<)
	@mkdir -p $(@D)
	$(Q)protoc-c --proto_path=$(<D) --c_out=$(@D) $(<F)

$(BUILD)/user/data/$(PROFILE): $(PROFILE_C) $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-conversion -c $< -o $@

PROFILE_USERS := $(patsubst %,stacks/%.o,main_mapping pprof profile_tables)

$(PROFILE_USERS:%=$(BUILD)/user/data/%) $(BUILD)/tests/unit/stacks/test_pprof.o \
	$(BUILD)/tests/unit/stacks/test_main_mapping.o: $(PROFILE_C)
$(BUILD)/tests/support/recording/pprof_file.o $(BUILD)/tests/live/command/test_profile.o: $(PROFILE_C)
# Embedded.
$(BUILD)/user/data/stacks/flamegraph.o: user/share/flamegraph.css user/share/flamegraph.js
$(BUILD)/user/data/page/document.o: $(wildcard user/share/page/*)

$(BUILD)/libpeat.a: $(LIB_OBJS)
$(BUILD)/libpeat-data.a: $(DATA_OBJS)
$(BUILD)/libpeat-agent.a: $(AGENT_OBJS)
$(ALL_ARCHIVES):
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $^

# The archives that are installed: internal names get the prefix peat_internal_, and so do not collide with names of the
# program.  The objects stay separate, so a program links only those that it needs.
$(BUILD)/internal-names: $(ALL_ARCHIVES)
	$(Q)$(NM) -g --defined-only $^ | \
		awk 'NF == 3 && $$3 !~ /^peat_/ { print $$3, "peat_internal_" $$3 }' | sort -u > $@

$(INSTALLED): $(BUILD)/installed/%: $(BUILD)/% $(BUILD)/internal-names
	$(call say,OBJCOPY,$@)
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) --redefine-syms=$(BUILD)/internal-names $< $@

# The symbols of libpeat that the other two libraries use have the version PEAT_PRIVATE.
$(BUILD)/libpeat.map: user/lib/libpeat.map user/lib/private-symbols include/peat/peat.h $(ALL_ARCHIVES)
	$(Q)NM=$(NM) user/lib/private-symbols $(ABI) $< $(ALL_ARCHIVES) > $@

# Likewise those of libpeat-data, for libpeat-agent.
$(BUILD)/libpeat-data.map: user/data/libpeat-data.map user/lib/private-symbols include/peat/peat.h \
		$(BUILD)/libpeat-agent.a $(BUILD)/libpeat-data.a
	$(Q)NM=$(NM) user/lib/private-symbols $(ABI) $< $(BUILD)/libpeat-agent.a $(BUILD)/libpeat-data.a > $@

# libpeat-agent has none.
$(BUILD)/libpeat-agent.map: user/agent/libpeat-agent.map include/peat/peat.h
	$(Q)sed 's/@ABI@/$(ABI)/' $< > $@

$(BUILD)/$(SONAME): $(LIB_OBJS) $(BUILD)/libpeat.map
	$(call say,LINK,$@)
	$(Q)$(filter-out -no-pie,$(LINK)) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=$(BUILD)/libpeat.map \
		-Wl,-Bsymbolic-functions $(if $(SAN),,$(NO_UNDEFINED)) $(LIB_OBJS) $(LIB_LIBS) -o $@

$(BUILD)/$(DATA_SONAME): $(DATA_OBJS) $(BUILD)/libpeat-data.map $(BUILD)/$(SONAME)
	$(call say,LINK,$@)
	$(Q)$(filter-out -no-pie,$(LINK)) -shared -Wl,-soname,$(DATA_SONAME) -Wl,--version-script=$(BUILD)/libpeat-data.map \
		$(if $(SAN),,$(NO_UNDEFINED)) $(DATA_OBJS) $(BUILD)/$(SONAME) $(LIBS) -o $@

$(BUILD)/$(AGENT_SONAME): $(AGENT_OBJS) $(BUILD)/libpeat-agent.map $(BUILD)/$(SONAME) $(BUILD)/$(DATA_SONAME)
	$(call say,LINK,$@)
	$(Q)$(filter-out -no-pie,$(LINK)) -shared -Wl,-soname,$(AGENT_SONAME) -Wl,--version-script=$(BUILD)/libpeat-agent.map \
		$(if $(SAN),,$(NO_UNDEFINED)) $(AGENT_OBJS) $(BUILD)/$(DATA_SONAME) $(BUILD)/$(SONAME) \
		-Wl,--as-needed $(AGENT_LIBS) -o $@

$(BUILD)/libpeat.so: $(BUILD)/$(SONAME)
$(BUILD)/libpeat-data.so: $(BUILD)/$(DATA_SONAME)
$(BUILD)/libpeat-agent.so: $(BUILD)/$(AGENT_SONAME)
$(BUILD)/libpeat.so $(BUILD)/libpeat-data.so $(BUILD)/libpeat-agent.so:
	$(Q)ln -sf $(<F) $@

$(BUILD)/peat: $(CLI_OBJS) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(LIBS) $(CLI_LIBS) -o $@

# A program of its own: the libraries of its outputs would slow down the start of peat.
$(BUILD)/peat-agent: $(PROGRAM_OBJS) $(ALL_ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(AGENT_LIBS) $(LIBS) -o $@

$(BUILD)/peat-recv: $(RECV_OBJS) $(ALL_ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(AGENT_LIBS) $(LIBS) $(CLI_LIBS) -o $@

# ---- one static file -------------------------------------------------------------------------------
# peat without shared libraries, and compressed.  These files have other code there: a static executable cannot load
# the libraries of glibc's name services, nor libdebuginfod.  What the linker warns of would fail when it runs.

STATIC      := $(BUILD)/static
STATIC_OWN  := user/cli/base/users.o user/data/symbols/debug/debuginfod.o
STATIC_OBJS := $(STATIC)/user/static/eu_search.o $(STATIC_OWN:%=$(STATIC)/%) $(filter-out $(STATIC_OWN:%=$(BUILD)/%),$(CLI_OBJS))
STATIC_LIBS := $(LIBS:-lyajl=-lyajl_s) $(CLI_LIBS)
# Debian 12 has no rcrt1.o, which starts position-independent ones, for s390x.
STATIC_LINK := $(if $(filter s390x,$(MACHINE)),-static,-static-pie)

$(STATIC)/user/cli/%.o: OWN_CFLAGS := -iquote user
$(STATIC)/user/data/%.o: OWN_CFLAGS := $(LIB_CFLAGS) $(VISIBLE)
$(STATIC)/user/%.o: user/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(OWN_CFLAGS) -DPEAT_STATIC -c $< -o $@

$(STATIC)/peat: $(STATIC_OBJS) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $(STATIC_LINK) -s -Wl,--fatal-warnings $^ -Wl,--start-group $(STATIC_LIBS) -Wl,--end-group -o $@

$(STATIC)/peat.zst: $(STATIC)/peat
	$(Q)zstd -19 -q -f $< -o $@

static: $(STATIC)/peat $(STATIC)/peat.zst

# A container image: the static file, and the other two programs with their libraries.  Other machines have no agent.
IMAGE := $(BUILD)/peat-image.tar
IMAGE_PROGRAMS := $(STATIC)/peat $(if $(CROSS),,$(BUILD)/peat-agent $(BUILD)/peat-recv)

$(IMAGE): user/image/build user/share/agent.yaml $(IMAGE_PROGRAMS)
	$(call say,IMAGE,$@)
	$(Q)STRIP=$(TOOLS)strip user/image/build $@ $(MACHINE) $(VERSION) $(IMAGE_PROGRAMS)

image: $(IMAGE)

# ---- tests -----------------------------------------------------------------------------------------

# Builds everything that the tests need, without privileges.  Fuzzers are built with sanitizers.
tests: all $(if $(SAN),,static) $(BUILD)/tests/unit/unit $(LIVE_TESTS) \
	$(if $(filter 1,$(SAN)),$(FUZZERS),$(BUILD)/tests/soak/soak $(BUILD)/tests/fleet/fleet \
	$(patsubst %,$(BUILD)/bench-%,peers parts scale gallery functions start agent $(if $(findstring NATS,$(AGENT_HAVE)),fleet)))

# The programs that run in virtual machines.
tests-live: $(PROGRAMS:%=$(BUILD)/%) $(if $(SAN),,$(STATIC)/peat) $(LIVE_TESTS)

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) -c $< -o $@

# They read their own debug information.
$(BUILD)/tests/unit/dwarf_types/%.o $(BUILD)/tests/live/session/test_user_prototypes.o: TEST_CFLAGS += -g2

# Embedded by process__program().
NOTHING := tests/support/machine/nothing/nothing

# Like BPF objects in PLAIN, for sanitized tests too.
$(PLAIN)/$(NOTHING): $(NOTHING).c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -Werror -Os -static -nostdlib $< -o $@

$(BUILD)/tests/support/machine/process.o: $(PLAIN)/$(NOTHING)

# Embedded by traced_library__write().
LIBRARY := tests/support/machine/library/traced

$(PLAIN)/$(LIBRARY).so: $(LIBRARY).c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -Wall -Wextra -Werror -Os -fPIC -shared -nostdlib $< -o $@

$(BUILD)/tests/support/machine/traced_library.o: $(PLAIN)/$(LIBRARY).so

# The tests use internal functions of the library, so they link the archive.
$(BUILD)/tests/unit/unit: $(UNIT_OBJS) $(SUPPORT) $(CLI_UNITS) \
		$(ALL_ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(TEST_LINK) $^ -lcheck -lsubunit -lm -lrt -lpthread $(AGENT_LIBS) $(LIBS) -o $@

$(PLAIN)/tests/%.bpf.o: tests/%.bpf.c $(PLAIN)/bpf-flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(BPF_CC) $(BPF_CFLAGS) -c $< -o $@

# Embedded by EMBED_OBJECT() of tests/support/machine/object.h, from LIVE_OBJECTS or the directory of the test.
$(LIVE_OBJECTS)/flood.bpf.o: $(PLAIN)/bpf/flood.bpf.o
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(UNIT_OBJS): $(UNIT_BPF)

$(LIVE_TESTS:%=%.o) $(BUILD)/tests/soak/soak.o $(BUILD)/tests/fleet/fleet_agent.o: $(LIVE_BPF)
$(BUILD)/tests/live/recording/test_flamegraph.o: tests/live/recording/flamegraph_check.js
$(BUILD)/tests/live/recording/test_report.o: tests/live/recording/browse.js tests/live/recording/report_check.js

# The kernel finds callers by frame pointers.
$(BUILD)/tests/live/reader/test_stacks.o $(BUILD)/tests/live/command/test_profile.o \
$(BUILD)/tests/live/command/test_count_stacks.o $(BUILD)/tests/live/command/test_examples.o \
$(BUILD)/tests/live/gallery/test_leak.o: \
	TEST_CFLAGS += -fno-omit-frame-pointer

# Programs whose stacks are named, built for this machine.
ZOO := tests/live/symbols/zoo

$(BUILD)/$(ZOO)/built: $(wildcard $(ZOO)/*)
	$(call say,ZOO,$(@D))
	$(Q)$(ZOO)/build-zoo $(@D) && touch $@

$(filter %/test_perf_names %/test_changed_files %/test_live_names,$(LIVE_TESTS)): | $(if $(CROSS),,$(BUILD)/$(ZOO)/built)

$(BUILD)/tests/live/gallery/test_where_probes $(BUILD)/tests/live/recording/test_live_and_recorded: \
	$(BUILD)/user/probes/probe.o
# Tests of the agent link its library.  One file of SUPPORT has functions with the names of OpenSSL's.
$(filter-out $(AGENT_TESTS),$(LIVE_TESTS)): %: %.o $(SUPPORT) $(ARCHIVES)
$(AGENT_TESTS): %: %.o $(filter-out %/probe_events.o,$(SUPPORT)) $(ALL_ARCHIVES)
$(LIVE_TESTS):
	$(call say,LINK,$@)
	$(Q)$(LIVE_LINK) $^ -lcheck -lsubunit -lm -lrt -lpthread $(if $(filter $@,$(AGENT_TESTS)),$(AGENT_LIBS)) $(LIBS) -o $@

$(BUILD)/tests/soak/soak: $(SOAK_OBJS) $(filter-out %/probe_events.o,$(SUPPORT)) $(ALL_ARCHIVES)
$(BUILD)/tests/fleet/fleet: $(FLEET_OBJS) $(filter-out %/probe_events.o,$(SUPPORT)) $(ALL_ARCHIVES)
$(BUILD)/tests/soak/soak $(BUILD)/tests/fleet/fleet:
	$(call say,LINK,$@)
	$(Q)$(TEST_LINK) $^ -lcheck -lsubunit -lm -lrt -lpthread $(AGENT_LIBS) $(LIBS) -o $@

$(BUILD)/bench-peers: $(PEERS_OBJS) $(ARCHIVES) | $(PLAIN)/$(NOTHING)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lpthread $(LIBS) -o $@

# Uses Debian's Go sources, without modules and without the network.
GO = env GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS= GOCACHE=$(CURDIR)/$(BUILD)/go-cache go

$(BUILD)/bench-cilium: tests/bench/peers/cilium_reader.go
	$(call say,GO,$<)
	@mkdir -p $(@D)
	$(Q)gofmt -d $< | { ! grep . >&2; }
	$(Q)$(GO) vet $<
	$(Q)$(GO) build -o $@ $<

$(BUILD)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(ALL_ARCHIVES)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -MF $@.d $< $(ALL_ARCHIVES) $(AGENT_LIBS) $(LIBS) -o $@

# The package of Prometheus has promtool, too, before Debian 13.  The packages of Prometheus, NATS and podman start services: their
# programs are unpacked, 37 MB of podman.  Without the network the tests that need them are skipped.
UNPACKED := $(PLAIN)/tools
unpack = @[ -x $(UNPACKED)/$(2) ] || { mkdir -p $(UNPACKED) && cd $(UNPACKED) && apt-get download -qq $(1) && \
		dpkg-deb --fsys-tarfile $(1)_*.deb | tar -x ./$(dir $(2)) && rm $(1)_*.deb && [ -x $(2) ]; } || \
		echo "no $(notdir $(2)): its tests are skipped"
# Their names differ between versions of Debian.
PODMAN_LIBRARIES = $$(apt-cache depends --recurse --important podman | \
	grep -xE 'lib(assuan|devmapper|gpg-error|gpgme|sqlite3-|subid)[^:]*' | sort -u)
.PHONY: tools
tools:
	$(call unpack,prometheus,usr/bin/prometheus)
	$(call unpack,promtool,usr/bin/promtool)
	$(call unpack,nats-server,usr/sbin/nats-server)
	@[ -x $(UNPACKED)/usr/bin/podman ] || { mkdir -p $(UNPACKED) && cd $(UNPACKED) && \
		apt-get download -qq podman conmon $(PODMAN_LIBRARIES) && \
		for package in *.deb; do dpkg-deb --fsys-tarfile $$package | \
			tar -x --wildcards './usr/bin/*' '*/lib*.so*' 2>/dev/null; rm $$package; done; } || echo "no podman: its tests are skipped"

check: deps tools
	@$(MAKE) -j $(shell nproc) tests
	@tests/run-all $(MAKE)

check-unit: $(BUILD)/tests/unit/unit
	@tests/unit/run-unit $(BUILD)/tests/unit/unit

check-san:
	@$(MAKE) SAN=1 check-unit

# How well the tests see changes of FILES of the libraries; MUTANTS, SEED, LIVE: tests/mutate/run-mutants.
check-mutants: export COMPILE = $(filter-out -MMD -MP,$(CC) $(ALL_CFLAGS)) $(AGENT_CFLAGS) -DCOLLECT_OBJECT="$(COLLECT)" \
	-DOWN_IDS_OBJECT="$(OWN_IDS)" -DDESCENDANTS_OBJECT="$(DESCENDANTS)" -DPLAN_OBJECT="$(PLAN)" -DUSDT_OBJECT="$(USDT)"
check-mutants: export UNIT = $(UNIT_OBJS) $(SUPPORT) $(CLI_UNITS)
check-mutants: export LINK := $(LINK)
check-mutants: export LIBS := -lcheck -lsubunit -lm -lrt -lpthread $(AGENT_LIBS) $(LIBS) $(CLI_LIBS)
check-mutants: export SUPPORT := $(SUPPORT)
check-mutants: export CLI = $(CLI_OBJS)
check-mutants: export BUILD := $(BUILD)
check-mutants: $(BUILD)/tests/unit/unit $(if $(LIVE),$(BUILD)/peat $(CLI_OBJS) $(LIVE:%=$(BUILD)/tests/live/%))
	@SUDO='$(SUDO)' tests/mutate/run-mutants $(FILES)

# All live tests, or only those in ROOMS of tests/live.
check-live: all tests-live
	@tests/live/run-live $(BUILD) $(ROOMS)

# An agent for SOAK_SECONDS under changing load and troubles: see tests/soak/soak.c.  It switches CPUs off and on.
soak: all $(BUILD)/tests/soak/soak
	@$(SUDO) env PEAT=$(BUILD)/peat SOAK_SECONDS=$(or $(SOAK_SECONDS),3600) $(if $(SOAK_CPUS),SOAK_CPUS=$(SOAK_CPUS)) \
		$(if $(SOAK_SEED),SOAK_SEED=$(SOAK_SEED)) unshare -m $(BUILD)/tests/soak/soak

# An agent, its receiver and three servers are killed, and their network is cut: see tests/fleet.  FLEET_SECONDS,
# FLEET_RATE, FLEET_SPOOL, FLEET_SEED, KILLS; FLEET has the test that runs, fleet or kills.
check-fleet: all tools $(BUILD)/tests/fleet/fleet
	@$(SUDO) env PEAT=$(BUILD)/peat PATH="$$PATH:$(CURDIR)/$(UNPACKED)/usr/sbin" \
		$(foreach name,FLEET_SECONDS FLEET_RATE FLEET_SPOOL FLEET_SEED KILLS,$(if $($(name)),$(name)=$($(name)))) \
		unshare -m $(BUILD)/tests/fleet/fleet $(FLEET)

# All kernels, including those of other architectures, or only KERNELS.
check-vm:
	@$(if $(KERNELS),,$(MAKE) deps-vm)
	@$(MAKE) tests-live
	@tests/vm/check $(MAKE) $(BUILD) $(KERNELS)

check-install: all
	@tests/check-install $(MAKE)

# The static file alone in an empty root.
check-static: static
	@tests/check-static $(BUILD)

# The container image, by runc and podman.
check-image: image $(BUILD)/peat tools
	@tests/check-image $(MAKE) $(BUILD)

check-examples: all
	@tests/check-examples $(MAKE)

# Everything that is installed, by each of COMPILERS.
check-compilers: deps-compilers
	@$(SUDO) tests/check-compilers $(MAKE) $(COMPILERS)

# Both commands of the README in a fresh Debian SUITE, at the last commit.
check-debian: deps-debian
	@$(SUDO) tests/check-debian $(or $(SUITE),$(error SUITE is a Debian suite, such as trixie))

# Debian packages of the last commit, in DEB.
DEB = $(PLAIN)/deb
deb: deps-deb
	@user/debian/build $(DEB) $(VERSION) $(ABI) $(BUILD_PACKAGES)

check-deb: deps-deb
	@$(SUDO) tests/check-deb $(MAKE) $(VERSION)

# The ABI beside that of the last release, and programs that were compiled with it.
check-abi: all
	@tests/abi/check-abi $(MAKE) $(BUILD) $(ABI)

record-abi: deps-deb
	@$(MAKE) all
	@tests/abi/check-abi --record $(BUILD) $(ABI)

# Measures peat beside readers in other languages and whole tools.  For -j and -q see
# tests/bench/peers/run-peers.
bench-peers: deps-peers
	@$(MAKE) all $(BUILD)/bench-peers $(BUILD)/bench-cilium
	@$(SUDO) tests/bench/peers/run-peers $(BUILD)

check-fuzz: FUZZ_JOBS = $(shell nproc)
check-fuzz: $(if $(SAN),fuzzers)
	@$(if $(SAN),tests/fuzz/run-fuzzers $(BUILD)/tests/fuzz $(FUZZ_JOBS) $(FUZZ_RUNS),$(MAKE) SAN=1 check-fuzz)

# How many lines of each parser the corpus of its fuzzer runs.
check-coverage: $(if $(filter coverage,$(SAN)),fuzzers)
	@$(if $(filter coverage,$(SAN)),tests/fuzz/print-coverage $(BUILD)/tests/fuzz,$(MAKE) SAN=coverage check-coverage)

# Cuts and damages a spool at random, ROUNDS times, in memory.
check-spool: ROUNDS = 1000000
check-spool: $(BUILD)/tests/unit/unit
	@$(SUDO) unshare -m sh -c 'mount -t tmpfs tmpfs /tmp && PEAT_SPOOL_ROUNDS=$(ROUNDS) exec $(BUILD)/tests/unit/unit spool/spool_damage'

# Lets calls of peat fail, one a run, in all SCENARIOS of tests/failures/run-failures or only in these.
check-failures: all $(BUILD)/tests/failures/fail_call.so $(BUILD)/tests/failures/objects_left
	@$(SUDO) env $(if $(SAMPLE),SAMPLE=$(SAMPLE)) $(if $(CALLS),CALLS='$(CALLS)') tests/failures/run-failures $(BUILD) $(SCENARIOS)

$(BUILD)/tests/failures/fail_call.so: tests/failures/fail_call.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(filter-out -Wmissing-prototypes,$(ALL_CFLAGS)) -fvisibility=default -shared -MF $@.d $< -o $@

$(BUILD)/tests/failures/objects_left: tests/failures/objects_left.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -MF $@.d $< -o $@

# Damages BPF objects at random, RUNS times, and has peat list and load them.  SEED has the number of the first.
OBJECTS_TEST := $(BUILD)/tests/objects/damaged_objects
HOSTILE_OBJECTS := $(LIVE_BPF) $(PROBES:%=$(PLAIN)/bpf/%.bpf.o)
check-objects: RUNS = 100000
check-objects: SEED = 1
check-objects: $(OBJECTS_TEST) $(HOSTILE_OBJECTS)
	@$(SUDO) tests/objects/run-objects $(OBJECTS_TEST) $(RUNS) $(SEED) $(HOSTILE_OBJECTS)

# The command, whose main() has another name.
$(BUILD)/tests/objects/peat_main.o: $(BUILD)/user/cli/main.o
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) --redefine-sym main=peat_main $< $@

$(OBJECTS_TEST): $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/objects/*.c)) $(BUILD)/tests/objects/peat_main.o \
		$(filter-out $(BUILD)/user/cli/main.o,$(CLI_OBJS)) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(TEST_LINK) $^ -lpthread $(LIBS) $(CLI_LIBS) -o $@

fuzzers: $(FUZZERS)

lint: all
	@tests/lint.sh $(BUILD)

# The pictures of README.md, of a run on this machine.
.PHONY: pictures
pictures: deps-pictures
	@$(MAKE) all
	@$(SUDO) tests/documents/draw-pictures $(BUILD)/peat

# ---- benchmarks ------------------------------------------------------------------------------------
# For developers; not part of make check.

.PHONY: bench-check bench-parts bench-scale bench-gallery bench-functions bench-page bench-start bench-agent bench-fleet

# Checks the ratios of user/bench/ratios.  Takes two minutes; needs an idle machine.
bench-check: all
	@user/bench/check-ratios $(BUILD)/peat

# Measures parts of the library alone: all, or only PARTS.
PARTS_OBJS     := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/parts/*.c)) \
	$(BUILD)/tests/support/machine/fake_ring.o $(BUILD)/tests/support/recording/written.o \
	$(BUILD)/user/bench/table.o $(MESSAGE_OBJS)

# Its callchains are recorded.
$(BUILD)/tests/bench/parts/faults.o: TEST_CFLAGS += -fno-omit-frame-pointer

$(BUILD)/tests/bench/parts/spool.o: TEST_CFLAGS += $(AGENT_CFLAGS)

$(BUILD)/bench-parts: $(PARTS_OBJS) $(ALL_ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(TEST_LINK) $^ -lyajl -lcheck -lsubunit -lm -lrt -lpthread $(AGENT_LIBS) $(LIBS) -o $@

bench-parts: deps
	@$(MAKE) all $(BUILD)/bench-parts
	@PEAT=$(BUILD)/peat $(BUILD)/bench-parts $(PARTS)

# Measures what the probes, all or BENCH_PROBES alone, add to the operations that they watch.
TRACER_OBJS  := $(patsubst %,$(BUILD)/tests/bench/peers/%.o,operation process tracer)
GALLERY_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/gallery/*.c)) \
	$(TRACER_OBJS) $(BUILD)/user/bench/table.o $(MESSAGE_OBJS)

$(BUILD)/bench-gallery: $(GALLERY_OBJS) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lm -lpthread $(LIBS) -o $@

bench-gallery: deps-peers
	@$(MAKE) all $(BUILD)/bench-gallery
	@$(SUDO) tests/bench/gallery/run-gallery $(BUILD) $(BENCH_PROBES)

# Measures a page of peat report in Chromium: a million events.
bench-page: deps
	@$(MAKE) all
	@$(SUDO) tests/bench/page/run-page $(BUILD)/peat

# Measures functions as sources beside bpftrace.
FUNCTIONS_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/functions/*.c)) \
	$(TRACER_OBJS) $(BUILD)/user/bench/table.o $(MESSAGE_OBJS)

$(BUILD)/bench-functions: $(FUNCTIONS_OBJS) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lm -lpthread $(LIBS) -o $@

bench-functions: deps-peers
	@$(MAKE) all $(BUILD)/bench-functions
	@$(SUDO) tests/bench/functions/run-functions $(BUILD)

# Measures sizes and start times of the shared and the static peat beside bpftrace.
START_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/start/*.c)) $(BUILD)/user/bench/table.o $(MESSAGE_OBJS)

$(BUILD)/bench-start: $(START_OBJS) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lm $(LIBS) -o $@

# As packages have it.
$(BUILD)/bench-start-peat: $(BUILD)/peat
	$(Q)strip -o $@ $<

bench-start: deps
	@$(MAKE) all static $(BUILD)/bench-start $(BUILD)/bench-start-peat
	@$(SUDO) tests/bench/start/run-start $(BUILD)

# Measures scaling with event size and rate, programs, CPUs and rings, and a steady load of SECONDS.
SECONDS    ?= 5
SCALE_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/scale/*.c)) \
	$(BENCH_PARTS) $(BUILD)/user/bench/workloads.o $(BUILD)/user/bench/select.o

$(BUILD)/bench-scale: $(SCALE_OBJS) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lm -lpthread $(LIBS) -o $@

bench-scale: deps
	@$(MAKE) all $(BUILD)/bench-parts $(BUILD)/bench-scale
	@tests/bench/scale/scale-here $(BUILD) $(SECONDS)

# Measures what the agent's files cost: of this build, or of each of AGENTS in turn.
AGENT_BENCH_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/agent/*.c)) \
	$(BUILD)/tests/bench/peers/process.o $(BUILD)/user/bench/table.o $(MESSAGE_OBJS)

$(BUILD)/bench-agent: $(AGENT_BENCH_OBJS) $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ -lm -lpthread $(LIBS) -o $@

bench-agent: deps
	@$(MAKE) all $(BUILD)/bpf/flood.bpf.o $(BUILD)/bench-agent
	@$(SUDO) $(BUILD)/bench-agent $(BUILD) $(AGENTS)

# Measures the agent's output to a stream of NATS: of this build, or of each of AGENTS in turn.
FLEET_BENCH_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/fleet/*.c)) \
	$(patsubst %,$(BUILD)/tests/bench/%.o,agent/agent_run peers/process) $(BUILD)/user/bench/table.o $(MESSAGE_OBJS)

$(BUILD)/bench-fleet: $(FLEET_BENCH_OBJS) $(ALL_ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(AGENT_LIBS) $(LIBS) -o $@

bench-fleet: deps tools
	@$(MAKE) all $(BUILD)/bpf/flood.bpf.o $(BUILD)/bench-fleet
	@$(SUDO) tests/bench/fleet/run-fleet $(BUILD) $(AGENTS)

format:
	$(Q)git ls-files -co --exclude-standard '*.c' '*.h' '*.cc' | grep -v '^vmlinux/' | xargs clang-format -i

# ---- the rest --------------------------------------------------------------------------------------

# Writes all types of the running kernel for other probes: use -Ibuild/vmlinux instead of -Ivmlinux.
vmlinux:
	@mkdir -p $(BUILD)/vmlinux
	$(Q)bpftool btf dump file /sys/kernel/btf/vmlinux format c > $(BUILD)/vmlinux/vmlinux.h
	@echo $(BUILD)/vmlinux/vmlinux.h

DEST     = $(DESTDIR)$(PREFIX)
LIB_DEST = $(DESTDIR)$(LIBDIR)
DOC      = $(DEST)/share/doc/peat
EXAMPLES = $(DOC)/examples
PROBE_FILES = $(DEST)/share/peat/probes
# The headers of their sources.
PROBE_HEADERS = $(filter-out bpf/flood.h,$(wildcard bpf/*.h)) $(PLAIN)/bpf/syscall_names.h $(PLAIN)/bpf/syscall_numbers.h
MANUALS = $(foreach n,1 5 7,$(patsubst user/man/%,$(DEST)/share/man/man$n/%,$(wildcard user/man/*.$n)))
# systemd reads the unit there if PREFIX is /usr or /usr/local.
UNIT = $(DEST)/lib/systemd/system/peat-agent.service
# The places where bash-completion and zsh look.
COMPLETIONS = $(DEST)/share/bash-completion/completions/peat $(DEST)/share/zsh/site-functions/_peat

install: all $(PLAIN)/generated/examples.man
	install -d $(DEST)/bin $(LIB_DEST)/pkgconfig $(DEST)/include/peat/vmlinux \
		$(sort $(dir $(MANUALS))) $(EXAMPLES) $(PROBE_FILES) $(DOC)/pictures \
		$(dir $(COMPLETIONS) $(UNIT))
	install $(PROGRAMS:%=$(BUILD)/%) $(DEST)/bin
	install -m 644 $(INSTALLED) $(LIB_DEST)
	install $(SONAMES:%=$(BUILD)/%) $(LIB_DEST)
	for library in $(LIBRARIES); do \
		ln -sf $$library.so.$(ABI) $(LIB_DEST)/$$library.so && \
		sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|; s|@VERSION@|$(VERSION)|' \
			-e 's|@LIBS@|$(LIB_LIBS)|; s|@DATA_LIBS@|$(DATA_LIBS)|; s|@AGENT_LIBS@|$(AGENT_LIBS)|' \
			user/share/$$library.pc.in > $(LIB_DEST)/pkgconfig/$$library.pc || exit; done
	install -m 644 include/peat/*.h $(DEST)/include/peat
	install -m 644 vmlinux/vmlinux.h $(DEST)/include/peat/vmlinux
	install -m 644 $(PROBES:%=$(PLAIN)/bpf/%.bpf.o) $(PROBES:%=bpf/%.bpf.c) $(PROBE_HEADERS) $(PROBE_FILES)
	install -m 644 user/man/*.1 $(DEST)/share/man/man1
	install -m 644 user/man/*.5 $(DEST)/share/man/man5
	install -m 644 user/man/*.7 $(DEST)/share/man/man7
	sed -i 's/@VERSION@/$(VERSION)/' $(MANUALS)
	sed -i -e '/^@EXAMPLES@$$/{ r $(PLAIN)/generated/examples.man' -e 'd }' $(DEST)/share/man/man1/peat-examples.1
	sed 's|@PREFIX@|$(PREFIX)|' user/share/peat-agent.service.in > $(UNIT)
	install -m 644 user/share/peat-agent.sysctl.conf $(DEST)/share/peat
	sed 's|@VERSION@|$(VERSION)|' user/share/peat-daemonset.yaml > $(DEST)/share/peat/peat-daemonset.yaml
	install -m 644 user/share/completion/peat.bash $(firstword $(COMPLETIONS))
	install -m 644 user/share/completion/_peat $(lastword $(COMPLETIONS))
	install -m 644 user/examples/*.c user/examples/*.cc $(EXAMPLES)
	install -m 644 README.md user/doc/*.md $(DOC)
	install -m 644 user/doc/pictures/* $(DOC)/pictures
	sed -i 's|](user/doc/|](|; s|](../../README|](README|' $(DOC)/*.md

uninstall:
	rm -f $(addprefix $(DEST)/bin/,$(PROGRAMS)) $(addprefix $(LIB_DEST)/,$(SONAMES) \
		$(foreach library,$(LIBRARIES),$(library).a $(library).so pkgconfig/$(library).pc))
	rm -f $(MANUALS) $(COMPLETIONS) $(UNIT)
	rm -rf $(DEST)/include/peat $(DEST)/share/doc/peat $(DEST)/share/peat

clean:
	rm -rf build

-include $(shell find $(PLAIN) -path $(DEB) -prune -o -type f -name '*.d' -print 2>/dev/null)
