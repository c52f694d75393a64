/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/kernel/kernel_names.h: names of kernel addresses: of the running kernel, and of BPF
 * programs and trampolines that records of KSYMBOL announced, by time.
 */
#ifndef PEAT_SYMBOLS_KERNEL_KERNEL_NAMES_H
#define PEAT_SYMBOLS_KERNEL_KERNEL_NAMES_H

#include <peat/record.h>

#include "base/arena.h"
#include "sys/kallsyms.h"

/* Older ones are forgotten beyond this. */
#define KSYMBOLS_MAX 16384

struct ksymbol {
	uint64_t begin, end;
	uint64_t since_ns, until_ns; /* 0: from the start; UINT64_MAX: still there */
	char *name;
};

struct kernel_names {
	struct ksymbol *list; /* in the order of the records */
	uint32_t *by_address; /* indices in the list, sorted by `begin`, then in its order */
	uint32_t count, room, address_room;
	uint64_t longest; /* bytes of the largest symbol that was ever in the list */
};

/* Applies KSYMBOL; ignores other records.  0 or -ENOMEM. */
int kernel_names__apply(struct kernel_names *names, const struct peat_record *record,
			uint64_t time_ns);

/*
 * The name of an address at a time; 0: now.  `which`: the names of the running kernel that are
 * right for the event.  False: none.  found->owner is the module: "[kernel]", "[nf_tables]",
 * "[bpf]".
 */
bool kernel_names__find(const struct kernel_names *names, enum symbols which, uint64_t time_ns,
			uint64_t address, struct kernel_symbol *found);

void kernel_names__free(struct kernel_names *names); /* all zero is allowed */

#endif /* PEAT_SYMBOLS_KERNEL_KERNEL_NAMES_H */
