#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# lint.sh [BUILD_DIR [RULE]...]: checks the shape of the tree, by all rules or these.  Run it in the
# repository's root.
#
# Prints each finding as "file:line: rule: what is wrong".  Exits 1 if there are findings, 2 if it
# could not check.  The rules are the functions rule_* below; each prints its findings and returns 0.
# tests/lint/selftest.sh proves that each rule can fail.
set -u -o pipefail
export LC_ALL=C

# Rooms of user/lib, user/data and user/agent are the folders with a README.md, whose line "Uses:" names the rooms that it
# uses.  The order of the rooms in README.md is checked by these lines.

# Rooms and files with a property; "!" excepts a file of such a room.
# PURE: bytes in, values out; no fd, no clock, no output.
PURE="identity pmu/modifiers.h pmu/modifiers.c record !record/regs.c tracepoint tracing_data perf_data !perf_data/event_names.c perf_data/write !perf_data/write/writer.c perf_data/describe !perf_data/describe/report.c base/cursor.h base/arena.c base/array.c base/array.h base/glob.h base/glob.c base/hash.c base/hash.h base/store.h base/string_counts.c base/time_heap.h tables !tables/hash.c !tables/map_read.c !tables/map_table.c !tables/map_open.c !tables/text_keys.c object/btf_ext.c object/core_relos.c object/line_info.c object/elf_image.c object/insn.c object/plain_locks.c event/order.c where/term.c where/presence.c where/terms.c channel/frame.h channel/frame.c perf_data/read/inflate.c perf_data/read/attr_updates.c recorder/named_threads.c convert/rounds.c convert/placeholder_formats.c convert/retype_sample.c stacks/stack_tree.c stacks/counted_frames.c stacks/merged_stacks.c stacks/call_boxes.c stacks/box_colour.c stacks/profile_tables.c pcapng/blocks.h pcapng/blocks.c pcapng/link_type.h pcapng/link_type.c perfetto/packets.h perfetto/packets.c perfetto/nesting.h perfetto/nesting.c perfetto/interned.h perfetto/interned.c batch merge audit !audit/audit_report.c"

# LIBBPF: may use libbpf.
LIBBPF="schema object object/infer functions maps tables/map_read.c tables/map_table.c tables/map_open.c tables/text_keys.c channel session session/parts session/attach session/foreign machine/programs.c ring/rings.c sys/kallsyms.c sys/grace_period.c sys/loaded_functions.c dwarf_types replay/type_overrides.c replay/recorded_btfs.c reader/types.h recorder/preamble.c"

# Files of user/ that call open(), openat() or fopen().  They open files of the kernel (/proc, /sys), or files that the
# user has named.  All others, whose paths another user may have chosen, are opened by sys/foreign_file.c.
OPENS="lib/sys/foreign_file.c
	agent/config/config_files.c lib/base/monotonic.c lib/channel/program_events.c lib/functions/kernel_functions.c lib/live/sampling.c lib/machine/namespaces.c lib/machine/restrictions.c lib/maps/hooks_cgroup.c lib/maps/list.c
	lib/maps/map_file.c lib/object/kernel_atomics.c lib/pmu/directory.c lib/pmu/events.c lib/pmu/list.c
	lib/pmu/sysfs.c data/recorder/host_info.c lib/sys/hotplug.c lib/ring/stack_opts.c lib/session/filters.c
	lib/sys/address_room.c lib/sys/boot_id.c lib/sys/caps.c lib/sys/cgroup.c lib/sys/cgroup_tree.c lib/sys/cpus.c lib/sys/kallsyms.c lib/sys/kernel_id.c
	lib/sys/kernel_modules.c lib/sys/pid_namespace.c lib/sys/proc_maps.c lib/sys/proc_tasks.c lib/sys/tracefs.c
	lib/base/event_file.c agent/file/current_file.c agent/pipeline/pins.c agent/spool/segments.c agent/spool/settled.c agent/state/state_file.c lib/object/infer/type_file.c lib/object/open.c data/perf_data/read/file.c
	agent/receiver/piece_files.c agent/prometheus/listener.c agent/otlp/resource.c agent/output/private_file.c
	cli/base/private_dir.c cli/base/terminal.c cli/base/users.c cli/base/whole_file.c cli/record/dump_place.c
	cli/recorded/recording_run.c cli/run/object_files.c cli/stat/cpu_topology.c cli/stat/thread_names.c"

