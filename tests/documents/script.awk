# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Makes a bash script of a document's blocks, in their order; console.sh has its functions:
#
#	c, cpp, yaml, python
#		a file, if a comment in the first line begins with its name and a colon
#	sh	commands
#	console	a transcript: each line "$ command" or "# command".  A command that ends in a
#		comment "# takes ..." or "# needs ..." is not run.  One whose output has a line ^C is
#		interrupted.  The output is compared with the lines shown (compare.awk).
#
# The last column of a table whose heading is "peat" has commands, too.  Those that would run until they
# are interrupted run for a moment.

function quoted(text) {
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# Has the verb run for 300 ms, unless a command or a duration ends it.
function for_a_moment(command) {
	if (command !~ / (--|-d) /)
		sub(/^peat (trace|count|hist|top|record|profile|stat)/, "& -d 300ms", command)
	return command
}

function end_command() {
	if (command != "")
		print "console " at " " quoted(reason) " " interrupted " " quoted(command) " " quoted(shown)
	command = shown = ""
}

block == "" && /^\|/ {
	if (/\| peat \|$/)
		commands = 1
	if (commands && match($0, /`peat [^`]*` \|$/))
		print "console " FNR " '' 0 " quoted(for_a_moment(substr($0, RSTART + 1, RLENGTH - 4)))
	next
}

block == "" { commands = 0 }

/^```(c|cpp|yaml|python)$/ {
	getline
	if ($0 ~ /^(\/[*]|#) [a-z_.\/]+: /) {
		print "cat > " substr($2, 1, length($2) - 1) " <<\"END OF FILE\""
		print
		block = "file"
	} else {
		block = "fragment"
	}
	next
}

/^```sh$/ {
	block = "sh"
	print "echo 'line " FNR ": commands' >&2"
	next
}

/^```console$/ {
	block = "console"
	next
}

/^```/ {
	if (block == "file")
		print "END OF FILE"
	end_command()
	block = block == "" ? "other" : ""
	next
}

block == "file" || block == "sh"

block != "console" { next }

/^[$#] ([a-z.\/]|[A-Z_]+=)/ {
	end_command()
	command = substr($0, 3)
	at = FNR
	interrupted = 0
	reason = ""
	if (match(command, / +# (takes|needs) .*$/)) {
		reason = substr(command, RSTART, RLENGTH)
		command = substr(command, 1, RSTART - 1)
		sub(/^ +# /, "", reason)
	}
	next
}

/^\^C/ { interrupted = 1 }

{ shown = shown (shown == "" ? "" : "\n") $0 }
