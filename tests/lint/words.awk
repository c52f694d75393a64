# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Plain words: prints "file:line: words: ..." for each sentence of a document that begins with What,
# Whose, Of, That of or As in.  Headers (their comments alone), manual pages and markdown (without
# blocks of code).
#
# Sentences begin after a full stop and the like.  The first word of a comment, heading, list entry
# or table cell begins one in small letters too.

FNR == 1 { open = fenced = 0; held = "" }

# The part of the line that is in comments; each comment begins with "\001".
function comments(line,    text, at) {
	text = ""
	while (line != "") {
		if (open == "/*") {
			at = index(line, "*/")
			text = text (at ? substr(line, 1, at - 1) : line)
			line = at ? substr(line, at + 2) : ""
			if (at)
				open = 0
		} else if (match(line, /"([^"\\]|\\.)*"|\/[*]|\/\//)) {
			at = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (at == "//") {
				text = text "\001" line
				line = ""
			} else if (at == "/*") {
				text = text "\001"
				open = at
			}
		} else {
			line = ""
		}
	}
	sub(/^[ \t]*[*][ \t]*/, "", text)
	return text
}

# A line of a manual page: without requests, fonts and quotes; headings and tagged terms are blocks.
function roff(line,    block) {
	if (line ~ /^[.']\\"/)
		return ""
	block = line ~ /^[.'](SH|SS|TP|IP)/ ? "\001" : ""
	sub(/^[.'][ \t]*[A-Za-z]+[ \t]*/, "", line)
	gsub(/\\f[A-Z]|\\f\([A-Z][A-Z]|\\f\[[A-Z]*\]/, "", line)
	gsub(/\\\(lq|\\\(dq|"/, "", line)
	gsub(/\t/, "\001", line)
	return block line
}

function markdown(line) {
	if (line ~ /^[ \t]*```/) {
		fenced = !fenced
		return ""
	}
	if (fenced)
		return ""
	if (line ~ /^[ \t]*[|]/)
		gsub(/[|]/, "\001", line)
	sub(/^[ \t]*(#+|[-*+]|[0-9]+[.])[ \t]+/, "\001", line)
	gsub(/[*_`]|\[/, "", line)
	return line
}

{
	line = FILENAME ~ /[.]h$/ ? comments($0) : FILENAME ~ /[.]md$/ ? markdown($0) : roff($0)
	sub(/^[ \t]+/, "", line)
	line = held line
	held = ""
	# "That of" and "As in" over the end of a line.
	if (line ~ /(^|[.:;!?)\001])[ \t]*(That|As)[ \t]*$/) {
		held = line " "
		next
	}
	if (match(line, /(^|[.:;!?(\001][ \t]*)(What|Whose|Of|That of|As in)([^A-Za-z_]|$)/) ||
	    match(line, /\001[ \t]*(what|whose|of|that of|as in)([^A-Za-z_]|$)/)) {
		word = substr(line, RSTART, RLENGTH)
		gsub(/^[^A-Za-z]*|[^A-Za-z]*$/, "", word)
		print FILENAME ":" FNR ": words: a sentence begins with \"" word "\": begin with its subject"
	}
}
