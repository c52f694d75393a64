# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# usage: awk -v kernel=NAME -v id=ID -v arch=ARCH -f evaluate.awk skips expected output
#
# Evaluates the output of a machine, for tests/vm/check.  Prints failures, skips and the programs that took longest.
# Skips that tests/vm/skips does not list count as failures, and so do tests that did not run ("program N" in
# `expected`).  The last line is "passed failed skipped", in numbers.

# Whether the text matches a shell pattern, in which only * is special.
function matches(text, pattern)
{
	gsub(/\./, "\\.", pattern)
	gsub(/\*/, ".*", pattern)
	return text ~ "^(" pattern ")$"
}

function is_allowed(test, reason, i)
{
	for (i = 1; i <= rules; i++)
		if ((matches(id, of_kernels[i]) || matches(arch, of_kernels[i])) &&
		    matches(test, of_tests[i]) && reason ~ "^(" of_reasons[i] ")$")
			return 1
	return 0
}

# A program that was interrupted has printed no count.
function end_program(ran)
{
	ran = passed_here + failed_here + skipped_here
	if (program != "" && ran < wanted[program]) {
		print kernel ": FAILED " program ": " ran " of " wanted[program] " tests ran"
		failed += wanted[program] - ran
	}
	delete wanted[program]
	passed_here = failed_here = skipped_here = 0
	program = ""
}

FNR == 1 { file++ }

file == 1 && /^[^#]/ {
	of_kernels[++rules] = $1
	of_tests[rules] = $2
	$1 = $2 = ""
	sub(/^ +/, "")
	of_reasons[rules] = $0
}

file == 2 { wanted[$1] = $2 }

file < 3 { next }

/^program test_/ {
	end_program()
	program = $2
}

/^FAILED / { print kernel ": " $0 }

/^skipped / {
	test = $2
	sub(/:$/, "", test)
	reason = $0
	sub(/^skipped [^:]*: /, "", reason)
	if (is_allowed(test, reason)) {
		skips[reason]++
	} else {
		print kernel ": FAILED " test ": skipped, but not listed in tests/vm/skips: " reason
		refused++
	}
}

/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
	passed += passed_here = $1
	failed += failed_here = $3
	skipped += skipped_here = $5
}

/^took [0-9]+ / { seconds[$3] = $2 }

function print_longest(i, name, longest, line)
{
	for (i = 0; i < 8; i++) {
		longest = ""
		for (name in seconds)
			if (longest == "" || seconds[name] > seconds[longest])
				longest = name
		if (longest == "")
			break
		line = line (i ? ", " : "") longest " " seconds[longest] " s"
		delete seconds[longest]
	}
	if (line != "")
		print kernel ": longest: " line
}

END {
	end_program()
	print_longest()
	for (program in wanted) {
		print kernel ": FAILED " program ": it did not run"
		failed += wanted[program]
	}
	for (reason in skips)
		print kernel ": skipped " skips[reason] ": " reason
	print passed + 0, failed + refused, skipped - refused
}
