#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# selftest.sh: proves that compare.awk finds what is wrong in a document, and allows what differs between runs.
# Each case edits output that is shown, by sed, and compares it with the output before the edit.  Prints the cases
# that fail.
#
# shellcheck disable=SC2016 # $ of sed
set -u

here=$(dirname "$0")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

cat > "$tmp/out" << 'END'
    PID  COMM             CPU    RESULT  FLAGS       LATENCY  PATH
  14879  ls               [000]       3  O_RDONLY    1.203us  /etc/hostname
        do_sys_openat2+0x9b ([kernel])
        do_syscall_64+0x71 ([kernel])
        open+0x47 (libc.so.6)
        _start (ld-linux-x86-64.so.2)
  14880  cat              [001]  ENOENT  O_RDONLY      816ns  /etc/nothing
# 2 events lost on CPU 1: throttled

COMM  RESULT  COUNT
cat   ENOENT      1
cat   3          12

[4.096us, 8.192us)          2 |@@@@@@        |
{"type":"exec","time_ns":5224262769708,"time":"2026-11-29T16:52:04.300217467Z","cpu":0,"pid":14899,"uid":0,"args":["ls","-l"]}
            true  4487 [000] 17609.644807: peat:exec: ppid=4486 uid=0 filename=/usr/bin/true
find;main;open;do_sys_openat2 17
END
cat > "$tmp/err" << 'END'
ls: a message of the command
peat: 2 events in 1.50 s, 0 lost
  emitted                     4
END
cat "$tmp/out" - > "$tmp/complete" << 'END'
peat: 2 events in 1.50 s, 0 lost
  emitted                     4
END

compare()
{
	awk "$@" -f "$here/compare.awk" "$tmp/shown" "$tmp/out" "$tmp/err" > "$tmp/difference"
}

# case_of same|differs SED [AWK OPTION]...
case_of()
{
	local wanted=$1 edit=$2 found=same
	shift 2

	sed -E "$edit" "$tmp/complete" > "$tmp/shown"
	compare "$@" || found=differs
	[ $found != "$wanted" ] || return 0
	echo "$edit: $found"
	cat "$tmp/difference"
	failed=1
}

for edit in 's/RESULT  FLAGS/FLAGS  RESULT/' 's/COUNT/COUNTS/' 's/LATENCY//' 's/hostname/hosts/' 's/ENOENT/EACCES/' \
	's/cat   ENOENT +1/cat ENOENT 2/' 's/12$/13/' '/cat   3/d' 's/^cat   3.*/&\n&/' '/14880/d' 's/\[000\] +3/[000] 4/' \
	's/O_RDONLY/O_WRONLY/' 's/open\+0x47/read+0x47/' '/\[kernel\]/d' '/ld-linux/d' 's/CPU 1: throttled/CPU 1: full/' \
	's/2 events lost/3 events lost/' 's/816ns/816/' 's/"uid":0/"uid":1/' 's/"-l"/"-a"/' 's/"args"/"argv"/' \
	's/"cpu":0,//' 's/ppid=/parent=/' 's/"time":/"date":/' 's/true$/false/' 's/2 events in/3 events in/' 's/0 lost/1 lost/' \
	's/emitted +4/emitted 5/' '1,/^# 2/{1!{H;d}}; $G' 's/^peat: .*/peat: all is well/' 's/8.192us\)/8.192us]/' \
	's/peat:exec:/peat:exit:/' 's/find;/ls;/'; do
	case_of differs "$edit"
done
for edit in '' 's/1487/2999/' 's/\[00./[017/' 's/1\.203us/4ms/' 's/0x9b/0x123/' 's/do_sys_openat2/do_sys_open/' \
	'/do_syscall_64/d' 's/_start (.*)\)$/0x7f0cd300 \1+0x1d300)/' \
	's/@@@@/@/' 's/5224262769708/1/' 's/16:52:04/23:00:00/' 's/14899/7/' 's/17609.644807/3.2/' 's/4486/1/' \
	's/1\.50 s/20.1 s/' '/emitted/d' '/^peat: /,$d' 's/   +/  /g' '/14880/s/.*/.../' 's/main;open;do_sys_openat2 17/__fstat/' \
	'1s/^/...\n/; /COMM  RES/,$d' '/PATH/,/COUNT/d; /^\{/,/^find/d; s/^cat.*//; s/^\[.*//'; do
	case_of same "$edit"
done
case_of same 's/cat   3 +12/cat 3 999/' -v loose=1
case_of differs 's/cat   3 +12/cat 4 12/; s/COUNT/NUMBER/' -v loose=1
case_of same '/14880/d; s/2 events in/1 event in/' -v machine=1
case_of differs 's/nothing/nowhere/' -v machine=1
exit $failed
