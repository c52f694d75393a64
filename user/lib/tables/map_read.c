// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/map_read.c: entries of BPF maps, in batches where the kernel has them. */
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/log.h"
#include "schema/table_types.h"
#include "tables/map_read.h"

#define BATCH_ENTRIES	256
#define BATCH_BYTES	(1U << 20)
#define BATCH_BYTES_MAX (1U << 30)

static int log_wrong_type(const struct bpf_map_info *info)
{
	const char *type = libbpf_bpf_map_type_str((enum bpf_map_type)info->type);

	log__error("map '%s' (id %u) is no table: its type is %s: hash tables and arrays can be "
		   "shown",
		   info->name, info->id, type ? type : "unknown");
	return -EINVAL;
}

int map_read__init(struct map_reader *reader, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	bool is_per_cpu;
	int cpus = 1;

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
		return -errno;
	if (!table_types__has(info.type, &is_per_cpu))
		return log_wrong_type(&info);
	if (is_per_cpu)
		cpus = libbpf_num_possible_cpus();
	if (cpus < 0)
		return cpus;
	*reader = (struct map_reader){
		.fd = fd,
		.type = info.type,
		.key_bytes = info.key_size,
		.value_bytes = info.value_size,
		.max_entries = info.max_entries,
		.cpus = (uint32_t)cpus,
		.stride = is_per_cpu ? (info.value_size + 7) & ~7U : info.value_size,
	};
	return 0;
}

/* ---- buffers --------------------------------------------------------------------------------- */

struct reading {
	struct map_reader *reader;
	uint8_t *position, *next; /* where a batch begins, and the next one */
	uint8_t *keys, *values;
	uint32_t room;	/* entries */
	uint64_t steps; /* entries and batches that were read */
};

static uint64_t entry_bytes(const struct map_reader *reader)
{
	return reader->key_bytes + (uint64_t)reader->stride * reader->cpus;
}

static int set_room(struct reading *r, uint32_t room)
{
	uint8_t *keys = reallocarray(r->keys, room, r->reader->key_bytes), *values;

	if (!keys)
		return -ENOMEM;
	r->keys = keys;
	values = reallocarray(r->values, room, (size_t)r->reader->stride * r->reader->cpus);
	if (!values)
		return -ENOMEM;
	r->values = values;
	r->room = room;
	return 0;
}

/* The kernel's position in a hash table has 4 bytes, in other maps it is a key. */
static int begin_reading(struct reading *r)
{
	uint64_t bytes = entry_bytes(r->reader);
	uint64_t room = bytes < BATCH_BYTES / BATCH_ENTRIES ? BATCH_ENTRIES : BATCH_BYTES / bytes;

	if (r->reader->one_by_one || !room)
		room = 1;
	r->position = calloc(1, r->reader->key_bytes + 8);
	r->next = calloc(1, r->reader->key_bytes + 8);
	return r->position && r->next ? set_room(r, (uint32_t)room) : -ENOMEM;
}

static void end_reading(struct reading *r)
{
	free(r->position);
	free(r->next);
	free(r->keys);
	free(r->values);
}

static void advance(struct reading *r)
{
	uint8_t *position = r->position;

	r->position = r->next;
	r->next = position;
}

/*
 * A position that was deleted meanwhile can make the kernel begin again.  So a map whose keys are
 * deleted all the time could be read for ever.
 */
static bool is_endless(const struct reading *r)
{
	return r->steps > 4 * (uint64_t)r->reader->max_entries + 1024;
}

/* ---- one by one ------------------------------------------------------------------------------ */

static int read_one(struct reading *r, int (*each)(void *, const void *, const void *),
		    void *context)
{
	if (!bpf_map_lookup_elem(r->reader->fd, r->position, r->values))
		return each(context, r->position, r->values);
	return errno == ENOENT ? 0 : -errno; /* deleted meanwhile */
}

static int read_one_by_one(struct reading *r, int (*each)(void *, const void *, const void *),
			   void *context)
{
	const void *previous = NULL;
	int err = 0;

	for (; !err && !bpf_map_get_next_key(r->reader->fd, previous, r->next); r->steps++) {
		if (is_endless(r))
			return -EAGAIN;
		advance(r);
		previous = r->position;
		err = read_one(r, each, context);
		errno = ENOENT;
	}
	return err || errno == ENOENT ? err : -errno;
}

/* ---- batches --------------------------------------------------------------------------------- */

static int pass_on(const struct reading *r, uint32_t count,
		   int (*each)(void *, const void *, const void *), void *context)
{
	const uint8_t *key = r->keys, *values = r->values;
	int err = 0;

	for (; !err && count; count--) {
		err = each(context, key, values);
		key += r->reader->key_bytes;
		values += (size_t)r->reader->stride * r->reader->cpus;
	}
	return err;
}

/* A bucket of a hash table is read as a whole: it may have more entries than there is room for. */
static int grow_room(struct reading *r)
{
	if (2 * r->room * entry_bytes(r->reader) > BATCH_BYTES_MAX)
		return -ENOMEM;
	return set_room(r, 2 * r->room);
}

/*
 * -EINTR: entries of an LPM trie are deleted so fast that a batch ended early.  A batch that ends
 * with -ENOENT is the last one.
 */
static int read_batches(struct reading *r, int (*each)(void *, const void *, const void *),
			void *context)
{
	const uint8_t *position = NULL;

	while (!is_endless(r)) {
		uint32_t count = r->room;
		int err = bpf_map_lookup_batch(r->reader->fd, (void *)position, r->next, r->keys,
					       r->values, &count, NULL);
		bool is_last = err == -ENOENT;

		if (err == -ENOSPC) {
			err = grow_room(r);
			if (err)
				return err;
			continue;
		}
		if (err && !is_last && err != -EINTR)
			return err;
		err = pass_on(r, count, each, context);
		if (err || is_last)
			return err;
		r->steps += count + 1;
		if (!count)
			continue;
		advance(r);
		position = r->position;
	}
	return -EAGAIN;
}

static bool lacks_batches(const struct reading *r, int err)
{
	return !r->steps && (err == -EINVAL || err == -EOPNOTSUPP || err == -KERNELS_ENOTSUPP);
}

static int read_entries(struct reading *r, int (*each)(void *, const void *, const void *),
			void *context)
{
	if (!r->reader->one_by_one) {
		int err = read_batches(r, each, context);

		if (!lacks_batches(r, err))
			return err;
		r->reader->one_by_one = true;
	}
	return read_one_by_one(r, each, context);
}

int map_read__all(struct map_reader *reader,
		  int (*each)(void *context, const void *key, const void *values), void *context)
{
	struct reading r = { .reader = reader };
	int err = begin_reading(&r);

	if (!err)
		err = read_entries(&r, each, context);
	end_reading(&r);
	return err;
}
