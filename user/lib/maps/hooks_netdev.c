// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* interface_hooks.c: programs on network interfaces, which no link need tell of. */
#include <net/if.h>
#include <stdio.h>
#include <linux/if_link.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "maps/hook_list.h"
#include "maps/hooks_netdev.h"
#include "sys/netlink.h"

static int add(struct hook_list *list, uint32_t program, const char *where, int ifindex)
{
	char name[IF_NAMESIZE], text[HOOK_BYTES];

	if (!if_indextoname((unsigned)ifindex, name))
		return 0; /* gone */
	snprintf(text, sizeof(text), "%s of %s", where, name);
	return hook_list__add(
		list, &(struct hook){ .program = program, .at = (unsigned)ifindex, .text = text });
}

/* ---- tc -------------------------------------------------------------------------------------- */

/* Where filters are. */
struct place {
	struct hook_list *list;
	int ifindex;
	char where[32]; /* "tc ingress" */
};

/* Of a block that several interfaces share each of them tells, as if it had the filters alone. */
static int see_filter(void *context, const void *head, struct attributes attributes)
{
	const struct place *place = context;
	uint32_t program;

	(void)head;
	if (!netlink__is(attributes, TCA_KIND, "bpf") ||
	    !netlink__number(netlink__value(attributes, TCA_OPTIONS), TCA_BPF_ID, &program))
		return 0;
	return add(place->list, program, place->where, place->ifindex);
}

static int read_filters(struct place *place, uint32_t parent)
{
	const struct tcmsg about = { .tcm_ifindex = place->ifindex, .tcm_parent = parent };
	const struct netlink_dump dump = {
		.question = RTM_GETTFILTER,
		.answer = RTM_NEWTFILTER,
		.head = &about,
		.head_bytes = sizeof(about),
		.each = see_filter,
		.context = place,
	};

	return netlink__dump(&dump);
}

static int read_clsact(struct hook_list *list, int ifindex)
{
	struct place in = { list, ifindex, "tc ingress" }, out = { list, ifindex, "tc egress" };
	int err = read_filters(&in, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS));

	return err ? err : read_filters(&out, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS));
}

/* Those without a number are the kernel's own and have no filters. */
static int see_qdisc(void *context, const void *head, struct attributes attributes)
{
	const struct tcmsg *qdisc = head;
	struct place place = { context, qdisc->tcm_ifindex, "tc ingress" };

	if (netlink__is(attributes, TCA_KIND, "clsact"))
		return read_clsact(context, qdisc->tcm_ifindex);
	if (!TC_H_MAJ(qdisc->tcm_handle))
		return 0;
	if (!netlink__is(attributes, TCA_KIND, "ingress"))
		snprintf(place.where, sizeof(place.where),
			 "tc qdisc %x:", TC_H_MAJ(qdisc->tcm_handle) >> 16);
	return read_filters(&place, qdisc->tcm_handle);
}

static int read_qdiscs(struct hook_list *list)
{
	const struct tcmsg all = { 0 };
	const struct netlink_dump dump = {
		.question = RTM_GETQDISC,
		.answer = RTM_NEWQDISC,
		.head = &all,
		.head_bytes = sizeof(all),
		.each = see_qdisc,
		.context = list,
	};

	return netlink__dump(&dump);
}

/* ---- XDP ------------------------------------------------------------------------------------- */

/* The first is the one that runs, unless there is one for each of several places to run in. */
static int see_interface(void *context, const void *head, struct attributes attributes)
{
	static const uint16_t types[] = { IFLA_XDP_PROG_ID, IFLA_XDP_DRV_PROG_ID,
					  IFLA_XDP_SKB_PROG_ID, IFLA_XDP_HW_PROG_ID };
	const struct ifinfomsg *interface = head;
	struct attributes xdp = netlink__value(attributes, IFLA_XDP);
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(types) / sizeof(*types); i++) {
		uint32_t program;

		if (netlink__number(xdp, types[i], &program) && program)
			err = add(context, program, "XDP", interface->ifi_index);
	}
	return err;
}

static int read_xdp(struct hook_list *list)
{
	const struct ifinfomsg all = { 0 };
	const struct netlink_dump dump = {
		.question = RTM_GETLINK,
		.answer = RTM_NEWLINK,
		.head = &all,
		.head_bytes = sizeof(all),
		.each = see_interface,
		.context = list,
	};

	return netlink__dump(&dump);
}

/* ---------------------------------------------------------------------------------------------- */

int interface_hooks__read(struct hook_list *list)
{
	int tc_err = read_qdiscs(list), xdp_err = read_xdp(list);

	return tc_err ? tc_err : xdp_err;
}