# Files of user/ that give files names and permissions, by the fd of their directory, and their own: a name may lead to
# another file by then, if the directory is another user's.  All others write to an fd that they are given, or by
# cli/base/whole_file.c.
NAMES="lib/base/event_file.c agent/file/current_file.c agent/file/rotated_files.c agent/prometheus/listener.c agent/pipeline/pins.c agent/state/state_file.c cli/base/whole_file.c"

# Files of user/ and include/ that compare kinds of fields: the table of kinds, and files that make fields of C types or
# of the kernel's text, recognise a probe's fields, or take what a user types for one kind.  All others ask for the
# class of a field, or another property of its row (field/field_type.h), so that a new kind costs them nothing.
KINDS="lib/field/field_type.h lib/schema/btf_number.c lib/schema/btf_schema.c lib/tracepoint/format_parse.c
	lib/tracepoint/format_print.c lib/event/side_band_records.h data/pcapng/packet_view.c
	cli/list/list_source.c cli/run/sources.c cli/run/option_notes.c cli/complete/complete_source.c cli/run/run.c"

# Headers that a public header may include besides <peat/...>.
LIBC="errno.h inttypes.h limits.h sched.h signal.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h sys/types.h time.h unistd.h"

TOP_LEVEL="Makefile bpf user include tests vmlinux README.md LICENSES"

FUNCTION_LINES=80 # in user, bpf, include
C_FILE_LINES=700  # in user
BPF_LINES=800	  # in bpf
CLANG_FORMAT=14	  # of Debian 12: other versions format differently
TEST_LINES=900    # in tests
PICTURE_BYTES=60000
STACK_BYTES=48    # of sleepable programs of uprobes

ALL_RULES="format house fields symbols exports stacks spdx length top_level shell headers leftovers tested test_names words manual first_examples pictures comments"

build=${1:-build}
build=${build%/}
rules=${*:2}
rules=${rules:-$ALL_RULES}
here=$(dirname "$0")/lint

die()
{
	echo "lint: $*" >&2
	exit 2
}

need_tools()
{
	local tool package missing=0

	while read -r tool package; do
		command -v "$tool" >/dev/null && continue
		echo "lint: $tool not found: install the Debian package $package" >&2
		missing=1
	done <<-EOF
		git git
		clang-format clang-format
		shellcheck shellcheck
		ctags universal-ctags
		gcc gcc
		g++ g++
		nm binutils
		llvm-objdump llvm
	EOF
	[ $missing = 0 ] || exit 2
	[[ $(ctags --version) = Universal* ]] ||
		die "ctags is not Universal Ctags: install the Debian package universal-ctags"
}

