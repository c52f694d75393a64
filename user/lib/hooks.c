// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hooks.c: where BPF programs are attached. */
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "hooks.h"
#include "internal.h"

#define NAME_BYTES 256

/* ---- the list -------------------------------------------------------------------------------- */

static bool is_known(const struct hooks *hooks, uint32_t program, const char *text)
{
	for (size_t i = 0; i < hooks->count; i++)
		if (hooks->of[i].program == program && !strcmp(hooks->of[i].text, text))
			return true;
	return false;
}

/* A perf event and its link may both tell. */
static int add(struct hooks *hooks, uint32_t program, const char *text)
{
	struct hook *of;
	char *copy;

	if (is_known(hooks, program, text))
		return 0;
	of = realloc(hooks->of, (hooks->count + 1) * sizeof(*of));
	if (!of)
		return -ENOMEM;
	hooks->of = of;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	of[hooks->count++] = (struct hook){ program, copy };
	return 0;
}

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
		snprintf(text, NAME_BYTES, "tracepoint %s", name);
	else if (link->event.event_type > EVENT_TRACEPOINT)
		snprintf(text, NAME_BYTES, "perf_event type %u config %llu", link->event.perf_type,
			 (unsigned long long)link->event.config);
	else if (link->event.offset)
		snprintf(text, NAME_BYTES, "%s %.200s+%#x", words[link->event.event_type], name,
			 link->event.offset);
	else
		snprintf(text, NAME_BYTES, "%s %.200s", words[link->event.event_type], name);
}

static void name_device(char *text, const char *type, uint32_t index)
{
	char name[IF_NAMESIZE];

	if (if_indextoname(index, name))
		snprintf(text, NAME_BYTES, "%s %s", type, name);
	else
		snprintf(text, NAME_BYTES, "%s interface %u", type, index);
}

/* Empty: the program itself says it, or nobody. */
static void name_link(char *text, const union link_info *link, const char *name)
{
	const struct bpf_link_info *info = &link->info;
	const char *type = libbpf_bpf_link_type_str((enum bpf_link_type)info->type);

	*text = 0;
	switch (info->type) {
	case BPF_LINK_TYPE_RAW_TRACEPOINT:
		snprintf(text, NAME_BYTES, "raw_tracepoint %s", name);
		return;
	case BPF_LINK_TYPE_PERF_EVENT:
		name_event(text, link, name);
		return;
	case BPF_LINK_TYPE_TRACING:
		return;
	case BPF_LINK_TYPE_CGROUP:
		snprintf(text, NAME_BYTES, "cgroup %llu",
			 (unsigned long long)info->cgroup.cgroup_id);
		return;
	case BPF_LINK_TYPE_XDP:
		name_device(text, "xdp", info->xdp.ifindex);
		return;
	default:
		if (type)
			snprintf(text, NAME_BYTES, "%s", type);
		else
			snprintf(text, NAME_BYTES, "link of type %u", info->type);
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
		link->info.raw_tracepoint.tp_name_len = NAME_BYTES;
	} else {
		link->event.name = (uintptr_t)name;
		link->event.name_bytes = NAME_BYTES;
	}
	bytes = sizeof(*link);
	return bpf_obj_get_info_by_fd(fd, &link->info, &bytes) ? -errno : 0;
}

static int read_link(struct hooks *hooks, int fd)
{
	char name[NAME_BYTES] = "", text[NAME_BYTES];
	union link_info link;

	if (ask_link(fd, &link, name))
		return 0;
	name_link(text, &link, name);
	if (!*text && link.info.type != BPF_LINK_TYPE_TRACING)
		return 0;
	return add(hooks, link.info.prog_id, text);
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
	char name[NAME_BYTES] = "", text[NAME_BYTES];
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
	return add(hooks, program, text);
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

	snprintf(text, NAME_BYTES, "%s",
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
	snprintf(text, NAME_BYTES, "%s %.200s",
		 libbpf_bpf_prog_type_str((enum bpf_prog_type)program->type) ?: "to",
		 behind(behind(name, "btf_trace_"), "bpf_lsm_"));
}

static int append(char **text, const char *more)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", *text, **text ? ", " : "", more) < 0)
		return -ENOMEM;
	free(*text);
	*text = longer;
	return 0;
}

char *hooks__of(struct hooks *hooks, const struct bpf_prog_info *program)
{
	char target[NAME_BYTES], *text = strdup("");
	int err = text ? 0 : -ENOMEM;

	name_target(target, hooks, program);
	for (size_t i = 0; !err && i < hooks->count; i++)
		if (hooks->of[i].program == program->id)
			err = append(&text, *hooks->of[i].text ? hooks->of[i].text : target);
	if (!err)
		return text;
	free(text);
	return NULL;
}

void hooks__free(struct hooks *hooks)
{
	for (size_t i = 0; i < hooks->count; i++)
		free(hooks->of[i].text);
	free(hooks->of);
	btf__free(hooks->vmlinux);
	*hooks = (struct hooks){ 0 };
}
