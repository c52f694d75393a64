// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * clsact.c: the qdisc clsact, and BPF programs as its filters.  libbpf makes and removes them; what
 * is there is asked of the kernel here, as libbpf cannot tell one qdisc from another, nor whether
 * somebody else has filters there.
 */
#include <errno.h>
#include <stdbool.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <bpf/libbpf.h>

#include "session/clsact.h"
#include "sys/netlink.h"

/* ---- questions ------------------------------------------------------------------------------- */

static int ask(uint16_t question, uint16_t answer, struct tcmsg *about,
	       int (*each)(void *context, const void *head, struct attributes attributes))
{
	const struct netlink_dump dump = {
		.question = question,
		.answer = answer,
		.head = about,
		.head_bytes = sizeof(*about),
		.each = each,
		.context = about,
	};

	return netlink__dump(&dump);
}

static int see_qdisc(void *context, const void *head, struct attributes attributes)
{
	const struct tcmsg *about = context, *qdisc = head;

	if (qdisc->tcm_ifindex != about->tcm_ifindex || qdisc->tcm_parent != TC_H_CLSACT)
		return 0;
	return netlink__is(attributes, TCA_KIND, "clsact") ? 1 : -EBUSY;
}

/*
 * 1: clsact is there; 0: nothing is.  An ingress qdisc in its place would take filters of both
 * directions and run them on incoming packets.
 */
static int look(int ifindex)
{
	struct tcmsg about = { .tcm_ifindex = ifindex };

	return ask(RTM_GETQDISC, RTM_NEWQDISC, &about, see_qdisc);
}

static int see_filter(void *context, const void *head, struct attributes attributes)
{
	(void)context;
	(void)head;
	(void)attributes;
	return 1;
}

/* Or may have: what cannot be seen is left alone. */
static bool has_filters(int ifindex, uint32_t minor)
{
	struct tcmsg about = { .tcm_ifindex = ifindex,
			       .tcm_parent = TC_H_MAKE(TC_H_CLSACT, minor) };

	return ask(RTM_GETTFILTER, RTM_NEWTFILTER, &about, see_filter) != 0;
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
