# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Makes of examples.txt, by the variable `form`: rows, macros for examples.c; manual, a part of peat-examples(1).

function quoted(text) {
	gsub(/["\\]/, "\\\\&", text)
	return "\"" text "\""
}

function roff(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/'/, "\\(aq", text)
	gsub(/"/, "\\(dq", text)
	return text
}

function fail(what) {
	print FILENAME ":" FNR ": " what > "/dev/stderr"
	failed = 1
	exit 1
}

/^(#|$)/ { next }

/^[A-Z ]+$/ {
	subject = $0
	if (form == "manual")
		print ".SS " substr(subject, 1, 1) tolower(substr(subject, 2))
	next
}

/^\tpeat / {
	if (question == "")
		fail("a command without a question")
	if (form == "manual")
		printf ".TP\n.B %s\n%s\n", roff(substr($0, 2)), roff(question)
	else
		print "EXAMPLE(" quoted(subject) ", " quoted(question) ", " quoted(substr($0, 2)) ")"
	question = ""
	next
}

/^[A-Z].*\?$/ {
	if (question != "" || subject == "")
		fail("a question without a command or a subject")
	question = $0
	next
}

{ fail("neither a subject, a question nor a command: " $0) }

END {
	if (!failed && question != "")
		fail("a question without a command")
}
