// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* piece/encode.c: makes a piece of a batch. */
#include <errno.h>
#include <stdlib.h>

#include "base/errors.h"
#include "base/log.h"
#include "perf_data/features.h"
#include "perf_data/note.h"
#include "perf_data/write/deflate.h"
#include "perf_data/write/feature_encode.h"
#include "perf_data/write/tool_encode.h"
#include "piece/head.h"
#include "piece/point_bytes.h"
#include "piece/preamble.h"
#include "piece/tasks.h"
#include "piece/wire.h"
#include "record/encode.h"
#include "sys/boot_id.h"
#include "sys/kernel_id.h"

#define LEVEL_MAX 22
#define MONOTONIC 1 /* the clock of events */

/* Each piece has so many types although its batch has no event of them: they are written once. */
#define TYPES_KEPT 32

_Static_assert(BOOT_ID_BYTES == HEAD_BOOT_ID_BYTES, "the id fits");

/* A type of the batch that is being encoded. */
struct used_type {
	struct hash_link link;
	const struct peat_schema *schema;
	const char *map;
	uint32_t type;
	enum peat_event_kind kind;
	bool has_owner;
	uint32_t index; /* in the encoder's types */
};

struct piece_encoder {
	char *host;
	int level;
	struct deflate *deflate; /* NULL: no compression */
	struct piece_types types;
	uint32_t described; /* types of the next two */
	struct strbuf attrs, notes;
	struct strbuf records; /* of the piece */
	struct piece_tasks tasks;
	struct hash used;    /* by schema and type */
	struct arena memory; /* of these */
	struct used_type *last;
	struct peat_layout side; /* of records that are not samples */
};

struct piece_encoder *piece_encoder__new(const char *host, int level)
{
	struct piece_encoder *encoder;

	if (level < 0 || level > LEVEL_MAX) {
		log__error("level must be 0 to %d", LEVEL_MAX);
		return fail_null(-EINVAL);
	}
	encoder = calloc(1, sizeof(*encoder));
	if (!encoder)
		return fail_null(-ENOMEM);
	encoder->host = strdup(host);
	encoder->level = level;
	encoder->deflate = level ? deflate__new(level) : NULL;
	encoder->side = preamble__layout(false);
	encoder->described = UINT32_MAX;
	boot_id__running(); /* now: files of the kernel may be out of reach later */
	kernel_id__running();
	if (encoder->host && (encoder->deflate || !level))
		return encoder;
	piece_encoder__free(encoder);
	return fail_null(-ENOMEM);
}

void piece_encoder__free(struct piece_encoder *encoder)
{
	if (!encoder)
		return;
	deflate__free(encoder->deflate);
	piece_types__free(&encoder->types);
	piece_tasks__free(&encoder->tasks);
	hash__free(&encoder->used);
	arena__free(&encoder->memory);
	strbuf__free(&encoder->attrs);
	strbuf__free(&encoder->notes);
	strbuf__free(&encoder->records);
	free(encoder->host);
	free(encoder);
}

/* ---- types ----------------------------------------------------------------------------------- */

static inline bool is_of(const struct used_type *used, const struct peat_event *event)
{
	return used->schema == event->schema && used->type == event->type &&
	       used->kind == event->kind && used->map == event->map &&
	       used->has_owner == event->has_owner;
}

static int add_used(struct piece_encoder *encoder, const struct peat_event *event, uint64_t code)
{
	int64_t index = piece_types__find(&encoder->types, event);
	struct used_type *used;

	if (index < 0)
		return (int)index;
	used = arena__take(&encoder->memory, sizeof(*used));
	if (!used)
		return -ENOMEM;
	*used = (struct used_type){ .schema = event->schema,
				    .map = event->map,
				    .type = event->type,
				    .kind = event->kind,
				    .has_owner = event->has_owner,
				    .index = (uint32_t)index };
	encoder->last = used;
	return hash__add(&encoder->used, &used->link, code);
}

