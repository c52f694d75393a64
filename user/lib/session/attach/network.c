// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/network.c: attaches tc and XDP programs to interfaces, and detaches them. */
#include <ctype.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/text.h"
#include "session/attach/clsact.h"
#include "session/attach/network.h"
#include "sys/caps.h"

struct interface {
	char name[IF_NAMESIZE];
	int index;
	bool added_clsact;
};

struct hook {
	struct bpf_link *link; /* NULL: `filter` is used */
	struct clsact_filter filter;
};

struct network {
	struct interface *interfaces;
	size_t interface_count;
	struct hook *hooks;
	size_t hook_count;
};

/* ---- programs -------------------------------------------------------------------------------- */

/* Sections of other loaders, which read the first word and ignore the rest: "xdp_pass", "socket1".
 */
static const struct {
	const char *word;
	enum bpf_prog_type type;
} section_words[] = {
	{ "tc", BPF_PROG_TYPE_SCHED_CLS },
	{ "tcx", BPF_PROG_TYPE_SCHED_CLS },
	{ "classifier", BPF_PROG_TYPE_SCHED_CLS },
	{ "cls", BPF_PROG_TYPE_SCHED_CLS },
	{ "xdp", BPF_PROG_TYPE_XDP },
	{ "socket", BPF_PROG_TYPE_SOCKET_FILTER },
};

static enum bpf_prog_type type_of(const char *section)
{
	for (size_t i = 0; i < sizeof(section_words) / sizeof(*section_words); i++) {
		const char *word = section_words[i].word;

		if (begins_with(section, word) && !isalpha((unsigned char)section[strlen(word)]))
			return section_words[i].type;
	}
	return BPF_PROG_TYPE_UNSPEC;
}

void network__set_types(const struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		enum bpf_prog_type type = type_of(bpf_program__section_name(program));

		if (bpf_program__type(program) != BPF_PROG_TYPE_UNSPEC ||
		    type == BPF_PROG_TYPE_UNSPEC)
			continue;
		bpf_program__set_type(program, type);
		if (type == BPF_PROG_TYPE_XDP) /* links need it */
			bpf_program__set_expected_attach_type(program, BPF_XDP);
	}
}

/* XDP programs for device and CPU maps run for other XDP programs instead. */
static bool is_xdp(const struct bpf_program *program)
{
	enum bpf_attach_type attach_type = bpf_program__expected_attach_type(program);

	return bpf_program__type(program) == BPF_PROG_TYPE_XDP && attach_type != BPF_XDP_DEVMAP &&
	       attach_type != BPF_XDP_CPUMAP;
}

bool network__accepts(const struct bpf_program *program)
{
	return is_xdp(program) || bpf_program__type(program) == BPF_PROG_TYPE_SCHED_CLS;
}

/* "tc/egress" and "tc_egress" have one direction, "tc" both. */
static bool is_for(const struct bpf_program *program, enum clsact_direction direction)
{
	static const char *const words[] = { "ingress", "egress" };
	const char *section = bpf_program__section_name(program);
	const char *word = section + strcspn(section, "/_");
	bool names_one;

	word += *word != '\0';
	names_one = !strcmp(word, words[0]) || !strcmp(word, words[1]);
	return !names_one || !strcmp(word, words[direction]);
}

/* ---- interfaces ------------------------------------------------------------------------------ */

static int add_interface(struct network *network, const char *name)
{
	unsigned index = if_nametoindex(name);
	struct interface *interface;

	if (!index || strlen(name) >= IF_NAMESIZE) {
		log__error("no network interface '%s' (ip link lists them)", name);
		return -ENODEV;
	}
	for (size_t i = 0; i < network->interface_count; i++)
		if (network->interfaces[i].index == (int)index)
			return 0;
	if (!ARRAY_RESERVE_NEXT(network->interfaces, network->interface_count))
		return -ENOMEM;
	interface = &network->interfaces[network->interface_count++];
	*interface = (struct interface){ .index = (int)index };
	strcpy(interface->name, name);
	return 0;
}

struct network *network__new(const char *names)
{
	struct network *network = calloc(1, sizeof(*network));
	char *copy = strdup(names), *rest = copy, *name;
	int err = network && copy ? 0 : -ENOMEM;

	while (!err && (name = strsep(&rest, ",")))
		err = add_interface(network, name);
	free(copy);
	if (!err)
		return network;
	network__free(network);
	return fail_null(err);
}

