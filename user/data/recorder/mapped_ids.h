/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recorder/mapped_ids.h: the build ids of the files that processes have mapped, each read once. */
#ifndef PEAT_RECORDER_MAPPED_IDS_H
#define PEAT_RECORDER_MAPPED_IDS_H

#include "base/hash.h"
#include "elf/elf_note.h"
#include "sys/proc_maps.h"

struct mapped_ids {
	struct hash by_file;
};

/*
 * The build id of a file that the process has mapped, also if the file is deleted, or in another
 * mount namespace while the process runs.  `generation`: of the inode; 0: unknown.  NULL: it has
 * none, or it cannot be read.
 */
const struct build_id *mapped_ids__find(struct mapped_ids *ids, uint32_t pid, uint64_t generation,
					const struct proc_map *map);

void mapped_ids__free(struct mapped_ids *ids);

#endif /* PEAT_RECORDER_MAPPED_IDS_H */
