# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# usage: awk -v machine=0|1 -v loose=0|1 -f compare.awk SHOWN STDOUT STDERR
#
# Compares the output that a document shows with the output of the command.  Each line shown has to be
# printed, in this order, to stdout or to stderr.  Stdout has no other lines, unless the document has a
# line "..." or shows nothing of it, or the command was about the whole machine.
#
# Parts that differ between machines and runs are compared by their class:
#
#	N	ids of processes and objects, CPUs, cycles; sizes in decimals; all numbers if loose
#	T	durations and times
#	P	percentages
#	0xN	addresses
#	name	functions of samples, and their modules
#	kernel	frames of the kernel, any number of them
#	ld.so	frames of ld.so, which is stripped on some systems
#	bar	bars of histograms
#
# All other words and numbers have to be the same: names, paths, results, counts.

BEGIN {
	split("PID PID_ TID TID_ PPID OLD_PID CPU CYCLES INSTRUCTIONS START_TIME EXIT_TIME LIFETIME",
		names, " ")
	for (i in names)
		is_id[names[i]] = 1
}

function is_heading(line) { return line ~ /^[A-Z][A-Z_]*( [A-Z][A-Z_]*)+$/ }

# The class of a word; `next_word` can be its unit.
function word_class(word, next_word) {
	if (word ~ /^[0-9]+(\.[0-9]+)?(ns|us|ms|s)$/ || (word ~ /^[0-9.]+$/ && next_word ~ /^(us|ms|s)$/))
		return "T"
	if (word ~ /^[0-9]+\.[0-9]+%$/)
		return "P"
	if (word ~ /^[0-9]+\.[0-9]+[KMGT]?$/ || (loose && word ~ /^[0-9]+[KMGT]?$/))
		return "N"
	return word
}

# The same for a word with its brackets and punctuation.
function class(word, next_word,   before, after) {
	match(word, /^[[(]*/)
	before = substr(word, 1, RLENGTH)
	word = substr(word, RLENGTH + 1)
	if (match(word, /[])|,:;]+$/)) {
		after = substr(word, RSTART)
		word = substr(word, 1, RSTART - 1)
	}
	return before word_class(word, next_word) after
}

# Replaces the number after each of these texts, a regular expression.
function hide(line, before,   done) {
	while (match(line, before "[0-9.]+")) {
		done = done substr(line, 1, RSTART - 1)
		line = substr(line, RSTART, RLENGTH) "\n" substr(line, RSTART + RLENGTH)
		sub(/[0-9.]+\n/, "N\n", line)
		done = done substr(line, 1, index(line, "\n") - 1)
		line = substr(line, index(line, "\n") + 1)
	}
	return done line
}

function hide_ids(line) {
	line = hide(line, "\"(time_ns|cpu|pid|tid|ppid|seconds)\":")
	line = hide(line, "(^|[ (])(pid|ppid|tid|id|pid_|tid_|duration|duration_us)=")
	line = hide(line, "(pid|held by|program|process|--dump|CPU|byte) ")
	if (loose)
		line = hide(line, "\":")
	gsub(/"time":"[^"]*"/, "\"time\":\"T\"", line)
	gsub(/0x[0-9a-f]+/, "0xN", line)
	gsub(/\[0xN( 0xN)*\]/, "[addresses]", line)
	gsub(/\|@* *\|/, "|bar|", line)
	if (line ~ /^[^ ;]+;[^ ]+( [0-9]+)?$/)
		sub(/;.*/, ";frames", line)
	if (machine && line ~ /^peat: /)
		gsub(/[0-9]+ events?/, "N events", line)
	if (line ~ / \(\[kernel\]\)$/)
		line = "kernel"
	if (line ~ /^[^ ]+ \(ld-linux[^ ]+\)$/)
		line = "ld.so"
	return line
}

# The line as it is compared.  `heading` is that of its table, or empty.
function normal(line, heading,   words, columns, n, i) {
	gsub(/[ \t]+/, " ", line)
	sub(/^ /, "", line)
	sub(/ $/, "", line)
	if (is_heading(line))
		return line
	n = split(hide_ids(line), words, " ")
	line = ""
	split(heading, columns, " ")
	for (i = 1; i <= n; i++) {
		if (words[i] ~ /^([0-9]+|-)$/ && columns[i] in is_id)
			words[i] = "N"
		if (columns[i] == "FUNCTION" || columns[i] == "MODULE")
			words[i] = "name"
		if (words[i] ~ /^\[[0-9]+\]$/) {
			words[i] = "[N]"
			if (words[i - 1] ~ /^[0-9]+$/)
				words[i - 1] = "N"
		}
	}
	for (i = 1; i <= n; i++)
		line = line (i > 1 ? " " : "") class(words[i], words[i + 1])
	return line
}

FNR == 1 {
	file = FILENAME == ARGV[1] ? 1 : FILENAME == ARGV[2] ? 2 : 3
	heading = ""
}

file == 1 && $0 == "..." {
	is_excerpt = 1
	next
}

{
	if (file == 1)
		sub(/^\^C/, "")
	if (/^peat: /)
		heading = ""
	line = normal($0, heading)
	if (is_heading(line))
		heading = line
	else if (line == "")
		heading = ""
	# Kernels differ in the number of their frames.
	if (line == "" || (line == "kernel" && text[file, count[file]] == "kernel"))
		next
	text[file, ++count[file]] = line
	original[file, count[file]] = $0
}

# Whether the stream prints the line after its last match.
function find(stream, line,   i) {
	for (i = at[stream] + 1; i <= count[stream]; i++) {
		if (text[stream, i] != line)
			continue
		at[stream] = i
		matched[stream, i] = 1
		return 1
	}
	return 0
}

END {
	for (i = 1; i <= count[1]; i++) {
		if (find(2, text[1, i]))
			shows_stdout = 1
		else if (!find(3, text[1, i])) {
			print "not printed: " original[1, i] "\n(as: " text[1, i] ")"
			exit 1
		}
	}
	if (!shows_stdout || is_excerpt || machine || loose)
		exit 0
	for (i = 1; i <= count[2]; i++) {
		if (!((2, i) in matched)) {
			print "not in the document: " original[2, i] "\n(as: " text[2, i] ")"
			exit 1
		}
	}
}
