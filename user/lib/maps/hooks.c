// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/hooks.c: the attach points of BPF programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "maps/hooks_cgroup.h"
#include "maps/hooks.h"
#include "maps/hooks_netdev.h"
#include "base/log.h"

/* ---- links ----------------------------------------------------------------------------------- */

/*
 * bpf_link_info as Linux 6.6 and later fill it for links of perf events, and 6.8 for links of
 * uprobe_multi: the installed headers may be older.
 */
union link_info {
	struct bpf_link_info info;
	struct {
		uint32_t type, id, program, pad;
		uint32_t event_type, pad_too;
		union {
			struct {
				uint64_t name; /* of the file, the function or the tracepoint */
				uint32_t name_bytes;
				uint32_t offset; /* not for a tracepoint */
			};
			struct {
				uint64_t config;
				uint32_t perf_type;
			};
		};
		uint64_t room[8];
	} event;
	struct {
		uint32_t type, id, program, pad;
		uint64_t path, offsets, semaphores, cookies;
		uint32_t path_bytes, count, flags, pid;
	} functions; /* of a file */
};

#define LINK_UPROBE_MULTI     12 /* BPF_LINK_TYPE_UPROBE_MULTI */
#define FUNCTIONS_ARE_RETURNS 1	 /* BPF_F_UPROBE_MULTI_RETURN */

/* The attach point, as the kernel names it. */
struct names {
	char name[4096];
	uint64_t offset; /* in a file */
};

enum { EVENT_UPROBE = 1, EVENT_URETPROBE, EVENT_KPROBE, EVENT_KRETPROBE, EVENT_TRACEPOINT };

static void describe_perf_event(char *text, const union link_info *link, const char *name)
{
	static const char *const words[] = { NULL,     "uprobe",    "uretprobe",
					     "kprobe", "kretprobe", "tracepoint" };

	if (!link->event.event_type)
		*text = 0; /* not filled by this kernel */
	else if (link->event.event_type == EVENT_TRACEPOINT)
		snprintf(text, HOOK_BYTES, "tracepoint %.200s", name);
	else if (link->event.event_type > EVENT_TRACEPOINT)
		snprintf(text, HOOK_BYTES, "perf_event type %u config %llu", link->event.perf_type,
			 (unsigned long long)link->event.config);
	else if (link->event.offset)
		snprintf(text, HOOK_BYTES, "%s %.200s+%#x", words[link->event.event_type], name,
			 link->event.offset);
	else
		snprintf(text, HOOK_BYTES, "%s %.200s", words[link->event.event_type], name);
}

/* As the uprobe of a perf event. */
static void describe_functions(char *text, const union link_info *link, const struct names *at)
{
	const char *word = link->functions.flags & FUNCTIONS_ARE_RETURNS ? "uretprobe" : "uprobe";

	if (!*at->name)
		snprintf(text, HOOK_BYTES, "uprobe_multi"); /* not filled by this kernel */
	else if (link->functions.count == 1)
		snprintf(text, HOOK_BYTES, "%s %.200s+%#llx", word, at->name,
			 (unsigned long long)at->offset);
	else
		snprintf(text, HOOK_BYTES, "%s %.200s, %u functions", word, at->name,
			 link->functions.count);
}

/* Shown only for cgroups that are not visible here; visible ones are listed by their path. */
static void describe_cgroup(struct hook *hook, uint64_t id, uint32_t attach_type)
{
	if (!id)
		return;
	hook->at = id;
	hook->is_link = true;
	snprintf(hook->text, HOOK_BYTES, "cgroup %llu %s", (unsigned long long)id,
		 hooks_cgroup__name(attach_type));
}

/* The ifindex is that of another network namespace, which the kernel does not name. */
static void describe_xdp(struct hook *hook, uint32_t ifindex)
{
	if (!ifindex)
		return;
	hook->at = ifindex;
	hook->is_link = true;
	snprintf(hook->text, HOOK_BYTES, "XDP of interface %u of another network namespace",
		 ifindex);
}

