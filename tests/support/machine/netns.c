// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* netns.c: a network namespace, and packets in it. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <sys/ioctl.h>
#include <check.h>

#include "netns.h"

#define check_call(call) ck_assert_msg((call) >= 0, "%s: %s", #call, strerror(errno))

union address {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
};

static void set_interface(unsigned long what, struct ifreq *request)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	check_call(fd);
	check_call(ioctl(fd, what, request));
	close(fd);
}

void netns__enter(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };

	check_call(unshare(CLONE_NEWNET));
	set_interface(SIOCSIFFLAGS, &request);
}

void netns__set_mtu(int mtu)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_mtu = mtu };

	set_interface(SIOCSIFMTU, &request);
}

/* Sends a request: the kernel's answer, 0 or a negative errno. */
static int send_request(const void *request, size_t bytes)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char rest[1024];
	} reply;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	check_call(fd);
	check_call(send(fd, request, bytes, 0));
	check_call(recv(fd, &reply, sizeof(reply), 0));
	ck_assert_int_eq(reply.header.nlmsg_type, NLMSG_ERROR);
	close(fd);
	return reply.error.error;
}

#define NEW_QDISC(bytes)                                                                           \
	{                                                                                          \
		bytes, RTM_NEWQDISC, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, 0, 0   \
	}

void netns__add_ingress(void)
{
	const struct {
		struct nlmsghdr header;
		struct tcmsg tc;
		struct rtattr kind;
		char name[8];
	} request = {
		.header = NEW_QDISC(sizeof(request)),
		.tc = { .tcm_ifindex = 1, .tcm_handle = 0xffff0000, .tcm_parent = TC_H_INGRESS },
		.kind = { sizeof(struct rtattr) + sizeof("ingress"), TCA_KIND },
		.name = "ingress",
	};

	ck_assert_int_eq(send_request(&request, sizeof(request)), 0);
}

bool netns__add_htb(void)
{
	const struct {
		struct nlmsghdr header;
		struct tcmsg tc;
		struct rtattr kind;
		char name[4];
		struct rtattr options, init;
		struct tc_htb_glob htb;
	} request = {
		.header = NEW_QDISC(sizeof(request)),
		.tc = { .tcm_ifindex = 1, .tcm_handle = 0x10000, .tcm_parent = TC_H_ROOT },
		.kind = { sizeof(struct rtattr) + sizeof("htb"), TCA_KIND },
		.name = "htb",
		.options = { 2 * sizeof(struct rtattr) + sizeof(request.htb), TCA_OPTIONS },
		.init = { sizeof(struct rtattr) + sizeof(request.htb), TCA_HTB_INIT },
		.htb = { .version = TC_HTB_PROTOVER, .rate2quantum = 10 },
	};
	int err = send_request(&request, sizeof(request));

	ck_assert_msg(!err || err == -ENOENT, "htb: %s", strerror(-err));
	return !err;
}

int netns__current(void)
{
	int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);

	check_call(fd);
	return fd;
}

void netns__switch(int fd)
{
	check_call(setns(fd, CLONE_NEWNET));
}

void netns__add_veth(int peer_namespace)
{
	const struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
		struct rtattr name;
		char name_text[8];
		struct rtattr info, kind;
		char kind_text[8];
		struct rtattr data, peer;
		struct ifinfomsg peer_link;
		struct rtattr peer_name;
		char peer_name_text[8];
		struct rtattr peer_ns;
		int peer_ns_fd;
	} request = {
		.header = { sizeof(request), RTM_NEWLINK,
			    NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, 0, 0 },
		.name = { sizeof(struct rtattr) + 8, IFLA_IFNAME },
		.name_text = NETNS_VETH,
		.info = { sizeof(request) - offsetof(typeof(request), info), IFLA_LINKINFO },
		.kind = { sizeof(struct rtattr) + 8, IFLA_INFO_KIND },
		.kind_text = "veth",
		.data = { sizeof(request) - offsetof(typeof(request), data), IFLA_INFO_DATA },
		.peer = { sizeof(request) - offsetof(typeof(request), peer), VETH_INFO_PEER },
		.peer_name = { sizeof(struct rtattr) + 8, IFLA_IFNAME },
		.peer_name_text = NETNS_VETH,
		.peer_ns = { sizeof(struct rtattr) + sizeof(int), IFLA_NET_NS_FD },
		.peer_ns_fd = peer_namespace,
	};
	int err = send_request(&request, sizeof(request));

	ck_assert_msg(!err, "veth: %s", strerror(-err));
}

void netns__set_veth_address(const char *address)
{
	struct ifreq request = { .ifr_name = NETNS_VETH };
	struct sockaddr_in *to = (struct sockaddr_in *)&request.ifr_addr;

	to->sin_family = AF_INET;
	ck_assert_int_eq(inet_pton(AF_INET, address, &to->sin_addr), 1);
	set_interface(SIOCSIFADDR, &request);
	to->sin_addr.s_addr = htonl(0xffffff00);
	set_interface(SIOCSIFNETMASK, &request);
	netns__set_veth_up(true);
}

void netns__set_veth_up(bool is_up)
{
	struct ifreq request = { .ifr_name = NETNS_VETH,
				 .ifr_flags = is_up ? IFF_UP | IFF_RUNNING : 0 };

	set_interface(SIOCSIFFLAGS, &request);
}

static union address loopback(int family)
{
	union address address = { 0 };

	address.any.sa_family = (sa_family_t)family;
	if (family == AF_INET)
		address.ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		address.ipv6.sin6_addr = in6addr_loopback;
	return address;
}

static uint16_t port_of(const union address *address)
{
	return ntohs(address->any.sa_family == AF_INET ? address->ipv4.sin_port
						       : address->ipv6.sin6_port);
}

/* A socket on some free port. */
static int bound(int family, int type, union address *address)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);
	socklen_t bytes = sizeof(*address);

	check_call(fd);
	*address = loopback(family);
	check_call(bind(fd, &address->any, sizeof(*address)));
	check_call(getsockname(fd, &address->any, &bytes));
	return fd;
}

struct netns_pair netns__pair(int family)
{
	union address from, to;
	struct netns_pair pair;

	pair.from = bound(family, SOCK_DGRAM, &from);
	pair.to = bound(family, SOCK_DGRAM, &to);
	pair.from_port = port_of(&from);
	pair.to_port = port_of(&to);
	check_call(connect(pair.from, &to.any, sizeof(to)));
	return pair;
}

void netns__close(const struct netns_pair *pair)
{
	close(pair->from);
	close(pair->to);
}

void netns__send(const struct netns_pair *pair, const void *bytes, size_t count)
{
	char received[65536];

	ck_assert_int_eq(send(pair->from, bytes, count, 0), (ssize_t)count);
	ck_assert_int_eq(recv(pair->to, received, sizeof(received), 0), (ssize_t)count);
	ck_assert_int_eq(memcmp(received, bytes, count), 0);
}

uint16_t netns__be_refused(void)
{
	union address nobody, own;
	int closed = bound(AF_INET, SOCK_STREAM, &nobody); /* but does not listen */
	int fd = bound(AF_INET, SOCK_STREAM, &own);

	ck_assert_int_eq(connect(fd, &nobody.any, sizeof(nobody)), -1);
	ck_assert_int_eq(errno, ECONNREFUSED);
	close(fd);
	close(closed);
	return port_of(&nobody);
}
