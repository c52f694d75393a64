#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# selftest.sh: proves that every rule of lint.sh can fail, and that a clean tree passes.  Each case
# adds a violation to a copy of a small tree, and names the rule that has to report it.
#
# shellcheck disable=SC2016 # planted scripts expand their own variables
set -u
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

source=$(cd "$(dirname "$0")/.." && pwd) || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0
skipped=0

lgpl='SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause'
gpl='SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause'

# write FILE LINE...
write()
{
	local file=$1

	shift
	mkdir -p "$(dirname "$file")"
	printf '%s\n' "$@" >"$file"
}

# The same behind the SPDX line of user space.
lgpl()
{
	local file=$1

	shift
	write "$file" "/* $lgpl */" "$@"
}

bpf()
{
	local file=$1

	shift
	write "$file" "/* $gpl */" "$@"
}

add_line()
{
	printf '%s\n' "$2" >>"$1"
}

# lines N: prints N lines of C in the style of clang-format.
lines()
{
	local n

	for ((n = 0; n < $1; n++)); do
		echo "	x++;"
	done
}

# function_of N FILE: one function of N lines.
function_of()
{
	lgpl "$2" 'void f(int x)' '{' "$(lines $(($1 - 3)))" '}'
}

long_probe()
{
	bpf bpf/long.bpf.c 'SEC("tp_btf/x")' 'int BPF_PROG(on_x, struct x *arg, int x)' '{' "$(lines 90)" \
		'	return 0;' '}'
}

# library CODE: builds the library from mini.c and one more line of C, with the tree's map.
library()
{
	mkdir -p build
	{
		cat user/lib/base/log.c
		echo "$1"
	} | gcc -shared -fPIC -fvisibility=hidden -Iinclude -Iuser/lib -x c -o build/libpeat.so - \
		-Wl,--version-script=user/lib/libpeat.map
}

clean_tree()
{
	git init -q .
	cp "$source/../.clang-format" .
	write .gitignore /build/
	write Makefile "# $lgpl" 'all:'
	write README.md '# peat' '' '| room | purpose |' '|---|---|' '| `base` | x |' '| `sys`, `record` | `base` |' \
		'| `maps` | x |' '| `ring` | x |' '| `channel` | x |' '| `user/data`: `perf_data` | `/write` |' '| `user/agent`: `output` | x |'
	lgpl include/peat/mini.h '#ifndef PEAT_MINI_H' '#define PEAT_MINI_H' '' '#include <stdint.h>' '' \
		'#define PEAT_API __attribute__((visibility("default")))' '' \
		'#ifdef __cplusplus' 'extern "C" {' '#endif' '' \
		'/* PEAT_API in a comment; is no declaration. */' \
		'PEAT_API uint32_t *peat_mini__get(int a_name_long_enough_to_break_the_line,' \
		'				  int another_long_name_here);' '' \
		'#ifdef __cplusplus' '}' '#endif' '' '#endif'
	bpf include/peat/wire.h '#ifndef PEAT_WIRE_H' '#define PEAT_WIRE_H' '' '#define PEAT_WIRE 1' '' '#endif'
	bpf include/peat/peat.bpf.h '#include "vmlinux.h"' '#include <bpf/bpf_helpers.h>' \
		'#include <peat/wire.h>'
	write user/lib/libpeat.map "/* $lgpl" ' * the symbols' ' */' 'PEAT_0 {' 'global:' \
		'	peat_mini__get; # told here' 'local:' '	*;' '};'
	lgpl user/lib/base/log.h 'int level(void);'
	lgpl user/lib/base/log.c '#include <peat/mini.h>' '#include "base/log.h"' '' \
		'uint32_t *peat_mini__get(int a, int b)' '{' '	return 0;' '}'
	lgpl user/lib/ring/ring.h 'int ring(void);'
	lgpl user/lib/ring/ring.c '#include <sys/mman.h>' '#include <linux/perf_event.h>' '#include "base/log.h"' '' \
		'int ring(void)' '{' '	mmap(0, 0, 0, 0, 0, 0);' \
		'	return __atomic_load_n(&x, __ATOMIC_ACQUIRE);' '}'
	lgpl user/lib/sys/event_fd.h 'int event_fd(void);'
	lgpl user/lib/sys/event_fd.c '#include "sys/event_fd.h"' '' \
		'int event_fd(void)' '{' '	return perf_event_open(0);' '}'
	lgpl user/lib/channel/channel.c '#include <bpf/libbpf.h>' '#include <errno.h>'
	lgpl user/lib/channel/frame.c '#include <string.h>' '#include "base/log.h"' '' \
		'/* Without printf("x"), exit(1) or mmap(). */' 'int frame(void)' '{' \
		'	log->printf("mmap(%d) // no comment", '"'\"'"');' \
		'	munmap(0); /* abort() and' '		    * raise() */' \
		'	return snprintf(0, 0, "exit(\"1\")");' '}'
	room base 'no other room'
	room sys base
	room record base
	room maps 'base, sys'
	room ring 'base, sys'
	room channel base
	write user/data/perf_data/README.md '# perf_data' '' 'Uses: no other room.'
	write user/data/perf_data/write/README.md '# perf_data/write' '' 'Uses: base, record.'
	write user/agent/output/README.md '# output' '' 'Uses: base, perf_data/write.'
	lgpl user/agent/output/output.c '#include <peat/mini.h>' '#include "base/log.h"'
	lgpl user/cli/verb.h 'int verb(void);'
	lgpl user/cli/verb.c '#include <peat/mini.h>' '#include <linux/types.h>' '#include <errno.h>' \
		'#include "verb.h"' '' 'int verb(void)' '{' '	return printf("x");' '}'
	function_of 80 user/cli/long.c
	bpf bpf/exec.bpf.c '#include <peat/peat.bpf.h>'
	write tests/fuzz/corpus/verb.bin data
	write tests/live/corpus/verb.bin data
	write tests/live/plain.sh '#!/bin/sh' "# $lgpl" 'tmp=$(mktemp -d /tmp/x.XXXXXX)' 'ls "$tmp"'
	write tests/vm/guest.sh '#!/bin/sh' "# $lgpl" 'ls /roo''t/x "$HOME"/roo''t/y'
}

