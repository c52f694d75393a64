// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/recorded_btfs.c: reads the BTF of a recording, and sorts its structs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "base/array.h"
#include "base/cursor.h"
#include "base/log.h"
#include "field/fields.h"
#include "replay/recorded_btfs.h"

/* Limits: more BPF programs than any machine has; longer than the name of any struct. */
#define BTFS_MAX       16384
#define NAME_MAX_BYTES 512

static int add_btf(struct recorded_btfs *btfs, const void *bytes, uint32_t count)
{
	struct btf *btf;

	if (btfs->count == BTFS_MAX)
		return 0;
	if (!ARRAY_RESERVE_NEXT(btfs->at, btfs->count))
		return -ENOMEM;
	btf = btf__new(bytes, count);
	if (!btf)
		return errno == ENOMEM ? -ENOMEM : 0;
	btfs->at[btfs->count++] = btf;
	return 0;
}

/* Events may also be unions, and called by a typedef. */
static bool is_struct(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	int named = btf_is_typedef(type) ? btf__resolve_type(btf, id) : (int)id;

	return named > 0 && btf_is_composite(btf__type_by_id(btf, (uint32_t)named));
}

static int add_struct(struct recorded_btfs *btfs, const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *name = is_struct(btf, id) ? btf__name_by_offset(btf, type->name_off) : NULL;

	if (!name || !*name || strnlen(name, NAME_MAX_BYTES) == NAME_MAX_BYTES)
		return 0;
	if (!ARRAY_RESERVE(btfs->structs, btfs->struct_count, btfs->struct_room))
		return -ENOMEM;
	btfs->structs[btfs->struct_count] = (struct recorded_struct){
		.name = name, .btf = btf, .id = id, .order = btfs->struct_count
	};
	btfs->struct_count++;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct recorded_struct *one = a, *two = b;
	int order = strcmp(one->name, two->name);

	return order ? order : (one->order > two->order) - (one->order < two->order);
}

/* Sorts all structs by name, so that a lookup stays fast however many events there are. */
static int index_structs(struct recorded_btfs *btfs)
{
	int err = 0;

	for (uint32_t i = 0; i < btfs->count; i++)
		for (uint32_t id = 1; id < btf__type_cnt(btfs->at[i]) && !err; id++)
			err = add_struct(btfs, btfs->at[i], id);
	if (btfs->struct_count)
		qsort(btfs->structs, btfs->struct_count, sizeof(*btfs->structs), by_name);
	return err;
}

/* BTF that libbpf cannot parse is skipped: it may come from another kernel. */
int recorded_btfs__read(struct recorded_btfs *btfs, const void *bytes, size_t count, bool swapped,
			const char **why)
{
	const struct peat_layout layout = { .swapped = swapped };
	struct cursor cur;
	uint32_t entries;
	int err = 0;

	cursor__init(&cur, bytes, (const uint8_t *)bytes + count, &layout);
	entries = cursor__u32(&cur);
	for (uint32_t i = 0; i < entries && !err && !cur.bad; i++) {
		uint32_t btf_bytes;
		const void *btf;

		cursor__u32(&cur); /* id on the recorded machine */
		btf_bytes = cursor__u32(&cur);
		btf = cursor__bytes(&cur, btf_bytes);
		err = btf ? add_btf(btfs, btf, btf_bytes) : 0;
	}
	*why = "the BTF in it ends too early";
	if (!err)
		err = index_structs(btfs);
	return err ? err : cur.bad ? -EBADMSG : 0;
}

struct recorded_struct *recorded_btfs__find(const struct recorded_btfs *btfs, const char *name)
{
	uint32_t low = 0, high = btfs->struct_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(btfs->structs[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < btfs->struct_count && !strcmp(btfs->structs[low].name, name)
		       ? &btfs->structs[low]
		       : NULL;
}

/* ---- schemas --------------------------------------------------------------------------------- */

/* Work for each type of the BTF, which is searched for tags, and for a struct that is refused. */
#define TYPE_WORK    4
#define REFUSED_WORK (1u << 20)

static uint64_t work_of(const struct peat_schema *schema)
{
	const struct peat_name *last = NULL;
	uint64_t work = schema->count * sizeof(*schema->fields);

	for (uint32_t i = 0; i < schema->count; i++) {
		const struct peat_field *field = &schema->fields[i];

		work += strlen(field->name) + (field->doc ? strlen(field->doc) : 0);
		for (uint32_t n = 0; field->names != last && n < field->name_count; n++)
			work += sizeof(*field->names) + strlen(field->names[n].name);
		last = field->names;
	}
	return work;
}

void recorded_btfs__add_work(struct recorded_btfs *btfs, uint64_t bytes)
{
	btfs->work += bytes;
	if (btfs->work < RECORDED_BTFS_WORK_MAX || btfs->is_exhausted)
		return;
	btfs->is_exhausted = true;
	log__warn("the recording's types are too many or too large: "
		  "its other events have the fields of their formats, or are shown as bytes");
}

struct peat_schema *recorded_btfs__new_schema(struct recorded_btfs *btfs,
					      const struct recorded_struct *found)
{
	struct peat_schema *schema;
	int err;

	if (btfs->is_exhausted) {
		errno = E2BIG;
		return NULL;
	}
	schema = peat_schema__new(found->btf, found->id);
	err = errno;
	recorded_btfs__add_work(btfs, (uint64_t)btf__type_cnt(found->btf) * TYPE_WORK +
					      (schema ? work_of(schema) : REFUSED_WORK));
	errno = err;
	return schema;
}

void recorded_btfs__free(struct recorded_btfs *btfs)
{
	for (uint32_t i = 0; i < btfs->struct_count; i++)
		peat_schema__free(btfs->structs[i].schema);
	for (uint32_t i = 0; i < btfs->count; i++)
		btf__free(btfs->at[i]);
	free(btfs->structs);
	free(btfs->at);
	*btfs = (struct recorded_btfs){ 0 };
}
