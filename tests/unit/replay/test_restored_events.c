// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_restored_events.c: events of a recording are those that were recorded: their types, and what
 * sinks and expressions make of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/btf.h>

#include <peat/where.h>

#include "field/fields.h"
#include "perf_data/features.h"
#include "perf_data/write/feature_encode.h"
#include "print/json.h"
#include "record/encode.h"
#include "recorder/event_formats.h"
#include "replay_run.h"
#include "support/recording/every_kind.h"
#include "unit/suite.h"

#define PROGRAM "peat 9.9"

static struct btf *btf;
static struct peat_schema *schema;
static struct event_formats formats;
static struct perf_writer *writer;
static struct peat_reader *reader;
static struct peat_sink *json;
static int fd;

static void setup(void)
{
	const struct peat_sink_opts opts = { .sz = sizeof(opts), .no_symbols = true };
	uint32_t id;

	begin_replays();
	btf = every_kind__btf(true, &id);
	schema = peat_schema__new(btf, id);
	json = json__new(STDOUT_FILENO, &opts);
	ck_assert(schema && json);
}

static void teardown(void)
{
	peat_reader__free(reader);
	event_formats__free(&formats);
	perf_writer__free(writer);
	peat_sink__free(json);
	peat_schema__free(schema);
	btf__free(btf);
	close(fd);
}

/* ---- recordings ------------------------------------------------------------------------------ */

static void begin(const char *program, const char *type, bool has_btf)
{
	const struct reader_type types[] = { { 0, schema, type, NULL, NULL, 0, 0 } };
	struct strbuf version = { 0 }, btfs = { 0 };
	struct feature_btf one = { .id = 1 };

	formats = (struct event_formats){ 0 };
	fd = memfd_create("recording", MFD_CLOEXEC);
	writer = perf_writer__new(dup(fd));
	ck_assert_ptr_nonnull(writer);
	feature_encode__text(&version, program);
	ck_assert_int_eq(perf_writer__feature_strbuf(writer, FEATURE_VERSION, &version), 0);
	one.bytes = btf__raw_data(btf, &one.bytes_count);
	feature_encode__bpf_btf(&btfs, &one, 1);
	if (has_btf)
		ck_assert_int_eq(perf_writer__feature_strbuf(writer, FEATURE_BPF_BTF, &btfs), 0);
	else
		strbuf__free(&btfs);
	ck_assert_int_eq(event_formats__add_types(&formats, writer, types, 1), 0);
	ck_assert_int_eq(event_formats__finish(&formats, writer), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
}

static struct peat_event event_of(uint32_t bytes)
{
	uint32_t all;

	return (struct peat_event){ .kind = PEAT_EVENT_DATA,
				    .time_ns = 1000 + bytes,
				    .pid = 7,
				    .tid = 8,
				    .data = every_kind__event(&all),
				    .size = bytes,
				    .schema = schema };
}

static void put_event(uint32_t bytes)
{
	const struct peat_event event = event_of(bytes);

	ck_assert_int_gt(sample_plan__put(&formats.at[0].plan, &event, perf_writer__out(writer)),
			 0);
}

static void read_it(struct peat_where *where)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	char path[32];

	opts.where = where;
	if (writer)
		ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
	writer = NULL;
	peat_reader__free(reader);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader = peat_reader__open(path, &opts);
	ck_assert_ptr_nonnull(reader);
}

static const struct peat_event *next_event(void)
{
	const struct peat_event *event;

	while (peat_reader__wait(reader, -1) >= 0)
		if (peat_reader__next(reader, &event) > 0)
			return event;
	return NULL;
}

static char *print(const struct peat_event *event)
{
	struct strbuf out = { 0 };

	ck_assert_int_eq(json__append(json, event, &out), 0);
	strbuf__char(&out, '\0');
	return out.bytes;
}

