# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# expect.sh: sourced by tests that are shell scripts: a temporary directory $dir, and their counts.

passed=0 failed=0 skipped=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# expect NAME COMMAND...: a test that passes if the command succeeds; else prints the command's output.
expect()
{
	local name=$1
	shift

	if "$@" > "$dir/output" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED $name: $*"
		tail -n 40 "$dir/output"
	fi
}

# skip NAME REASON: a test that cannot run here.
skip()
{
	skipped=$((skipped + 1))
	echo "skipped $1: $2"
}

# Prints the last line of a test and returns its exit status.
sum_up()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}
