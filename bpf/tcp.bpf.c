// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * tcp: TCP connections: made, accepted, closed.  Most changes of a connection's state happen in
 * softirqs, so the process is remembered since its connect() or accept().
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "socketcall.h"
#include "sockets.h"

#define ECANCELED 125

enum tcp_kind { connect, accept, close };

struct tcp {
	enum tcp_kind kind;
	struct peat_endpoint from PEAT_DOC("the end that connects");
	struct peat_endpoint to PEAT_DOC("the end that accepts");
	peat_errno_t error PEAT_DOC("why it failed or broke; ECANCELED: closed before the answer");
	peat_duration_t setup PEAT_DOC("connect: until the answer; accept: time in the queue");
	peat_duration_t life PEAT_DOC("close: since the connection was established") PEAT_MINOR;
	peat_size_t rx PEAT_DOC("close: bytes of data received") PEAT_MINOR;
	peat_size_t tx PEAT_DOC("close: bytes of data sent, each counted once") PEAT_MINOR;
} PEAT_DOC("TCP connections made, accepted and closed") PEAT_SUBJECT(network)
	PEAT_LIKE("tcpconnect, tcpaccept, tcplife, tcpconnlat, tcptracer, tcpstates");

PEAT_OPTION(peat_duration_t, min, 0, "only setups, or for close lives, of at least this");
PEAT_OPTION(bool, failed, false, "only connections that fail or break");
PEAT_OPTION(__u16, port, 0, "only connections from or to this port; 0: all");

#define NO_TASK 0xffffffffU

struct connection {
	__u64 start_ns;	      /* connect() */
	__u64 established_ns; /* 0: not yet */
	__u64 setup;
	__u32 tgid, tid;
	bool is_passive;
	bool is_wanted; /* by the filters, of the task above */
};

/* By socket.  LRU, because sockets that were open before the programs end may leave entries. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, struct connection);
} tcp_connections SEC(".maps");

static __always_inline struct connection *find_connection(const struct sock *sk)
{
	__u64 key = (__u64)sk;

	return bpf_map_lookup_elem(&tcp_connections, &key);
}

static __always_inline void add_connection(const struct sock *sk,
					   const struct connection *connection)
{
	__u64 key = (__u64)sk;

	bpf_map_update_elem(&tcp_connections, &key, connection, BPF_ANY);
}

static __always_inline void remove_connection(const struct sock *sk)
{
	__u64 key = (__u64)sk;

	bpf_map_delete_elem(&tcp_connections, &key);
}

/* ---- events ---------------------------------------------------------------------------------- */

static __always_inline bool is_chosen(const struct sock *sk, __u64 time, int error)
{
	if ((failed && !error) || time < min)
		return false;
	return !port || BPF_CORE_READ((struct inet_sock *)sk, inet_sport) == bpf_htons(port) ||
	       BPF_CORE_READ(sk, __sk_common.skc_dport) == bpf_htons(port);
}

/* The sums have no retransmits, SYN and FIN: a FIN is counted as a byte received. */
static __always_inline void read_bytes(const struct sock *sk, struct tcp *e)
{
	struct tcp_sock *tcp = (struct tcp_sock *)sk;
	__u64 has_fin = BPF_CORE_READ(sk, __sk_common.skc_flags) >> 1 & 1; /* SOCK_DONE */
	__u64 rx = BPF_CORE_READ(tcp, bytes_received);

	e->rx = rx ? rx - has_fin : 0;
	e->tx = BPF_CORE_READ(tcp, bytes_sent) - BPF_CORE_READ(tcp, bytes_retrans);
}

static __always_inline void fill(struct tcp *e, enum tcp_kind kind, const struct sock *sk,
				 const struct connection *connection)
{
	e->kind = kind;
	if (connection->is_passive)
		read_ends(sk, &e->to, &e->from);
	else
		read_ends(sk, &e->from, &e->to);
	e->setup = connection->setup;
	e->life = 0;
	e->rx = e->tx = 0;
	e->error = 0;
}

static __always_inline void emit_connect(void *ctx, const struct sock *sk,
					 const struct connection *connection, int error)
{
	struct tcp *e;

	if (!connection->is_wanted || !is_chosen(sk, connection->setup, error))
		return;
	e = peat_reserve_accepted(ctx, struct tcp);
	if (!e)
		return;
	peat_set_task(e, connection->tgid, connection->tid);
	fill(e, connect, sk, connection);
	e->error = error;
	peat_submit(ctx, e);
}