/* Sets encoder->last.  0 or a negative errno. */
static int find_type(struct piece_encoder *encoder, const struct peat_event *event)
{
	uint64_t code;
	struct hash_link *link;

	if (encoder->last && is_of(encoder->last, event))
		return 0;
	code = hash__number((uintptr_t)event->schema ^ event->type);
	link = hash__first(&encoder->used, code);
	while (link && !is_of(HASH_ENTRY(link, struct used_type, link), event))
		link = hash__next(link);
	if (!link)
		return add_used(encoder, event, code);
	encoder->last = HASH_ENTRY(link, struct used_type, link);
	return 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* A sample: header, IDENTIFIER, IP, TID, TIME, CPU, RAW, and possibly CGROUP. */
#define SAMPLE_HEAD_BYTES 52
#define SAMPLE_RAW_AT	  48
#define SAMPLE_PAD_MOST	  8
#define SAMPLE_DATA_MOST                                                                           \
	(ENCODE_RECORD_MOST - SAMPLE_HEAD_BYTES - SAMPLE_PAD_MOST - (uint32_t)sizeof(uint64_t))

struct sample_head {
	uint32_t type;
	uint16_t misc, size;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
	uint32_t raw_bytes;
	uint32_t not_part;
};

_Static_assert(offsetof(struct sample_head, raw_bytes) == SAMPLE_RAW_AT, "no holes");

static int put_sample(struct piece_encoder *encoder, const struct peat_event *event)
{
	uint32_t data = event->size < SAMPLE_DATA_MOST ? event->size : SAMPLE_DATA_MOST;
	uint32_t pad = SAMPLE_PAD_MOST - (SAMPLE_HEAD_BYTES + data) % SAMPLE_PAD_MOST;
	uint32_t end = SAMPLE_HEAD_BYTES + data + pad;
	const struct used_type *type = encoder->last;
	const struct sample_head head = {
		.type = PEAT_RECORD_SAMPLE,
		.misc = PEAT_MISC_KERNEL,
		.size = (uint16_t)(end + (type->has_owner ? sizeof(uint64_t) : 0)),
		.id = preamble__id(type->index),
		.pid = event->pid,
		.tid = event->tid,
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.raw_bytes = data + pad,
	};
	char *to = strbuf__room(&encoder->records, end + sizeof(uint64_t));

	if (!to)
		return -ENOMEM;
	memcpy(to, &head, SAMPLE_HEAD_BYTES);
	if (data)
		memcpy(to + SAMPLE_HEAD_BYTES, event->data, data);
	memset(to + end - pad, 0, pad);
	to[end - 1] = (char)pad;
	if (type->has_owner)
		memcpy(to + end, &event->cgroup, sizeof(event->cgroup));
	encoder->records.count += head.size;
	return 0;
}

/* Facts of the event for which its record has no field. */
static int put_event_note(struct piece_encoder *encoder, const struct peat_event *event)
{
	struct strbuf note = { 0 };
	int err;

	store_u32(&note, event->late ? WIRE_EVENT_IS_LATE : 0);
	store_u32(&note, event->type);
	store_u32(&note, event->cause);
	if (event->kind != PEAT_EVENT_LOST && event->size > SAMPLE_DATA_MOST)
		strbuf__bytes(&note, (const char *)event->data + SAMPLE_DATA_MOST,
			      event->size - SAMPLE_DATA_MOST);
	err = note.failed ? -ENOMEM
			  : note__put(&encoder->records, NOTE_EVENT, note.bytes, note.count);
	strbuf__free(&note);
	return err;
}

static int put_lost(struct piece_encoder *encoder, const struct peat_event *event)
{
	const struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
					    .time_ns = event->time_ns,
					    .cpu = event->cpu,
					    .pid = event->pid,
					    .tid = event->tid,
					    .id = PREAMBLE_SIDE_ID,
					    .lost_samples.lost = event->lost };
	int err = put_event_note(encoder, event);

	return err ?: encode__record(&encoder->records, &encoder->side, &record);
}

static int put_event(struct piece_encoder *encoder, const struct peat_event *event)
{
	int err = piece_tasks__put(&encoder->tasks, event, &encoder->side, &encoder->records);

	if (err || event->kind == PEAT_EVENT_LOST)
		return err ?: put_lost(encoder, event);
	err = find_type(encoder, event);
	if (!err && (event->late || event->size > SAMPLE_DATA_MOST))
		err = put_event_note(encoder, event);
	return err ?: put_sample(encoder, event);
}

static int put_events(struct piece_encoder *encoder, const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;
	int err = 0;

	while (!err && peat_batch__next(batch, &at, &event))
		err = put_event(encoder, &event);
	return err;
}

static int put_points(struct piece_encoder *encoder, const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_point point = { .sz = sizeof(point) };
	struct strbuf note = { 0 };
	int err = 0;

	while (!err && peat_batch__next_point(batch, &at, &point)) {
		note.count = 0;
		point_bytes__put(&point, &note);
		err = note.failed
			      ? -ENOMEM
			      : note__put(&encoder->records, NOTE_POINT, note.bytes, note.count);
	}
	strbuf__free(&note);
	return err;
}