# room NAME USES
room()
{
	write "user/lib/$1/README.md" "# $1" '' "Uses: $2."
}

# Compiles each file of the library.
objects()
{
	local source

	for source in user/*/*/*.c; do
		mkdir -p "build/${source%/*}"
		gcc -w -iquote user/lib -Iinclude -c "$source" -o "build/${source%.c}.o" || return
	done
}

# data_in FILE: it includes a file of user/data.
data_in()
{
	lgpl user/data/perf_data/write/writer.h 'int writer(void);'
	lgpl "$1" '#include "perf_data/write/writer.h"'
}

# call_between CALLER CALLEE: a call between two rooms, declared without an include.
call_between()
{
	rm user/*/*/*.c
	lgpl "user/$2/callee.c" '#include "base/log.h"' '' 'int callee(void)' '{' '	return 0;' '}'
	lgpl "user/$1/caller.c" '#include "base/log.h"' '' 'int callee(void);' '' 'int caller(void)' '{' \
		'	return callee();' '}'
	objects
}

# unused_room [LINE]: the README of maps names sys.
unused_room()
{
	rm user/*/*/*.c
	lgpl user/lib/base/log.c 'int level(void)' '{' '	return 0;' '}'
	lgpl user/lib/maps/maps.c '#include "base/log.h"' "$@" '' 'int maps(void)' '{' '	return level();' '}'
	objects
}

# perf_data and perf_data/write use each other.
circle()
{
	write user/data/perf_data/README.md '# perf_data' '' 'Uses: perf_data/write.'
	write user/data/perf_data/write/README.md '# perf_data/write' '' 'Uses: perf_data.'
}

report()
{
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
		echo "ok: $2"
	else
		failed=$((failed + 1))
		echo "FAILED: $2"
		sed 's/^/	/' "$tmp/output"
	fi
}

# lint_after RULES COMMAND...: runs a command in a new copy of the clean tree, then lint, by these rules alone, as
# all take ten times as long; '': all.  Returns lint's status.
lint_after()
{
	local rules=$1

	shift
	rm -rf "$tmp/tree"
	cp -r "$tmp/clean" "$tmp/tree"
	(
		cd "$tmp/tree" || exit 3
		"$@" || exit 3
		# shellcheck disable=SC2086 # names of rules
		"$source/lint.sh" build $rules
	) >"$tmp/output" 2>&1
}

# expect RULE REGEX COMMAND...: the rule has a finding that matches the regex.
expect()
{
	local rule=$1 regex=$2

	shift 2
	lint_after "$rule" "$@"
	[ $? = 1 ] &&
		grep -E "^[^:]+:[0-9]+: $rule: " "$tmp/output" | grep -qE "$regex"
	report $? "$rule: $regex"
}

# accept RULES WHAT COMMAND...: no finding.
accept()
{
	local rules=$1 what=$2

	shift 2
	lint_after "$rules" "$@" &&
		grep -q '^lint: [1-9][0-9]* files, 0 findings$' "$tmp/output"
	report $? "clean: $what"
}

test_format()
{
	if grep -q '^lint: format not checked: ' "$tmp/output"; then
		echo 'skipped test_format: formats are checked by the clang-format of Debian 12'
		skipped=$((skipped + 1))
		return
	fi
	expect format '^user/cli/bad.c:3: .*2 place' \
		lgpl user/cli/bad.c 'int f(int x)' '{' '    return x;' '  }'
	expect format '^user/examples/bad.cc:[0-9]+: ' lgpl user/examples/bad.cc '  int x;'
	expect format '^.clang-format:[0-9]+: .*unknown key' add_line .clang-format 'Nonsense: 1'
}

