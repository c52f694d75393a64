// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tcp_pair.c: TCP connections over the loopback. */
#include <errno.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "tcp_pair.h"

union address {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
};

static void check_call(long result)
{
	ck_assert_msg(result >= 0, "%s", strerror(errno));
}

static socklen_t set_loopback(union address *address, int family)
{
	memset(address, 0, sizeof(*address));
	address->any.sa_family = (sa_family_t)family;
	if (family == AF_INET6) {
		address->ipv6.sin6_addr = in6addr_loopback;
		return sizeof(address->ipv6);
	}
	address->ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof(address->ipv4);
}

static uint16_t port_of(int fd)
{
	union address address;
	socklen_t bytes = sizeof(address);

	check_call(getsockname(fd, &address.any, &bytes));
	return ntohs(address.any.sa_family == AF_INET ? address.ipv4.sin_port
						      : address.ipv6.sin6_port);
}

int tcp_pair__listen(int family, uint16_t *port)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	union address address;
	socklen_t bytes = set_loopback(&address, family);

	check_call(fd);
	check_call(bind(fd, &address.any, bytes));
	check_call(listen(fd, 8));
	*port = port_of(fd);
	return fd;
}

struct tcp_pair tcp_pair__connect(int family, int listener)
{
	union address address;
	socklen_t bytes = sizeof(address);
	struct tcp_pair pair = { .client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0),
				 .to_port = port_of(listener) };

	check_call(pair.client);
	check_call(getsockname(listener, &address.any, &bytes));
	check_call(connect(pair.client, &address.any, bytes));
	pair.from_port = port_of(pair.client);
	pair.server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	check_call(pair.server);
	return pair;
}

void tcp_pair__send(int from, int to, size_t count)
{
	char bytes[4096] = "";

	while (count) {
		size_t part = count < sizeof(bytes) ? count : sizeof(bytes);

		ck_assert_int_eq(send(from, bytes, part, 0), (ssize_t)part);
		ck_assert_int_eq(recv(to, bytes, part, MSG_WAITALL), (ssize_t)part);
		count -= part;
	}
}

void tcp_pair__reset(int fd)
{
	const struct linger linger = { .l_onoff = 1 };

	check_call(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)));
	check_call(close(fd));
}

void tcp_pair__close_last(int fd)
{
	char byte;

	ck_assert_int_le(recv(fd, &byte, 1, 0), 0);
	check_call(close(fd));
}

/* Whether a table of /proc/net has an open socket of this port. */
static bool has_open(const char *table, uint16_t port)
{
	FILE *file = fopen(table, "re");
	unsigned local, remote, state;
	bool found = false;
	char line[512];

	ck_assert_ptr_nonnull(file);
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, " %*u: %*[0-9A-F]:%x %*[0-9A-F]:%x %x", &local, &remote,
			       &state) == 3 &&
			(local == port || remote == port) && state != TCP_TIME_WAIT &&
			state != TCP_LISTEN;
	fclose(file);
	return found;
}

void tcp_pair__wait_closed(uint16_t port)
{
	while (has_open("/proc/self/net/tcp", port) || has_open("/proc/self/net/tcp6", port))
		usleep(1000);
}

uint32_t tcp_pair__dropped(int fd)
{
	uint32_t info[SK_MEMINFO_VARS] = { 0 };
	socklen_t bytes = sizeof(info);

	check_call(getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &bytes));
	return info[SK_MEMINFO_DROPS];
}

void tcp_pair__wait_dropped(int fd, uint32_t before)
{
	while (tcp_pair__dropped(fd) == before)
		usleep(1000);
}
