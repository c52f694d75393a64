# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# usage: awk -v kernel=NAME -v id=ID -v arch=ARCH -f judge.awk skips expected output
#
# What tests/vm/check tells of a machine's output: failures, and skips, those that tests/vm/skips does
# not allow as failures; tests that did not run ("program N" in `expected`).  The last line is "passed
# failed skipped", in numbers.

# A shell pattern: only * is one here.
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

# A program that ended in the middle tells no count.
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
		print kernel ": FAILED " test ": skipped, which tests/vm/skips does not allow here: " reason
		refused++
	}
}

/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
	passed += passed_here = $1
	failed += failed_here = $3
	skipped += skipped_here = $5
}

END {
	end_program()
	for (program in wanted) {
		print kernel ": FAILED " program ": it did not run"
		failed += wanted[program]
	}
	for (reason in skips)
		print kernel ": skipped " skips[reason] ": " reason
	print passed + 0, failed + refused, skipped - refused
}
