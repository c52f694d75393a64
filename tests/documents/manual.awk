# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Makes a document for script.awk of manual pages: a table with the commands of their first sections EXAMPLES.  The
# agent that one of them starts runs until the end of the document.
#
# With -v without=VERB, commands of this verb are left out.

function plain(text) {
	gsub(/^\.B /, "", text)
	gsub(/\\-/, "-", text)
	gsub(/\\\(aq/, "'", text)
	gsub(/\\\(dq/, "\"", text)
	gsub(/\\\(ti/, "~", text)
	gsub(/\\e/, "\\", text)
	return text
}

function begin_table() {
	print "\n| page | peat |\n|---|---|"
}

function commands(text) {
	print "\n```sh\n" text "\n```"
	begin_table()
}

# Most machines lack something that peat doctor checks.
function print_row() {
	print "| " FILENAME " | `" command (command == "peat doctor" ? " || test $? = 1" : "") "` |"
}

FNR == 1 { begin_table() }

/^\.SH / {
	is_example = $0 == ".SH EXAMPLES"
	next
}

!is_example { next }

at_command {
	at_command = 0
	command = plain($0)
	split(command, word, " ")
	if (word[2] == without || done[command]++)
		next
	if (command == "peat agent -c agent.yaml")
		commands(command " > agent.log 2>&1 &\ntimeout 30 sh -c 'until [ -S agent.sock ]; do sleep 0.1; done'")
	else if (word[2] == "recv" && !received++)
		commands("timeout 30 sh -c 'until peat recv --all --end > events && [ -s events ]; do ls > files; done'")
	if (command != "peat agent -c agent.yaml")
		print_row()
}

/^\.TP/ { at_command = 1 }
