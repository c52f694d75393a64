# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# expect.sh: for tests that are shell scripts, to be sourced: a directory of their own in $dir, and
# what they counted.

passed=0 failed=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# expect WHAT COMMAND...: succeeds if the command does; else shows what it printed.
expect()
{
	local what=$1
	shift

	if "$@" > "$dir/output" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED $what: $*"
		tail -n 40 "$dir/output"
	fi
}

# The last line, and the exit status.
sum_up()
{
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" = 0 ]
}
