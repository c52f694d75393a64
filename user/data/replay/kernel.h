/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * replay/kernel.h: whether a recording is of the running kernel, so that its symbols are right.
 *
 * The start of the kernel's code has to be at the same address, and the build id the same.  perf
 * stores the id in the feature BUILD_ID, in a record of this name, or in the MMAP2 of the kernel's
 * code.  A recording without it has to have the same release.
 */
#ifndef PEAT_REPLAY_KERNEL_H
#define PEAT_REPLAY_KERNEL_H

#include <peat/reader.h>

#include "perf_data/tool_record.h"
#include "sys/kernel_id.h"

/* Zeroes: nothing is known yet. */
struct replay_kernel {
	uint8_t id[KERNEL_ID_BYTES]; /* if has_id */
	bool has_id, same_text;
};

/* Reads the feature BUILD_ID.  NULL, or the reason why it is damaged. */
const char *replay_kernel__read_ids(struct replay_kernel *kernel, const void *bytes, size_t count,
				    bool swapped);

/* Reads a record BUILD_ID or the body of one; others are ignored. */
void replay_kernel__read_id(struct replay_kernel *kernel, const struct tool_build_id *id);

/*
 * Reads the address, and the build id if there is one, from an MMAP or MMAP2.  False: the map is
 * not the kernel's.
 */
bool replay_kernel__read_map(struct replay_kernel *kernel, const struct peat_mmap *map);

/* `release`: of the recorded kernel, as in uname -r; "": unknown. */
bool replay_kernel__is_running(const struct replay_kernel *kernel, const char *release);

#endif /* PEAT_REPLAY_KERNEL_H */
