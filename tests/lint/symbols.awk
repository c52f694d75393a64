# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# symbols.awk: finds calls between rooms of user/lib by the symbols of the built objects.  Reads lines
# of nm, each after its object's path within user/lib; lint.sh passes ROOMS.

BEGIN {
	for (n = split(ROOMS, list, " "); n; n--) {
		readme = "user/lib/" list[n] "/README.md"
		while ((getline text < readme) > 0)
			if (sub(/^Uses: /, "", text))
				uses[list[n]] = ", " substr(text, 1, length(text) - 1) ", "
		close(readme)
	}
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
	sub(/\/[^\/]*$/, "", path)
	return path
}

END {
	for (n = 1; n <= calls; n++) {
		symbol = callee[n]
		room = room_of(caller[n])
		if ((symbol in definer) && definer[symbol] != room && !index(uses[room], ", " definer[symbol] ", "))
			print "user/lib/" caller[n] ":1: symbols: " symbol " is of the room " definer[symbol] \
				", which user/lib/" room "/README.md does not name"
	}
}
