/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef HOOKS_H
#define HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "maps/hook_list.h"

struct bpf_prog_info;
struct btf;

/* Where the programs of this machine are attached, as far as it shows from here. */
struct hooks {
	struct hook_list list;
	bool knows_interfaces, knows_cgroups; /* they were asked */
	struct btf *vmlinux;		      /* once it is needed */
};

/* All links.  0 or a negative errno. */
int hooks__read_links(struct hooks *hooks);

/* What is attached to a perf event that process `pid` holds as `fd`; nothing, if it is none. */
int hooks__read_event(struct hooks *hooks, uint32_t pid, uint32_t fd);

/* All hooks of a program, ", " between them; to be freed.  NULL: no memory. */
char *hooks__of(struct hooks *hooks, const struct bpf_prog_info *program);

void hooks__free(struct hooks *hooks);

#endif /* HOOKS_H */
