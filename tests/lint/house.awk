# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# house.awk: checks includes between folders, and calls that only some files may make.  Reads the
# output of code.awk.  lint.sh passes the lists (ROOMS, LIBC, PURE, LIBBPF, OPENS, NAMES) and, in FILES, all files.

BEGIN {
	FS = "\t"
	for (n = split(ROOMS, list, " "); n; n--)
		floor[list[n]] = n
	set(libc, LIBC)
	set(pure, PURE)
	set(libbpf, LIBBPF)
	set(opens, OPENS)
	set(namers, NAMES)
	while ((getline file < FILES) > 0) {
		exists[file] = 1
		if (match(file, /^user\/(lib|data)\//)) {
			root = substr(file, 1, RLENGTH)
			library[room_of(substr(file, RLENGTH + 1))] = root
		}
	}
	close(FILES)
	for (room in floor)
		if (room in library)
			read_room(library[room] room "/README.md")
}

# The README of a room lists the rooms that it uses; each is before it in ROOMS.
function read_room(readme,    text, list, n)
{
	while ((getline text < readme) > 0)
		if (text ~ /^Uses: .*\.$/)
			break
	close(readme)
	if (text !~ /^Uses: .*\.$/) {
		print readme ":1: house: no line \"Uses: ROOM, ROOM.\""
		return
	}
	text = substr(text, 7, length(text) - 7)
	if (text == "no other room")
		return
	for (n = split(text, list, ", "); n; n--)
		if (!(list[n] in floor))
			print readme ":1: house: it uses " list[n] ", which is no room"
		else if (library[room] == "user/lib/" && library[list[n]] == "user/data/")
			print readme ":1: house: it uses " list[n] ", which is of user/data: user/lib is a library of its own"
		else if (floor[list[n]] >= floor[room])
			print readme ":1: house: it uses " list[n] ", which is not before " room " in ROOMS of tests/lint.sh"
		else
			uses[room, list[n]] = 1
}

function set(of, words,    list, n)
{
	for (n = split(words, list, " "); n; n--)
		of[list[n]] = 1
}

function finding(what)
{
	print file ":" $2 ": house: " what
}

# Whether the code calls one of these functions (a regex of names), not a member or a longer name.
function calls(names)
{
	return code ~ ("(^|[^A-Za-z0-9_.>])(" names ")[ \t]*\\(")
}

# The folder of a path within user/lib or user/data: "" for these themselves.
function room_of(path)
{
	return match(path, /\/[^\/]*$/) ? substr(path, 1, RSTART - 1) : ""
}

# Whether the present file, or its room, is in the list, and the file is not excepted by "!".
function has(list)
{
	return !(("!" path) in list) && ((path in list) || (room in list))
}

FNR == 1 || $1 != file {
	file = $1
	folder = file
	sub(/[^\/]*$/, "", folder)
	base = substr(file, length(folder) + 1)
	stem = base
	sub(/\..*/, "", stem)
	bpf_side = file ~ /\.bpf\.[ch]$/
	in_lib = match(folder, /^user\/(lib|data)\//) && !bpf_side
	if (in_lib) {
		root = substr(file, 1, RLENGTH)
		path = substr(file, RLENGTH + 1)
		room = room_of(path)
		if (!(room in floor))
			print file ":1: house: " root room " is no room: ROOMS of tests/lint.sh names them"
	}
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

file ~ /^user\/(lib|data|cli|probes)\// && !bpf_side {
	opening_calls()
	naming_calls()
}

# Read by the BPF side and by user space.
function is_shared(header)
{
	return header == "wire.h" || header == "terms.h"
}

function public_header_includes()
{
	if (name ~ /^peat\//) {
		if (is_shared(base) && name != "peat/peat.bpf.h" && name != "peat/" base)
			finding(base " serves both sides and includes nothing, but here " name)
		else if (base ~ /[.]bpf[.]h$/ && name !~ /[.]bpf[.]h$/ && !is_shared(substr(name, 6)))
			finding(base " is the BPF side: of peat it may include wire.h and terms.h, not " name)
		else if (base !~ /[.]bpf[.]h$/ && name ~ /[.]bpf[.]h$/)
			finding(name " is the BPF side: no header of user space includes it")
		return
	}
	if (is_shared(base)) {
		finding(base " serves both sides and includes nothing, but here " name)
	} else if (base ~ /[.]bpf[.]h$/) {
		if (name !~ /^bpf\/bpf_[a-z_]*\.h$/ && name != "vmlinux.h")
			finding(base " includes vmlinux.h, bpf/bpf_*.h and wire.h, not " name)
	} else if (!(name in libc)) {
		finding("a public header includes libc (LIBC of tests/lint.sh) and peat/, not " name)
	}
}

function is_private(header)
{
	return (("user/lib/" header) in exists) || (("user/data/" header) in exists)
}

function library_includes(    other)
{
	if (name ~ /^bpf\// && !has(libbpf))
		finding(name ": LIBBPF of tests/lint.sh lists the rooms that know libbpf")
	if (has(pure) && name ~ /^((unistd|fcntl|stdio|time)\.h|sys\/.*)$/ && !quoted)
		finding(name ": " path " is pure: no fd, no clock, no print")
	if (name == "stdatomic.h" && !holds_atomics())
		finding(name ": ring/ring.c, channel/stage.c, channel/cells.c and channel/slot_lock.h alone hold atomics")
	if (!quoted)
		return
	other = room_of(name)
	if (!is_private(name))
		finding("\"" name "\" is no private header: they are named from user/lib and user/data, public ones are <peat/...>")
	else if ((room in floor) && other != room && !((room, other) in uses))
		finding(name ": " root room "/README.md does not say that it uses " other)
}

function user_includes()
{
	if (name ~ /^bpf\// && folder !~ /^user\/bench\//)
		finding(name ": here only <peat/...>, never libbpf")
	else if (quoted && !((folder name) in exists) && !borrowed() && !generated())
		finding("\"" name "\" is not in " folder ": here only its own headers and <peat/...>")
	else if (name ~ /\.\.\// || (!quoted && is_private(name)))
		finding(name ": here only <peat/...>, never a private header")
}

# Headers of other folders that are allowed: the command includes probes, the view of a probe includes
# its event, the benchmark includes the command.
function borrowed()
{
	if (folder ~ /^user\/cli\//)
		return ("user/probes/" name) in exists || (name ~ /^cli\// && ("user/" name) in exists)
	if (folder == "user/probes/")
		return ("bpf/" name) in exists
	return folder ~ /^user\/bench\// && name ~ /^(bench|cli)\// && (("user/" name) in exists)
}

# A skeleton is generated from an example's object in the build directory.
function generated()
{
	return folder == "user/examples/" && name ~ /^[a-z_]+\.skel\.h$/
}

function holds_atomics()
{
	return path ~ /^(ring\/ring|channel\/stage|channel\/slot_lock|channel\/cells)\.[ch]$/
}

function library_calls()
{
	if (path != "sys/event_fd.c" && (code ~ /(__NR|SYS)_perf_event_open/ || calls("perf_event_open")))
		finding("perf_event_open belongs to sys/event_fd.c")
	if (path !~ /^(ring\/ring|base\/fork_mark|channel\/(stage|collector|cells)|object\/globals|symbols\/namer\/(namer|namer_worker|namer_child))\.c$/ && calls("mmap|mmap64"))
		finding("mmap belongs to ring/ring.c, base/fork_mark.c, channel/stage.c, channel/cells.c, channel/collector.c, object/globals.c, symbols/namer/namer.c, symbols/namer/namer_worker.c and symbols/namer/namer_child.c")
	if (!holds_atomics() && code ~ /(^|[^A-Za-z0-9_])(__atomic_|__sync_|_Atomic|atomic_[a-z_]+\()/)
		finding("ring/ring.c, channel/stage.c, channel/cells.c and channel/slot_lock.h alone hold atomics")
	if (calls("v?[fd]?printf|puts|putchar|perror"))
		finding("the library never prints: diagnostics go through log.h")
	if (calls("_?exit|_Exit|quick_exit|abort"))
		finding("the library never exits: return an error")
	if (calls("signal|sigaction|sigprocmask|raise"))
		finding("the library never touches signals")
}

# No file does by a path what it can do by an fd.
function naming_calls()
{
	if (code !~ /^static / && calls("l?ch(mod|own)|rename|(sym)?link|mko?stemps?(64)?|mk(d?temp)|te?mpnam(_r)?|truncate(64)?"))
		finding("no file is renamed, linked or given permissions by its path, which may lead to another file: see cli/base/whole_file.h")
	if (!(substr(file, length("user/") + 1) in namers) && code !~ /^static / &&
	    calls("fch(mod|own)(at)?|renameat2?|(sym)?linkat"))
		finding("NAMES of tests/lint.sh lists the files that give files names and permissions: see cli/base/whole_file.h")
}

# A function of that name may be declared.
function opening_calls()
{
	if (!(substr(file, length("user/") + 1) in opens) && code !~ /^static / &&
	    (code ~ /(__NR|SYS)_open/ || calls("(f|fre)?open(at)?(64)?|creat(64)?")))
		finding("OPENS of tests/lint.sh lists the files that open the kernel's or the user's: for others see sys/foreign_file.h")
}
