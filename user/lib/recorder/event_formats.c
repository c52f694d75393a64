// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_formats.c: each type becomes an event that stock perf takes for a tracepoint's. */
#include <stdlib.h>
#include <unistd.h>

#include "record/attr_encode.h"
#include "base/internal.h"
#include "tracepoint/naming.h"
#include "perf_data/describe/features.h"
#include "recorder/event_formats.h"
#include "tracepoint/tracing_data_write.h"

#define CONFIG_SW_DUMMY 9

void perf_formats__free(struct perf_formats *formats)
{
	for (uint32_t i = 0; i < formats->count; i++)
		if (formats->at[i].is_typed)
			record_format__free(&formats->at[i].format);
	free(formats->at);
	*formats = (struct perf_formats){ 0 };
}

/* ---- events ---------------------------------------------------------------------------------- */

/* It is called as in its format. */
static int give_event(struct perf_formats *formats, struct perf_writer *writer,
		      struct perf_attr *attr, const char *name, uint64_t id)
{
	char full[OUR_FORMATS_NAME_ROOM];

	our_formats__name(name, full);
	attr->name = full;
	attr->ids = &id;
	attr->ids_count = 1;
	if (!formats->side_id) {
		formats->side = attr->layout;
		formats->side_id = id;
	}
	return perf_writer__event(writer, attr);
}

static int make_format(struct perf_format *format, const struct reader_type *type, uint32_t index)
{
	int err = record_format__make(&format->format, type->schema, type->name,
				      RECORD_FORMAT_ID_MIN + index);

	format->is_typed = !err;
	if (!err)
		our_formats__tell(&format->format, type->name);
	return err;
}

int perf_formats__add_type(struct perf_formats *formats, struct perf_writer *writer,
			   const struct reader_type *type)
{
	uint32_t index = formats->count;
	struct perf_format *at = reallocarray(formats->at, index + 1, sizeof(*at));
	struct perf_attr attr;
	int err = 0;

	if (!at)
		return -ENOMEM;
	formats->at = at;
	if (index > RECORD_FORMAT_ID_MAX - RECORD_FORMAT_ID_MIN)
		return -E2BIG;
	at[index] = (struct perf_format){ .type = type->type, .id = index + 1 };
	if (type->schema)
		err = make_format(&at[index], type, index);
	if (err)
		return err;
	formats->count++;
	attr = type->schema ? attr_encode__tracepoint((uint16_t)at[index].format.id)
			    : attr_encode__bpf_output();
	at[index].layout = attr.layout;
	return give_event(formats, writer, &attr, type->name, at[index].id);
}

/* For records alone: perf wants an event whose they are. */
static int add_dummy(struct perf_formats *formats, struct perf_writer *writer)
{
	struct perf_attr attr = attr_encode__bpf_output();

	attr.config = CONFIG_SW_DUMMY;
	attr.layout.sample_type &= ~(uint64_t)(PEAT_SAMPLE_RAW | PEAT_SAMPLE_IP);
	return give_event(formats, writer, &attr, "records", 1);
}

static int by_type(const void *a, const void *b)
{
	const struct perf_format *one = a, *two = b;

	return (one->type > two->type) - (one->type < two->type);
}

/* ---- formats --------------------------------------------------------------------------------- */

static int give_formats(const struct perf_formats *formats, struct perf_writer *writer)
{
	struct tracing_format *texts = calloc(formats->count + 1, sizeof(*texts));
	struct out out = { 0 };
	uint32_t count = 0;
	int err = -ENOMEM;

	for (uint32_t i = 0; texts && i < formats->count; i++)
		if (formats->at[i].is_typed)
			texts[count++] = (struct tracing_format){
				.system = OUR_FORMATS_SYSTEM,
				.text = { formats->at[i].format.text,
					  formats->at[i].format.text_bytes },
			};
	if (texts && !count)
		err = 0;
	if (count) {
		tracing_write__append(&out, texts, count, (uint32_t)sysconf(_SC_PAGESIZE));
		if (!out.failed)
			err = perf_writer__feature(writer, FEATURE_TRACING_DATA, out.bytes,
						   out.count);
	}
	out__free(&out);
	free(texts);
	return err;
}

int perf_formats__end(struct perf_formats *formats, struct perf_writer *writer)
{
	int err = formats->count ? 0 : add_dummy(formats, writer);

	if (!err)
		err = give_formats(formats, writer);
	if (formats->count)
		qsort(formats->at, formats->count, sizeof(*formats->at), by_type);
	return err;
}

int perf_formats__add(struct perf_formats *formats, struct peat_reader *reader,
		      struct perf_writer *writer)
{
	struct reader_type type;
	int err = 0;

	for (uint32_t i = 0; !err && reader__type(reader, i, &type); i++)
		err = perf_formats__add_type(formats, writer, &type);
	if (!err)
		err = perf_formats__end(formats, writer);
	if (err)
		log__error("cannot describe the events of a recording: %s", strerror(-err));
	return err;
}

const struct perf_format *perf_formats__find(const struct perf_formats *formats, uint32_t type)
{
	struct perf_format key = { .type = type };

	return formats->count ? bsearch(&key, formats->at, formats->count, sizeof(key), by_type)
			      : NULL;
}