/* An empty text: known from the program itself, or unknown. */
static void describe_link(struct hook *hook, const union link_info *link, const struct names *names)
{
	const struct bpf_link_info *info = &link->info;
	const char *type = libbpf_bpf_link_type_str((enum bpf_link_type)info->type);

	switch ((uint32_t)info->type) {
	case BPF_LINK_TYPE_RAW_TRACEPOINT:
		snprintf(hook->text, HOOK_BYTES, "raw_tracepoint %.200s", names->name);
		return;
	case BPF_LINK_TYPE_PERF_EVENT:
		describe_perf_event(hook->text, link, names->name);
		return;
	case LINK_UPROBE_MULTI:
		describe_functions(hook->text, link, names);
		return;
	case BPF_LINK_TYPE_TRACING:
		return;
	case BPF_LINK_TYPE_CGROUP:
		describe_cgroup(hook, info->cgroup.cgroup_id, info->cgroup.attach_type);
		return;
	case BPF_LINK_TYPE_XDP:
		describe_xdp(hook, info->xdp.ifindex);
		return;
	default:
		if (type)
			snprintf(hook->text, HOOK_BYTES, "%s", type);
		else
			snprintf(hook->text, HOOK_BYTES, "link of type %u", info->type);
	}
}

/* Asks for the name, and for the offset if there is only one, of a function. */
static void ask_for_names(union link_info *link, const union link_info *first, struct names *names)
{
	*link = (union link_info){ 0 };
	if (first->info.type == BPF_LINK_TYPE_RAW_TRACEPOINT) {
		link->info.raw_tracepoint.tp_name = (uintptr_t)names->name;
		link->info.raw_tracepoint.tp_name_len = HOOK_BYTES;
	} else if (first->info.type == LINK_UPROBE_MULTI) {
		link->functions.path = (uintptr_t)names->name;
		link->functions.path_bytes = sizeof(names->name);
		link->functions.count = first->functions.count == 1;
		link->functions.offsets = link->functions.count ? (uintptr_t)&names->offset : 0;
	} else {
		link->event.name = (uintptr_t)names->name;
		link->event.name_bytes = HOOK_BYTES;
	}
}

static bool has_names(const union link_info *link)
{
	switch (link->info.type) {
	case BPF_LINK_TYPE_RAW_TRACEPOINT:
		return true;
	case BPF_LINK_TYPE_PERF_EVENT:
		return link->event.event_type <= EVENT_TRACEPOINT;
	case LINK_UPROBE_MULTI:
		return link->functions.path_bytes; /* 0: not filled by this kernel */
	default:
		return false;
	}
}

/* Reads the type first, then the rest with room for a name if the type has one. */
static int read_link_info(int fd, union link_info *link, struct names *names)
{
	uint32_t bytes = sizeof(*link);
	union link_info first = { 0 };

	if (bpf_obj_get_info_by_fd(fd, &first.info, &bytes))
		return -errno;
	*link = first;
	if (!has_names(&first))
		return 0;
	ask_for_names(link, &first, names);
	bytes = sizeof(*link);
	return bpf_obj_get_info_by_fd(fd, &link->info, &bytes) ? -errno : 0;
}

static int read_link(struct hooks *hooks, int fd)
{
	char text[HOOK_BYTES] = "";
	struct hook hook = { .text = text };
	struct names names = { 0 };
	union link_info link;

	if (read_link_info(fd, &link, &names))
		return 0;
	hook.program = link.info.prog_id;
	describe_link(&hook, &link, &names);
	if (!*text && link.info.type != BPF_LINK_TYPE_TRACING)
		return 0;
	return hook_list__add(&hooks->list, &hook);
}

int hooks__read_links(struct hooks *hooks)
{
	uint32_t id = 0;
	int err = 0;

	while (!err && !bpf_link_get_next_id(id, &id)) {
		int fd = bpf_link_get_fd_by_id(id);

		if (fd < 0)
			continue; /* closed meanwhile */
		err = read_link(hooks, fd);
		close(fd);
	}
	return err;
}

/* ---- perf events ----------------------------------------------------------------------------- */

