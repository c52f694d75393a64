// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* stranger: a third-party probe, with fields of many types in its event. */
#include <vmlinux.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

enum color { RED = 1, GREEN, BLUE = -7 };

struct endpoint {
	peat_ipv6_t address;
	peat_port_t port;
};

struct stranger {
	enum color color;
	struct endpoint to;
	__s64 balance;
	__u32 small : 3, large : 13;
	peat_duration_t took;
	char text[24];
} PEAT_DOC("a bit of everything");

PEAT_OPTION(__u32, only_pid, 0, "the one process to look at");
PEAT_OPTION(__u32, getpgid_number, 121, "that of the system call");

SEC("raw_tp/sys_enter")
int stranger(struct bpf_raw_tracepoint_args *ctx)
{
	static const char text[24] = "tab\there \"quoted\" \xff";
	struct stranger *e;

	if (bpf_get_current_pid_tgid() >> 32 != only_pid || ctx->args[1] != getpgid_number)
		return 0;
	e = peat_reserve(ctx, struct stranger);
	if (!e)
		return 0;
	__builtin_memset(e, 0, sizeof(*e));
	e->color = BLUE;
	e->to.address[0] = 0x20;
	e->to.address[1] = 0x01;
	e->to.address[15] = 1;
	e->to.port = bpf_htons(443);
	e->balance = -9223372036854775807LL - 1;
	e->small = 5;
	e->large = 8000;
	e->took = 1500000;
	__builtin_memcpy(e->text, text, sizeof(text));
	return peat_submit(ctx, e);
}
