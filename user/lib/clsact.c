// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * clsact.c: the qdisc clsact, and BPF programs as its filters.  libbpf makes and removes them; what
 * is there is asked of the kernel here, as libbpf cannot tell one qdisc from another, nor whether
 * somebody else has filters there.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <bpf/libbpf.h>

#include "clsact.h"

#define REPLY_BYTES 8192

/* ---- questions ------------------------------------------------------------------------------- */

struct question {
	struct nlmsghdr header;
	struct tcmsg tc;
};

/* The first message of the answer: its bytes, or a negative errno. */
static ssize_t exchange(int fd, const struct question *question, struct nlmsghdr *reply)
{
	ssize_t bytes = send(fd, question, sizeof(*question), 0);

	if (bytes >= 0)
		bytes = recv(fd, reply, REPLY_BYTES, 0);
	if (bytes < 0)
		return -errno;
	if (!NLMSG_OK(reply, (size_t)bytes))
		return -EBADMSG;
	if (reply->nlmsg_type == NLMSG_ERROR && reply->nlmsg_len >= NLMSG_LENGTH(sizeof(int)))
		return ((const struct nlmsgerr *)NLMSG_DATA(reply))->error;
	return bytes;
}

static int ask(uint16_t type, uint16_t flags, int ifindex, uint32_t parent, struct nlmsghdr *reply)
{
	struct question question = {
		.header = { .nlmsg_len = sizeof(question),
			    .nlmsg_type = type,
			    .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags) },
		.tc = { .tcm_ifindex = ifindex, .tcm_parent = parent },
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	ssize_t bytes;

	if (fd < 0)
		return -errno;
	bytes = exchange(fd, &question, reply);
	close(fd);
	return bytes < 0 ? (int)bytes : 0;
}

/* The kernel puts the name first. */
static bool is_clsact(const struct nlmsghdr *reply)
{
	static const char name[] = "clsact";
	const size_t at = sizeof(struct question) + sizeof(struct rtattr);

	return reply->nlmsg_type == RTM_NEWQDISC && reply->nlmsg_len >= at + sizeof(name) &&
	       !memcmp((const char *)reply + at, name, sizeof(name));
}

/*
 * 1: clsact is there; 0: nothing is.  An ingress qdisc in its place would take filters of both
 * directions and run them on incoming packets.
 */
static int look(int ifindex)
{
	_Alignas(struct nlmsghdr) char memory[REPLY_BYTES];
	struct nlmsghdr *reply = (struct nlmsghdr *)memory;
	int err = ask(RTM_GETQDISC, NLM_F_ECHO | NLM_F_ACK, ifindex, TC_H_CLSACT, reply);

	/* Of what never was, or is no more, there is an error, or nothing but the ACK. */
	if (err == -ENOENT || err == -EINVAL || (!err && reply->nlmsg_type == NLMSG_ERROR))
		return 0;
	if (err)
		return err;
	return is_clsact(reply) ? 1 : -EBUSY;
}

static bool has_filters(int ifindex, uint32_t minor)
{
	_Alignas(struct nlmsghdr) char memory[REPLY_BYTES];
	struct nlmsghdr *reply = (struct nlmsghdr *)memory;

	return !ask(RTM_GETTFILTER, NLM_F_DUMP, ifindex, TC_H_MAKE(TC_H_CLSACT, minor), reply) &&
	       reply->nlmsg_type == RTM_NEWTFILTER;
}

/* ---- the qdisc ------------------------------------------------------------------------------- */

int clsact__add(int ifindex)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = ifindex,
		    .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);
	int found = look(ifindex), err;

	if (found)
		return found < 0 ? found : 0;
	err = bpf_tc_hook_create(&hook);
	return err == -EEXIST ? 0 : err ? err : 1;
}

void clsact__remove(int ifindex)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = ifindex,
		    .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);

	if (!has_filters(ifindex, TC_H_MIN_INGRESS) && !has_filters(ifindex, TC_H_MIN_EGRESS))
		bpf_tc_hook_destroy(&hook);
}

/* ---- filters --------------------------------------------------------------------------------- */

static enum bpf_tc_attach_point point_of(enum clsact_direction direction)
{
	return direction == CLSACT_INGRESS ? BPF_TC_INGRESS : BPF_TC_EGRESS;
}

int clsact__attach(struct clsact_filter *filter, int ifindex, enum clsact_direction direction,
		   int program_fd)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = ifindex, .attach_point = point_of(direction));
	LIBBPF_OPTS(bpf_tc_opts, opts, .prog_fd = program_fd);
	int err = bpf_tc_attach(&hook, &opts);

	*filter = (struct clsact_filter){ ifindex, direction, opts.handle, opts.priority };
	return err;
}

void clsact__detach(const struct clsact_filter *filter)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = filter->ifindex,
		    .attach_point = point_of(filter->direction));
	LIBBPF_OPTS(bpf_tc_opts, opts, .handle = filter->handle, .priority = filter->priority);

	bpf_tc_detach(&hook, &opts);
}
