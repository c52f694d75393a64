# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# shellcheck shell=bash
#
# Functions of the scripts that script.awk makes; sourced by them.

# Programs that a document starts in the background end with it.
trap 'jobs -p | xargs -r kill 2> /dev/null || true' EXIT

# console LINE REASON INTERRUPTED COMMAND HEADING...: runs a command of a transcript, unless there is
# a reason not to.
console()
{
	local line=$1 reason=$2 interrupted=$3 command=$4 limit=(60) output status heading
	shift 4

	if [ -n "$reason" ]; then
		echo "line $line: not run, $reason: $command" >&2
		return
	fi
	echo "line $line: $command" >&2
	[ "$interrupted" = 0 ] || limit=(--preserve-status -s INT 2)
	output=$(timeout "${limit[@]}" bash -c "$command" 2>&1 < /dev/null) && status=0 || status=$?
	if [ $status != 0 ]; then
		printf '%s\nline %s: exit status %s\n' "$output" "$line" $status >&2
		exit 1
	fi
	for heading; do
		sed -E 's/ +/ /g; s/^ //; s/ $//' <<< "$output" | grep -xF -- "$heading" && continue
		printf '%s\nline %s: no heading %s\n' "$output" "$line" "$heading" >&2
		exit 1
	done
}
