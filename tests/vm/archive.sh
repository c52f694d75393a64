# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# What fetch, run and sysroot share: the cache, and packages of any Debian suite and architecture through
# a private apt state.  Sourced by them, never run.
#
# The cache lies outside the checkout, so a fresh clone finds it filled:
#
#	kernels/ID -> .ID.XXXXXX	vmlinuz, config, version, modules.list, modules.asked, modules/
#	busybox/ARCH			a static busybox
#	sysroot/ARCH -> .ARCH.XXXXXX	headers and libraries to build against (made by sysroot)
#	perf/ARCH -> .ARCH.XXXXXX	stock perf and the libraries that it needs on top (likewise)
#	newest-perf/ARCH -> ...		the newest one, and all libraries that it needs (likewise)
#	work.XXXXXX/			scratch of a run: apt's state, packages
#	lock				held by whoever fetches
#
# A result is built in a directory of its own and appears by the rename of a symbolic link: it is there
# whole or not at all, whenever a run is interrupted.  What an interrupted run leaves, the next one removes.

set -Eeuo pipefail
trap 'die "unexpected failure at ${BASH_SOURCE[0]##*/}:$LINENO"' ERR

PATH=$PATH:/usr/sbin:/sbin	# depmod and modprobe, for ordinary users too
self=${0##*/}
cache=${PEAT_VM_CACHE:-${XDG_CACHE_HOME:-~/.cache}/peat/vm}
work=

die() {
	printf '%s: %s\n' "$self" "$*" >&2
	exit 1
}

note() {
	printf '%s: %s\n' "$self" "$*" >&2
}

# need COMMAND PACKAGE: says what to install, before anything fails halfway.
need() {
	command -v "$1" >/dev/null || die "no $1: install $2 (make deps installs all that is needed)"
}

# Prints "suite arch package" of a kernel.
kernel_row() {
	local table=${BASH_SOURCE[0]%/*}/kernels

	awk -v id="$1" '$1 == id { print $2, $3, $4; found = 1 } END { exit !found }' "$table" && return
	die "unknown kernel '$1'; there are: $(awk '/^[^#]/ { printf "%s%s", sep, $1; sep = " " }' "$table")"
}

triplet() {
	case $1 in
	amd64) echo x86_64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	s390x) echo s390x-linux-gnu ;;
	*) die "unknown architecture '$1'" ;;
	esac
}

# Takes the cache's lock for the rest of the run, and a scratch directory that goes with it.
cache_lock() {
	if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then
		die "cannot write to the cache $cache (set PEAT_VM_CACHE)"
	fi
	exec 9>"$cache/lock"
	flock -n 9 || { note "waiting for another fetch"; flock 9; }
	rm -rf "$cache"/work.*
	work=$(mktemp -d "$cache/work.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
}

# publish DIR LINK: makes LINK point to DIR, its neighbour, in one step; then removes the former ones.
publish() {
	local dir=$1 link=$2 old

	ln -s "${dir##*/}" "$work/link"
	mv -T "$work/link" "$link"
	for old in "${link%/*}/.${link##*/}".??????; do
		[ "$old" = "$dir" ] || rm -rf "$old"
	done
}

# The first Debian archive among the system's apt sources, which apt itself reads, in either form: one whose lists
# say that they are Debian's; where no lists were read yet, one that is named so.
mirror() {
	if [ -n "${PEAT_VM_MIRROR:-}" ]; then
		echo "$PEAT_VM_MIRROR"
		return
	fi
	# shellcheck disable=SC2016 # the dollars are apt's
	{
		apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
			awk '$1 == "Debian" && $2 == "main" && $3 !~ /-security$/ { print $4 }'
		apt-get update --print-uris | sed -n "s|^'\([^']*/debian/*\)/dists/[^/]*/InRelease'.*|\1|p" || true
	} 2>/dev/null | awk 'NR == 1; END { exit !NR }' || die "no Debian mirror among apt's sources (set PEAT_VM_MIRROR)"
}

# apt_open SUITE ARCH: from here on apt_run and apt_cache know this suite alone, and nothing of the system's state.
# Theirs lies in the scratch directory: read once a run, never old.  The system's own settings for transport
# (proxies and the like) are carried over; its hooks are not.
apt_open() {
	local url keys=/usr/share/keyrings/debian-archive-keyring.gpg

	apt_suite=$1 apt_state=$work/apt/$1-$2
	[ ! -d "$apt_state" ] || return 0
	url=$(mirror) || exit
	[ -r "$keys" ] || die "no $keys: install debian-archive-keyring"
	mkdir -p "$apt_state/lists/partial" "$apt_state/archives/partial"
	: >"$apt_state/status"
	echo "deb [arch=$2 signed-by=$keys] $url $1 main" >"$apt_state/sources.list"
	apt_conf "$2" >"$apt_state/apt.conf"
	apt_run "cannot read the package lists of $1" update
}

apt_conf() {
	apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|Max-|Retries|Force)' || true
	cat <<-EOF
		APT::Architecture "$1";
		APT::Architectures { "$1"; };
		APT::Sandbox::User "root";
		APT::Update::Error-Mode "any";
		Acquire::GzipIndexes "false";
		Acquire::Languages "none";
		Dir::Cache "$apt_state";
		Dir::Etc::main "/dev/null";
		Dir::Etc::parts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Dir::Etc::sourcelist "$apt_state/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::State "$apt_state";
		Dir::State::lists "$apt_state/lists";
		Dir::State::status "$apt_state/status";
	EOF
}

# apt_run COMPLAINT ARGUMENT...: apt-get; when it fails, one line with the first thing it said.
apt_run() {
	local complaint=$1

	shift
	APT_CONFIG=$apt_state/apt.conf apt-get -qq "$@" >/dev/null 2>"$work/err" </dev/null && return
	die "$complaint: $(sed -n 's/^[EW]: //p' "$work/err" | head -1)"
}

apt_cache() {
	APT_CONFIG=$apt_state/apt.conf apt-cache "$@"
}

# A package and all that it depends on, directly or not, as apt would choose them.
apt_closure() {
	APT_CONFIG=$apt_state/apt.conf apt-get -s install --no-install-recommends "$1" 2>"$work/err" </dev/null |
		awk '$1 == "Inst" { print $2; found = 1 } END { exit !found }' && return
	die "cannot resolve what $1 of $apt_suite depends on: $(sed -n 's/^[EW]: //p' "$work/err" | head -1)"
}

# Of the package that apt would choose.
apt_version() {
	apt_cache policy "$1" | sed -n 's/^ *Candidate: //p'
}

# apt_unpack DIR PACKAGE...: downloads and unpacks.
apt_unpack() {
	local dir=$1 deb

	shift
	cd "$apt_state/archives"
	apt_run "cannot download from $apt_suite" download "$@"
	for deb in *.deb; do
		dpkg-deb -x "$deb" "$dir" || die "cannot unpack $deb"
		rm "$deb"
	done
	cd "$OLDPWD"
}