/* The recording does not say which kernel it is of: addresses have no symbols. */
static void check_next(uint32_t bytes)
{
	const struct peat_event live = event_of(bytes), *event = next_event();
	char *wanted = print(&live), *found;

	ck_assert_ptr_nonnull(event);
	ck_assert_uint_eq(event->size, bytes);
	found = print(event);
	ck_assert_str_eq(found, wanted);
	free(wanted);
	free(found);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_every_kind)
{
	uint32_t all;

	every_kind__event(&all);
	begin(PROGRAM, "every_kind", true);
	for (uint32_t bytes = all; bytes > schema->bytes - 100; bytes--)
		put_event(bytes);
	read_it(NULL);
	ck_assert_str_eq(peat_schema__name(peat_reader__type(reader, 0)), "every_kind");
	for (uint32_t bytes = all; bytes > schema->bytes - 100; bytes--)
		check_next(bytes);
	ck_assert_ptr_null(next_event());
	ck_assert_str_eq(replay_log, "");
}
END_TEST

static uint32_t count_where(const char *text)
{
	struct peat_where *where = peat_where__parse(text);
	uint32_t count = 0;

	ck_assert_msg(where, "%s", replay_log);
	read_it(where);
	while (next_event())
		count++;
	peat_where__free(where);
	return count;
}

START_TEST(test_expressions_with_units)
{
	uint32_t all;

	every_kind__event(&all);
	begin(PROGRAM, "every_kind", true);
	put_event(all);
	ck_assert_uint_eq(count_where("duration > 1ms && duration < 2ms"), 1);
	ck_assert_uint_eq(count_where("duration > 2ms"), 0);
	ck_assert_uint_eq(count_where("size == 4K"), 1);
	ck_assert_uint_eq(count_where("from.line == 7 && modes[1] == MODE_WEIRD"), 1);
	ck_assert_uint_eq(count_where("every_kind.from.column == -7"), 0);
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* The fields that stock perf sees, by the format. */
static void check_flat(const struct peat_event *event, const char *name)
{
	ck_assert_ptr_nonnull(event);
	ck_assert_str_eq(peat_schema__name(event->schema), name);
	ck_assert_ptr_nonnull(peat_schema__find(event->schema, "from_line", NULL));
	ck_assert_ptr_null(peat_schema__find(event->schema, "from.line", NULL));
}

START_TEST(test_without_struct)
{
	uint32_t all;

	every_kind__event(&all);
	begin(PROGRAM, "every_kind", false);
	put_event(all);
	read_it(NULL);
	check_flat(next_event(), "every_kind");
	teardown();
	reader = NULL;
	setup();
	begin(PROGRAM, "another", true);
	put_event(all);
	read_it(NULL);
	check_flat(next_event(), "another");
}
END_TEST

/* A payload that is shorter than its fields. */
START_TEST(test_damaged_payload)
{
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE, .sample.raw = "12345678" };
	uint32_t all;

	every_kind__event(&all);
	begin(PROGRAM, "every_kind", true);
	record.id = formats.at[0].id;
	record.sample.raw_bytes = 8;
	ck_assert_int_eq(encode__record(perf_writer__out(writer), &formats.at[0].layout, &record),
			 0);
	put_event(all);
	read_it(NULL);
	check_flat(next_event(), "every_kind");
	check_next(all);
}
END_TEST

/* Ids of samples that peat made up are not printed, those of perf are. */
START_TEST(test_ids_of_samples)
{
	static const char *const programs[] = { PROGRAM, "6.1.0" };
	const struct peat_event *event;
	uint32_t all;
	char *text;

	every_kind__event(&all);
	begin(programs[_i], "every_kind", true);
	put_event(all);
	read_it(NULL);
	event = next_event();
	text = print(event);
	ck_assert(!strstr(text, "\"id\":") == !_i);
	free(text);
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_every_kind);
	tcase_add_test(tests, test_expressions_with_units);
	tcase_add_test(tests, test_without_struct);
	tcase_add_test(tests, test_damaged_payload);
	tcase_add_loop_test(tests, test_ids_of_samples, 0, 2);
}