# The files that git tracks or would add: not ignored, not deleted, not built.
list_files()
{
	git ls-files -co --exclude-standard -z | sort -zu | while IFS= read -r -d '' file; do
		if [[ -e $file && $file != "$build"/* ]]; then
			printf '%s\n' "$file"
		fi
	done
}

# The files of the tree whose path matches an extended regex.
files()
{
	awk -v regex="$1" '$0 ~ regex' "$tmp/files"
}

# Runs a command with the file names on stdin.  Ignores its status: tools that find something exit
# non-zero.  Batches run one after another, since parallel ones would mix their lines; the rules run in
# parallel instead.
batch()
{
	xargs -r -d '\n' "$@" || true
}

# Converts messages of gcc on stdin to findings of a rule.
messages()
{
	awk -v rule="$1" '
	/^Error/ { print "tests/lint.sh:1: " rule ": " $0 } # a tool that cannot start
	match($0, /^[^:]+:[0-9]+:([0-9]+:)? (fatal error|error|warning|note|style): /) {
		split($0, at, ":")
		print at[1] ":" at[2] ": " rule ": " substr($0, RLENGTH + 1)
	}' | sort -u
}

rule_format()
{
	if ! clang-format --version | grep -q "version ${CLANG_FORMAT}[.]"; then
		echo "lint: format not checked: clang-format is not version $CLANG_FORMAT" >>"$tmp/notes"
		return
	fi
	files '^(include|user|bpf|tests)/.*[.]([ch]|cc)$' |
		batch clang-format --dry-run -Werror 2>&1 | sed "s|^$PWD/||" | messages format |
		sort -t: -k1,1 -k2,2n | awk '
			function flush()
			{
				if (places)
					print where ": format: " places " place(s) differ: clang-format -i " file
				places = 0
			}
			!/: code should be clang-formatted/ { print; next }
			{ split($0, at, ":") }
			at[1] != file { flush(); file = at[1]; where = file ":" at[2] }
			{ places++ }
			END { flush() }'
}

# Includes between folders, and calls that only some files may make.
rule_house()
{
	awk -v PURE="$PURE" -v LIBBPF="$LIBBPF" -v LIBC="$LIBC" -v OPENS="${OPENS//[[:space:]]/ }" -v NAMES="$NAMES" \
		-v FILES="$tmp/files" -f "$here/rooms.awk" -f "$here/house.awk" "$tmp/code"
}

# Only some files compare kinds of fields, and switches over their classes and formats have no default.
rule_fields()
{
	awk -F '\t' -v list="${KINDS//[[:space:]]/ }" '
		function finding(line, what) { print file ":" line ": fields: " what }
		BEGIN {
			for (n = split(list, files, " "); n; n--)
				known["user/" files[n]] = 1
		}
		$1 != file { file = $1; delete classes }
		{ code = substr($0, length($1) + length($2) + 3) }
		!(file in known) && (code ~ /(case |[=!]=|[<>]=?) ?PEAT_FIELD_[A-Z0-9]/ || code ~ /\[PEAT_FIELD_[A-Z]/) {
			finding($2, "ask for the class of the field: KINDS of tests/lint.sh lists the files that compare kinds")
		}
		match(code, /^\t*(switch|case|default)[ :]/) {
			indent = code
			gsub(/[^\t].*/, "", indent)
			if (code ~ /^\t*switch/)
				classes[indent] = 0
			else if (code ~ /^\t*case (PEAT_CLASS|FIELD_FORMAT)_/)
				classes[indent] = 1
			else if (code ~ /^\t*default/ && classes[indent])
				finding($2, "the switch is over all classes or formats: without default, the compiler finds a new one")
		}' "$tmp/code"
}

