// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* receiver/event_lines.c: prints events of hosts as text and JSON. */
#include <stdlib.h>
#include <string.h>

#include <peat/sink.h>
#include <peat/text.h>

#include "base/errors.h"
#include "base/json_value.h"
#include "file/json_lines.h"
#include "receiver/event_lines.h"

/* The widest column of hosts. */
#define HOST_WIDTH_MAX 32

/*
 * A sink and an expression for each batch: both remember schemas by their address, and the schemas
 * of another batch may have the addresses of schemas that are gone.
 */
struct batch_lines {
	struct event_lines *lines;
	char *prefix; /* of each line: "web1 ", or {"host":"web1", */
	size_t prefix_bytes;
	struct peat_sink *sink;
	struct batch_where where;
};

void event_lines__free(struct event_lines *lines)
{
	strbuf__free(&lines->out);
	strbuf__free(&lines->where.misfits);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Whole lines.  Objects of JSON have members: the brace is replaced by the prefix. */
static int put_lines(void *arg, const char *bytes, size_t count)
{
	struct batch_lines *batch = arg;
	struct strbuf *out = &batch->lines->out;
	const char *end = bytes + count;

	while (bytes < end) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
		const char *next = newline ? newline + 1 : end;

		strbuf__bytes(out, batch->prefix, batch->prefix_bytes);
		bytes += batch->lines->is_json;
		strbuf__bytes(out, bytes, (size_t)(next - bytes));
		bytes = next;
	}
	return out->failed ? -ENOMEM : 0;
}

/* ---- batches --------------------------------------------------------------------------------- */

static void put_text_prefix(struct event_lines *lines, struct strbuf *prefix, const char *host)
{
	char escaped[4 * PIECE_NAME_MAX + 1];
	size_t width;

	peat_text__escape(escaped, sizeof(escaped), host, strlen(host));
	width = strlen(escaped);
	if (width > lines->host_width)
		lines->host_width = width < HOST_WIDTH_MAX ? width : HOST_WIDTH_MAX;
	strbuf__text(prefix, escaped);
	strbuf__fill(prefix, ' ', (width < lines->host_width ? lines->host_width - width : 0) + 1);
}

static int make_prefix(struct batch_lines *batch, const char *host)
{
	struct strbuf prefix = { 0 };

	if (batch->lines->is_json) {
		strbuf__text(&prefix, "{\"host\":");
		json_value__string(&prefix, host, strlen(host));
		strbuf__char(&prefix, ',');
	} else {
		put_text_prefix(batch->lines, &prefix, host);
	}
	if (prefix.failed) {
		strbuf__free(&prefix);
		return -ENOMEM;
	}
	batch->prefix = prefix.bytes;
	batch->prefix_bytes = prefix.count;
	return 0;
}

static int make_sink(struct batch_lines *batch, int64_t wall_clock_ns)
{
	const struct peat_sink_opts opts = {
		.sz = sizeof(opts),
		.wall_clock_ns = wall_clock_ns,
		.no_heading = true,
		.no_symbols = true, /* they are those of this machine */
		.output = put_lines,
		.output_arg = batch,
	};

	batch->sink = batch->lines->is_json ? peat_sink__new_json(-1, &opts)
					    : peat_sink__new_text(-1, &opts);
	return batch->sink ? 0 : -errno;
}

struct batch_lines *batch_lines__new(struct event_lines *lines, const struct piece_info *info)
{
	struct batch_lines *batch = calloc(1, sizeof(*batch));
	int err;

	if (!batch)
		return fail_null(-ENOMEM);
	batch->lines = lines;
	err = make_prefix(batch, info->host);
	err = err ?: make_sink(batch, info->wall_clock_ns);
	err = err ?: batch_where__begin(&batch->where, &lines->where);
	if (!err)
		return batch;
	batch_lines__free(batch);
	return fail_null(err);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Flushed at once, as the next event may be another batch's. */
int batch_lines__add(struct batch_lines *batch, const struct peat_event *event)
{
	int err = batch_where__test(&batch->where, event);

	if (err <= 0) {
		batch->lines->filtered += !err;
		return err;
	}
	err = peat_sink__write(batch->sink, event);
	err = err ?: peat_sink__flush(batch->sink);
	batch->lines->events += !err && event->kind != PEAT_EVENT_LOST;
	return err;
}

int batch_lines__add_points(struct batch_lines *batch, const struct peat_batch *points)
{
	struct strbuf text = { 0 };
	int err = json_lines__add_points(points, &text);

	if (!err && text.count)
		err = put_lines(batch, text.bytes, text.count);
	strbuf__free(&text);
	return err;
}

void batch_lines__free(struct batch_lines *batch)
{
	if (!batch)
		return;
	peat_sink__free(batch->sink);
	batch_where__end(&batch->where);
	free(batch->prefix);
	free(batch);
}
