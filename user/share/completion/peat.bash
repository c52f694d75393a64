# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Completion of peat for bash.  peat itself finds the words: peat complete LINE.

# Completes a COMMAND after -- as bash-completion does, if it is loaded.
_peat_command()
{
	local i

	for ((i = 2; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		! declare -F _command_offset > /dev/null || _command_offset $((i + 1))
		return 0
	done
	return 1
}

# Removes the part of each whole word that readline does not replace: up to the last of COMP_WORDBREAKS, or up
# to the quote.
_peat_cut_words()
{
	local line=$1 current=$2 breaks=${COMP_WORDBREAKS//[\"\']/} word=${1##*[[:space:]]}

	if [[ $current != [\"\']* ]]; then
		word=${word%"${word##*["$breaks"]}"}
		COMPREPLY=("${COMPREPLY[@]#"$word"}")
	elif [[ ${line%"$current"} == *= ]]; then
		COMPREPLY=("${COMPREPLY[@]#--*=}")
	fi
}

_peat()
{
	local line=${COMP_LINE:0:COMP_POINT} reply

	_peat_command && return
	mapfile -t COMPREPLY < <("$1" complete "$line" 2> /dev/null)
	for reply in "${COMPREPLY[@]}"; do
		[[ $reply != *= ]] || compopt -o nospace
	done
	_peat_cut_words "$line" "${COMP_WORDS[COMP_CWORD]}"
}

# Files, if peat has no words.
complete -o bashdefault -o default -F _peat peat
