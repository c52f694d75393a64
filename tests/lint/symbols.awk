# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# symbols.awk: finds calls between rooms of user/lib and user/data by the symbols of the built objects.  Reads lines
# of nm, each after the path of its source; lint.sh passes ROOMS.

BEGIN {
	for (n = split(ROOMS, list, " "); n; n--) {
		read_room("user/lib/", list[n])
		read_room("user/data/", list[n])
	}
}

function read_room(root, room,    readme, text)
{
	readme = root room "/README.md"
	while ((getline text < readme) > 0)
		if (sub(/^Uses: /, "", text))
			uses[room] = ", " substr(text, 1, length(text) - 1) ", "
	close(readme)
}

$(NF - 1) ~ /^[TDBRVWC]$/ {
	definer[$NF] = room_of($1)
}

$(NF - 1) == "U" {
	caller[++calls] = $1
	callee[calls] = $NF
}

function room_of(path)
{
	sub(/^user\/(lib|data)\//, "", path)
	sub(/\/[^\/]*$/, "", path)
	return path
}

END {
	for (n = 1; n <= calls; n++) {
		symbol = callee[n]
		room = room_of(caller[n])
		if ((symbol in definer) && definer[symbol] != room && !index(uses[room], ", " definer[symbol] ", "))
			print caller[n] ":1: symbols: " symbol " is of the room " definer[symbol] \
				", which the README.md of " room " does not name"
	}
}
