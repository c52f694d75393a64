// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_corpus.c: tracepoints that another kernel's perf wrote into a pipe.
 *
 * The file is not ours to have here: $PEAT_CORPUS says where it is, by default ../shared/corpus.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include <peat/record.h>

#include "field/fields.h"
#include "tracepoint/format_parse.h"
#include "tracing_data/tracing_data.h"

#include "support/machine/harness.h"
#include "unit/suite.h"

#define FILE_NAME   "ms-tracepoints__pipe.data"
#define FORMATS	    10
#define PIPE_HEADER 16

/* perf's own records. */
#define HEADER_ATTR	    64
#define HEADER_TRACING_DATA 66

static struct trace_format formats[FORMATS];
static uint32_t format_count, samples[FORMATS];

static char *read_corpus(size_t *bytes)
{
	const char *folder = getenv("PEAT_CORPUS");
	char path[4096], *all;
	FILE *file;
	long end;

	snprintf(path, sizeof(path), "%s/" FILE_NAME, folder ? folder : "../shared/corpus");
	file = fopen(path, "re");
	if (!file)
		return NULL;
	ck_assert(!fseek(file, 0, SEEK_END) && (end = ftell(file)) > 0 &&
		  !fseek(file, 0, SEEK_SET));
	*bytes = (size_t)end;
	all = malloc(*bytes);
	ck_assert_uint_eq(fread(all, 1, *bytes, file), *bytes);
	fclose(file);
	return all;
}

static void read_formats(const char *bytes, size_t count)
{
	struct tracing_data data;
	struct tracing_format found;
	const char *why;

	ck_assert_int_eq(tracing_data__begin(&data, bytes, count), 0);
	while (tracing_data__next(&data, &found) == 1) {
		ck_assert_uint_lt(format_count, FORMATS);
		ck_assert_int_eq(format_parse__text(&formats[format_count++], found.system,
						    found.text.at, found.text.bytes,
						    data.long_bytes, &why),
				 0);
	}
	ck_assert_msg(!data.why, "%s", data.why);
	ck_assert_uint_eq(data.long_bytes, 8);
	ck_assert_uint_eq(data.printk.bytes, 2699);
}

static const char *value_of(const struct trace_format *format, const struct peat_sample *sample,
			    const char *name)
{
	static char text[256];
	const struct peat_field *field;
	uint32_t offset;

	field = peat_schema__find(format->schema, name, &offset);
	ck_assert_msg(field, "no %s", name);
	peat_field__text(field, sample->raw, (uint32_t)sample->raw_bytes, text, sizeof(text));
	return text;
}

static void check_sample(const struct peat_record *record)
{
	uint32_t i = 0;
	uint16_t id;
	int32_t pid; /* in the initial namespace; the record's pid is of another one */

	ck_assert_uint_ge(record->sample.raw_bytes, 8);
	memcpy(&id, record->sample.raw, sizeof(id));
	memcpy(&pid, (const char *)record->sample.raw + 4, sizeof(pid));
	while (i < format_count && formats[i].id != id)
		i++;
	ck_assert_msg(i < format_count, "no format %u", id);
	samples[i]++;
	if (!strcmp(formats[i].schema->name, "sched:sched_switch"))
		ck_assert_int_eq(atoi(value_of(&formats[i], &record->sample, "prev_pid")), pid);
	else
		ck_assert_uint_lt(strlen(value_of(&formats[i], &record->sample, "opcode")), 4);
}

/* Reads a record and its payload; returns its size. */
static size_t read_record(const char *at, size_t left, struct peat_layout *layout)
{
	struct peat_record record = { .sz = sizeof(record) };
	int ret = peat_record__decode(layout, at, left, &record);
	uint32_t behind = 0, type;

	ck_assert_int_ge(ret, 0);
	if (record.type == HEADER_ATTR) {
		memcpy(&type, at + 8, sizeof(type));
		if (type == PERF_TYPE_TRACEPOINT)
			memcpy(&layout->sample_type, at + 8 + 24, sizeof(layout->sample_type));
	}
	if (record.type == HEADER_TRACING_DATA) {
		memcpy(&behind, at + 8, sizeof(behind));
		ck_assert_uint_le(behind, left - record.size);
		read_formats(at + record.size, behind);
	}
	if (record.type == PEAT_RECORD_SAMPLE)
		check_sample(&record);
	return record.size + behind;
}

START_TEST(test_formats_and_samples_of_pipe)
{
	static const uint32_t wanted[FORMATS] = { 1, 1, 136, 2, 2, 1, 1, 109, 1, 297 };
	struct peat_layout layout = { 0 };
	size_t bytes;
	char *all = read_corpus(&bytes);

	if (!all)
		skip("no " FILE_NAME " in $PEAT_CORPUS");
	for (size_t at = PIPE_HEADER; at < bytes;)
		at += read_record(all + at, bytes - at, &layout);
	ck_assert_uint_eq(format_count, FORMATS);
	for (uint32_t i = 0; i < FORMATS; i++) {
		ck_assert_msg(samples[i] == wanted[i], "%s: %u", formats[i].schema->name,
			      samples[i]);
		format_parse__free(&formats[i]);
	}
	free(all);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_formats_and_samples_of_pipe);
}
