// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* piece/preamble.c: writes the types of events, and facts of the machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <peat/peat.h>

#include "base/array.h"
#include "perf_data/features.h"
#include "perf_data/note.h"
#include "perf_data/write/feature_encode.h"
#include "perf_data/write/tool_encode.h"
#include "piece/preamble.h"
#include "piece/wire.h"
#include "record/attr_encode.h"
#include "record/encode.h"
#include "schema/schema_bytes.h"
#include "sys/kallsyms.h"
#include "sys/kernel_id.h"
#include "tracing_data/naming.h"

#define SW_DUMMY     9
#define KERNEL_BYTES (512u << 20) /* of its code, at most */

/* Bytes of a schema in one note. */
#define PART_MOST 32768u

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_type(const struct piece_type *type, const struct peat_event *event,
		    const struct strbuf *schema)
{
	return type->type == event->type && type->kind == event->kind &&
	       type->has_owner == event->has_owner && is_same_text(type->map, event->map) &&
	       type->schema.count == schema->count &&
	       (!schema->count || !memcmp(type->schema.bytes, schema->bytes, schema->count));
}

static const char *name_of(const struct peat_event *event)
{
	return event->schema ? peat_schema__name(event->schema) : event->map ?: "bytes";
}

static void free_type(struct piece_type *type)
{
	free(type->map);
	free(type->name);
	strbuf__free(&type->schema);
}

static int add_type(struct piece_types *types, const struct peat_event *event)
{
	char name[NAMING_BYTES];
	struct piece_type type;

	if (types->count == WIRE_TYPES_MAX)
		return -E2BIG;
	naming__event(name_of(event), name);
	type = (struct piece_type){ .type = event->type,
				    .kind = event->kind,
				    .has_owner = event->has_owner,
				    .map = event->map ? strdup(event->map) : NULL,
				    .name = strdup(name) };
	strbuf__bytes(&type.schema, types->scratch.bytes ?: "", types->scratch.count);
	if (!type.name || (event->map && !type.map) || type.schema.failed ||
	    !ARRAY_RESERVE_NEXT(types->at, types->count)) {
		free_type(&type);
		return -ENOMEM;
	}
	types->at[types->count++] = type;
	return 0;
}

int64_t piece_types__find(struct piece_types *types, const struct peat_event *event)
{
	int err;

	if (types->scratch.failed)
		strbuf__free(&types->scratch);
	types->scratch.count = 0;
	if (event->schema)
		schema_bytes__put(event->schema, &types->scratch);
	if (types->scratch.failed)
		return -ENOMEM;
	for (uint32_t i = 0; i < types->count; i++)
		if (is_type(&types->at[i], event, &types->scratch))
			return i;
	err = add_type(types, event);
	return err ? err : (int64_t)types->count - 1;
}

void piece_types__free(struct piece_types *types)
{
	for (uint32_t i = 0; i < types->count; i++)
		free_type(&types->at[i]);
	free(types->at);
	strbuf__free(&types->scratch);
	*types = (struct piece_types){ 0 };
}

/* ---- attrs ----------------------------------------------------------------------------------- */

struct peat_layout preamble__layout(bool has_owner)
{
	struct peat_layout layout = attr_encode__bpf_output().layout;

	layout.sample_type |= has_owner ? PEAT_SAMPLE_CGROUP : 0;
	return layout;
}

static int put_attr(const char *name, uint64_t id, struct perf_attr attr, struct strbuf *out)
{
	int err;

	attr.ids = &id;
	attr.ids_count = 1;
	err = tool_encode__attr(out, &attr);
	return err ?: tool_encode__name(out, id, name);
}

/* Stock perf needs an event. */
static int put_dummy(struct strbuf *out)
{
	struct perf_attr attr = attr_encode__bpf_output();

	attr.config = SW_DUMMY;
	attr.layout.sample_type &= ~(uint64_t)(PEAT_SAMPLE_RAW | PEAT_SAMPLE_IP);
	return put_attr(NAMING_PREFIX "records", PREAMBLE_SIDE_ID, attr, out);
}

