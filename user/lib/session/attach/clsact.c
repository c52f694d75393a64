// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * session/attach/clsact.c: the qdisc clsact, and BPF programs as its filters.  libbpf adds and
 * removes them.  It cannot distinguish qdiscs or find filters of other programs, so those are read
 * from the kernel here.
 */
#include <errno.h>
#include <stdbool.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <bpf/libbpf.h>

#include "session/attach/clsact.h"
#include "sys/netlink.h"

/* ---- requests -------------------------------------------------------------------------------- */

static int dump(uint16_t request_type, uint16_t answer_type, struct tcmsg *about,
		int (*each)(void *context, const void *head, struct attributes attributes))
{
	const struct netlink_dump request = {
		.request_type = request_type,
		.answer_type = answer_type,
		.head = about,
		.head_bytes = sizeof(*about),
		.each = each,
		.context = about,
	};

	return netlink__dump(&request);
}

static int check_qdisc(void *context, const void *head, struct attributes attributes)
{
	const struct tcmsg *about = context, *qdisc = head;

	if (qdisc->tcm_ifindex != about->tcm_ifindex || qdisc->tcm_parent != TC_H_CLSACT)
		return 0;
	return netlink__is(attributes, TCA_KIND, "clsact") ? 1 : -EBUSY;
}

/*
 * 1: the interface has clsact; 0: it has no such qdisc.  -EBUSY: an ingress qdisc, which accepts
 * filters of both directions, but runs them on incoming packets.
 */
static int find_clsact(int ifindex)
{
	struct tcmsg about = { .tcm_ifindex = ifindex };

	return dump(RTM_GETQDISC, RTM_NEWQDISC, &about, check_qdisc);
}

static int find_filter(void *context, const void *head, struct attributes attributes)
{
	(void)context;
	(void)head;
	(void)attributes;
	return 1;
}

/* True also if the filters cannot be read. */
static bool has_filters(int ifindex, uint32_t minor)
{
	struct tcmsg about = { .tcm_ifindex = ifindex,
			       .tcm_parent = TC_H_MAKE(TC_H_CLSACT, minor) };

	return dump(RTM_GETTFILTER, RTM_NEWTFILTER, &about, find_filter) != 0;
}

/* ---- the qdisc ------------------------------------------------------------------------------- */

int clsact__add(int ifindex)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = ifindex,
		    .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);
	int found = find_clsact(ifindex), err;

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

static enum bpf_tc_attach_point attach_point(enum clsact_direction direction)
{
	return direction == CLSACT_INGRESS ? BPF_TC_INGRESS : BPF_TC_EGRESS;
}

int clsact__attach(struct clsact_filter *filter, int ifindex, enum clsact_direction direction,
		   int program_fd)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = ifindex, .attach_point = attach_point(direction));
	LIBBPF_OPTS(bpf_tc_opts, opts, .prog_fd = program_fd);
	int err = bpf_tc_attach(&hook, &opts);

	*filter = (struct clsact_filter){ ifindex, direction, opts.handle, opts.priority,
					  opts.prog_id };
	return err;
}

/* The kernel gives the numbers of a removed filter to the next one. */
static bool is_in_place(const struct clsact_filter *filter, const struct bpf_tc_hook *hook)
{
	LIBBPF_OPTS(bpf_tc_opts, opts, .handle = filter->handle, .priority = filter->priority);

	return !bpf_tc_query(hook, &opts) && opts.prog_id == filter->program_id;
}

bool clsact__detach(const struct clsact_filter *filter)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = filter->ifindex,
		    .attach_point = attach_point(filter->direction));
	LIBBPF_OPTS(bpf_tc_opts, opts, .handle = filter->handle, .priority = filter->priority);

	return is_in_place(filter, &hook) && !bpf_tc_detach(&hook, &opts);
}
