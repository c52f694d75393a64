/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/symbols.h: the parts of a struct peat_symbols. */
#ifndef PEAT_SYMBOLS_SYMBOLS_H
#define PEAT_SYMBOLS_SYMBOLS_H

#include <peat/symbols.h>

#include "event/frame_names.h"
#include "symbols/jit/jit_names.h"
#include "symbols/kernel/kernel_names.h"
#include "event/bpf_frames.h"
#include "symbols/processes/processes.h"
#include "symbols/files/symbol_cache.h"

struct peat_symbols {
	const struct frame_names *names; /* the first member: event/frame_names.h */
	struct peat_symbols_opts opts;
	struct processes processes;
	struct symbol_cache cache;
	struct kernel_names kernel;
	struct bpf_frames machinery;
	struct jit_budget jit;
	struct file_origin origin;   /* of the last recorded event */
	enum symbols kernel_symbols; /* of the running kernel that are right for the last event */
	bool uses_proc;		     /* /proc/PID is the process of that pid */
	uint64_t call;		     /* counts public calls; results are valid during one */

	char **debug_dirs;		 /* a copy of opts.debug_dirs; NULL: the default */
	struct peat_stack_frame *frames; /* results of the call */
	uint32_t frames_count, frames_room;
	struct peat_address *addresses;
	uint32_t addresses_room;
	uint64_t named, unnamed;
};

/* An address with its place in a process; made by user_place__find(). */
struct user_place {
	struct process *process;
	const struct mapping *mapping;	  /* valid until the next record or place */
	uint64_t file_offset;		  /* of the address in mapping->file */
	bool is_live;			  /* the process may be looked at in /proc */
	const struct file_origin *origin; /* of a recording; NULL: here and now */
};

/* Finds the mapping of an address of a process.  False: unknown. */
bool user_place__find(struct peat_symbols *symbols, uint32_t pid, uint64_t time_ns,
		      uint64_t address, struct user_place *place);

/* The table of the mapped file; NULL: it has none. */
struct symbol_table *user_place__table(struct peat_symbols *symbols,
				       const struct user_place *place);

/* For symbol_file__open() of place->mapping->file. */
struct file_place user_place__of_file(const struct user_place *place);

/*
 * Appends the frames of an address to symbols->frames.  `is_return`: the name is that of the call
 * before the address.  0 or -ENOMEM.
 */
int stack_frames__add(struct peat_symbols *symbols, const struct peat_address *address,
		      uint32_t pid, uint64_t time_ns, bool is_return);

/* Makes room for a frame, all zero, and counts it.  NULL: no memory. */
struct peat_stack_frame *stack_frames__append(struct peat_symbols *symbols);

#endif /* PEAT_SYMBOLS_SYMBOLS_H */