static int put_attrs(const struct piece_types *types, struct strbuf *out)
{
	int err = types->count ? 0 : put_dummy(out);

	for (uint32_t i = 0; !err && i < types->count; i++) {
		struct perf_attr attr = attr_encode__bpf_output();

		attr.layout = preamble__layout(types->at[i].has_owner);
		err = put_attr(types->at[i].name, preamble__id(i), attr, out);
	}
	return err;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static int put_feature(unsigned bit, struct strbuf *feature, struct strbuf *out)
{
	int err = feature->failed ? -ENOMEM
				  : tool_encode__feature(out, bit, feature->bytes, feature->count);

	strbuf__free(feature);
	return err;
}

static int put_text(unsigned bit, const char *text, struct strbuf *out)
{
	struct strbuf feature = { 0 };

	feature_encode__text(&feature, text);
	return put_feature(bit, &feature, out);
}

static int put_cpus(struct strbuf *out)
{
	long available = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
	struct strbuf feature = { 0 };

	feature_encode__nrcpus(&feature, available > 0 ? (uint32_t)available : 1,
			       online > 0 ? (uint32_t)online : 1);
	return put_feature(FEATURE_NRCPUS, &feature, out);
}

/* perf 6.1 needs all of these. */
static int put_machine(const char *host, struct strbuf *out)
{
	struct utsname machine;
	int err;

	if (uname(&machine))
		return -errno;
	err = put_text(FEATURE_HOSTNAME, host, out);
	err = err ?: put_text(FEATURE_OSRELEASE, machine.release, out);
	err = err ?: put_text(FEATURE_VERSION, "peat " PEAT_VERSION, out);
	err = err ?: put_text(FEATURE_ARCH, machine.machine, out);
	err = err ?: put_cpus(out);
	return err ?: put_text(FEATURE_CPUDESC, machine.machine, out);
}

static int put_compressed(int level, struct strbuf *out)
{
	struct strbuf feature = { 0 };

	if (!level)
		return 0;
	feature_encode__compressed(&feature, level, 1);
	return put_feature(FEATURE_COMPRESSED, &feature, out);
}

/* The start of the kernel's code, by which readers find out whether theirs is the same. */
static int put_kernel(struct strbuf *out)
{
	const struct peat_layout layout = preamble__layout(false);
	struct peat_record record = { .type = PEAT_RECORD_MMAP,
				      .misc = PEAT_MISC_KERNEL,
				      .mmap = { .pid = UINT32_MAX, .len = KERNEL_BYTES } };
	char filename[64];
	const char *name;

	if (!kallsyms__text(&name, &record.mmap.addr))
		return 0;
	record.mmap.pgoff = record.mmap.addr;
	snprintf(filename, sizeof(filename), "[kernel.kallsyms]%s", name);
	record.mmap.filename = filename;
	return encode__record(out, &layout, &record);
}

/* An entry of the feature is a record that only lacks the type. */
static int put_kernel_id(struct strbuf *out)
{
	const uint8_t *id = kernel_id__running();
	size_t start = out->count;
	uint32_t type = TOOL_BUILD_ID;

	if (!id)
		return 0;
	feature_encode__kernel_id(out, id, KERNEL_ID_BYTES);
	if (out->failed)
		return -ENOMEM;
	memcpy(out->bytes + start, &type, sizeof(type));
	return 0;
}

int preamble__put_attrs(const struct piece_types *types, const char *host, int level,
			struct strbuf *out)
{
	int err = put_attrs(types, out);

	err = err ?: put_machine(host, out);
	err = err ?: put_compressed(level, out);
	return err ?: put_kernel_id(out);
}

/* ---- schemas --------------------------------------------------------------------------------- */

static int put_part(const struct piece_type *type, uint64_t id, uint32_t at, struct strbuf *note,
		    struct strbuf *out)
{
	uint32_t left = (uint32_t)type->schema.count - at;

	note->count = 0;
	store_u32(note, (uint32_t)id);
	store_u32(note, type->type);
	store_u32(note, type->kind);
	store_u32(note, type->has_owner ? WIRE_TYPE_HAS_OWNER : 0);
	store_u32(note, (uint32_t)type->schema.count);
	store_u32(note, at);
	wire__put_text(note, type->map);
	if (left)
		strbuf__bytes(note, type->schema.bytes + at, left < PART_MOST ? left : PART_MOST);
	return note->failed ? -ENOMEM : note__put(out, NOTE_TYPE, note->bytes, note->count);
}

int preamble__put_types(const struct piece_types *types, struct strbuf *out)
{
	struct strbuf note = { 0 };
	int err = 0;

	for (uint32_t i = 0; i < types->count; i++) {
		const struct piece_type *type = &types->at[i];
		uint32_t at = 0;

		do {
			err = err ?: put_part(type, preamble__id(i), at, &note, out);
			at += PART_MOST;
		} while (!err && at < type->schema.count);
	}
	strbuf__free(&note);
	return err ?: put_kernel(out);
}
