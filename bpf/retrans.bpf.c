// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* retrans: TCP segments that are sent again, and connections that are reset. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "packets.h"
#include "sockets.h"

enum retrans_kind { retransmit, syn_ack, reset_sent, reset_received };

/* On kernels that have none. */
enum reset_reason { unknown };

struct retrans {
	enum retrans_kind kind;
	struct peat_endpoint from PEAT_DOC("sender of the segment or the reset");
	struct peat_endpoint to;
	enum tcp_state state PEAT_DOC("of the socket on this machine");
	__u32 bytes PEAT_DOC("retransmit: data in the segment") PEAT_MINOR;
	enum reset_reason reason PEAT_KERNEL_ENUM(sk_rst_reason, SK_RST_REASON_)
		PEAT_DOC("reset_sent: why (Linux 6.10)");
	PEAT_STACKS;
} PEAT_DOC("TCP segments sent again, and connections reset") PEAT_SUBJECT(network)
	PEAT_LIKE("tcpretrans, tcpreset");

enum sk_rst_reason___retrans { SK_RST_REASON_NOT_SPECIFIED___retrans };

PEAT_OPTION(__u16, port, 0, "only segments from or to this port; 0: all");

static __always_inline bool is_chosen(const struct peat_endpoint *from,
				      const struct peat_endpoint *to)
{
	return !port || from->port == bpf_htons(port) || to->port == bpf_htons(port);
}

struct ends {
	struct peat_endpoint from, to;
};

static __always_inline int emit(void *ctx, enum retrans_kind kind, const struct ends *ends,
				__u32 state, __u32 bytes, __u32 reason)
{
	struct retrans *e;

	if (!is_chosen(&ends->from, &ends->to))
		return 0;
	e = peat_reserve_stacks((unsigned long long *)ctx, struct retrans);
	if (!e)
		return 0;
	e->kind = kind;
	e->from = ends->from;
	e->to = ends->to;
	e->state = state;
	e->bytes = bytes;
	e->reason = reason;
	return peat_submit_stacks((unsigned long long *)ctx, e);
}

static __always_inline __u32 state_of(const struct sock *sk)
{
	return sk ? BPF_CORE_READ(sk, __sk_common.skc_state) : 0;
}

/* For any socket: TIME_WAIT and requests have the common part only. */
static __always_inline struct ends ends_of(const struct sock *sk)
{
	__u32 state = state_of(sk);
	struct ends ends;

	if (state != TIME_WAIT && state != NEW_SYN_RECV) {
		read_ends(sk, &ends.from, &ends.to);
		return ends;
	}
	read_local(&sk->__sk_common, &ends.from);
	read_peer(&sk->__sk_common, &ends.to);
	return ends;
}

SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(on_retransmit, const struct sock *sk, const struct sk_buff *skb)
{
	struct ends ends = ends_of(sk);

	return emit(ctx, retransmit, &ends, state_of(sk), BPF_CORE_READ(skb, len), 0);
}

SEC("tp_btf/tcp_retransmit_synack")
int BPF_PROG(on_syn_ack, const struct sock *sk, const struct request_sock *request)
{
	struct ends ends = ends_of((const struct sock *)request);

	return emit(ctx, syn_ack, &ends, SYN_RECV, 0, 0);
}

SEC("tp_btf/tcp_receive_reset")
int BPF_PROG(on_reset_received, const struct sock *sk)
{
	struct ends local = ends_of(sk);
	struct ends ends = { .from = local.to, .to = local.from };

	return emit(ctx, reset_received, &ends, state_of(sk), 0, 0);
}

/*
 * Since Linux 6.10 the third argument is the reason, and the socket may be NULL: then the reset
 * answers the segment `skb`.  Not tp_btf: up to Linux 6.12, verifiers remove the test for NULL.
 */
SEC("raw_tp/tcp_send_reset")
int BPF_PROG(on_reset_sent, const struct sock *sk, const struct sk_buff *skb)
{
	struct packet_ends answered = {};
	struct ends ends;
	__u32 reason = 0;

	if (bpf_core_type_exists(enum sk_rst_reason___retrans))
		reason = ctx[2];
	if (sk) {
		ends = ends_of(sk);
	} else {
		read_packet_ends(skb, bpf_ntohs(BPF_CORE_READ(skb, protocol)), &answered);
		ends.from = answered.to;
		ends.to = answered.from;
	}
	return emit(ctx, reset_sent, &ends, state_of(sk), 0, reason);
}
