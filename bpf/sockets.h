/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * sockets.h: the endpoints of sockets.  All members are read by BPF_CORE_READ(): a struct sock is
 * the start of a larger struct, which loads of tp_btf programs may not reach.
 */
#ifndef BPF_SOCKETS_H
#define BPF_SOCKETS_H

#include <bpf/bpf_endian.h>
#include <peat/peat.bpf.h>

enum address_family { AF_INET = 2, AF_INET6 = 10 };

enum transport { TCP = 6, UDP = 17 };

/* include/net/tcp_states.h */
enum tcp_state {
	NO_SOCKET,
	ESTABLISHED,
	SYN_SENT,
	SYN_RECV,
	FIN_WAIT1,
	FIN_WAIT2,
	TIME_WAIT,
	CLOSE,
	CLOSE_WAIT,
	LAST_ACK,
	LISTEN,
	CLOSING,
	NEW_SYN_RECV,
};

static __always_inline bool is_tcp(const struct sock *sk)
{
	return BPF_CORE_READ(sk, sk_protocol) == TCP;
}

static __always_inline void read_local(const struct sock_common *sk, struct peat_endpoint *end)
{
	if (BPF_CORE_READ(sk, skc_family) == AF_INET6)
		BPF_CORE_READ_INTO(&end->address, sk, skc_v6_rcv_saddr);
	else
		peat_set_ipv4(end, BPF_CORE_READ(sk, skc_rcv_saddr));
	end->port = bpf_htons(BPF_CORE_READ(sk, skc_num));
}

static __always_inline void read_peer(const struct sock_common *sk, struct peat_endpoint *end)
{
	if (BPF_CORE_READ(sk, skc_family) == AF_INET6)
		BPF_CORE_READ_INTO(&end->address, sk, skc_v6_daddr);
	else
		peat_set_ipv4(end, BPF_CORE_READ(sk, skc_daddr));
	end->port = BPF_CORE_READ(sk, skc_dport);
}

/* Not a socket in TIME_WAIT, and not a request.  A closed one has lost its skc_num. */
static __always_inline void read_ends(const struct sock *sk, struct peat_endpoint *local,
				      struct peat_endpoint *peer)
{
	read_local(&sk->__sk_common, local);
	read_peer(&sk->__sk_common, peer);
	local->port = BPF_CORE_READ((struct inet_sock *)sk, inet_sport);
}

/* The socket of a file descriptor of the running task, which has to be a socket; NULL: closed. */
static __always_inline struct sock *socket_of(__u32 fd)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	struct file **files = BPF_CORE_READ(table, fd), *file = 0;
	struct socket *socket;

	if (fd >= BPF_CORE_READ(table, max_fds) ||
	    bpf_probe_read_kernel(&file, sizeof(file), &files[fd]) || !file)
		return 0;
	socket = BPF_CORE_READ(file, private_data);
	return socket ? BPF_CORE_READ(socket, sk) : 0;
}

#endif /* BPF_SOCKETS_H */