static __always_inline void emit_close(void *ctx, const struct sock *sk,
				       const struct connection *connection, int error)
{
	__u64 life = bpf_ktime_get_ns() - connection->established_ns;
	struct tcp *e;

	if (!connection->is_wanted || !is_chosen(sk, life, error))
		return;
	e = peat_reserve_accepted(ctx, struct tcp);
	if (!e)
		return;
	peat_set_task(e, connection->tgid, connection->tid);
	fill(e, close, sk, connection);
	e->life = life;
	read_bytes(sk, e);
	e->error = error;
	peat_submit(ctx, e);
}

/* ---- states ---------------------------------------------------------------------------------- */

static __always_inline void begin(const struct sock *sk)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct connection connection = {
		.start_ns = bpf_ktime_get_ns(),
		.tgid = pid_tgid >> 32,
		.tid = pid_tgid,
		.is_wanted = true,
	};

	if (peat_accepts_current())
		add_connection(sk, &connection);
}

/* A connection that nobody has accepted belongs to no task, so filters of tasks leave it out. */
static __always_inline void begin_passive(const struct sock *sk)
{
	struct connection connection = {
		.established_ns = bpf_ktime_get_ns(),
		.tgid = NO_TASK,
		.tid = NO_TASK,
		.is_passive = true,
		.is_wanted = !peat_filters,
	};

	add_connection(sk, &connection);
}

static __always_inline void establish(void *ctx, const struct sock *sk)
{
	struct connection *connection = find_connection(sk);

	if (!connection)
		return;
	connection->established_ns = bpf_ktime_get_ns();
	connection->setup = connection->established_ns - connection->start_ns;
	emit_connect(ctx, sk, connection, 0);
}

/* Both ends may connect at the same time: then a socket goes from SYN_SENT to SYN_RECV. */
static __always_inline void establish_received(void *ctx, const struct sock *sk)
{
	struct connection *connection = find_connection(sk);

	if (connection && !connection->is_passive && !connection->established_ns)
		establish(ctx, sk);
	else
		begin_passive(sk);
}

static __always_inline void end(void *ctx, const struct sock *sk)
{
	struct connection *connection = find_connection(sk);
	int error = -BPF_CORE_READ(sk, sk_err);

	if (!connection)
		return;
	if (connection->established_ns) {
		emit_close(ctx, sk, connection, error);
	} else {
		connection->setup = bpf_ktime_get_ns() - connection->start_ns;
		emit_connect(ctx, sk, connection, error ? error : -ECANCELED);
	}
	remove_connection(sk);
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(on_state, const struct sock *sk, int old_state, int new_state)
{
	if (!is_tcp(sk))
		return 0;
	if (new_state == SYN_SENT)
		begin(sk);
	else if (old_state == SYN_SENT && new_state == ESTABLISHED)
		establish(ctx, sk);
	else if (old_state == SYN_RECV && new_state == ESTABLISHED)
		establish_received(ctx, sk);
	else if (new_state == CLOSE && old_state != LISTEN)
		end(ctx, sk);
	return 0;
}

/* ---- accept() -------------------------------------------------------------------------------- */

static __always_inline int on_accepted(struct syscall_trace_exit *ctx)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct connection *connection;
	struct sock *sk;
	struct tcp *e;

	if (ctx->ret < 0)
		return PEAT_RETURN(ctx);
	sk = socket_of(ctx->ret);
	connection = find_connection(sk);
	if (!connection || !connection->is_passive)
		return PEAT_RETURN(ctx);
	connection->tgid = pid_tgid >> 32;
	connection->tid = pid_tgid;
	connection->setup = bpf_ktime_get_ns() - connection->established_ns;
	connection->is_wanted = peat_accepts_current();
	if (!connection->is_wanted || !is_chosen(sk, connection->setup, 0))
		return PEAT_RETURN(ctx);
	e = peat_reserve(ctx, struct tcp);
	if (!e)
		return PEAT_RETURN(ctx);
	fill(e, accept, sk, connection);
	return peat_submit(ctx, e);
}

SEC("tp/syscalls/sys_exit_accept4")
int on_accept4(struct syscall_trace_exit *ctx)
{
	return on_accepted(ctx);
}

/* s390x does not have this system call. */
PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_accept") int on_accept(struct syscall_trace_exit *ctx)
{
	return on_accepted(ctx);
}

#if defined(__TARGET_ARCH_s390)
SEC("tp/syscalls/sys_exit_socketcall")
int on_socketcall(struct syscall_trace_exit *ctx)
{
	int call = read_socketcall(ctx->nr).call;

	return call == CALL_ACCEPT || call == CALL_ACCEPT4 ? on_accepted(ctx) : PEAT_RETURN(ctx);
}
#endif