test_public_headers()
{
	local header=include/peat/bad.h

	expect house '^include/peat/bad.h:2: .*linux/types.h' lgpl $header '#include <linux/types.h>'
	expect house 'not asm/byteorder.h' lgpl $header '#include <asm/byteorder.h>'
	expect house 'no header of user space' lgpl $header '#ifdef __bpf__' '#include <peat/peat.bpf.h>' '#endif'
	expect house 'not mini.h' lgpl $header '#include "mini.h"'
	expect house 'not bpf/libbpf.h' add_line include/peat/peat.bpf.h '#include <bpf/libbpf.h>'
	expect house 'not stdint.h' add_line include/peat/peat.bpf.h '#include <stdint.h>'
	expect house 'not peat/mini.h' add_line include/peat/peat.bpf.h '#include <peat/mini.h>'
	expect house 'wire.h serves both' add_line include/peat/wire.h '#include <stdint.h>'
}

test_library_includes()
{
	expect house '^user/lib/lost.c:1: .*no room' lgpl user/lib/lost.c 'int lost;'
	expect house '^user/lib/deep/lost.c:1: .*no room' lgpl user/lib/deep/lost.c 'int lost;'
	expect house '^user/lib/base/deep/lost.c:1: .*no room' lgpl user/lib/base/deep/lost.c 'int lost;'
	accept house 'a new file in a room' lgpl user/lib/sys/new.c '#include "base/log.h"'
	expect house 'sys/README.md does not say that it uses ring' lgpl user/lib/sys/cpus.c '#include "ring/ring.h"'
	expect house 'channel/README.md does not say that it uses ring' \
		lgpl user/lib/channel/new.c '#include "ring/ring.h"'
	expect house '^user/lib/sys/README.md:1: .*no line' write user/lib/sys/README.md '# sys'
	expect house '^user/lib/sys/README.md:3: .*uses ring, which is below sys' room sys 'base, ring'
	expect house '^user/lib/sys/README.md:3: .*uses record, which is beside sys' room sys 'base, record'
	expect house '^user/lib/sys/README.md:3: .*no room' room sys 'base, attic'
	expect house '^user/lib/channel/README.md:3: .*of user/data: user/lib is' room channel 'base, perf_data/write'
	expect house '^user/lib/channel/README.md:3: .*of user/agent: user/lib is' room channel 'base, output'
	expect house '^user/data/perf_data/README.md:3: .*of user/agent: user/data is' \
		write user/data/perf_data/README.md '# perf_data' '' 'Uses: output.'
	expect house '^user/data/perf_data.*/README.md:3: .*, which uses it, too' circle
	expect house '^README.md:3: .*the table of rooms lacks attic' room attic base
	expect house '^README.md:3: .*lacks perf_data/read' write user/data/perf_data/read/README.md 'Uses: no other room.'
	expect house '^README.md:8: .*ring is no room' rm -r user/lib/ring
	expect house '^README.md:10: .*perf_data/write is no room' rm -r user/data/perf_data/write
	expect house '^README.md:3: .*lacks journal' write user/agent/journal/README.md 'Uses: no other room.'
	expect house 'does not say that it uses perf_data/write' data_in user/lib/channel/new.c
	expect house '^user/agent/output/new.c:2: .*use no private function' data_in user/agent/output/new.c
	accept 'house symbols' 'a room of user/lib in user/data' lgpl user/data/perf_data/write/new.c '#include "base/log.h"'
	accept symbols 'a call to a room below' call_between lib/ring lib/sys
	expect symbols '^user/lib/sys/caller.c:1: .*callee is of the room ring' call_between lib/sys lib/ring
	expect symbols '^user/agent/output/caller.c:1: .*callee is of the room ring' call_between agent/output lib/ring
	accept 'house symbols' 'a room that is used by a header alone' unused_room '#include "sys/event_fd.h"'
	expect symbols '^user/lib/maps/README.md:3: .*uses sys, but no' unused_room
	expect house 'no private header' lgpl user/lib/sys/cpus.c '#include "mini.h"'
	expect house 'no private header' lgpl user/lib/ring/near.c '#include "ring.h"'
	expect house '^user/lib/base/log.c:9: .*LIBBPF' add_line user/lib/base/log.c '#include <bpf/btf.h>'
	accept house 'libbpf in a room that knows it' lgpl user/lib/maps/list.c '#include <bpf/bpf.h>'
	expect house 'frame.c is pure' add_line user/lib/channel/frame.c '#include <stdio.h>'
	expect house 'record/new.c is pure' lgpl user/lib/record/new.c '#include <sys/stat.h>'
	accept house 'an impure file of a pure room' lgpl user/data/perf_data/write/writer.c '#include <unistd.h>'
	expect house 'hold atomics' add_line user/lib/channel/frame.c '#include <stdatomic.h>'
	accept house 'atomics of an agent' add_line user/agent/output/output.c '#include <stdatomic.h>'
}

