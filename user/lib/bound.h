/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bound.h: the inside of a channel, for the reader of its events. */
#ifndef BOUND_H
#define BOUND_H

#include <peat/channel.h>

/* One BPF object that was bound, and its range of type numbers. */
struct bound {
	struct bpf_object *object;
	uint32_t first_type, types;
	struct peat_schema **schemas; /* by BTF id; NULL: not asked for yet */
};

struct peat_channel {
	struct peat_channel_opts opts;
	struct bound *bound;
	size_t bound_count;
	uint32_t next_type;
	int ring_fd, stage_fd; /* -1 before the first object */
	uint32_t cpus;	       /* the highest possible CPU number + 1 */
	uint32_t slot_bytes;
};

#endif /* BOUND_H */
