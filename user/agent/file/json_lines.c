// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/json_lines.c: prints the events and points of a batch as lines of JSON. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include <peat/sink.h>

#include "base/json_value.h"
#include "field/field_text.h"
#include "file/json_lines.h"

struct lines {
	struct zstd_frames *frames; /* NULL: not compressed */
	struct strbuf *out;
};

/* The bytes of whole lines that are at most a block of zstd; those of the first line, if it is
 * longer. */
static size_t of_block(const char *bytes, size_t count)
{
	const char *end;

	if (count <= ZSTD_FRAMES_BLOCK)
		return count;
	end = memrchr(bytes, '\n', ZSTD_FRAMES_BLOCK) ?: memchr(bytes, '\n', count);
	return end ? (size_t)(end + 1 - bytes) : count;
}

/* A block ends with a line: a process that finds half of the blocks goes on after a whole line. */
static int put_blocks(struct lines *lines, const char *bytes, size_t count)
{
	int err = 0;

	while (count && !err) {
		size_t part = of_block(bytes, count);

		err = zstd_frames__add(lines->frames, bytes, part, lines->out);
		bytes += part;
		count -= part;
	}
	return err;
}

static int put(void *arg, const char *bytes, size_t count)
{
	struct lines *lines = arg;

	if (lines->frames)
		return put_blocks(lines, bytes, count);
	strbuf__bytes(lines->out, bytes, count);
	return lines->out->failed ? -ENOMEM : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

/*
 * A sink for each batch: a sink remembers schemas by their address, and the schemas of another
 * batch may have the addresses of schemas that are gone.
 */
static int put_events(const struct peat_batch *batch, struct lines *lines, uint64_t *refused)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_sink_opts opts = { .sz = sizeof(opts),
				       .wall_clock_ns = peat_batch__wall_clock(batch),
				       .output = put,
				       .output_arg = lines };
	struct peat_sink *sink;
	struct peat_event event;
	int err = 0;

	if (!peat_batch__next(batch, &at, &event))
		return 0;
	sink = peat_sink__new_json(-1, &opts);
	if (!sink)
		return -errno;
	do {
		err = peat_sink__write(sink, &event);
		if (err == -ENOMEM)
			*refused +=
				event.kind == PEAT_EVENT_DATA || event.kind == PEAT_EVENT_RECORD;
	} while ((!err || err == -ENOMEM) && peat_batch__next(batch, &at, &event));
	err = peat_sink__flush(sink); /* fails if any write to the output has failed */
	peat_sink__free(sink);
	return err;
}

/* ---- points ---------------------------------------------------------------------------------- */

static void append_name(struct strbuf *out, const char *name)
{
	strbuf__char(out, ',');
	json_value__name(out, name);
	strbuf__char(out, ':');
}

static void append_text(struct strbuf *out, const char *name, const char *text)
{
	append_name(out, name);
	json_value__string(out, text, strlen(text));
}

static void append_number(struct strbuf *out, double value)
{
	if (isfinite(value))
		field_text__append_float(out, "%.17g", value);
	else
		strbuf__text(out, "null");
}

static void append_time(struct strbuf *out, const char *name, uint64_t time_ns)
{
	time_t second = (time_t)(time_ns / 1000000000);
	char date[32];
	struct tm tm;

	append_name(out, name);
	if (!gmtime_r(&second, &tm) || !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm)) {
		strbuf__text(out, "null");
		return;
	}
	strbuf__char(out, '"');
	strbuf__text(out, date);
	strbuf__char(out, '.');
	strbuf__padded(out, time_ns % 1000000000, 9);
	strbuf__text(out, "Z\"");
}

static void append_labels(struct strbuf *out, const struct peat_point *point)
{
	append_name(out, "labels");
	strbuf__char(out, '{');
	for (uint32_t i = 0; i < point->label_count; i++) {
		const char *value = point->labels[i].value;

		strbuf__text(out, i ? "," : "");
		json_value__name(out, point->labels[i].name);
		strbuf__char(out, ':');
		json_value__string(out, value, strlen(value));
	}
	strbuf__char(out, '}');
}

static void append_buckets(struct strbuf *out, const struct peat_point *point)
{
	append_name(out, "count");
	strbuf__unsigned(out, point->count);
	append_name(out, "sum");
	append_number(out, point->value);
	append_name(out, "buckets");
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < point->bucket_count; i++) {
		strbuf__text(out, i ? ",{\"upper\":" : "{\"upper\":");
		append_number(out, point->buckets[i].upper);
		append_name(out, "count");
		strbuf__unsigned(out, point->buckets[i].count);
		strbuf__char(out, '}');
	}
	strbuf__char(out, ']');
}

static void append_value(struct strbuf *out, const struct peat_point *point)
{
	switch (point->kind) {
	case PEAT_POINT_COUNTER:
		append_name(out, "value");
		strbuf__unsigned(out, point->count);
		return;
	case PEAT_POINT_GAUGE:
		append_name(out, "value");
		append_number(out, point->value);
		return;
	case PEAT_POINT_HISTOGRAM:
		append_buckets(out, point);
	}
}

static void append_point(struct strbuf *out, const struct peat_point *point)
{
	static const char *const kinds[] = { "counter", "gauge", "histogram" };

	strbuf__text(out, "{\"type\":\"point\"");
	append_text(out, "name", point->name);
	append_text(out, "kind", kinds[point->kind]);
	if (point->unit)
		append_text(out, "unit", point->unit);
	append_labels(out, point);
	append_time(out, "time", point->time_ns);
	if (point->start_ns)
		append_time(out, "start", point->start_ns);
	append_value(out, point);
	strbuf__text(out, "}\n");
}

int json_lines__add_points(const struct peat_batch *batch, struct strbuf *out)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_point point = { .sz = sizeof(point) };

	while (!out->failed && peat_batch__next_point(batch, &at, &point))
		append_point(out, &point);
	return out->failed ? -ENOMEM : 0;
}

static int put_points(const struct peat_batch *batch, struct lines *lines)
{
	struct strbuf text = { 0 };
	int err = json_lines__add_points(batch, &text);

	if (!err && text.count)
		err = put(lines, text.bytes, text.count);
	strbuf__free(&text);
	return err;
}

int json_lines__add(const struct peat_batch *batch, struct zstd_frames *frames, struct strbuf *out,
		    uint64_t *refused)
{
	struct lines lines = { .frames = frames, .out = out };
	int err;

	*refused = 0;
	err = put_events(batch, &lines, refused);
	return err ?: put_points(batch, &lines);
}
