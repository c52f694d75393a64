/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/channel.h: the members of a channel, for its reader. */
#ifndef PEAT_CHANNEL_CHANNEL_H
#define PEAT_CHANNEL_CHANNEL_H

#include <peat/channel.h>

#include "channel/adopted_rings.h"
#include "channel/cells.h"
#include "channel/map_counters.h"

struct btf;
struct collector;

/* A BPF object that was bound, or whose programs run already, and its range of type numbers. */
struct bound_object {
	struct bpf_object *object; /* NULL: its programs run; the next four were read from them */
	struct btf *btf;	   /* NULL: that of `object` */
	uint32_t btf_id;	   /* in the kernel */
	int stacks_fd;		   /* -1: no map of stacks */
	uint32_t stack_depth;
	bool has_owner; /* events have the user and the cgroup of their task */

	uint32_t first_type, types;
	struct peat_schema **schemas; /* by BTF id; NULL: not made yet */
};

struct peat_channel {
	struct peat_channel_opts opts;
	uint32_t sampled_stacks; /* with sampled_fd: PEAT_STACK_* */
	struct bound_object *bound;
	size_t bound_count;
	uint32_t next_type;
	int ring_fd, stage_fd; /* -1 before the first object */
	int sampled_fd;	       /* of events whose stacks the kernel samples; -1: none */
	int left_out_fd;       /* of cgroups whose events are not sent; -1: none */
	uint32_t bells;	       /* element of the ring map with CPU 0's bell (wire.h); 0: none */
	uint32_t cpus;	       /* the highest possible CPU number + 1 */
	uint32_t slot_bytes;
	struct collector *collector; /* NULL: programs lock slots by atomic operations */
	bool has_silent; /* an object has no constant peat_bells, or 0: the reader may not sleep */
	struct adopted_ring adopted;  /* if the ring is of other programs */
	struct cells cells;	      /* counts of the programs; fd -1: they do not count */
	struct map_counters counters; /* of all bound objects */
	uint32_t *running;	      /* ids of the programs that run already */
	size_t running_count;
	bool has_reader; /* of this process, or of its parent before fork() */
};

/* 0, or -EINVAL: the log has the reason. */
int channel__check_opts(const struct peat_channel_opts *opts);

/* Whether a slot may have this size. */
bool channel__slot_fits(uint32_t slot_bytes);

/* Adds an object whose first_type is set.  On success the channel owns its members. */
int channel__add_bound(struct peat_channel *channel, const struct bound_object *bound);
void channel__free_bound(struct bound_object *bound);

/*
 * The schemas made so far, NULL after the last: the caller frees them and the list, after the
 * channel.  NULL and errno: ENOMEM; EBUSY: they need a map of the channel.
 */
struct peat_schema **channel__take_schemas(struct peat_channel *channel);

void channel__free_schemas(struct bound_object *bound);

/* Sets `type` to the i-th event type that programs reserve, each once; false: i is too large. */
bool channel__type_at(const struct peat_channel *channel, uint32_t i, uint32_t *type);

/* Call it once the objects are loaded: finds the stacks for schemas that were made before. */
void channel__find_stacks(struct peat_channel *channel);

const struct btf *channel__btf(const struct bound_object *bound);

#endif /* PEAT_CHANNEL_CHANNEL_H */
