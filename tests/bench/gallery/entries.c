// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* entries.c: per probe, the operation that it watches and the tools that watch it. */
#include "operations.h"

#define BPFTRACE(program) "bpftrace", "-e", program

/*
 * Without profile, whose cost depends on the time alone; oom, whose hook runs when a process is
 * killed; ssl, whose hooks are parts of a TLS session.
 */
static const struct gallery_entry entries[] = {
	{
		"exec",
		&gallery_exec,
		.rest = { "exec", "--comm", "-" },
		.busy = { "exec" },
		.peer = "execsnoop",
		.peer_argv = { "execsnoop" },
	},
	{
		"exit",
		&gallery_exec,
		.rest = { "exit", "--comm", "-" },
		.busy = { "exit" },
		.peer = "exitsnoop",
		.peer_argv = { "exitsnoop" },
	},
	{
		"signal",
		&gallery_signal,
		.rest = { "signal", "--comm", "-" },
		.busy = { "signal" },
		.peer = "sigsnoop",
		.peer_argv = { "sigsnoop" },
	},
	{
		"sched",
		&gallery_switch,
		.rest = { "sched,min=1s" },
		.busy = { "sched,min=0" },
		.peer = "runqslower 1",
		.peer_argv = { "runqslower", "1" },
	},
	{
		"offcpu",
		&gallery_switch,
		.rest = { "offcpu,min=1s", "--stacks", "none" },
		.busy = { "offcpu,min=0", "--stacks", "none" },
		.peer = "offcputime",
		.peer_argv = { "offcputime" },
	},
	{
		"syscall",
		&gallery_syscall,
		.rest = { "syscall,counts=false" },
		.busy = { "syscall,counts=false,min=0" },
		.peer = "bpftrace",
		.peer_argv = { BPFTRACE("tracepoint:raw_syscalls:sys_enter { @start[tid] = nsecs; }"
					"tracepoint:raw_syscalls:sys_exit /@start[tid]/ {"
					" printf(\"%d %s %d %d\\n\", pid, comm, args->id,"
					" nsecs - @start[tid]); delete(@start[tid]); }") },
	},
	{
		"open",
		&gallery_open,
		.rest = { "open,failed" },
		.busy = { "open" },
		.peer = "opensnoop",
		.peer_argv = { "opensnoop" },
	},
	{
		"fileslow",
		&gallery_read,
		.rest = { "fileslow,min=1s" },
		.busy = { "fileslow,min=0" },
		.peer = "bpftrace",
		.peer_argv = { BPFTRACE(
			"tracepoint:syscalls:sys_enter_pread64 { @start[tid] = nsecs; }"
			"tracepoint:syscalls:sys_exit_pread64 /@start[tid]/ {"
			" printf(\"%d %s %d %d\\n\", pid, comm, args->ret,"
			" nsecs - @start[tid]); delete(@start[tid]); }") },
	},
	{
		"filechange",
		&gallery_rename,
		.rest = { "filechange,failed" },
		.busy = { "filechange" },
		.peer = "bpftrace",
		.peer_argv = { BPFTRACE("tracepoint:syscalls:sys_enter_rename {"
					" printf(\"%d %s %s %s\\n\", pid, comm,"
					" str(args->oldname), str(args->newname)); }") },
	},
	{
		"fault",
		&gallery_fault,
		.rest = { "fault" },
		.busy = { "fault,minor" },
		.peer = "bpftrace",
		.peer_argv = { BPFTRACE("software:minor-faults:1 {"
					" printf(\"%d %s\\n\", pid, comm); }") },
	},
	{
		"leak",
		&gallery_malloc,
		.rest = { "leak,min_bytes=1G", "-p", gallery__own_pid },
		.busy = { "leak,age=1h", "-p", gallery__own_pid },
		.peer = "bpftrace",
		.peer_argv = { "bpftrace", "-p", gallery__own_pid, "-e",
			       "uprobe:libc:malloc { @bytes[tid] = arg0; }"
			       "uretprobe:libc:malloc /@bytes[tid]/ {"
			       " @kept[retval] = @bytes[tid]; delete(@bytes[tid]); }"
			       "uprobe:libc:free { delete(@kept[arg0]); }" },
	},
	{
		"bio",
		&gallery_disk,
		.rest = { "bio,min=1h" },
		.busy = { "bio" },
		.peer = "bpftrace",
		.peer_argv = { BPFTRACE("tracepoint:block:block_rq_issue {"
					" @start[args->dev, args->sector] = nsecs; }"
					"tracepoint:block:block_rq_complete"
					" /@start[args->dev, args->sector]/ {"
					" printf(\"%d %d %d\\n\", args->dev, args->sector,"
					" nsecs - @start[args->dev, args->sector]);"
					" delete(@start[args->dev, args->sector]); }") },
	},
	{
		"lock",
		&gallery_lock,
		.rest = { "lock,min=1h" },
		.busy = { "lock,min=0" },
	},
	{
		"capable",
		&gallery_chroot,
		.rest = { "capable,failed" },
		.busy = { "capable,repeats" },
	},
	{
		"guard",
		&gallery_setns,
		.rest = { "guard", "--comm", "-" },
		.busy = { "guard" },
	},
	{
		"packet",
		&gallery_datagram,
		.rest = { "packet,proto=tcp", "--if", "lo" },
		.busy = { "packet", "--if", "lo" },
	},
	{
		"tcp",
		&gallery_connect,
		.rest = { "tcp", "--comm", "-" },
		.busy = { "tcp" },
		.peer = "tcplife",
		.peer_argv = { "tcplife" },
	},
	{
		"retrans",
		&gallery_reset,
		.rest = { "retrans", "--comm", "-", "--stacks", "none" },
		.busy = { "retrans", "--stacks", "none" },
		.peer = "bpftrace",
		.peer_argv = { BPFTRACE("tracepoint:tcp:tcp_send_reset {"
					" printf(\"%d %s %d\\n\", pid, comm, args->state); }"
					"tracepoint:tcp:tcp_receive_reset {"
					" printf(\"%d %s %d\\n\", pid, comm, args->sport); }") },
	},
	{
		"drop",
		&gallery_dropped,
		.rest = { "drop", "--comm", "-", "--stacks", "none" },
		.busy = { "drop", "--stacks", "none" },
		.peer = "bpftrace",
		.peer_argv = { BPFTRACE("tracepoint:skb:kfree_skb /args->reason > 2/ {"
					" printf(\"%d %s %d\\n\", pid, comm, args->reason); }") },
	},
	{
		"resolve",
		&gallery_resolve,
		.rest = { "resolve,failed", "--stacks", "none" },
		.busy = { "resolve", "--stacks", "none" },
	},
	{
		"listen",
		&gallery_listen,
		.rest = { "listen,failed", "--stacks", "none" },
		.busy = { "listen", "--stacks", "none" },
	},
};

const struct gallery_entry *gallery_entries__at(size_t i)
{
	return i < sizeof(entries) / sizeof(*entries) ? &entries[i] : NULL;
}
