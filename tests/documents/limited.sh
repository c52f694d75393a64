# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# shellcheck shell=bash
#
# Read by the shells that run the commands of transcripts ($BASH_ENV).  $document_cgroup is set by console.sh.

# Whether the arguments of peat are those of a verb that runs programs with filters: for kernel records and
# recordings there are none.
has_filters()
{
	[[ $1 =~ ^(trace|record|count|hist|top)$ && " $* " != *' @'* && ! ( -f $2 && $2 != *.o ) ]]
}

# The command; its events are those of the document's tasks alone.
peat()
{
	if has_filters "$@"; then
		command peat "$1" --cgroup "${document_cgroup:?}" "${@:2}"
	else
		command peat "$@"
	fi
}