/* ---- attaching ------------------------------------------------------------------------------- */

static const char *explain_tc(int err)
{
	switch (err) {
	case -EPERM:
	case -EACCES:
		return caps__explain_network();
	case -ENOENT:
		return "this kernel has no clsact, or no BPF filters: it needs "
		       "CONFIG_NET_SCH_INGRESS and CONFIG_NET_CLS_BPF (modules sch_ingress, "
		       "cls_bpf)";
	case -EBUSY:
		return "an ingress qdisc has the place of clsact (tc qdisc show; tc qdisc "
		       "del dev NAME ingress)";
	default:
		return strerror(-err);
	}
}

static const char *explain_xdp(int err)
{
	switch (err) {
	case -EPERM:
	case -EACCES:
		return caps__explain_network();
	case -EBUSY:
	case -EEXIST:
		return "it has an XDP program already, and only one is possible (ip link, "
		       "bpftool net)";
	case -EOPNOTSUPP:
		return "its driver does not support XDP, or not as it is set up";
	default:
		return strerror(-err);
	}
}

static int add_hook(struct network *network, const struct hook *hook)
{
	if (!ARRAY_RESERVE_NEXT(network->hooks, network->hook_count))
		return -ENOMEM;
	network->hooks[network->hook_count++] = *hook;
	return 0;
}

/* The clsact of an interface may be another tool's. */
static void leave_clsact(struct network *network, int ifindex)
{
	for (size_t i = 0; i < network->interface_count; i++)
		if (network->interfaces[i].index == ifindex)
			network->interfaces[i].added_clsact = false;
}

static void remove_hook(struct network *network, const struct hook *hook)
{
	if (hook->link)
		bpf_link__destroy(hook->link);
	else if (!clsact__detach(&hook->filter))
		leave_clsact(network, hook->filter.ifindex);
}

static int keep_hook(struct network *network, const struct hook *hook)
{
	int err = add_hook(network, hook);

	if (err)
		remove_hook(network, hook);
	return err;
}

static int attach_xdp(struct network *network, const struct interface *interface,
		      const struct bpf_program *program)
{
	struct hook hook = { .link = bpf_program__attach_xdp(program, interface->index) };

	return hook.link ? keep_hook(network, &hook) : -errno;
}

static int attach_tc(struct network *network, struct interface *interface,
		     const struct bpf_program *program)
{
	int err = clsact__add(interface->index);

	if (err > 0)
		interface->added_clsact = true;
	for (int i = 0; err >= 0 && i < CLSACT_DIRECTIONS; i++) {
		enum clsact_direction direction = (enum clsact_direction)i;
		struct hook hook = { .link = NULL };

		if (!is_for(program, direction))
			continue;
		err = clsact__attach(&hook.filter, interface->index, direction,
				     bpf_program__fd(program));
		if (!err)
			err = keep_hook(network, &hook);
	}
	return err < 0 ? err : 0;
}

/* Removes the hooks after the first `count`, the last one first. */
static void remove_hooks(struct network *network, size_t count)
{
	while (network->hook_count > count)
		remove_hook(network, &network->hooks[--network->hook_count]);
}

int network__attach(struct network *network, const struct bpf_program *program, char *why,
		    size_t room)
{
	size_t count = network->hook_count;

	for (size_t i = 0; i < network->interface_count; i++) {
		struct interface *interface = &network->interfaces[i];
		int err = is_xdp(program) ? attach_xdp(network, interface, program)
					  : attach_tc(network, interface, program);

		if (!err)
			continue;
		snprintf(why, room, "%s: %s", interface->name,
			 is_xdp(program) ? explain_xdp(err) : explain_tc(err));
		remove_hooks(network, count);
		return err;
	}
	return 0;
}

void network__disown(struct network *network)
{
	if (!network)
		return;
	for (size_t i = 0; i < network->hook_count; i++) {
		struct bpf_link *link = network->hooks[i].link;

		if (!link)
			continue;
		bpf_link__disconnect(link);
		close(bpf_link__fd(link));
		bpf_link__destroy(link);
	}
	network->hook_count = network->interface_count = 0;
}

void network__free(struct network *network)
{
	if (!network)
		return;
	remove_hooks(network, 0);
	for (size_t i = 0; i < network->interface_count; i++)
		if (network->interfaces[i].added_clsact)
			clsact__remove(network->interfaces[i].index);
	free(network->interfaces);
	free(network->hooks);
	free(network);
}