/* ---- the piece ------------------------------------------------------------------------------- */

/* Memory may be free again. */
static void restart(struct strbuf *bytes)
{
	if (bytes->failed)
		strbuf__free(bytes);
	bytes->count = 0;
}

/* The types are described anew only if there is a new one. */
static int describe(struct piece_encoder *encoder)
{
	int err;

	if (encoder->described == encoder->types.count)
		return 0;
	restart(&encoder->attrs);
	restart(&encoder->notes);
	err = preamble__put_attrs(&encoder->types, encoder->host, encoder->level, &encoder->attrs)
		      ?: preamble__put_types(&encoder->types, &encoder->notes);
	encoder->described = err ? UINT32_MAX : encoder->types.count;
	return err;
}

static int put_clock(int64_t wall_clock_ns, struct strbuf *out)
{
	struct strbuf clock = { 0 };
	int err;

	feature_encode__clock_data(&clock, MONOTONIC, (uint64_t)wall_clock_ns, 0);
	err = clock.failed
		      ? -ENOMEM
		      : tool_encode__feature(out, FEATURE_CLOCK_DATA, clock.bytes, clock.count);
	strbuf__free(&clock);
	return err;
}

static int put_records(struct piece_encoder *encoder, const struct strbuf *records,
		       struct strbuf *out)
{
	if (encoder->deflate && records->count)
		return deflate__records(encoder->deflate, records->bytes, records->count, out);
	strbuf__bytes(out, records->bytes ?: "", records->count);
	return 0;
}

static void put_head(const struct piece_encoder *encoder, const struct peat_batch *batch,
		     const struct peat_origin *origin, struct strbuf *out)
{
	const uint8_t *boot_id = boot_id__running();
	struct piece_head head = { .info = { .host = encoder->host,
					     .source = peat_batch__source(batch),
					     .run = origin->run,
					     .number = origin->number,
					     .first = origin->first,
					     .events = peat_batch__events(batch),
					     .points = peat_batch__points(batch),
					     .wall_clock_ns = peat_batch__wall_clock(batch) } };

	if (boot_id)
		memcpy(head.boot_id, boot_id, sizeof(head.boot_id));
	head__put(&head, out);
}

static int put_piece(struct piece_encoder *encoder, const struct peat_batch *batch,
		     const struct peat_origin *origin, struct strbuf *out)
{
	size_t start = out->count;
	int err;

	put_head(encoder, batch, origin, out);
	strbuf__bytes(out, encoder->attrs.bytes, encoder->attrs.count);
	err = put_clock(peat_batch__wall_clock(batch), out);
	err = err ?: put_records(encoder, &encoder->notes, out);
	err = err ?: put_records(encoder, &encoder->records, out);
	if (!err && out->failed)
		err = -ENOMEM;
	return err ?: head__seal(out, start);
}

static void begin(struct piece_encoder *encoder)
{
	if (encoder->deflate)
		deflate__reset(encoder->deflate);
	if (encoder->types.count > encoder->used.count + TYPES_KEPT) {
		piece_types__free(&encoder->types);
		encoder->described = UINT32_MAX;
	}
	restart(&encoder->records);
	piece_tasks__clear(&encoder->tasks);
	hash__free(&encoder->used);
	arena__free(&encoder->memory);
	encoder->last = NULL;
}

static int encode(struct piece_encoder *encoder, const struct peat_batch *batch,
		  const struct peat_origin *origin, struct strbuf *out)
{
	int err;

	begin(encoder);
	err = put_events(encoder, batch);
	err = err ?: put_points(encoder, batch);
	err = err ?: describe(encoder);
	return err ?: put_piece(encoder, batch, origin, out);
}

int piece__encode(struct piece_encoder *encoder, const struct peat_batch *batch,
		  const struct peat_origin *origin, struct strbuf *out)
{
	size_t start = out->count;
	int err = encode(encoder, batch, origin, out);

	if (!err)
		return 0;
	if (err != -ENOMEM)
		log__error("source %s: cannot encode a batch: %s", peat_batch__source(batch),
			   err == -E2BIG ? "a name, a point or the whole is too large"
					 : strerror(-err));
	strbuf__cut(out, start);
	out->failed = false; /* memory may be free again later */
	return fail(err);
}
