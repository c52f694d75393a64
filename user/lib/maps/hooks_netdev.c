// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/hooks_netdev.c: programs attached to network interfaces, with or without a link. */
#include <net/if.h>
#include <stdio.h>
#include <linux/if_link.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "maps/hook_list.h"
#include "maps/hooks_netdev.h"
#include "sys/netlink.h"

static int add_netdev_hook(struct hook_list *list, uint32_t program, const char *where, int ifindex)
{
	char name[IF_NAMESIZE], text[HOOK_BYTES];

	if (!if_indextoname((unsigned)ifindex, name))
		return 0; /* removed meanwhile */
	snprintf(text, sizeof(text), "%s of %s", where, name);
	return hook_list__add(
		list, &(struct hook){ .program = program, .at = (unsigned)ifindex, .text = text });
}

/* ---- tc -------------------------------------------------------------------------------------- */

/* A parent of filters. */
struct filter_parent {
	struct hook_list *list;
	int ifindex;
	char where[32]; /* "tc ingress" */
};

/* The filters of a block that several interfaces share are listed for each interface. */
static int add_filter(void *context, const void *head, struct attributes attributes)
{
	const struct filter_parent *parent = context;
	uint32_t program;

	(void)head;
	if (!netlink__is(attributes, TCA_KIND, "bpf") ||
	    !netlink__number(netlink__value(attributes, TCA_OPTIONS), TCA_BPF_ID, &program))
		return 0;
	return add_netdev_hook(parent->list, program, parent->where, parent->ifindex);
}

static int read_filters(struct filter_parent *parent, uint32_t handle)
{
	const struct tcmsg about = { .tcm_ifindex = parent->ifindex, .tcm_parent = handle };
	const struct netlink_dump dump = {
		.request_type = RTM_GETTFILTER,
		.answer_type = RTM_NEWTFILTER,
		.head = &about,
		.head_bytes = sizeof(about),
		.each = add_filter,
		.context = parent,
	};

	return netlink__dump(&dump);
}

static int read_clsact(struct hook_list *list, int ifindex)
{
	struct filter_parent in = { list, ifindex, "tc ingress" };
	struct filter_parent out = { list, ifindex, "tc egress" };
	int err = read_filters(&in, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS));

	return err ? err : read_filters(&out, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS));
}

/* A qdisc without a major number is the kernel's default and has no filters. */
static int add_qdisc(void *context, const void *head, struct attributes attributes)
{
	const struct tcmsg *qdisc = head;
	struct filter_parent parent = { context, qdisc->tcm_ifindex, "tc ingress" };

	if (netlink__is(attributes, TCA_KIND, "clsact"))
		return read_clsact(context, qdisc->tcm_ifindex);
	if (!TC_H_MAJ(qdisc->tcm_handle))
		return 0;
	if (!netlink__is(attributes, TCA_KIND, "ingress"))
		snprintf(parent.where, sizeof(parent.where),
			 "tc qdisc %x:", TC_H_MAJ(qdisc->tcm_handle) >> 16);
	return read_filters(&parent, qdisc->tcm_handle);
}

/* ---- XDP ------------------------------------------------------------------------------------- */

/* IFLA_XDP_PROG_ID is the only program, unless driver, generic and hardware have one each. */
static int add_xdp_hooks(void *context, const void *head, struct attributes attributes)
{
	static const uint16_t types[] = { IFLA_XDP_PROG_ID, IFLA_XDP_DRV_PROG_ID,
					  IFLA_XDP_SKB_PROG_ID, IFLA_XDP_HW_PROG_ID };
	const struct ifinfomsg *interface = head;
	struct attributes xdp = netlink__value(attributes, IFLA_XDP);
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(types) / sizeof(*types); i++) {
		uint32_t program;

		if (netlink__number(xdp, types[i], &program) && program)
			err = add_netdev_hook(context, program, "XDP", interface->ifi_index);
	}
	return err;
}

/* ---------------------------------------------------------------------------------------------- */

int hooks_netdev__read(struct hook_list *list)
{
	const struct tcmsg all_qdiscs = { 0 };
	const struct ifinfomsg all_interfaces = { 0 };
	const struct netlink_dump qdiscs = {
		.request_type = RTM_GETQDISC,
		.answer_type = RTM_NEWQDISC,
		.head = &all_qdiscs,
		.head_bytes = sizeof(all_qdiscs),
		.each = add_qdisc,
		.context = list,
	};
	const struct netlink_dump interfaces = {
		.request_type = RTM_GETLINK,
		.answer_type = RTM_NEWLINK,
		.head = &all_interfaces,
		.head_bytes = sizeof(all_interfaces),
		.each = add_xdp_hooks,
		.context = list,
	};
	int tc_err = netlink__dump(&qdiscs), xdp_err = netlink__dump(&interfaces);

	return tc_err ? tc_err : xdp_err;
}
