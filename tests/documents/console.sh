# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# shellcheck shell=bash
#
# Functions of the scripts that script.awk makes; sourced by them.
#
# Other documents and programs run meanwhile.  So the document has a cgroup of its own, and peat shows events of its
# tasks alone (limited.sh).

here=$(dirname "${BASH_SOURCE[0]}")
temporary=$(mktemp -d) || exit 1
mkdir "$temporary/cgroups"
mkfifo "$temporary/silence"
mount -t cgroup2 none "$temporary/cgroups"
export document_cgroup=$temporary/cgroups/peat-document-$$
mkdir "$document_cgroup"
echo $$ > "$document_cgroup/cgroup.procs"
export LC_ALL=C # no files of locales are opened

# Programs that a document starts in the background end with it.
end_document()
{
	local status=$? tries=50

	jobs -p | xargs -r kill 2> /dev/null || true
	echo $$ > "$temporary/cgroups/cgroup.procs"
	wait
	until rmdir "$document_cgroup" 2> /dev/null || [ $((tries--)) = 0 ]; do
		sleep 0.1
	done
	umount "$temporary/cgroups"
	if [ -e "$temporary/differences" ]; then
		cat "$temporary/differences" >&2
		status=1
	fi
	rm -r "$temporary"
	exit $status
}
trap end_document EXIT

# Starts programs all the time.
start_programs()
{
	while :; do
		ls -l /etc/hostname > "$temporary/ls"
		read -rt 0.05 <> "$temporary/silence" || true
	done
}

# watches_machine COMMAND: its events are those of all tasks during some time.
watches_machine()
{
	[[ $1 =~ ^\./[a-z]+$ ]] ||
		{ [[ $1 =~ peat\ (trace|record|count|hist|top|profile|stat|list\ --maps)(\ |$) && $1 != *.data* ]] &&
			[[ $1 != *' -- '* || $1 = *' @'* ]]; }
}

# samples COMMAND: its numbers are those of that run.
samples()
{
	[[ $1 =~ peat\ (count|hist|top|stat)\  && $1 != *.data* && $1 != *' -- '* || $1 =~ peat\ (profile|replay\ --stats)\  ||
		$1 =~ ^curl\ |peat\ agent\ .*--status ]]
}

# run_once COMMAND LIMIT...
run_once()
{
	local command=$1 programs=
	shift

	if watches_machine "$command"; then
		start_programs &
		programs=$!
	fi
	status=0
	BASH_ENV=$here/limited.sh timeout "$@" bash -c "$command" > "$temporary/out" 2> "$temporary/err" < /dev/null ||
		status=$?
	[ -z "$programs" ] || kill "$programs"
}

# same_output COMMAND SHOWN: compares it with the output, and prints the first difference.
same_output()
{
	local machine=0 loose=0

	watches_machine "$1" && machine=1
	samples "$1" && loose=1
	printf '%s\n' "$2" > "$temporary/shown"
	awk -v machine=$machine -v loose=$loose -f "$here/compare.awk" "$temporary"/{shown,out,err}
}

# console LINE REASON INTERRUPTED COMMAND SHOWN: runs a command of a transcript, unless there is a reason not
# to, and compares its output with the lines that the document shows.
console()
{
	local line=$1 reason=$2 interrupted=$3 command=$4 shown=$5 limit=(60) try status difference

	if [ -n "$reason" ]; then
		echo "line $line: not ${shown:+compared, not }run, $reason: $command" >&2
		return
	fi
	echo "line $line: $command" >&2
	[ "$interrupted" = 0 ] || limit=(--preserve-status -s INT 2)
	for ((try = 0; try < 3; try++)); do # the machine may have been busy
		run_once "$command" "${limit[@]}"
		if [ "$status" != 0 ]; then
			cat "$temporary/out" "$temporary/err" >&2
			echo "line $line: exit status $status" >&2
			exit 1
		fi
		[ -n "$shown" ] || return 0
		if difference=$(same_output "$command" "$shown"); then
			echo "line $line: compared" >&2
			return 0
		fi
	done
	printf 'line %s: another output, %s\n' "$line" "$difference" >> "$temporary/differences"
	tail -n 20 "$temporary/out" "$temporary/err" >> "$temporary/differences"
}
