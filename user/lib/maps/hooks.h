/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_MAPS_HOOKS_H
#define PEAT_MAPS_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "maps/hook_list.h"

struct bpf_prog_info;
struct btf;

/* The attach points of the machine's programs that are visible to this process. */
struct hooks {
	struct hook_list list;
	bool has_read_interfaces, has_read_cgroups;
	struct btf *vmlinux; /* NULL: not needed yet */
};

/* Reads the attach points of all links.  0 or a negative errno. */
int hooks__read_links(struct hooks *hooks);

/* Reads the attach point of `fd` of process `pid`, if it is a perf event.  0 or -ENOMEM. */
int hooks__read_event(struct hooks *hooks, uint32_t pid, uint32_t fd);

/* All hooks of a program, separated by ", "; the caller frees it.  NULL: no memory. */
char *hooks__text(struct hooks *hooks, const struct bpf_prog_info *program);

void hooks__free(struct hooks *hooks);

#endif /* PEAT_MAPS_HOOKS_H */
