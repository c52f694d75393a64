# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# symbols.awk: finds calls between rooms of the libraries by the symbols of the built objects, and rooms that a README
# lists without need.  Runs with rooms.awk.  Reads lines of nm, the includes, and "unbuilt" for a missing object, each
# after the path of its source.

BEGIN {
	read_rooms()
}

{
	room = room_of(substr($1, length(root_of($1)) + 1))
}

$2 == "unbuilt" {
	unbuilt[room] = 1
	next
}

$2 == "#include" {
	needs[room, room_of(substr($3, 2))] = 1
	next
}

{
	built[room] = 1
}

$(NF - 1) ~ /^[TDBRVWC]$/ {
	definer[$NF] = room
}

$(NF - 1) == "U" {
	caller[++calls] = $1
	caller_room[calls] = room
	callee[calls] = $NF
}

END {
	for (n = 1; n <= calls; n++) {
		room = caller_room[n]
		symbol = callee[n]
		if (!(symbol in definer) || definer[symbol] == room)
			continue
		needs[room, definer[symbol]] = 1
		if (!((room, definer[symbol]) in uses))
			print caller[n] ":1: symbols: " symbol " is of the room " definer[symbol] \
				", which the README.md of " room " does not name"
	}
	for (room in built)
		if (!(room in unbuilt))
			for (n = split(uses[room], list, ", "); n; n--)
				if (!((room, list[n]) in needs))
					print readme(room) ":" line[room] ": symbols: it uses " list[n] \
						", but no include and no symbol needs it"
}