int hooks__read_event(struct hooks *hooks, uint32_t pid, uint32_t fd)
{
	static const char *const words[] = { "raw_tracepoint", "tracepoint", "kprobe",
					     "kretprobe",      "uprobe",     "uretprobe" };
	char name[HOOK_BYTES] = "", text[HOOK_BYTES];
	uint32_t bytes = sizeof(name), program, type;
	__u64 offset, address;

	if (bpf_task_fd_query((int)pid, (int)fd, 0, name, &bytes, &program, &type, &offset,
			      &address) ||
	    type >= sizeof(words) / sizeof(*words))
		return 0;
	if (type < BPF_FD_TYPE_KPROBE || !offset)
		snprintf(text, sizeof(text), "%s %.200s", words[type], name);
	else
		snprintf(text, sizeof(text), "%s %.200s+%#llx", words[type], name, offset);
	return hook_list__add(&hooks->list, &(struct hook){ .program = program, .text = text });
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool is_vmlinux(uint32_t btf_id)
{
	struct bpf_btf_info info = { 0 };
	uint32_t bytes = sizeof(info);
	char name[16] = "";
	int fd = bpf_btf_get_fd_by_id(btf_id);
	bool is;

	if (fd < 0)
		return false;
	info.name = (uintptr_t)name;
	info.name_len = sizeof(name);
	is = !bpf_obj_get_info_by_fd(fd, &info, &bytes) && !strcmp(name, "vmlinux");
	close(fd);
	return is;
}

static const char *without_prefix(const char *name, const char *start)
{
	return strncmp(name, start, strlen(start)) ? name : name + strlen(start);
}

/* The target of a BTF-typed program: in the program's info since its load, not in the link. */
static void describe_target(char *text, struct hooks *hooks, const struct bpf_prog_info *program)
{
	const struct btf_type *type = NULL;
	const char *name;

	snprintf(text, HOOK_BYTES, "%s",
		 libbpf_bpf_prog_type_str((enum bpf_prog_type)program->type) ?: "tracing");
	if (!program->attach_btf_id || !is_vmlinux(program->attach_btf_obj_id))
		return;
	if (!hooks->vmlinux)
		hooks->vmlinux = btf__load_vmlinux_btf();
	if (hooks->vmlinux)
		type = btf__type_by_id(hooks->vmlinux, program->attach_btf_id);
	if (!type)
		return;
	name = btf__name_by_offset(hooks->vmlinux, type->name_off);
	snprintf(text, HOOK_BYTES, "%s %.200s",
		 libbpf_bpf_prog_type_str((enum bpf_prog_type)program->type) ?: "to",
		 without_prefix(without_prefix(name, "btf_trace_"), "bpf_lsm_"));
}

/* A failure is logged and hides these attach points, but no others. */
static int log_unless_fatal(const char *where, int err)
{
	if (!err || err == -ENOMEM)
		return err;
	log__info("cannot list the programs attached to %s: %s", where, strerror(-err));
	return 0;
}

/* Attach points without a link: reads interfaces and cgroups once a program of their type shows. */
static int read_unlinked(struct hooks *hooks, uint32_t program_type)
{
	int err = 0;

	if (!hooks->has_read_interfaces &&
	    (program_type == BPF_PROG_TYPE_SCHED_CLS || program_type == BPF_PROG_TYPE_XDP)) {
		hooks->has_read_interfaces = true;
		err = log_unless_fatal("network interfaces", hooks_netdev__read(&hooks->list));
	}
	if (!err && !hooks->has_read_cgroups && hooks_cgroup__handles(program_type)) {
		hooks->has_read_cgroups = true;
		err = log_unless_fatal("cgroups", hooks_cgroup__read(&hooks->list));
	}
	return err;
}

char *hooks__text(struct hooks *hooks, const struct bpf_prog_info *program)
{
	char target[HOOK_BYTES];

	if (read_unlinked(hooks, program->type))
		return NULL;
	describe_target(target, hooks, program);
	return hook_list__text(&hooks->list, program->id, target);
}

void hooks__free(struct hooks *hooks)
{
	hook_list__free(&hooks->list);
	btf__free(hooks->vmlinux);
	*hooks = (struct hooks){ 0 };
}