# calls CODE: adds code to a file of a pure room.
calls()
{
	lgpl user/lib/channel/frame.c 'int frame(void)' '{' "	$1;" '}'
}

test_library_calls()
{
	expect house '^user/lib/channel/frame.c:4: .*perf_event_open' calls 'return perf_event_open(0)'
	expect house 'perf_event_open' calls 'return syscall(SYS_perf_event_open)'
	expect house 'perf_event_open' calls 'return syscall(__NR_perf_event_open)'
	expect house 'mmap belongs' calls 'return !mmap(0)'
	expect house 'hold atomics' calls '__atomic_store_n(&x, 1, 0)'
	expect house 'hold atomics' calls 'return __sync_fetch_and_add(&x, 1)'
	expect house 'hold atomics' calls '_Atomic int x'
	expect house 'never prints' calls 'printf("x")'
	expect house 'never prints' calls 'fprintf(stderr, "x")'
	expect house 'never prints' calls 'puts("x")'
	expect house 'never exits' calls 'exit(1)'
	expect house 'never exits' calls 'abort()'
	expect house 'never touches signals' calls 'signal(1, f)'
}

test_opens()
{
	local code

	for code in 'open("x", 0)' 'openat(1, path, 0)' 'fopen(path, "r")' 'open64("x", 0)' 'syscall(SYS_openat2)'; do
		expect house '^user/lib/channel/frame.c:4: .*foreign_file' calls "return $code"
	done
	expect house '^user/agent/output/output.c:4: .*foreign_file' \
		add_line user/agent/output/output.c 'int fd = open(path, 0);'
	expect house '^user/cli/verb.c:11: .*foreign_file' add_line user/cli/verb.c 'int fd = open(path, 0);'
	accept house 'a file that opens files of the kernel' \
		lgpl user/lib/sys/cpus.c '' 'int cpus(void)' '{' '	return open(path, 0);' '}'
	accept house 'other functions that open' calls 'return list->open(list) + reopen(list) + mq_open(list)'
	accept house 'a function of that name' lgpl user/cli/own.c '' 'static int open(void)' '{' '	return 0;' '}'
}

test_names()
{
	local code

	for code in 'chmod(path, 0644)' 'rename(a, b)' 'mkostemp(path, 0)' 'mkdtemp(path)' 'symlink(a, b)' 'lchown(a, 0, 0)'; do
		expect house '^user/lib/channel/frame.c:4: .*by its path' calls "return $code"
	done
	expect house '^user/lib/base/event_file.c:5: .*by its path' \
		lgpl user/lib/base/event_file.c '' 'int f(void)' '{' '	return rename(a, b);' '}'
	for code in 'fchmod(1, 0644)' 'renameat(1, a, 1, b)' 'linkat(1, a, 1, b, 0)' 'fchownat(1, a, 0, 0, 0)'; do
		expect house '^user/lib/channel/frame.c:4: .*NAMES of' calls "return $code"
	done
	accept house 'the file that replaces files' \
		lgpl user/cli/base/whole_file.c '' 'int f(void)' '{' '	return renameat(1, a, 1, b);' '}'
	accept house 'other functions and members of such names' calls 'return file->rename(a) + debug_link(b)'
}

test_user()
{
	local folder

	for folder in cli probes examples; do
		expect house "user/$folder/bad.c:2: .*never libbpf" \
			lgpl "user/$folder/bad.c" '#include <bpf/libbpf.h>'
		expect house "\"base/log.h\" is not in" lgpl "user/$folder/bad.c" '#include "base/log.h"'
		expect house 'base/log.h: here only' lgpl "user/$folder/bad.c" '#include <base/log.h>'
		expect house 'is not in' lgpl "user/$folder/bad.c" '#include "../lib/log.h"'
	done
	expect house 'never libbpf' lgpl user/examples/bad.cc '#include <bpf/libbpf.h>'
	expect house 'is not in' lgpl user/cli/bad.c '#include "hello.skel.h"'
	accept house 'libbpf as a peer' lgpl user/bench/good.c '#include <bpf/libbpf.h>'
	expect house 'never libbpf' lgpl user/cli/bench.c '#include <bpf/libbpf.h>'
	expect house 'never libbpf' lgpl user/probes/bench_bad.c '#include <bpf/libbpf.h>'
	expect house 'is not in' lgpl user/cli/bad.c '#include "bench/bench.h"'
	expect house '"base/log.h" is not in' lgpl user/bench/bad.c '#include "base/log.h"'
	accept house 'a generated skeleton' lgpl user/examples/good.c '#include "hello.skel.h"'
}

