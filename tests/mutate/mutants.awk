# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# mutants.awk: every mutant of one C file, each on a line of its own:
#	number TAB line TAB column TAB length TAB replacement TAB change
# The text of `length` bytes at this place is to be replaced.  Only function bodies are changed: from
# a line that is "{" to one that is "}".  The file has to be formatted by clang-format.

function mutant(col, len, text, what)
{
	printf "%d\t%d\t%d\t%d\t%s\t%s\n", ++count, FNR, col, len, text, what
}

# Blanks of the same length for comments, strings and characters, so that columns stay.
function masked(line,    out, c, i, n)
{
	out = ""
	n = length(line)
	for (i = 1; i <= n; i++) {
		c = substr(line, i, 1)
		if (in_comment) {
			if (substr(line, i, 2) == "*/") {
				in_comment = 0
				out = out " "
				i++
			}
			out = out " "
		} else if (substr(line, i, 2) == "/*") {
			in_comment = 1
			out = out "  "
			i++
		} else if (substr(line, i, 2) == "//") {
			for (; i <= n; i++)
				out = out " "
		} else if (c == "\"" || c == "'") {
			out = out "_"
			for (i++; i <= n && substr(line, i, 1) != c; i++) {
				out = out "_"
				if (substr(line, i, 1) == "\\") {
					out = out "_"
					i++
				}
			}
			out = out "_"
		} else {
			out = out c
		}
	}
	return out
}

# Each place where a binary operator stands: clang-format puts spaces on both sides, or ends the line.
function swap(code, from, to,    at, rest, padded)
{
	padded = code " "
	for (at = 1; (rest = index(substr(padded, at), " " from " ")); at += rest + length(from))
		mutant(at + rest, length(from), to, from " -> " to)
}

function operators(code,    i)
{
	for (i = 1; i <= pairs; i++)
		swap(code, from_op[i], to_op[i])
	if ((i = index(code, "++")))
		mutant(i, 2, "--", "++ -> --")
	if ((i = index(code, "--")))
		mutant(i, 2, "++", "-- -> ++")
}

# Whole decimal and hexadecimal numbers: one more, or one less.
function constants(code,    at, number, before, value)
{
	at = 1
	while (match(substr(code, at), /[0-9]+/)) {
		number = substr(code, at + RSTART - 1, RLENGTH)
		before = at + RSTART > 2 ? substr(code, at + RSTART - 2, 1) : " "
		value = RSTART + at - 1
		at += RSTART + RLENGTH - 1
		if (before ~ /[A-Za-z0-9_.]/ || substr(code, at, 1) ~ /[A-Za-z_.]/)
			continue
		if ((FNR + value) % 2 && number > 0)
			mutant(value, length(number), number - 1, number " -> " number - 1)
		else
			mutant(value, length(number), number + 1, number " -> " number + 1)
	}
}

# A condition that stands on one line.
function conditions(line, code,    start, i, depth, c)
{
	if (!match(code, /(if|while) \(/))
		return
	start = RSTART + RLENGTH
	depth = 1
	for (i = start; i <= length(code) && depth; i++) {
		c = substr(code, i, 1)
		depth += (c == "(") - (c == ")")
	}
	if (!depth)
		mutant(start, i - 1 - start, "!(" substr(line, start, i - 1 - start) ")",
		       "condition negated")
}

function returns(line, code,    value, start)
{
	if (!match(code, /return [^;]+;/))
		return
	start = RSTART + 7
	value = substr(line, start, RLENGTH - 8)
	if (value == "0" || value == "false")
		mutant(start, length(value), "1", "return " value " -> 1")
	else if (value != "NULL")
		mutant(start, length(value), "0", "return " value " -> 0")
	else
		mutant(start, 4, "(void *)8", "return NULL -> a pointer")
}

# A statement on a line of its own; a declaration cannot be deleted.
function statements(line, code,    text)
{
	text = code
	sub(/^[ \t]+/, "", text)
	sub(/[ \t]+$/, "", text)
	if (previous !~ /[;{}):]$/ || text !~ /;$/ || text ~ /^(return [^;]|for \(|while \(|do |case |default|#|}|;)/)
		return
	if (text ~ /^(const|static|struct|enum|union|unsigned|bool|char|int|long|size_t|ssize_t|double|float|pid_t|FILE|void|[a-z0-9_]+_t|Elf[A-Za-z0-9_]*|Dwarf[A-Za-z0-9_]*|LIBBPF_OPTS|DECLARE[A-Z_]*)[ (]/)
		return
	mutant(index(code, text), length(text), ";",
	       "deleted: " substr(line, index(code, text), length(text)))
}

BEGIN {
	pairs = split("< <= > >= == != && || + - * / % & | << >> += -= |= &=", from_op, " ")
	split("<= < >= > != == || && - + / * / | & >> << -= += &= |=", to_op, " ")
}

{ code = masked($0) }
code ~ /^{/ { inside = 1 }
code ~ /^}/ { inside = 0 }
inside && code !~ /^#/ {
	operators(code)
	constants(code)
	conditions($0, code)
	returns($0, code)
	statements($0, code)
}
code !~ /^[ \t]*$/ {
	previous = code
	sub(/[ \t]+$/, "", previous)
}
