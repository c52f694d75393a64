/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * replay/build_ids.h: the build ids of files that a recording lists, in the feature BUILD_ID or in
 * records of this name.  Records of mappings have none in recordings by perf record without
 * --buildid-mmap.
 */
#ifndef PEAT_REPLAY_BUILD_IDS_H
#define PEAT_REPLAY_BUILD_IDS_H

#include <stdint.h>

#include "perf_data/tool_record.h"
#include "tables/hash.h"

#define RECORDED_ID_BYTES 20

struct recorded_id {
	uint8_t id[RECORDED_ID_BYTES];
	uint8_t bytes; /* 0: the list has several ids for this path */
	uint8_t reserved[3];
};

/* Zeroes: empty. */
struct build_ids {
	struct table_hash by_path;
};

/* Adds an entry of the list.  0 or -ENOMEM. */
int build_ids__add(struct build_ids *ids, const struct tool_build_id *id);

/* The id of a file by its path; NULL: the list has none, or several. */
const struct recorded_id *build_ids__find(const struct build_ids *ids, const char *path);

void build_ids__free(struct build_ids *ids);

#endif /* PEAT_REPLAY_BUILD_IDS_H */
