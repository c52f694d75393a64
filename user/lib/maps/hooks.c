// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hooks.c: where BPF programs are attached. */
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
#include "base/internal.h"

/* ---- links ----------------------------------------------------------------------------------- */

/*
 * What links say of themselves, as Linux 6.6 and later fill it for those of perf events: the
 * headers here may be older.
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
				uint32_t offset; /* but of a tracepoint */
			};
			struct {
				uint64_t config;
				uint32_t perf_type;
			};
		};
		uint64_t room[8];
	} event;
};

enum { EVENT_UPROBE = 1, EVENT_URETPROBE, EVENT_KPROBE, EVENT_KRETPROBE, EVENT_TRACEPOINT };

static void name_event(char *text, const union link_info *link, const char *name)
{
	static const char *const words[] = { NULL,     "uprobe",    "uretprobe",
					     "kprobe", "kretprobe", "tracepoint" };

	if (!link->event.event_type)
		*text = 0; /* the kernel does not say */
	else if (link->event.event_type == EVENT_TRACEPOINT)
		snprintf(text, HOOK_BYTES, "tracepoint %s", name);
	else if (link->event.event_type > EVENT_TRACEPOINT)
		snprintf(text, HOOK_BYTES, "perf_event type %u config %llu", link->event.perf_type,
			 (unsigned long long)link->event.config);
	else if (link->event.offset)
		snprintf(text, HOOK_BYTES, "%s %.200s+%#x", words[link->event.event_type], name,
			 link->event.offset);
	else
		snprintf(text, HOOK_BYTES, "%s %.200s", words[link->event.event_type], name);
}

/* Of those that cgroups told of themselves nothing is left but what is out of sight. */
static void name_cgroup(struct hook *hook, uint64_t id, uint32_t attach_type)
{
	if (!id)
		return;
	hook->at = id;
	hook->is_link = true;
	snprintf(hook->text, HOOK_BYTES, "cgroup %llu %s", (unsigned long long)id,
		 cgroup_hooks__name(attach_type));
}

/* The number counts in the network namespace of the interface, which is not told. */
static void name_xdp(struct hook *hook, uint32_t ifindex)
{
	if (!ifindex)
		return;
	hook->at = ifindex;
	hook->is_link = true;
	snprintf(hook->text, HOOK_BYTES, "XDP of interface %u of another network namespace",
		 ifindex);
}

/* An empty text: the program itself says it, or nobody. */
static void name_link(struct hook *hook, const union link_info *link, const char *name)
{
	const struct bpf_link_info *info = &link->info;
	const char *type = libbpf_bpf_link_type_str((enum bpf_link_type)info->type);

	switch (info->type) {
	case BPF_LINK_TYPE_RAW_TRACEPOINT:
		snprintf(hook->text, HOOK_BYTES, "raw_tracepoint %s", name);
		return;
	case BPF_LINK_TYPE_PERF_EVENT:
		name_event(hook->text, link, name);
		return;
	case BPF_LINK_TYPE_TRACING:
		return;
	case BPF_LINK_TYPE_CGROUP:
		name_cgroup(hook, info->cgroup.cgroup_id, info->cgroup.attach_type);
		return;
	case BPF_LINK_TYPE_XDP:
		name_xdp(hook, info->xdp.ifindex);
		return;
	default:
		if (type)
			snprintf(hook->text, HOOK_BYTES, "%s", type);
		else
			snprintf(hook->text, HOOK_BYTES, "link of type %u", info->type);
	}
}

/* First its type, then what has a name with room for it. */
static int ask_link(int fd, union link_info *link, char *name)
{
	uint32_t bytes = sizeof(*link);
	uint32_t type;

	*link = (union link_info){ 0 };
	if (bpf_obj_get_info_by_fd(fd, &link->info, &bytes))
		return -errno;
	type = link->info.type;
	if (type != BPF_LINK_TYPE_RAW_TRACEPOINT &&
	    (type != BPF_LINK_TYPE_PERF_EVENT || link->event.event_type > EVENT_TRACEPOINT))
		return 0;
	*link = (union link_info){ 0 };
	if (type == BPF_LINK_TYPE_RAW_TRACEPOINT) {
		link->info.raw_tracepoint.tp_name = (uintptr_t)name;
		link->info.raw_tracepoint.tp_name_len = HOOK_BYTES;
	} else {
		link->event.name = (uintptr_t)name;
		link->event.name_bytes = HOOK_BYTES;
	}
	bytes = sizeof(*link);
	return bpf_obj_get_info_by_fd(fd, &link->info, &bytes) ? -errno : 0;
}

static int read_link(struct hooks *hooks, int fd)
{
	char name[HOOK_BYTES] = "", text[HOOK_BYTES] = "";
	struct hook hook = { .text = text };
	union link_info link;

	if (ask_link(fd, &link, name))
		return 0;
	hook.program = link.info.prog_id;
	name_link(&hook, &link, name);
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
			continue; /* gone */
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

static const char *behind(const char *name, const char *start)
{
	return strncmp(name, start, strlen(start)) ? name : name + strlen(start);
}

/* Of a BTF-typed hook the link does not say what it is of: the program does, from its load on. */
static void name_target(char *text, struct hooks *hooks, const struct bpf_prog_info *program)
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
		 behind(behind(name, "btf_trace_"), "bpf_lsm_"));
}

/* A place that does not answer has nothing that can be seen, which is no reason to say nothing. */
static int forgive(const char *where, int err)
{
	if (!err || err == -ENOMEM)
		return err;
	log__info("programs attached to %s are not known: %s", where, strerror(-err));
	return 0;
}

/* What has no link tells where it is: that is asked once some program may be there. */
static int ask_places(struct hooks *hooks, uint32_t program_type)
{
	int err = 0;

	if (!hooks->knows_interfaces &&
	    (program_type == BPF_PROG_TYPE_SCHED_CLS || program_type == BPF_PROG_TYPE_XDP)) {
		hooks->knows_interfaces = true;
		err = forgive("network interfaces", interface_hooks__read(&hooks->list));
	}
	if (!err && !hooks->knows_cgroups && cgroup_hooks__takes(program_type)) {
		hooks->knows_cgroups = true;
		err = forgive("cgroups", cgroup_hooks__read(&hooks->list));
	}
	return err;
}

char *hooks__of(struct hooks *hooks, const struct bpf_prog_info *program)
{
	char target[HOOK_BYTES];

	if (ask_places(hooks, program->type))
		return NULL;
	name_target(target, hooks, program);
	return hook_list__text(&hooks->list, program->id, target);
}

void hooks__free(struct hooks *hooks)
{
	hook_list__free(&hooks->list);
	btf__free(hooks->vmlinux);
	*hooks = (struct hooks){ 0 };
}
