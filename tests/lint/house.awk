# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# house.awk: who may include whom, and which file alone holds which call.  Reads the output of
# code.awk; lint.sh passes the lists (STAGES, LIBC, PURE, LIBBPF) and, in FILES, the tree.

BEGIN {
	FS = "\t"
	for (n = split(STAGES, list, " "); n; n--)
		stage[list[n]] = n
	set(libc, LIBC)
	set(pure, PURE)
	set(libbpf, LIBBPF)
	while ((getline file < FILES) > 0)
		exists[file] = 1
}

function set(of, words,    list, n)
{
	for (n = split(words, list, " "); n; n--)
		of[list[n]] = 1
}

function without_extension(path)
{
	sub(/\..*/, "", path)
	return path
}

function finding(what)
{
	print file ":" $2 ": house: " what
}

# The code calls one of these functions (a regex of names), not a member or a longer name.
function calls(names)
{
	return code ~ ("(^|[^A-Za-z0-9_.>])(" names ")[ \t]*\\(")
}

FNR == 1 || $1 != file {
	file = $1
	folder = file
	sub(/[^\/]*$/, "", folder)
	base = substr(file, length(folder) + 1)
	stem = base
	sub(/\..*/, "", stem)
	bpf_side = file ~ /\.bpf\.[ch]$/
	in_lib = folder ~ /^user\/lib\// && !bpf_side
	if (in_lib)
		stem = without_extension(substr(file, length("user/lib/") + 1))
	if (in_lib && !(stem in stage))
		print file ":1: house: " stem \
			" is not in STAGES of tests/lint.sh: say where on the path it stands"
}

{
	code = substr($0, length($1) + length($2) + 3)
	name = ""
}

code ~ /^#include / {
	name = substr(code, 11, length(code) - 11)
	quoted = substr(code, 10, 1) == "\""
	if (folder ~ /^include\/peat\//)
		public_header_includes()
	else if (in_lib)
		library_includes()
	else if (folder ~ /^user\// && !bpf_side)
		user_includes()
	next
}

in_lib {
	library_calls()
}

function public_header_includes()
{
	if (name ~ /^peat\//) {
		if (base == "wire.h" && name != "peat/peat.bpf.h" && name != "peat/wire.h")
			finding("wire.h serves both sides and includes nothing, but here " name)
		else if (base == "peat.bpf.h" && name != "peat/peat.bpf.h" && name != "peat/wire.h")
			finding("peat.bpf.h is the BPF side: of peat it may include wire.h, not " name)
		else if (base != "peat.bpf.h" && name == "peat/peat.bpf.h")
			finding("peat.bpf.h is the BPF side: no header of user space includes it")
		return
	}
	if (base == "wire.h") {
		finding("wire.h serves both sides and includes nothing, but here " name)
	} else if (base == "peat.bpf.h") {
		if (name !~ /^bpf\/bpf_[a-z_]*\.h$/ && name != "vmlinux.h")
			finding("peat.bpf.h includes vmlinux.h, bpf/bpf_*.h and wire.h, not " name)
	} else if (!(name in libc)) {
		finding("a public header includes libc (LIBC of tests/lint.sh) and peat/, not " name)
	}
}

function library_includes(    other)
{
	if (name ~ /^bpf\// && !(stem in libbpf))
		finding(name ": libbpf is known to " LIBBPF " alone")
	if ((substr(file, length("user/lib/") + 1) in pure) && name ~ /^((unistd|fcntl|stdio|time)\.h|sys\/.*)$/)
		finding(name ": " base " is pure: no fd, no clock, no print")
	if (name == "stdatomic.h" && !holds_atomics())
		finding(name ": ring and stage alone hold atomics")
	if (!quoted && ((name in libc) || !(("user/lib/" name) in exists)))
		return
	other = without_extension(name)
	if (!(("user/lib/" name) in exists))
		finding("\"" name "\" is no private header of user/lib: public ones are <peat/...>")
	else if (!(stem in stage) || !(other in stage))
		return
	else if (stage[other] > stage[stem])
		finding(name ": " other " stands after " stem " on the path")
}

function user_includes()
{
	if (name ~ /^bpf\// && !compares_peers())
		finding(name ": here only <peat/...>, never libbpf")
	else if (quoted && !((folder name) in exists) && !(borrowed() in exists) && !generated())
		finding("\"" name "\" is not in " folder ": here only its own headers and <peat/...>")
	else if (name ~ /\.\.\// || (!quoted && !(name in libc) && (("user/lib/" name) in exists)))
		finding(name ": here only <peat/...>, never a private header")
}

# The benchmark has libbpf's own readers to compare with.
function compares_peers()
{
	return folder == "user/cli/" && stem ~ /^bench(_|$)/
}

# The command knows the probes, and a probe's view knows its event.
function borrowed()
{
	if (folder == "user/cli/")
		return "user/probes/" name
	return folder == "user/probes/" ? "bpf/" name : ""
}

# A skeleton is made of an example's object where the example is built.
function generated()
{
	return folder == "user/examples/" && name ~ /^[a-z_]+\.skel\.h$/
}

function holds_atomics()
{
	return stem == "ring/ring" || stem == "channel/stage"
}

function library_calls()
{
	if (base != "ring.c") {
		if (code ~ /(__NR|SYS)_perf_event_open/ || calls("perf_event_open"))
			finding("perf_event_open belongs to ring.c")
		if (base !~ /^(stage|globals|collector)\.c$/ && calls("mmap|mmap64"))
			finding("mmap belongs to ring.c, stage.c, globals.c and collector.c")
	}
	if (!holds_atomics() && code ~ /(^|[^A-Za-z0-9_])(__atomic_|__sync_|_Atomic|atomic_[a-z_]+\()/)
		finding("ring and stage alone hold atomics")
	if (calls("v?[fd]?printf|puts|putchar|perror"))
		finding("the library never prints: diagnostics go through log.h")
	if (calls("_?exit|_Exit|quick_exit|abort"))
		finding("the library never exits: return an error")
	if (calls("signal|sigaction|sigprocmask|raise"))
		finding("the library never touches signals")
}
