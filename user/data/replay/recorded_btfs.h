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
	uint64_t work; /* of all schemas that were made, in about bytes */
	bool is_exhausted;
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

/*
 * Makes the schema of a struct.  NULL with errno: the struct cannot be read, ENOMEM, or E2BIG: the
 * recording took RECORDED_BTFS_WORK_MAX of work, which is logged once.  The caller frees it.
 */
struct peat_schema *recorded_btfs__new_schema(struct recorded_btfs *btfs,
					      const struct recorded_struct *found);

/* Adds work that was done with a schema: the bytes of its format. */
void recorded_btfs__add_work(struct recorded_btfs *btfs, uint64_t bytes);

/*
 * A recording may have many events, and for each of them a large struct in a large BTF.  This is
 * seconds of work, far more than the programs of a machine need.
 */
#define RECORDED_BTFS_WORK_MAX (UINT64_C(1) << 28)

#endif /* PEAT_REPLAY_RECORDED_BTFS_H */
