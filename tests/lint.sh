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

# The files of user/lib in the order of the path: each may include itself and what stands before it.
STAGES="internal log libbpf_log opts caps budget cpus cursor out map_file netlink hook_list interface_hooks cgroup_hooks hooks map_flags maps foreign escape sample record perf_attr emit walk event_attr tool_record store encode note feature_parts feature_events feature_topology feature_bpf perf_features tool_told perf_attrs perf_header perf_source inflate perf_stream perf_learn event_names perf_directory perf_file perf_turns perf_recording result_file round_marks tally ledger_told recording attr_encode tool_encode deflate feature_encode perf_layout perf_writer host_facts recorded grace globals types fields tags plan builder number schema tracing_data trace_type trace_print trace_format tracing_write lost_formats outputs dwarf_types debug_info kernel_types candidates type_file as_types guess core_relos core_btf object_file symbols value format_leaves format_text record_format our_formats retype reg_names data_src sampled ring collect collector stage bound channel adopt proc_tasks tasks kind_records kind_others kinds events rings hotplug round live frame_step frame balance account intake order tide merge replay_events retyped rewritten rewrite replay_header replay_intake replay_source text_counts mappings fold reader_types reader block_queue held_exits told_names perf_formats ledger_note perf_start perf_sink where tool_event table json text sink filters parts arrays assign settings clsact network session_maps loading attach session"

# Bytes in, values out: no fd, no clock, no print.
PURE="core_relos.c told_names.c frame_step.h cursor.h sample.c record.c frame.c order.c tracing_data.c trace_type.c trace_print.c trace_format.c tracing_write.c format_leaves.c format_text.c record_format.c retype.c walk.c event_attr.c tool_record.c feature_events.c feature_topology.c feature_bpf.c perf_features.c tool_told.c ledger_told.c perf_attr.c perf_attrs.c perf_header.c inflate.c perf_learn.c store.h encode.c attr_encode.c tool_encode.c note.c deflate.c feature_encode.c perf_layout.c data_src.c round_marks.c lost_formats.c text_counts.c mappings.c"

# The stages that know libbpf.
LIBBPF="rings channel arrays session parts settings clsact network loading attach schema tags builder number object_file symbols globals types grace libbpf_log dwarf_types kernel_types candidates type_file as_types guess map_file cgroup_hooks hooks maps foreign session_maps adopt replay_events reader_types perf_start collector"

# What a public header may include besides <peat/...>.
LIBC="errno.h inttypes.h limits.h sched.h signal.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h sys/types.h time.h unistd.h"

TOP_LEVEL="Makefile bpf user include tests vmlinux README.md LICENSES"

FUNCTION_LINES=80 # in user, bpf, include
C_FILE_LINES=600  # in user, bpf
TEST_LINES=900    # in tests

RULES="format house names exports spdx length top_level shell headers leftovers"

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

rule_names()
{
	awk '
		{ name = $0; sub(/.*\//, "", name) }
		name ~ /^([.].*|README.*|Makefile)$/ || /(^|\/)([^\/]*corpus[^\/]*|[.][^\/]*)\// { next }
		name in first {
			print $0 ":1: names: the name " name " is taken by " first[name]
			next
		}
		{ first[name] = $0 }' "$tmp/files"
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
