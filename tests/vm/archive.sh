# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Shared by fetch, run and sysroot, which source it: the cache, and packages of any Debian suite and
# architecture through a private apt state.
#
# The cache is outside of the checkout, so fresh clones use it too:
#
#	kernels/ID -> .ID.XXXXXX	vmlinuz, config, version, modules.list, modules.asked, modules/
#	busybox/ARCH			a static busybox
#	sysroot/ARCH -> .ARCH.XXXXXX	headers and libraries to build against (made by sysroot)
#	perf/ARCH -> .ARCH.XXXXXX	stock perf and its libraries that are not in sysroot/ARCH (made by sysroot)
#	newest-perf/ARCH -> ...		the newest perf and all its libraries (made by sysroot)
#	work.XXXXXX/			temporary files of a run: apt's state, packages
#	lock				locked while fetching
#
# Results appear atomically: each is built in a directory of its own, and a symbolic link is renamed.  The
# next run removes files that an interrupted run has left.

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

# need COMMAND PACKAGE: checks early that a command is installed.
need() {
	command -v "$1" >/dev/null || die "$1 not found: install $2 (make deps installs all packages)"
}

# Prints "suite arch package" of a kernel.
kernel_row() {
	local table=${BASH_SOURCE[0]%/*}/kernels

	awk -v id="$1" '$1 == id { print $2, $3, $4; found = 1 } END { exit !found }' "$table" && return
	die "unknown kernel '$1': use one of: $(awk '/^[^#]/ { printf "%s%s", sep, $1; sep = " " }' "$table")"
}

triplet() {
	case $1 in
	amd64) echo x86_64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	s390x) echo s390x-linux-gnu ;;
	*) die "unknown architecture '$1'" ;;
	esac
}

# Locks the cache for the rest of the run, and makes the temporary directory $work in it.
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

# publish DIR LINK: atomically makes LINK point to DIR, in the same directory; then removes older ones.
publish() {
	local dir=$1 link=$2 old

	ln -s "${dir##*/}" "$work/link"
	mv -T "$work/link" "$link"
	for old in "${link%/*}/.${link##*/}".??????; do
		[ "$old" = "$dir" ] || rm -rf "$old"
	done
}

# The first Debian archive in the system's apt sources, as apt reads them: one whose lists have the origin Debian;
# before the first apt update, one with /debian/ in its URL.
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

# apt_open SUITE ARCH: from now on apt_run and apt_cache use this suite alone, and not the system's state.  Their
# state is in the temporary directory, so the lists are read once per run.  The system's settings for transport
# (proxies) are used, but not its hooks.
apt_open() {
	local url keys=/usr/share/keyrings/debian-archive-keyring.gpg

	apt_suite=$1 apt_state=$work/apt/$1-$2
	[ ! -d "$apt_state" ] || return 0
	url=$(mirror) || exit
	[ -r "$keys" ] || die "$keys not found: install debian-archive-keyring"
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

# apt_run MESSAGE ARGUMENT...: runs apt-get.  If it fails, exits with the message and apt's first error.
apt_run() {
	local message=$1

	shift
	APT_CONFIG=$apt_state/apt.conf apt-get -qq "$@" >/dev/null 2>"$work/err" </dev/null && return
	die "$message: $(sed -n 's/^[EW]: //p' "$work/err" | head -1)"
}

apt_cache() {
	APT_CONFIG=$apt_state/apt.conf apt-cache "$@"
}

# A package and all its direct and indirect dependencies, as apt selects them.
apt_closure() {
	APT_CONFIG=$apt_state/apt.conf apt-get -s install --no-install-recommends "$1" 2>"$work/err" </dev/null |
		awk '$1 == "Inst" { print $2; found = 1 } END { exit !found }' && return
	die "cannot resolve the dependencies of $1 in $apt_suite: $(sed -n 's/^[EW]: //p' "$work/err" | head -1)"
}

# Version of the package that apt selects.
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