test_exports()
{
	local map=user/lib/libpeat.map

	accept exports 'a built library' library ''
	expect exports '^include/peat/mini.h:14: .*peat_mini__get is PEAT_API, but not in' \
		sed -i 's/peat_mini__get/peat_mini__put/' $map
	expect exports 'peat_mini__get is PEAT_API, but not in' inline_symbol
	expect exports '^user/lib/libpeat.map:7: .*peat_gone: no public header' \
		sed -i '6a peat_gone;' $map
	expect exports 'no wildcard: peat_\*' sed -i '6a peat_*;' $map
	expect exports 'libpeat.so:1: .*stray is exported, but is no peat_ name' stray_symbol
	expect exports 'peat_stray is exported, but not named' stray_symbol peat_
	accept exports 'a private symbol' private_symbol
	expect exports 'libpeat.so lacks it' empty_library
	accept exports 'a function of another library' agent_library peat_batch__new
	expect exports 'build/libpeat-agent.so lacks it' agent_library peat_stray__new
	expect exports '^user/agent/libpeat-agent.map:4: .*peat_batch__new: no public header' \
		agent_map
}

agent_map()
{
	write user/agent/libpeat-agent.map "/* $lgpl */" 'PEAT_0 {' 'global:' '	peat_batch__new;' 'local:' '	*;' '};'
}

# agent_library FUNCTION: builds a library of user/agent with the function; its header and map have peat_batch__new().
agent_library()
{
	library ''
	agent_map
	lgpl include/peat/batch.h '#include <peat/mini.h>' 'PEAT_API int peat_batch__new(void);'
	echo "int $1(void) { return 0; }" | gcc -shared -fPIC -x c -o build/libpeat-agent.so - \
		-Wl,--version-script=user/agent/libpeat-agent.map
}

inline_symbol()
{
	sed -i 's/PEAT_API/PEAT_INLINE/; s/^\t\t\t\t  /&   /' include/peat/mini.h
	sed -i 's/peat_mini__get/peat_mini__put/' user/lib/libpeat.map
}

# The linker has to accept the map, the rule must not.
stray_symbol()
{
	cp user/lib/libpeat.map "$tmp/map"
	sed -i "6a ${1-}stray;" user/lib/libpeat.map
	library "__attribute__((visibility(\"default\"))) int ${1-}stray;"
	cp "$tmp/map" user/lib/libpeat.map
}

# A version for another library of peat.
private_symbol()
{
	cp user/lib/libpeat.map "$tmp/map"
	echo 'PEAT_PRIVATE { global: stray; };' >>user/lib/libpeat.map
	library '__attribute__((visibility("default"))) int stray;'
	cp "$tmp/map" user/lib/libpeat.map
}

empty_library()
{
	mkdir -p build
	gcc -shared -o build/libpeat.so -x c /dev/null
}

# sleeper SECTION BYTES: a built program with a variable of so many bytes.
sleeper()
{
	bpf bpf/sleeper.bpf.c "__attribute__((section(\"$1\"))) int on_call(void *ctx)" '{' "	char bytes[$2];" \
		'	((long (*)(void *, int, void *))148)(bytes, sizeof(bytes), ctx);' '	return bytes[0];' '}'
	mkdir -p build/bpf
	clang -O2 -target bpf -mcpu=v3 -c bpf/sleeper.bpf.c -o build/bpf/sleeper.bpf.o
}

test_stacks()
{
	accept stacks 'a sleepable program with 48 bytes of stack' sleeper uprobe.s/libx.so:f 48
	accept stacks 'a program that may not sleep' sleeper uprobe/libx.so:f 64
	expect stacks '^bpf/sleeper.bpf.c:1: .*on_call uses 64 bytes' sleeper uprobe.s/libx.so:f 64
	expect stacks 'on_call uses 64 bytes' sleeper '?uretprobe.s' 64
}

test_spdx()
{
	expect spdx '^user/cli/bad.c:1: .*no SPDX' write user/cli/bad.c 'int x;'
	expect spdx '^user/examples/bad.cc:1: .*no SPDX' write user/examples/bad.cc 'int x;'
	expect spdx 'no SPDX' write user/cli/late.c 'int x;' 'int y;' 'int z;' "/* $lgpl */"
	expect spdx '^user/cli/bad.c:1: .*here is LGPL' bpf user/cli/bad.c 'int x;'
	expect spdx '^bpf/bad.bpf.c:1: .*here is GPL' lgpl bpf/bad.bpf.c 'int x;'
	expect spdx '^vmlinux/vmlinux.h:1: ' lgpl vmlinux/vmlinux.h 'int x;'
	expect spdx '^include/peat/wire.h:1: ' lgpl include/peat/wire.h '#define PEAT_WIRE 1'
	expect spdx '^bpf/Makefile:1: ' write bpf/Makefile 'all:'
	expect spdx '^tests/bad.sh:1: ' write tests/bad.sh '#!/bin/sh' 'ls'
	expect spdx '^tests/bad:1: ' write tests/bad '#!/usr/bin/env python3' 'pass'
	expect spdx '^tests/bad.S:1: ' write tests/bad.S '.text'
	expect spdx 'libpeat.map:1: ' sed -i '1s/.*/\/*/' user/lib/libpeat.map
}

