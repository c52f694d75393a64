#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# lint.sh [BUILD_DIR]: the shape of the tree, checked.  Run from the repository's root.
#
# Prints each finding as "file:line: rule: what is wrong" and exits 1 when there is any, 2 when it
# could not check.  The rules are the functions rule_* below; each prints its findings and returns 0.
# tests/lint/selftest.sh proves that each of them can fail.
set -u -o pipefail
export LC_ALL=C

# The files of user/lib, by room, in the order of the path: each may include itself and what stands before it.
STAGES="base/internal base/log object/libbpf_log base/opts sys/caps ring/sizing sys/cpus base/cursor base/strbuf maps/map_file sys/netlink maps/hook_list maps/hooks_netdev maps/hooks_cgroup maps/hooks maps/flags maps/list maps/open base/escape record/decode_sample record/decode record/attr base/emit perf_data/describe/table_decoder record/attr_fields perf_data/tool_record base/store record/encode perf_data/note perf_data/describe/feature_parts perf_data/describe/feature_events perf_data/describe/feature_topology perf_data/describe/feature_bpf perf_data/describe/features perf_data/describe/tool_records perf_data/attrs perf_data/header perf_data/read/source perf_data/read/inflate perf_data/read/stream perf_data/read/attr_updates perf_data/event_names perf_data/read/directory perf_data/read/file perf_data/read/merge_files perf_data/read/recording convert/output_file convert/rounds perf_data/describe/counts perf_data/describe/ledger_note perf_data/describe/report record/attr_encode perf_data/write/tool_encode perf_data/write/deflate perf_data/write/feature_encode perf_data/write/layout perf_data/write/writer recorder/host_info replay/recorded sys/grace_period object/globals schema/event_types schema/fields schema/btf_tags schema/plan schema/btf_builder schema/btf_number schema/btf_schema tracepoint/tracing_data tracepoint/format_type tracepoint/format_print tracepoint/format_parse tracepoint/tracing_data_write convert/placeholder_formats object/infer/output_sizes object/infer/dwarf_btf object/infer/dwarf object/infer/kernel_types object/infer/candidates object/infer/type_file replay/type_overrides object/infer/event_type object/core_relos object/core_btf object/object_file sys/kallsyms schema/field_text tracepoint/flatten tracepoint/format_write tracepoint/payload tracepoint/naming convert/retype_sample record/regs record/data_src print/sample_fields ring/ring channel/collect channel/collector channel/stage channel/channel session/adopt sys/proc_tasks event/task_names event/kind_records event/kind_others event/kinds ring/perf_events ring/rings ring/hotplug live/drain live/inputs channel/frame channel/ledger live/account live/intake event/order live/safe_time live/ordered replay/event_types convert/retype_events convert/output convert/rewrite replay/header replay/intake replay/source base/string_counts convert/mappings convert/folded reader/types reader/reader recorder/block_queue recorder/delayed_exits recorder/named_threads recorder/event_formats recorder/ledger recorder/preamble recorder/sink print/tool_event print/table print/json print/text print/sink session/filters session/parts session/raw_arrays session/assign session/settings session/clsact session/network session/external_maps session/load session/attach session/session"

# Bytes in, values out: no fd, no clock, no print.
PURE="object/core_relos.c recorder/named_threads.c channel/frame.h base/cursor.h record/decode_sample.c record/decode.c channel/frame.c event/order.c tracepoint/tracing_data.c tracepoint/format_type.c tracepoint/format_print.c tracepoint/format_parse.c tracepoint/tracing_data_write.c tracepoint/flatten.c tracepoint/format_write.c tracepoint/payload.c convert/retype_sample.c perf_data/describe/table_decoder.c record/attr_fields.c perf_data/tool_record.c perf_data/describe/feature_events.c perf_data/describe/feature_topology.c perf_data/describe/feature_bpf.c perf_data/describe/features.c perf_data/describe/tool_records.c perf_data/describe/ledger_note.c record/attr.c perf_data/attrs.c perf_data/header.c perf_data/read/inflate.c perf_data/read/attr_updates.c base/store.h record/encode.c record/attr_encode.c perf_data/write/tool_encode.c perf_data/note.c perf_data/write/deflate.c perf_data/write/feature_encode.c perf_data/write/layout.c record/data_src.c convert/rounds.c convert/placeholder_formats.c base/string_counts.c convert/mappings.c"

# The stages that know libbpf.
LIBBPF="ring/rings channel/channel session/raw_arrays session/session session/parts session/settings session/clsact session/network session/load session/attach schema/btf_schema schema/btf_tags schema/btf_builder schema/btf_number object/object_file sys/kallsyms object/globals schema/event_types sys/grace_period object/libbpf_log object/infer/dwarf_btf object/infer/kernel_types object/infer/candidates object/infer/type_file replay/type_overrides object/infer/event_type maps/map_file maps/hooks_cgroup maps/hooks maps/list maps/open session/external_maps session/adopt replay/event_types reader/types recorder/preamble channel/collector"

# What a public header may include besides <peat/...>.
LIBC="errno.h inttypes.h limits.h sched.h signal.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h sys/types.h time.h unistd.h"

TOP_LEVEL="Makefile bpf user include tests vmlinux README.md LICENSES"

FUNCTION_LINES=80 # in user, bpf, include
C_FILE_LINES=600  # in user, bpf
TEST_LINES=900    # in tests

RULES="format house exports spdx length top_level shell headers leftovers"

build=${1:-build}
build=${build%/}
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
	EOF
	[ $missing = 0 ] || exit 2
	[[ $(ctags --version) = Universal* ]] ||
		die "ctags is not Universal Ctags: install the Debian package universal-ctags"
}

