// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* piece/decode.c: makes a batch of a piece, whose bytes may be anything. */
#include <errno.h>
#include <stdlib.h>

#include "base/errors.h"
#include "base/log.h"
#include "perf_data/read/file.h"
#include "piece/decoded.h"
#include "piece/point_bytes.h"
#include "piece/tasks.h"
#include "piece/wire.h"
#include "sys/boot_id.h"

/* An event of a batch, and the facts that the batch adds to it. */
#define EVENT_BYTES (sizeof(struct peat_event) + 64)

/* A NOTE_EVENT, for the record after it. */
struct next_event {
	bool is_set, late;
	uint32_t type, cause;
	struct strbuf tail;
};

struct decoding {
	struct piece_head head;
	struct decoded *decoded;
	struct peat_batch *batch;
	struct perf_file *file;
	struct peat_record record;
	struct next_event next;
	struct strbuf data; /* of an event with a tail */
	const char *why;    /* static: the reason of an -EBADMSG; NULL: none is known */
};

static int refuse(struct decoding *d, const char *why)
{
	d->why = d->why ?: why;
	return -EBADMSG;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Events of a full batch are no error here: its size is bounded by the bytes that are left. */
static int add_event(struct decoding *d, struct peat_event *event)
{
	int err;

	event->late = d->next.late;
	decoded__set_task(d->decoded, event);
	err = decoded__charge(d->decoded,
			      EVENT_BYTES + event->size + (event->comm ? strlen(event->comm) : 0));
	d->next.is_set = d->next.late = false;
	d->next.tail.count = 0;
	return err ?: peat_batch__add(d->batch, event);
}

/* The last byte of RAW is the number of bytes after the data. */
static int set_data(struct decoding *d, struct peat_event *event)
{
	const struct peat_sample *sample = &d->record.sample;
	const uint8_t *raw = sample->raw;
	uint32_t pad = sample->raw_bytes ? raw[sample->raw_bytes - 1] : 0;

	if (!pad || pad > sample->raw_bytes)
		return refuse(d, "the size of an event is wrong");
	event->data = raw;
	event->size = sample->raw_bytes - pad;
	if (!d->next.tail.count)
		return 0;
	d->data.count = 0;
	strbuf__bytes(&d->data, raw, event->size);
	strbuf__bytes(&d->data, d->next.tail.bytes, d->next.tail.count);
	event->data = d->data.bytes;
	event->size = (uint32_t)d->data.count;
	return d->data.failed ? -ENOMEM : 0;
}

static int add_sample(struct decoding *d)
{
	const struct peat_record *record = &d->record;
	const struct decoded_type *type = decoded__type(d->decoded, record->id);
	struct peat_event event = { .cpu = record->cpu,
				    .time_ns = record->time_ns,
				    .pid = record->pid,
				    .tid = record->tid };
	int err;

	if (!type)
		return refuse(d, "the type of an event is missing");
	event.kind = type->kind;
	event.type = type->type;
	event.schema = type->schema;
	event.map = type->map;
	err = set_data(d, &event);
	return err ?: add_event(d, &event);
}

static int add_lost(struct decoding *d)
{
	const struct peat_record *record = &d->record;
	struct peat_event event = { .kind = PEAT_EVENT_LOST,
				    .cpu = record->cpu,
				    .time_ns = record->time_ns,
				    .pid = record->pid,
				    .tid = record->tid,
				    .type = d->next.type,
				    .lost = record->lost_samples.lost,
				    .cause = d->next.cause };

	if (!d->next.is_set || !peat_lost_cause__name(event.cause))
		return refuse(d, "the cause of a loss is missing");
	return add_event(d, &event);
}

static int decode_record(struct decoding *d, const struct perf_entry *entry)
{
	const uint64_t ids = PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU;

	if (!entry->layout ||
	    peat_record__decode(entry->layout, entry->bytes, entry->size, &d->record) != 1)
		return refuse(d, "a record is damaged, or of an unknown event");
	if (d->record.type == PEAT_RECORD_MMAP || d->record.type == PEAT_RECORD_CGROUP)
		return 0;
	if ((d->record.has & ids) != ids)
		return refuse(d, "a record has no task, time and CPU");
	if (d->record.type == PEAT_RECORD_SAMPLE)
		return add_sample(d);
	if (d->record.type == PEAT_RECORD_COMM)
		return decoded__name_task(d->decoded, d->record.comm.tid, d->record.cpu,
					  d->record.comm.comm);
	if (d->record.type == PEAT_RECORD_LOST_SAMPLES)
		return add_lost(d);
	return refuse(d, "a record is of no kind that pieces have");
}

/* ---- notes ----------------------------------------------------------------------------------- */

static int read_event_note(struct decoding *d, const struct note *note)
{
	static const struct peat_layout layout;
	struct cursor cur;
	uint32_t flags;

	cursor__init(&cur, note->bytes, note->bytes + note->count, &layout);
	flags = cursor__u32(&cur);
	d->next.is_set = true;
	d->next.late = flags & WIRE_EVENT_IS_LATE;
	d->next.type = cursor__u32(&cur);
	d->next.cause = cursor__u32(&cur);
	d->next.tail.count = 0;
	strbuf__bytes(&d->next.tail, cur.at, cursor__left(&cur));
	return cur.bad		     ? refuse(d, "the note of an event is cut")
	       : d->next.tail.failed ? -ENOMEM
				     : 0;
}

static int read_point(struct decoding *d, const struct note *note)
{
	int err =
		decoded__charge(d->decoded, sizeof(struct peat_point) + 2 * (uint64_t)note->count);

	err = err ?: point_bytes__add(note->bytes, note->count, d->batch);
	return err == -EINVAL ? refuse(d, "a point is not valid") : err;
}

static int read_note(struct decoding *d, const struct perf_entry *entry)
{
	struct tool_record record;
	struct note note;

	if (tool_record__parse(entry->bytes, entry->size, false, &record) ||
	    !note__read(&record, &note))
		return refuse(d, "a note is damaged");
	switch (note.kind) {
	case NOTE_TYPE:
		return decoded__read_type(d->decoded, &note);
	case NOTE_TASK:
		return decoded__read_task(d->decoded, &note);
	case NOTE_IDENTITY:
		return decoded__read_identity(d->decoded, &note);
	case NOTE_EVENT:
		return read_event_note(d, &note);
	case NOTE_POINT:
		return read_point(d, &note);
	default:
		return 0; /* the head, and those of later versions */
	}
}

/* ---- the piece ------------------------------------------------------------------------------- */

static int read_entry(struct decoding *d, const struct perf_entry *entry)
{
	int err = decoded__charge(d->decoded, entry->size);

	if (err)
		return err;
	if (entry->type == TOOL_EVENT_TYPE)
		return read_note(d, entry);
	return entry->type < TOOL_HEADER_ATTR ? decode_record(d, entry) : 0;
}

static int read_entries(struct decoding *d)
{
	struct perf_entry entry;
	int ret;

	while ((ret = perf_file__next(d->file, &entry)) > 0) {
		int err = read_entry(d, &entry);

		if (err)
			return err;
	}
	if (ret < 0)
		return ret;
	if (perf_file__end(d->file)->how != PERF_END_WHOLE)
		return refuse(d, perf_file__end(d->file)->why);
	if (peat_batch__events(d->batch) != d->head.info.events ||
	    peat_batch__points(d->batch) != d->head.info.points)
		return refuse(d, "it has another number of events or points than it states");
	return 0;
}

static int check_head(struct decoding *d, const void *bytes, size_t count)
{
	if (piece__measure(bytes, count, NULL) != (ssize_t)count ||
	    head__read(bytes, count, &d->head) <= 0)
		return refuse(d, "its length or its checksum is wrong");
	return 0;
}

static int open_batch(struct decoding *d, uint64_t most)
{
	const uint8_t *boot_id = boot_id__running();
	struct peat_batch_opts opts = { .sz = sizeof(opts),
					.source = d->head.info.source,
					.bytes = UINT64_MAX,
					.wall_clock_ns = d->head.info.wall_clock_ns,
					.release = decoded__free };

	opts.arg = d->decoded = calloc(1, sizeof(*d->decoded));
	if (!d->decoded)
		return -ENOMEM;
	d->decoded->left = most;
	d->decoded->is_of_this_boot =
		boot_id && !memcmp(boot_id, d->head.boot_id, sizeof(d->head.boot_id));
	d->batch = peat_batch__new(&opts);
	if (!d->batch) {
		free(d->decoded);
		return -ENOMEM;
	}
	d->decoded->host = strdup(d->head.info.host);
	return d->decoded->host ? 0 : -ENOMEM;
}

static int decode(struct decoding *d, const void *bytes, size_t count, uint64_t most)
{
	int err = check_head(d, bytes, count);

	err = err ?: open_batch(d, most);
	err = err ?: perf_file__open_memory(&d->file, bytes, count, false, &d->why);
	return err ?: read_entries(d);
}

struct peat_batch *piece__decode(const void *bytes, size_t count, uint64_t most,
				 struct piece_info *info)
{
	struct decoding d = { .record.sz = sizeof(d.record) };
	int err = decode(&d, bytes, count, most);

	perf_file__close(d.file);
	strbuf__free(&d.next.tail);
	strbuf__free(&d.data);
	if (err == -EBADMSG)
		log__error("a piece of a recording cannot be decoded: %s",
			   d.why ?: "its types contradict each other");
	if (err) {
		peat_batch__unref(d.batch);
		return fail_null(err);
	}
	if (info) {
		*info = d.head.info;
		info->host = d.decoded->host;
		info->source = peat_batch__source(d.batch);
		info->decoded_bytes = most - d.decoded->left;
	}
	return d.batch;
}