test_length()
{
	expect length '^user/cli/bad.c:2: .*f has 81 lines' function_of 81 user/cli/bad.c
	expect length '^bpf/long.bpf.c:3: .*on_x has 94 lines' long_probe
	expect length 'include/peat/inline.h:3: .*more than 80' \
		lgpl include/peat/inline.h '' 'static inline void f(int x)' '{' "$(lines 80)" '}'
	expect length '^user/cli/bad.c:701: .*has 701 lines' lgpl user/cli/bad.c "$(declarations 700)"
	expect length '^bpf/bad.bpf.c:801: .*has 801 lines' bpf bpf/bad.bpf.c "$(declarations 800)"
	accept length 'a test of 900 lines' lgpl tests/live/big_test.c "$(declarations 899)"
	expect length '^tests/live/big_test.c:901: ' lgpl tests/live/big_test.c "$(declarations 900)"
}

declarations()
{
	local n

	for ((n = 0; n < $1; n++)); do
		echo "extern int x;"
	done
}

# switch_over FILE CASE LAST: a function with a switch of two cases.
switch_over()
{
	lgpl "$1" 'int f(int x)' '{' '	switch (x) {' "	case $2:" '		return 1;' "	$3:" '		return 2;' \
		'	}' '	return 0;' '}'
}

test_fields()
{
	expect fields '^user/cli/bad.c:2: .*class' lgpl user/cli/bad.c 'int x = kind == PEAT_FIELD_HEX;'
	expect fields '^include/peat/bad.h:2: ' lgpl include/peat/bad.h '#define BAD(kind) ((kind) >= PEAT_FIELD_STRUCT)'
	expect fields '^user/cli/bad.c:2: ' lgpl user/cli/bad.c 'int x[] = { [PEAT_FIELD_HEX] = 1 };'
	expect fields '^user/lib/base/bad.c:5: ' switch_over user/lib/base/bad.c PEAT_FIELD_HEX 'case 1'
	expect fields '^user/cli/bad.c:7: .*default' switch_over user/cli/bad.c PEAT_CLASS_TEXT default
	expect fields '^user/cli/bad.c:7: .*default' switch_over user/cli/bad.c FIELD_FORMAT_HEX default
	accept fields 'kinds that are assigned' lgpl user/cli/good.c 'int x = PEAT_FIELD_HEX;'
	accept fields 'a switch over all classes' switch_over user/cli/good.c PEAT_CLASS_TEXT 'case PEAT_CLASS_BYTES'
	accept fields 'a switch with a default' switch_over user/cli/good.c 1 default
}

test_headers()
{
	expect headers '^include/peat/bad.h:2: headers: .*unknown type name' \
		lgpl include/peat/bad.h 'extern uint32_t bad;'
	expect headers 'include/peat/bad.h:2: headers: as C\+\+: ' \
		lgpl include/peat/bad.h 'extern int class;'
	expect headers 'bad.h:3: .*Wpedantic' lgpl include/peat/bad.h 'struct bad {' '	int x[0];' '};'
}

test_leftovers()
{
	local home=/hom''e/someone root=/roo''t/x

	expect leftovers '^README.md:12: .*path' add_line README.md "see $home/x"
	expect leftovers '^tests/note:1: .*path' write tests/note "\"$root\""
	expect leftovers '^README.md:12: .*path' add_line README.md "$tmp/tree/x"
	expect leftovers '^user/cli/bad.c:2: .*not done' lgpl user/cli/bad.c "/* TOD""O: more */"
	expect leftovers 'not done' add_line README.md "FIXM""E"
	expect leftovers 'not done' add_line Makefile "# XX""X"
}

test_comments()
{
	expect comments '^user/cli/bad.c:3: .*torn' lgpl user/cli/bad.c '/*' ' *from a line above' ' */'
	accept comments 'a star of code' lgpl user/cli/good.c '/*' ' * A pointer:' ' */' 'void f(int *a)' '{' $'\t*a = 1;' '}'
}

# elsewhere LINE...: writes lines to tests/unit/elsewhere, in a tree whose files have tests.
elsewhere()
{
	local file

	for file in base/test_log channel/test_frame channel/test_channel_by_name ring/test_ring sys/test_event_fd \
		output/test_output; do
		lgpl tests/unit/$file.c 'int x;'
	done
	lgpl user/lib/sys/cpus.c 'int cpus;'
	write tests/unit/elsewhere '# user/lib: tests' '' "$@"
}

