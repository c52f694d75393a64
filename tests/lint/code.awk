# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# code.awk: prints C sources as "file TAB line TAB code", without comments and with empty literals, so
# that the rules of lint.sh match code only.  Only the name in an #include keeps its quotes.

BEGIN {
	opener = "/\\*|//|\"|'"
	rest_of["\""] = "^([^\"\\\\]|\\\\.)*\""
	rest_of["'"] = "^([^'\\\\]|\\\\.)*'"
}

# Returns a line of C without comments; in_comment is kept for the next line.
function strip(line,    code, token)
{
	while (line != "") {
		if (in_comment) {
			if (!match(line, /\*\//))
				return code
			in_comment = 0
			line = " " substr(line, RSTART + 2)
		} else if (!match(line, opener)) {
			return code line
		} else {
			token = substr(line, RSTART, RLENGTH)
			code = code substr(line, 1, RSTART - 1)
			line = substr(line, RSTART + RLENGTH)
			if (token == "//")
				return code
			if (token == "/*") {
				in_comment = 1
			} else {
				code = code token token
				if (!match(line, rest_of[token]))
					return code
				line = substr(line, RLENGTH + 1)
			}
		}
	}
	return code
}

FNR == 1 {
	in_comment = 0
}

!in_comment && match($0, /^[ \t]*#[ \t]*include[ \t]*(<[^>]*>|"[^"]*")/) {
	name = substr($0, 1, RLENGTH)
	rest = substr($0, RLENGTH + 1)
	sub(/^[^<"]*/, "", name)
	strip(rest)
	print FILENAME "\t" FNR "\t#include " name
	next
}

{
	code = strip($0)
	if (code ~ /[^ \t]/)
		print FILENAME "\t" FNR "\t" code
}
