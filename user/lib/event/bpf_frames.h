/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/bpf_frames.h: the frames at the top of a stack that a BPF program took: the
 * program, and the kernel's code that ran it.  Their number differs between kernels, so they are
 * found by name.
 */
#ifndef PEAT_EVENT_BPF_FRAMES_H
#define PEAT_EVENT_BPF_FRAMES_H

#include <peat/stack.h>

/* Frames at the top that are looked at. */
#define BPF_FRAMES_MAX 12

#define BPF_FRAMES_ENTRIES 256 /* a power of two */

/* A cache of names by address.  Zeroes: empty. */
struct bpf_frames {
	struct {
		uint64_t address;
		const char *name; /* NULL: the address has no name */
	} names[BPF_FRAMES_ENTRIES];
};

/*
 * The number of addresses at the start of `addresses`, which peat_event__addresses() stored, that
 * are frames of the BPF program that took the stack and of the code that ran it.  0 for a stack
 * that begins elsewhere, such as that of a sample which interrupted a BPF program.
 */
uint32_t bpf_frames__count(struct bpf_frames *machinery, const struct peat_event *event,
			   const struct peat_address *addresses, uint32_t count);

/* The same for names, innermost first; NULL: no name. */
uint32_t bpf_frames__count_names(const char *const *names, uint32_t count);

#endif /* PEAT_EVENT_BPF_FRAMES_H */