untested_output()
{
	elsewhere 'sys/cpus.c: tests/unit/base/test_log.c: all of it'
	lgpl user/agent/output/http.c 'int http;'
}

test_tested()
{
	local list=tests/unit/elsewhere

	accept tested 'a file that is tested elsewhere' elsewhere 'sys/cpus.c: tests/unit/base/test_log.c: all of it'
	expect tested '^user/lib/sys/cpus.c:1: .*no tests/unit/sys/test_cpus.c' elsewhere
	expect tested '^user/agent/output/http.c:1: .*no tests/unit/output/test_http.c' untested_output
	expect tested "^$list:4: .*no file of the library sys/gone.c" elsewhere \
		'sys/cpus.c: tests/unit/base/test_log.c: all of it' 'sys/gone.c: tests/unit/base/test_log.c: y'
	expect tested "^$list:3: .*no test tests/unit/sys/test_gone.c" elsewhere \
		'sys/cpus.c: tests/unit/base/test_log.c tests/unit/sys/test_gone.c: all of it'
	expect tested "^$list:4: .*channel/channel.c has tests/unit/channel/test_channel_by_name.c" elsewhere \
		'sys/cpus.c: tests/unit/base/test_log.c: x' 'channel/channel.c: tests/unit/base/test_log.c: y'
	expect tested "^$list:4: .*has a line above" elsewhere \
		'sys/cpus.c: tests/unit/base/test_log.c: x' 'sys/cpus.c: tests/unit/base/test_log.c: y'
	expect tested "^$list:4: .*no line like" elsewhere \
		'sys/cpus.c: tests/unit/base/test_log.c: x' 'sys/cpus.c: tests/unit/base/test_log.c'
}

# test_called NAME...: a file with empty tests of these names.
test_called()
{
	local name

	lgpl tests/live/reader/test_ring.c '#include <check.h>' '' "$(for name; do
		printf 'START_TEST(%s)\n{\n}\nEND_TEST\n\n' "$name"
	done)"
}

test_test_names()
{
	accept test_names 'a test with a name of two words' test_called test_ring_fills test_32_bits
	expect test_names '^tests/live/reader/test_ring.c:9: .*test_ring: say' test_called test_ring_fills test_ring
	expect test_names 'test_: say' test_called test_
	expect test_names 'ring_fills: say' test_called ring_fills
}

# picture BYTES [FILE]: a picture of so many bytes, which README.md shows.
picture()
{
	mkdir -p user/doc/pictures
	head -c "$1" /dev/zero >user/doc/pictures/x.png
	add_line README.md "![a picture](${2:-user/doc/pictures/x.png})"
}

test_pictures()
{
	accept pictures 'a small picture' picture 59999
	expect pictures '^README.md:12: .*x.png has 60000 bytes' picture 60000
	expect pictures '^README.md:12: .*no file user/doc/pictures/y.png' picture 1 user/doc/pictures/y.png
	expect pictures '^user/doc/pictures/x.png:1: .*no document' picture 1 user/doc/pictures/y.png
	expect pictures '^README.md:12: .*no text' add_line README.md '![](x.png)'
}

test_words()
{
	local header=include/peat/bad.h page=user/man/bad.1

	expect words '^README.md:12: .*"What"' add_line README.md 'What it is.'
	expect words '"Whose"' add_line README.md 'One sentence. Whose next one is bad.'
	expect words '"What"' add_line README.md '## What it looks like'
	expect words '"of"' add_line README.md '| room | of the kernel |'
	expect words '"That of"' add_line README.md '- That of a probe.'
	expect words '^user/doc/x.md:3: .*"As in"' write user/doc/x.md 'x' 'A sentence. As' 'in another.'
	accept words 'words inside of a sentence' add_line README.md 'See what it is, as in this, of course.'
	accept words 'words in a block of code' write user/doc/x.md '```' 'What is printed' '```'
	expect words '^include/peat/bad.h:3: .*"Of"' lgpl $header '/*' ' * Of a header.' ' */'
	expect words '"of"' lgpl $header 'struct bad {' '	int x; /* of the event */' '};'
	expect words '"What"' lgpl $header '// Good. What is bad.'
	expect words '^user/lib/a/bad.c:2: .*option' lgpl user/lib/a/bad.c 'x("name it by --btf");'
	expect words '^user/agent/a/bad.c:2: .*option' lgpl user/agent/a/bad.c 'x("name it by --btf");'
	accept words 'a command in a message' lgpl user/lib/a/good.c 'x("peat list --maps lists them");'
	accept words 'a string' lgpl $header 'static const char bad[] = "What";'
	expect words '^user/man/bad.1:1: .*"Of"' write $page '.B Of' 'a page'
	expect words '^user/man/bad.1:2: .*"What"' write $page '.TP' '.BR What " it is"'
	expect words '"What"' write $page '.SH What it is'
	accept words 'a page' write $page '.SH NAME' 'It prints' '.B what' 'it is of.'
}

