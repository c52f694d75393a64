// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* absent: each second event lacks some of its members. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct absent_place {
	__u8 has_line : 1 PEAT_HIDDEN;
	__u32 line PEAT_PRESENT(has_line);
	__u32 column;
};

struct absent {
	__u8 has_inode : 1 PEAT_HIDDEN, has_name : 1 PEAT_HIDDEN;
	__u32 number;
	__u64 inode PEAT_PRESENT(has_inode);
	struct absent_place at;
	char name[16] PEAT_PRESENT(has_name);
	char data[8] PEAT_AS(chars) PEAT_PRESENT(has_name);
} PEAT_DOC("events that lack members");

PEAT_OPTION(__u32, only_pid, 0, "the one process to look at; 0: any");
PEAT_OPTION(__u32, getpgid_number, 121, "that of the system call");

static __u32 next;

static void fill(struct absent *e, bool is_whole)
{
	e->number = next;
	e->has_inode = e->has_name = e->at.has_line = is_whole;
	e->inode = 1000 + next; /* also if it is absent: it is not shown */
	e->at.line = next;
	e->at.column = 7;
	__builtin_memcpy(e->name, "name", 5);
	__builtin_memcpy(e->data, "\0data", 6);
}

SEC("raw_tp/sys_enter")
int absent(struct bpf_raw_tracepoint_args *ctx)
{
	struct absent *e;

	if (only_pid &&
	    (bpf_get_current_pid_tgid() >> 32 != only_pid || ctx->args[1] != getpgid_number))
		return 0;
	e = peat_reserve(ctx, struct absent);
	if (!e)
		return 0;
	__builtin_memset(e, 0, sizeof(*e));
	next++;
	fill(e, next % 2);
	return peat_submit(ctx, e);
}
