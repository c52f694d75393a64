/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/recorded_btfs.h: the BTF of a recording (the feature BPF_BTF), and its structs by name. */
#ifndef PEAT_REPLAY_RECORDED_BTFS_H
#define PEAT_REPLAY_RECORDED_BTFS_H

#include <peat/schema.h>

struct recorded_struct {
	const char *name;
	const struct btf *btf;
	uint32_t id, order;
	struct peat_schema *schema; /* made on first use; NULL: not made, or impossible */
	bool is_made;
};

struct recorded_btfs {
	struct btf **at; /* of the BPF programs on the recorded machine */
	uint32_t count;
	struct recorded_struct *structs; /* sorted by name */
	uint32_t struct_count, struct_room;
};

/*
 * Reads the feature; `swapped`: in the other byte order.  0, -ENOMEM, or -EBADMSG for the reason
 * *why: the BTF before is read.
 */
int recorded_btfs__read(struct recorded_btfs *btfs, const void *bytes, size_t count, bool swapped,
			const char **why);

void recorded_btfs__free(struct recorded_btfs *btfs);

/* Returns the first struct of this name, or NULL. */
struct recorded_struct *recorded_btfs__find(const struct recorded_btfs *btfs, const char *name);

#endif /* PEAT_REPLAY_RECORDED_BTFS_H */