# with_page LINE OPTION: a manual page, and the row of an option.
with_page()
{
	write user/man/peat.1 "$1"
	lgpl user/cli/options/options_bad.c 'const struct option_row options_bad__rows[] = {' \
		"	{ { \"$2\", 0, NULL, 0, \"help\", 1 }, ALL, INTO(bad) }," '};'
}

# with_setting LINE SETTING: the page of the configuration, and the row of a setting.
with_setting()
{
	write user/man/peat-agent.yaml.5 "$1"
	lgpl user/agent/file/bad.c 'static const struct setting_row rows[] = {' \
		"	{ \"$2\", SETTING_TEXT, 0, 0, 0 }," '};'
}

test_manual()
{
	local page='.BR \-\-by\-name\fR[\fP=\fIFIRST\fP'

	accept manual 'an option in a manual page' with_page "$page" by-name
	expect manual '^user/cli/options/options_bad.c:3: .*--by is' with_page "$page" by
	expect manual ': --name is' with_page "$page" name
	accept manual 'a setting in its page' with_setting '.BI file: " path"' file
	expect manual '^user/agent/file/bad.c:3: .*max is not' with_setting '.BI file\-max: " path"' max
}

# with_examples COMMAND...: a manual page with these examples.
with_examples()
{
	local command

	write user/man/peat-x.1 '.SH NAME' x '.SH SYNOPSIS' x '.SH EXAMPLES'
	for command; do
		printf '.TP\n%s\nA sentence.\n' "$command"
	done >>user/man/peat-x.1
	echo '.SH DESCRIPTION' >>user/man/peat-x.1
}

test_first_examples()
{
	accept first_examples 'three examples' with_examples '.B peat list' '.B peat doctor' '.B peat \-V'
	accept first_examples 'a link' write user/man/peat-x.1 '.so man1/peat.1'
	expect first_examples '^user/man/peat-x.1:5: .* has 2 commands' with_examples '.B peat list' '.B peat doctor'
	expect first_examples '^user/man/peat-x.1:1: .* has 0 commands' write user/man/peat-x.1 '.SH NAME' x '.SH DESCRIPTION' x \
		'.SH EXAMPLES' '.TP' '.B peat a' 'A.' '.TP' '.B peat b' 'B.' '.TP' '.B peat c' 'C.'
	expect first_examples '^user/man/peat-x.1:7: .*is a line' with_examples 'peat list' '.B peat doctor' '.B peat \-V'
}

test_tree()
{
	accept '' 'two files of one name' lgpl user/probes/verb.c 'int x;'
	accept '' 'a deleted file' delete_known
	expect top_level '^tools/x:1: ' write tools/x y
	expect top_level '^notes:1: ' write notes y
	accept 'top_level spdx' 'dot-files' write .ci/packages gcc
	accept 'top_level spdx' 'ignored files' write build/tools/x y
	expect shell '^tests/bad.sh:3: .*SC2086' write tests/bad.sh '#!/bin/sh' "# $lgpl" 'ls $1'
	expect shell '^tests/bad:3: ' write tests/bad '#!/usr/bin/env bash' "# $lgpl" 'ls $1'
}

delete_known()
{
	write user/cli/gone.c 'int x;'
	git add user/cli/gone.c
	rm user/cli/gone.c
}

# If a tool is missing, lint fails and names its package.
test_tools()
{
	local tool package

	mkdir "$tmp/bin"
	ln -s /usr/bin/* "$tmp/bin"
	while read -r tool package; do
		rm "$tmp/bin/$tool"
		PATH=$tmp/bin lint_after '' true
		[ $? = 2 ] && grep -q "$tool not found.* package $package\$" "$tmp/output"
		report $? "missing $tool"
		ln -s "/usr/bin/$tool" "$tmp/bin/$tool"
	done <<-EOF
		clang-format clang-format
		shellcheck shellcheck
		ctags universal-ctags
		g++ g++
	EOF
	lint_after '' cd tests
	[ $? -gt 1 ]
	report $? 'elsewhere than in the root'
}

mkdir "$tmp/clean"
(cd "$tmp/clean" && clean_tree) || exit 1
accept '' 'the tree itself' true
[ $failed = 0 ] || exit 1
test_format
test_public_headers
test_library_includes
test_library_calls
test_opens
test_names
test_user
test_exports
test_stacks
test_spdx
test_length
test_fields
test_headers
test_leftovers
test_comments
test_tested
test_test_names
test_words
test_manual
test_first_examples
test_tree
test_tools
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
