/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bound.h: the inside of a channel, for the reader of its events. */
#ifndef BOUND_H
#define BOUND_H

#include <peat/channel.h>

struct btf;
struct collector;

/* One BPF object that was bound, or whose programs run, and its range of type numbers. */
struct bound {
	struct bpf_object *object; /* NULL: what follows is known of its programs */
	struct btf *btf;	   /* NULL: the object has it */
	uint32_t btf_id;	   /* of the kernel's */
	int stacks_fd;		   /* -1: no map of stacks */
	uint32_t stack_depth;

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
	struct collector *collector; /* NULL: its programs lock slots for everybody to see */
};

/* Whether a slot may have so many bytes. */
bool channel__slot_fits(uint32_t slot_bytes);

/* Adds one whose first_type is set; the channel takes over what it has, but not on failure. */
int channel__note(struct peat_channel *channel, const struct bound *bound);
void channel__free_bound(struct bound *bound);

/* The i-th type of events that its programs reserve, each once; false: there are no more. */
bool channel__type_at(const struct peat_channel *channel, uint32_t i, uint32_t *type);

const struct btf *channel__btf(const struct bound *bound);

#endif /* BOUND_H */