# Prints "header:line TAB symbol" for each PEAT_API declaration, and each PEAT_INLINE function, of the
# public headers.
declared_symbols()
{
	awk -F '\t' '
		{ code = substr($0, length($1) + length($2) + 3) }
		$1 !~ /^include\/peat\// || code ~ /^[ \t]*#/ { next }
		code ~ /(^|[^A-Za-z0-9_])PEAT_(API|INLINE)([^A-Za-z0-9_]|$)/ { text = ""; line = $2; open = 1 }
		open { text = text " " code }
		open && /;/ {
			open = 0
			# A function is the first name before a parenthesis, a variable the last name.
			if (match(text, /peat_[A-Za-z0-9_]+[ \t]*[(]/) ||
			    match(text, /[A-Za-z0-9_]+[ \t]*(\[[^;]*)?;/) ||
			    match(text, /[A-Za-z0-9_]+[ \t]*[(]/)) {
				name = substr(text, RSTART, RLENGTH)
				sub(/[^A-Za-z0-9_].*/, "", name)
				print $1 ":" line "\t" name
			}
		}' "$tmp/code"
}

# Prints "map:line TAB symbol" for each export of the version script, wildcards included.
mapped_symbols()
{
	[ ! -e "$1" ] || awk -f "$here/code.awk" "$1" | awk -F '\t' '
		{
			code = substr($0, length($1) + length($2) + 3)
			sub(/#.*/, "", code)
			gsub(/[{}:]/, " & ", code)
			n = split(code, word, /[ \t;]+/)
			for (i = 1; i <= n; i++)
				if (word[i] == "{" || word[i] == "global")
					exported = 1
				else if (word[i] == "}" || word[i] == "local")
					exported = 0
				else if (exported && word[i] != "" && word[i] != ":")
					print $1 ":" $2 "\t" word[i]
		}'
}

# Prints "library TAB symbol" for each export of a library; those of PEAT_PRIVATE are for libraries of peat alone.
exported_symbols()
{
	if [ -e "$1" ]; then
		nm -D --defined-only "$1" | awk -v lib="$1" '
			$(NF - 1) != "A" && $NF !~ /@PEAT_PRIVATE$/ { sub(/@.*/, "", $NF); print lib "\t" $NF }'
	else
		echo "lint: exported symbols not checked: no $1" >>"$tmp/notes"
	fi
}

rule_exports()
{
	local lib=$build/libpeat.so map

	declared_symbols >"$tmp/declared"
	for map in user/lib/libpeat.map user/data/libpeat-data.map user/agent/libpeat-agent.map; do
		mapped_symbols "$map" >&3
		exported_symbols "$build/$(basename "$map" .map).so" >&4
	done 3>"$tmp/mapped" 4>"$tmp/exported"
	[ -e "$lib" ] || [ -e user/lib/libpeat.map ] || return 0
	awk -F '\t' -v build="$build" -v built="$([ -e "$lib" ] && echo 1)" '
		function finding(where, what) { print where ": exports: " what }
		# A map has the name of its library.
		function library(name,    map)
		{
			map = mapped[name]
			sub(/.*\//, build "/", map)
			sub(/[.]map:.*/, ".so", map)
			return map
		}
		FILENAME ~ /declared$/ { declared[$2] = $1 }
		FILENAME ~ /mapped$/ { mapped[$2] = $1 }
		FILENAME ~ /exported$/ { exported[$2] = $1 }
		END {
			for (name in declared)
				if (!(name in mapped))
					finding(declared[name], name " is PEAT_API, but not in libpeat.map, libpeat-data.map or libpeat-agent.map")
				else if (built && exported[name] != library(name))
					finding(declared[name], name " is PEAT_API, but " library(name) " lacks it")
			for (name in mapped)
				if (name ~ /[*?[]/)
					finding(mapped[name], "name each symbol, no wildcard: " name)
				else if (!(name in declared))
					finding(mapped[name], name ": no public header declares it PEAT_API")
			for (name in exported)
				if (exported[name] == "")
					continue
				else if (name !~ /^peat_/)
					finding(exported[name] ":1", name " is exported, but is no peat_ name")
				else if (!(name in mapped))
					finding(exported[name] ":1", name " is exported, but not named in its map")
		}' "$tmp/declared" "$tmp/mapped" "$tmp/exported"
}

# A room calls only rooms that its README lists, also through public headers, and needs each of them: see symbols.awk.
rule_symbols()
{
	local source object

	{
		awk -F '\t' '$1 ~ /^user\/(lib|data|agent)\// && $3 ~ /^#include "/ { print $1, $3 }' "$tmp/code"
		files '^user/(lib|data|agent)/.*[.]c$' | grep -v '[.]bpf[.]c$' | while read -r source; do
			object=$build/${source%.c}.o
			if [ -e "$object" ]; then
				nm "$object" | sed "s|^|$source |"
			else
				echo "$source unbuilt"
			fi
		done
	} | awk -v FILES="$tmp/files" -f "$here/rooms.awk" -f "$here/symbols.awk"
}

# Sleepable programs of uprobes keep to 48 bytes of stack.  With more, only the instructions of object/own_stacks.h keep
# them from a stack that programs of other tasks use while they sleep (Linux 6.13).
rule_stacks()
{
	local source object

	files '^(bpf|user)/.*[.]bpf[.]c$' | while read -r source; do
		object=$build/${source%.c}.o
		[ ! -e "$object" ] || llvm-objdump -d --no-show-raw-insn "$object" | awk -v file="$source" -v most=$STACK_BYTES '
			function use(bytes) { used = bytes > used ? bytes : used }
			function report()
			{
				if (used > most)
					print file ":1: stacks: " name " uses " used " bytes of stack, more than " most
				used = 0
				delete at
			}
			/^Disassembly of section / { report(); is_sleepable = /section [?]?u(ret)?probe[.]s/ }
			!is_sleepable { next }
			/^[0-9a-f]+ <[^>]*>:$/ && $2 !~ /^<LBB/ { report(); name = substr($2, 2, length($2) - 3) }
			# "*(u64 *)(r10 - 16) = r1"; "r2 = r10" and "r2 += -16".
			match($0, /r10 - [0-9]+/) { use(substr($0, RSTART + 6, RLENGTH - 6) + 0) }
			$3 == "=" { at[$2] = $4 == "r10" && NF == 4 }
			$3 == "+=" && at[$2] { use(-$4) }
			END { report() }'
	done
}

rule_spdx()
{
	{
		files '([.]([chS]|cc|go|py|sh|map|mk|awk)|(^|/)Makefile)$'
		cat "$tmp/scripts"
	} | sort -u | batch awk '
		function check()
		{
			want = "LGPL-2.1-only OR BSD-2-Clause"
			if (file ~ /^(bpf|vmlinux)\/|[.]bpf[.][ch]$|^(include\/peat\/(wire|terms|stack_kind)|user\/lib\/functions\/plan)[.]h$/)
				want = "GPL-2.0-only OR BSD-2-Clause"
			if (found == "")
				print file ":1: spdx: no SPDX line in the first three: " want
			else if (found != want)
				print file ":" line ": spdx: the licence here is " want
		}
		BEGIN {
			for (i = 1; i < ARGC; i++) {
				file = ARGV[i]
				found = ""
				for (n = 1; n <= 3 && (getline text < file) > 0; n++)
					if (sub(/.*SPDX-License-Identifier:[ \t]*/, "", text)) {
						sub(/[ \t]*([*]\/.*)?$/, "", text)
						found = text
						line = n
					}
				close(file)
				check()
			}
		}'
}

rule_length()
{
	files '^(user|bpf|include)/.*[.][ch]$' |
		ctags -x --language-force=C --kinds-C=f --_xformat='%{line}	%{end}	%N	%F' \
			-D 'SEC(x)=' -D 'BPF_PROG(name,args...)=name(args)' \
			-D 'BPF_KPROBE(name,args...)=name(args)' \
			-D 'BPF_KRETPROBE(name,args...)=name(args)' \
			-D 'BPF_UPROBE(name,args...)=name(args)' \
			-D 'BPF_URETPROBE(name,args...)=name(args)' \
			-D 'BPF_KSYSCALL(name,args...)=name(args)' -L - 2>/dev/null |
		awk -F '\t' '$2 { print $2 - $1 + 1 "\t" $0 }' | sort -n >"$tmp/functions"
	awk -F '\t' -v max="$FUNCTION_LINES" -v notes="$tmp/notes" '
		{ lines[NR] = $1; name = $4 }
		$1 > max { print $5 ":" $2 ": length: " $4 " has " $1 " lines, more than " max }
		END {
			if (NR)
				printf "lint: %d functions: median %d lines, 90th percentile %d, max %d (%s)\n",
				       NR, lines[int((NR + 1) / 2)], lines[int((NR * 9 + 9) / 10)],
				       lines[NR], name >>notes
		}' "$tmp/functions"
	files '^(user|bpf|tests)/.*[.]c$' |
		batch awk -v most="$C_FILE_LINES" -v bpf="$BPF_LINES" -v tests="$TEST_LINES" '
			{ lines[FILENAME] = FNR }
			END {
				for (file in lines) {
					max = file ~ /^tests\// ? tests : file ~ /^bpf\// ? bpf : most
					if (lines[file] > max)
						print file ":" max + 1 ": length: the file has " \
							lines[file] " lines, more than " max
				}
			}'
}

rule_top_level()
{
	awk -F / -v allowed="$TOP_LEVEL" '
		$1 ~ /^[.]/ || index(" " allowed " ", " " $1 " ") || seen[$1]++ { next }
		{ print $0 ":1: top_level: " $1 ": the top level is " allowed " and dot-files" }' \
		"$tmp/files"
}

rule_shell()
{
	{
		files '[.]sh$'
		batch awk 'FNR == 1 && /^#!.*[\/ ](ba|da|k)?sh( |$)/ { print FILENAME }' <"$tmp/scripts"
	} | sort -u | batch shellcheck -x -P SCRIPTDIR -f gcc | messages shell
}

# Compiles a file that only includes one public header: language, standard, header.
compile_header()
{
	printf '#include <%s>\nextern int lint;\n' "${3#include/}" |
		"$1" -std="$2" -Wall -Wextra -pedantic -fsyntax-only -Iinclude -x "$4" - 2>&1 |
		awk '!/: note: /'
	return 0
}

# Each public header compiles by itself, as C and as C++.
rule_headers()
{
	local header

	files '^include/peat/.*[.]h$' | while read -r header; do
		[[ $header != *.bpf.h ]] || continue
		compile_header gcc c11 "$header" c | messages headers
		compile_header g++ c++11 "$header" c++ | messages "headers: as C++"
	done | sort -u
}

# Paths of one machine, and marks of unfinished work.  The brackets keep this file from matching.
rule_leftovers()
{
	local boundary='(^|[^[:alnum:]_.}~*-])' own=$PWD

	files . | grep -v '^LICENSES/' >"$tmp/texts"
	{
		batch grep -HnIE "$boundary/hom[e]/[a-z]" <"$tmp/texts"
		grep -v '^tests/vm/' "$tmp/texts" | batch grep -HnIE "$boundary/roo[t]/"
		# At least two components: a short path such as /src occurs in other texts.
		[[ $own != /*/* ]] || batch grep -HnIF "$own/" <"$tmp/texts"
	} | awk -F: '!seen[$1, $2]++ { print $1 ":" $2 ": leftovers: a path of one machine" }'
	batch grep -HnIwE 'TOD[O]|FIXM[E]|XX[X]' <"$tmp/texts" |
		awk -F: '{ print $1 ":" $2 ": leftovers: work marked as not done" }'
}

# Each file ROOM/FILE.c of user/lib, user/data and user/agent has tests/unit/ROOM/test_FILE.c, or test_FILE_*.c, or a line
# in tests/unit/elsewhere: "ROOM/FILE.c: tests/... : why".
rule_tested()
{
	local elsewhere=tests/unit/elsewhere

	if [ -z "$(files '^tests/unit/')" ]; then
		echo "lint: tests of each file not checked: no tests/unit" >>"$tmp/notes"
		return 0
	fi
	[ -e $elsewhere ] || elsewhere=/dev/null
	awk -v list=$elsewhere '
		function finding(what) { print list ":" FNR ": tested: " what }
		FILENAME != list {
			known[$0] = 1
			name = $0
			if (sub(/^user\/(lib|data|agent)\//, "", name) && name ~ /[.]c$/ && name !~ /[.]bpf[.]c$/)
				library[name] = $0
			name = $0
			if (sub(/^tests\/unit\//, "", name) && sub(/test_/, "", name) && sub(/[.]c$/, "", name))
				do
					tested[name ".c"] = $0
				while (sub(/_[^_\/]*$/, "", name))
			next
		}
		/^(#|$)/ { next }
		!/^[^ :]+: [^:]+: ./ { finding("no line like ROOM/FILE.c: tests/...: why"); next }
		{
			split($0, part, ": ")
			name = part[1]
			if (!(name in library))
				finding("no file of the library " name)
			else if (name in tested)
				finding(name " has " tested[name])
			else if (named[name]++)
				finding(name " has a line above")
			n = split(part[2], test, " ")
			for (i = 1; i <= n; i++)
				if (test[i] !~ /^tests\// || !(test[i] in known))
					finding("no test " test[i])
		}
		END {
			for (name in library)
				if (!(name in tested) && !(name in named)) {
					test_name = name
					sub(/[^\/]*$/, "test_&", test_name)
					print library[name] ":1: tested: no tests/unit/" test_name \
						", and no line in tests/unit/elsewhere"
				}
		}' "$tmp/files" $elsewhere
}

# A test's name says what it asserts, which takes two words at least.
rule_test_names()
{
	files '^tests/.*[.]c$' | batch grep -HnE '^START_TEST' |
		awk -F '[:()]' '$4 !~ /^test_[a-z0-9]+_[a-z0-9_]+$/ {
			print $1 ":" $2 ": test_names: " $4 ": say what it asserts: test_ and two words or more"
		}'
}

# Plain words in documents and public headers.
rule_words()
{
	files '^include/peat/.*[.]h$|^user/man/.*[.][0-9]$|(^|/)README[.]md$|^user/doc/.*[.]md$' |
		batch awk -f "$here/words.awk"
	# The command exchanges members for its options (cli/base/option_words.c).  Whole commands may be named.
	files '^user/(lib|data|agent)/.*[.][ch]$' |
		batch awk '{
			gsub(/peat [a-z]+ --[a-z-]+/, "")
			sub(/--pid=host/, "")
		} /"[^"]*--[a-z][^"]*"/ {
			print FILENAME ":" FNR ": words: a message of the library names an option: name the member or function"
		}'
}

# Each manual page begins with three examples at least, each a command and a sentence; tests/check-examples runs them.
rule_first_examples()
{
	# shellcheck disable=SC2016 # $0 of awk
	files '^user/man/.*[.][0-9]$' | batch awk '
		function finding(line, what) { print file ":" line ": first_examples: " what }
		function check()
		{
			if (file != "" && !is_link && examples < 3)
				finding(begin ? begin : 1, "the first section EXAMPLES, before DESCRIPTION, has " examples + 0 " commands, fewer than 3")
		}
		FNR == 1 {
			check()
			file = FILENAME
			is_link = begin = is_open = examples = 0
		}
		/^[.]so / { is_link = 1 }
		/^[.]SH / {
			is_open = $0 == ".SH EXAMPLES" && section ~ /^[.]SH (NAME|SYNOPSIS)$/
			begin = is_open ? FNR : begin
			section = $0
		}
		is_open && last == ".TP" {
			if (!/^[.]B peat /)
				finding(FNR, "an example is a line \".B peat ...\"")
			examples++
		}
		is_open && last ~ /^[.]B peat / && !/[.]$/ { finding(FNR, "the sentence about an example ends with a full stop") }
		{ last = $0 }
		END { check() }'
}

# Each row of an option has its name in a manual page, each setting of the agent in that of the configuration.
rule_manual()
{
	files '^user/man/.*[.][0-9]$' | batch sed 's/\\f.//g; s/\\//g' >"$tmp/pages"
	# shellcheck disable=SC2016 # $0 of awk
	files '^user/cli/options/.*[.]c$' | batch awk -v pages="$tmp/pages" '
		BEGIN {
			while ((getline line < pages) > 0)
				text = text line "\n"
		}
		/^\t\{ \{ "[a-z-]+"/ {
			split($0, part, "\"")
			if (text !~ "--" part[2] "[^a-z-]")
				print FILENAME ":" FNR ": manual: --" part[2] " is in no page of user/man"
		}'
	files '^user/man/peat-agent[.]yaml[.]5$' | batch sed 's/\\f.//g; s/\\//g' >"$tmp/pages"
	# shellcheck disable=SC2016 # $0 of awk
	files '^user/agent/.*[.]c$' | batch awk -v pages="$tmp/pages" '
		BEGIN {
			while ((getline line < pages) > 0)
				text = text line "\n"
		}
		/^\t(\{ |ROW\()"[a-z-]+", (SETTING_|[A-Z]+, )/ {
			split($0, part, "\"")
			if (text !~ "[ \"]" part[2] ":")
				print FILENAME ":" FNR ": manual: " part[2] " is not in user/man/peat-agent.yaml.5"
		}'
}

# A document's picture exists, has a text for readers who do not see it, and is small; each picture is in a document.
rule_pictures()
{
	local place link file bytes

	files '(^|/)README[.]md$|^user/doc/.*[.]md$' | batch grep -nHoE '!\[[^]]*\]\([^)]*\)' >"$tmp/pictures"
	while IFS=: read -r file place link; do
		[[ $link != '![]'* ]] || echo "$file:$place: pictures: no text: write ![text](file)"
		link=${link##*(}
		link=$(dirname "$file")/${link%)}
		bytes=$(stat -c %s "$link" 2>/dev/null)
		if [ -z "$bytes" ]; then
			echo "$file:$place: pictures: no file ${link#./}: make pictures draws it"
		elif [ "$bytes" -ge "$PICTURE_BYTES" ]; then
			echo "$file:$place: pictures: ${link#./} has $bytes bytes: the most is $((PICTURE_BYTES - 1))"
		fi
	done <"$tmp/pictures"
	files '^user/doc/pictures/' | while read -r file; do
		grep -q "${file##*/})" "$tmp/pictures" || echo "$file:1: pictures: no document shows it"
	done
}

rule_comments()
{
	files '[.][ch]$' | batch awk -f "$here/comments.awk"
}

need_tools
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/notes"

[ -z "$(git rev-parse --show-cdup)" ] || die "run this in the repository's root"
list_files >"$tmp/files" || die "git cannot list the files: run this in the repository's root"
[ -s "$tmp/files" ] || die "no files here: run this in the repository's root"
batch awk 'FNR == 1 && /^#!/ { print FILENAME }' <"$tmp/files" >"$tmp/scripts"
files '^(include|user)/.*[.]([ch]|cc)$' | xargs -r -d '\n' awk -f "$here/code.awk" >"$tmp/code" ||
	die "code.awk failed"

# Runs the rules in parallel; a rule that could not check has a non-zero status.
declare -A jobs
for rule in $rules; do
	"rule_$rule" >"$tmp/found.$rule" &
	jobs[$rule]=$!
done
for rule in $rules; do
	wait "${jobs[$rule]}" || die "rule $rule could not check"
done

sort -u "$tmp"/found.* | sort -s -t: -k1,1 -k2,2n >"$tmp/findings"
sort "$tmp/notes" | cat "$tmp/findings" -
findings=$(wc -l <"$tmp/findings")
echo "lint: $(wc -l <"$tmp/files") files, $findings findings"
[ "$findings" = 0 ]
