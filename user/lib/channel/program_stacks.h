/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/program_stacks.h: options and sizes of the stacks that programs take. */
#ifndef PEAT_CHANNEL_PROGRAM_STACKS_H
#define PEAT_CHANNEL_PROGRAM_STACKS_H

#include <stdint.h>

#include <peat/channel.h>

struct bpf_object;

/* Bytes in a slot that make the program write it, by default, if events have stacks. */
#define PROGRAM_STACKS_BATCH_BYTES 16384u

/* The most bytes that stacks add to an event; 0: none. */
uint32_t program_stacks__room(const struct peat_channel_opts *opts);

/* The same for events of this object, which may have stacks by default. */
uint32_t program_stacks__room_of(const struct peat_channel_opts *opts, struct bpf_object *object);

/*
 * The stacks that the kernel has to sample, since programs of the object may not take them; 0:
 * none, or the object has an older peat.bpf.h.
 */
uint32_t program_stacks__sampled_kinds(const struct peat_channel_opts *opts,
				       struct bpf_object *object);

/* Sets the constants of an object whose programs take stacks.  0 or a negative errno. */
int program_stacks__set_constants(const struct peat_channel_opts *opts, struct bpf_object *object);

#endif /* PEAT_CHANNEL_PROGRAM_STACKS_H */
