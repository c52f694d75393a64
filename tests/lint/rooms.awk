# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# rooms.awk: the rooms of user/lib, user/data and user/agent, and the rooms that each one uses, by the line "Uses:" of its
# README.md.  lint.sh passes the file with the names of all files: FILES.

# library[room]: its root.  uses[room]: the line "Uses:", uses[room, other]: whether it names the other; line[room]: its number.
function read_rooms(    file, root, room)
{
	while ((getline file < FILES) > 0) {
		exists[file] = 1
		root = root_of(file)
		if (root != "" && substr(file, length(root) + 1) ~ /\/README[.]md$/)
			library[room_of(substr(file, length(root) + 1))] = root
	}
	close(FILES)
	for (room in library)
		read_uses(room)
}

function readme(room)
{
	return library[room] room "/README.md"
}

function read_uses(room,    text, list, n)
{
	while ((getline text < readme(room)) > 0) {
		line[room]++
		if (text ~ /^Uses: .*\.$/)
			break
	}
	close(readme(room))
	if (text !~ /^Uses: .*\.$/)
		return
	text = substr(text, 7, length(text) - 7)
	uses[room] = text == "no other room" ? "" : text
	for (n = split(uses[room], list, ", "); n; n--)
		uses[room, list[n]] = 1
}

# The root of the library that a path is in: "" for none.
function root_of(path)
{
	return match(path, /^user\/(lib|data|agent)\//) ? substr(path, 1, RLENGTH) : ""
}

# The folder of a path within a library's root: "" for the root itself.
function room_of(path)
{
	return match(path, /\/[^\/]*$/) ? substr(path, 1, RSTART - 1) : ""
}