# Known to git or about to be: not ignored, not deleted, not built.
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

# Runs a command over the file names on stdin; a failure is no failure here, since tools that find
# something exit non-zero.  One after the other, since parallel ones would mix their lines; the rules
# run side by side instead.
batch()
{
	xargs -r -d '\n' "$@" || true
}

# gcc-style messages on stdin as findings of a rule.
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

# Who may include whom, and who alone may call what.
rule_house()
{
	awk -v STAGES="$STAGES" -v PURE="$PURE" -v LIBBPF="$LIBBPF" -v LIBC="$LIBC" \
		-v FILES="$tmp/files" -f "$here/house.awk" "$tmp/code"
}

# "header:line TAB symbol" of all that the public headers declare with PEAT_API.
declared_symbols()
{
	awk -F '\t' '
		{ code = substr($0, length($1) + length($2) + 3) }
		$1 !~ /^include\/peat\// || code ~ /^[ \t]*#/ { next }
		code ~ /(^|[^A-Za-z0-9_])PEAT_API([^A-Za-z0-9_]|$)/ { text = ""; line = $2; open = 1 }
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

# "map:line TAB symbol" of all that the version script exports, wildcards included.
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

rule_exports()
{
	local map=user/lib/libpeat.map lib=$build/libpeat.so.0

	declared_symbols >"$tmp/declared"
	mapped_symbols $map >"$tmp/mapped"
	: >"$tmp/exported"
	if [ -e "$lib" ]; then
		nm -D --defined-only "$lib" |
			awk '$(NF - 1) != "A" { sub(/@.*/, "", $NF); print $NF }' >"$tmp/exported"
	else
		echo "lint: exported symbols not checked: no $lib" >>"$tmp/notes"
		[ -e $map ] || return 0
	fi
	awk -F '\t' -v map=$map -v lib="$lib" -v built="$([ -e "$lib" ] && echo 1)" '
		function finding(where, what) { print where ": exports: " what }
		FILENAME ~ /declared$/ { declared[$2] = $1 }
		FILENAME ~ /mapped$/ { mapped[$2] = $1 }
		FILENAME ~ /exported$/ { exported[$1] = 1 }
		END {
			for (name in declared)
				if (!(name in mapped))
					finding(declared[name], name " is PEAT_API, but not in " map)
				else if (built && !(name in exported))
					finding(declared[name], name " is PEAT_API, but " lib " lacks it")
			for (name in mapped)
				if (name ~ /[*?[]/)
					finding(mapped[name], "name each symbol, no wildcard: " name)
				else if (!(name in declared))
					finding(mapped[name], name ": no public header declares it PEAT_API")
			for (name in exported)
				if (name !~ /^peat_/)
					finding(lib ":1", name " is exported, but is no peat_ name")
				else if (!(name in mapped))
					finding(lib ":1", name " is exported, but not named in " map)
		}' "$tmp/declared" "$tmp/mapped" "$tmp/exported"
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
			if (file ~ /^(bpf|vmlinux)\/|[.]bpf[.][ch]$|^include\/peat\/wire[.]h$/)
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
		batch awk -v most="$C_FILE_LINES" -v tests="$TEST_LINES" '
			{ lines[FILENAME] = FNR }
			END {
				for (file in lines) {
					max = file ~ /^tests\// ? tests : most
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

# Includes one public header from an otherwise empty unit: language, standard, header.
compile_header()
{
	printf '#include <%s>\nextern int lint;\n' "${3#include/}" |
		"$1" -std="$2" -Wall -Wextra -pedantic -fsyntax-only -Iinclude -x "$4" - 2>&1 |
		awk '!/: note: /'
	return 0
}

# Each public header stands alone, as C and as C++.
rule_headers()
{
	local header

	files '^include/peat/.*[.]h$' | while read -r header; do
		[ "$header" != include/peat/peat.bpf.h ] || continue
		compile_header gcc c11 "$header" c | messages headers
		compile_header g++ c++11 "$header" c++ | messages "headers: as C++"
	done | sort -u
}

# Paths of somebody's machine, and marks of work not done.  (The brackets keep this file clean.)
rule_leftovers()
{
	local boundary='(^|[^[:alnum:]_.}~*-])' own=$PWD

	files . | grep -v '^LICENSES/' >"$tmp/texts"
	{
		batch grep -HnIE "$boundary/hom[e]/[a-z]" <"$tmp/texts"
		grep -v '^tests/vm/' "$tmp/texts" | batch grep -HnIE "$boundary/roo[t]/"
		# Two components at least: the likes of /src stand in texts of all kinds.
		[[ $own != /*/* ]] || batch grep -HnIF "$own/" <"$tmp/texts"
	} | awk -F: '!seen[$1, $2]++ { print $1 ":" $2 ": leftovers: a path of one machine" }'
	batch grep -HnIwE 'TOD[O]|FIXM[E]|XX[X]' <"$tmp/texts" |
		awk -F: '{ print $1 ":" $2 ": leftovers: work marked as not done" }'
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

# All rules at once; each says by its status whether it could check.
declare -A jobs
for rule in $RULES; do
	"rule_$rule" >"$tmp/found.$rule" &
	jobs[$rule]=$!
done
for rule in $RULES; do
	wait "${jobs[$rule]}" || die "rule $rule could not check"
done

sort -u "$tmp"/found.* | sort -s -t: -k1,1 -k2,2n >"$tmp/findings"
sort "$tmp/notes" | cat "$tmp/findings" -
findings=$(wc -l <"$tmp/findings")
echo "lint: $(wc -l <"$tmp/files") files, $findings findings"
[ "$findings" = 0 ]
