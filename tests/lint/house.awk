# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# house.awk: checks the rooms, includes between folders, and calls that only some files may make.  Runs with rooms.awk and
# reads the output of code.awk.  lint.sh passes the lists (LIBC, PURE, LIBBPF, OPENS, NAMES).

BEGIN {
	FS = "\t"
	ATOMICS = "ring/ring.c, channel/stage.c, channel/cells.c, channel/slot_lock.h, counters/self_page.c and user/agent"
	set(libc, LIBC)
	set(pure, PURE)
	set(libbpf, LIBBPF)
	set(opens, OPENS)
	set(namers, NAMES)
	read_rooms()
	read_table()
	for (room in library) {
		check_row(room)
		check_uses(room)
		check_circle(room)
	}
}

# The table of rooms in README.md.  A row names rooms in its first column, and their folders by `/FOLDER`.
function read_table(    text, at, cell, name, first)
{
	while ((getline text < "README.md") > 0) {
		at++
		if (text == "| room | purpose |")
			table = at
		if (!table || text !~ /^\| .*`/)
			continue
		split(text, cell, / \| /)
		first = ""
		while (match(text, /`[^`]*`/)) {
			name = substr(text, RSTART + 1, RLENGTH - 2)
			if (index(cell[1], "`" name "`") && name !~ /^user\//) {
				if (first == "")
					first = name
				add_row(name, at)
			} else if (name ~ /^\//) {
				add_row(first name, at)
			}
			text = substr(text, RSTART + RLENGTH)
		}
	}
	close("README.md")
}

function add_row(name, at)
{
	row[name] = at
	if (!(name in library))
		print "README.md:" at ": house: " name " is no room: it has no README.md"
}

function check_row(room)
{
	if (!(room in row))
		print "README.md:" table + 0 ": house: the table of rooms lacks " room
}

# The rooms that a room uses are above it in the table, or folders of its row.
function check_uses(room,    list, n, what)
{
	what = readme(room) ":" line[room] ": house: "
	if (!(room in uses))
		print what "no line \"Uses: ROOM, ROOM.\""
	for (n = split(uses[room], list, ", "); n; n--)
		if (!(list[n] in library))
			print what "it uses " list[n] ", which is no room"
		else if (rank(library[room]) < rank(library[list[n]]))
			print what "it uses " list[n] ", which is of " substr(library[list[n]], 1, length(library[list[n]]) - 1) \
				": " substr(library[room], 1, length(library[room]) - 1) " is a library of its own"
		else if (row[list[n]] > row[room])
			print what "it uses " list[n] ", which is below " room " in the table of README.md"
		else if (row[list[n]] == row[room] && top(list[n]) != top(room))
			print what "it uses " list[n] ", which is beside " room " in the table of README.md"
}

# A library uses those of a lower rank.
function rank(root)
{
	return index("user/lib/ user/data/ user/agent/", root)
}

function top(room)
{
	sub(/\/.*/, "", room)
	return room
}

# The rooms of a row use each other without a circle.
function check_circle(room,    list, n)
{
	state[room] = "open"
	for (n = split(uses[room], list, ", "); n; n--)
		if (row[list[n]] != row[room])
			continue
		else if (state[list[n]] == "open")
			print readme(room) ":" line[room] ": house: it uses " list[n] ", which uses it, too"
		else if (state[list[n]] == "")
			check_circle(list[n])
	state[room] = "done"
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
	root = root_of(folder)
	in_lib = root != "" && !bpf_side
	if (in_lib) {
		path = substr(file, length(root) + 1)
		room = room_of(path)
		if (!(room in library))
			print file ":1: house: " root room " is no room: it has no README.md"
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

file ~ /^user\/(lib|data|agent|cli|probes)\// && !bpf_side {
	opening_calls()
	naming_calls()
}

# Read by the BPF side and by user space.
function is_shared(header)
{
	return header == "wire.h" || header == "terms.h" || header == "stack_kind.h"
}

function public_header_includes()
{
	if (name ~ /^peat\//) {
		if (is_shared(base) && name != "peat/peat.bpf.h" && name != "peat/" base)
			finding(base " serves both sides and includes nothing, but here " name)
		else if (base ~ /[.]bpf[.]h$/ && name !~ /[.]bpf[.]h$/ && !is_shared(substr(name, 6)))
			finding(base " is the BPF side: of peat it may include wire.h, terms.h and stack_kind.h, not " name)
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
	return (("user/lib/" header) in exists) || (("user/data/" header) in exists) || (("user/agent/" header) in exists)
}

function library_includes(    other)
{
	if (name ~ /^bpf\// && !has(libbpf))
		finding(name ": LIBBPF of tests/lint.sh lists the rooms that know libbpf")
	if (has(pure) && name ~ /^((unistd|fcntl|stdio|time)\.h|sys\/.*)$/ && !quoted)
		finding(name ": " path " is pure: no fd, no clock, no print")
	if (name == "stdatomic.h" && !holds_atomics())
		finding(name ": " ATOMICS " alone hold atomics")
	if (!quoted)
		return
	other = room_of(name)
	if (!is_private(name))
		finding("\"" name "\" is no private header: they are named from the library's folder, public ones are <peat/...>")
	else if (root == "user/agent/" && path !~ /^piece\// && (("user/data/" name) in exists))
		finding(name ": rooms but piece use no private function of libpeat-data: here only <peat/...> of it")
	else if ((room in library) && other != room && !((room, other) in uses))
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
# its event, the benchmark includes the command, and peat-recv its screen.
function borrowed()
{
	if (folder ~ /^user\/cli\//)
		return ("user/probes/" name) in exists || (name ~ /^cli\// && ("user/" name) in exists)
	if (folder == "user/peat-agent/")
		return ("user/probes/" name) in exists
	if (folder == "user/peat-recv/")
		return name ~ /^cli\// && ("user/" name) in exists
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
	return file ~ /^user\/agent\// || path ~ /^(ring\/ring|channel\/stage|channel\/slot_lock|channel\/cells|counters\/self_page)\.[ch]$/
}

function library_calls()
{
	if (path != "sys/event_fd.c" && (code ~ /(__NR|SYS)_perf_event_open/ || calls("perf_event_open")))
		finding("perf_event_open belongs to sys/event_fd.c")
	if (path !~ /^(ring\/ring|base\/fork_mark|channel\/(stage|collector|cells)|object\/globals|session\/descendants|counters\/self|symbols\/namer\/(namer|namer_worker|namer_child))\.c$/ && calls("mmap|mmap64"))
		finding("mmap belongs to ring/ring.c, base/fork_mark.c, channel/stage.c, channel/cells.c, channel/collector.c, counters/self.c, object/globals.c, session/descendants.c, symbols/namer/namer.c, symbols/namer/namer_worker.c and symbols/namer/namer_child.c")
	if (!holds_atomics() && code ~ /(^|[^A-Za-z0-9_])(__atomic_|__sync_|_Atomic|atomic_[a-z_]+\()/)
		finding(ATOMICS " alone hold atomics")
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
