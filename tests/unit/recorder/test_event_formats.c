// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_formats.c: types become events of a recording, with any names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <peat/reader.h>

#include "record/encode.h"
#include "tracing_data/format_write.h"
#include "support/machine/harness.h"
#include "recorder/event_formats.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

struct one {
	uint32_t number;
};

struct other {
	uint64_t wide;
	uint32_t number;
};

static struct peat_field one_fields[] = { FIELD(struct one, number, PEAT_FIELD_UNSIGNED) };
static struct peat_field other_fields[] = { FIELD(struct other, wide, PEAT_FIELD_HEX),
					    FIELD(struct other, number, PEAT_FIELD_SIGNED) };
static const struct peat_schema one = SCHEMA("one", one_fields);
static const struct peat_schema other = SCHEMA("other", other_fields);

static struct event_formats formats;
static struct perf_writer *writer;
static struct peat_reader *reader;
static int fd;

/* Writes a recording with an event of each type, and reads it. */
static void describe(const struct reader_type *types, uint32_t count)
{
	formats = (struct event_formats){ 0 };
	fd = memfd_create("recording", MFD_CLOEXEC);
	writer = perf_writer__new(dup(fd));
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(event_formats__add_types(&formats, writer, types, count), 0);
	ck_assert_int_eq(event_formats__finish(&formats, writer), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
}

/* A sample of the type with `bytes` raw bytes, not converted. */
static void put(uint32_t type, const void *data, uint32_t bytes)
{
	const struct event_format *format = event_formats__find(&formats, type);
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE, .time_ns = 1 };
	char payload[256];
	int size = (int)bytes;

	ck_assert_ptr_nonnull(format);
	record.id = format->id;
	record.sample.raw = data;
	if (format->is_typed) {
		size = payload__convert(&format->format, data, bytes, 7, payload, sizeof(payload));
		ck_assert_int_ge(size, 0);
		record.sample.raw = payload;
	}
	record.sample.raw_bytes = (uint32_t)size;
	ck_assert_int_eq(encode__record(perf_writer__out(writer), &format->layout, &record), 0);
}

static void read_it(void)
{
	char path[32];

	ck_assert_int_eq(perf_writer__close(writer), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader = peat_reader__open(path, NULL);
	ck_assert_ptr_nonnull(reader);
}

static const struct peat_event *next(void)
{
	const struct peat_event *event;

	while (peat_reader__wait(reader, -1) >= 0)
		if (peat_reader__next(reader, &event) > 0)
			return event;
	return NULL;
}

static void end(void)
{
	peat_reader__free(reader);
	event_formats__free(&formats);
	perf_writer__free(writer);
	close(fd);
}

static const char *name_of(uint32_t event)
{
	const struct peat_schema *schema = peat_reader__type(reader, event);

	return schema ? peat_schema__name(schema) : "";
}

/* The value of the event's field, by the recording's format. */
static uint64_t number_in(const struct peat_event *event, const char *field)
{
	uint32_t count;
	const struct peat_field *fields = peat_schema__fields(event->schema, &count);
	uint64_t number;

	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(fields[i].name, field))
			continue;
		ck_assert(peat_field__number(&fields[i], event->data, event->size, &number));
		return number;
	}
	ck_abort_msg("%s has no field %s", peat_schema__name(event->schema), field);
	return 0;
}

/* Types of the same name keep their own fields. */
START_TEST(test_same_name)
{
	const struct reader_type types[] = { { 9, &one, "same", NULL, NULL, 0, 0, false },
					     { 4, &other, "same", NULL, NULL, 0, 0, false } };
	const struct peat_event *event;

	describe(types, 2);
	ck_assert_uint_eq(formats.at[0].type, 4);
	ck_assert_uint_ne(formats.at[0].id, formats.at[1].id);
	put(9, &(struct one){ 1234 }, sizeof(struct one));
	put(4, &(struct other){ 1ULL << 40, 77 }, sizeof(struct other));
	read_it();
	ck_assert_str_eq(name_of(0), "same");
	ck_assert_str_eq(name_of(1), "same");
	ck_assert_str_eq(name_of(2), "");
	event = next();
	ck_assert_uint_eq(event->type, 0);
	ck_assert_uint_eq(number_in(event, "number"), 1234);
	event = next();
	ck_assert_uint_eq(event->type, 1);
	ck_assert_uint_eq(number_in(event, "wide"), 1ULL << 40);
	ck_assert_uint_eq(number_in(event, "number"), 77);
	ck_assert_ptr_null(next());
	end();
}
END_TEST

START_TEST(test_special_characters)
{
	static const char long_name[] =
		"a_name_of_more_than_two_hundred_bytes_which_no_type_of_C_has_but_one_of_another_"
		"language_may_have_as_they_put_all_that_a_type_is_made_of_into_its_name_and_into_"
		"the_names_of_what_is_made_of_it_in_turn_until_it_is_as_long_as_this";
	static const struct {
		const char *name, *becomes;
	} names[] = {
		{ "sched:sched_switch", "sched_sched_switch" },
		{ "a-b c\n\"$", "a_b_c___" },
		{ "\xc3\xa4", "__" },
		{ "", "_" },
		{ "9lives", "9lives" },
	};
	struct reader_type types[6] = { 0 };

	for (uint32_t i = 0; i < 6; i++)
		types[i] = (struct reader_type){ i,
						 i % 2 ? &one : NULL,
						 i < 5 ? names[i].name : long_name,
						 NULL,
						 NULL,
						 0,
						 0,
						 false };
	describe(types, 6);
	for (uint32_t i = 0; i < 6; i++)
		put(i, &(struct one){ i }, sizeof(struct one));
	read_it();
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_str_eq(name_of(i), names[i].becomes);
	ck_assert_uint_eq(strlen(name_of(5)), FORMAT_WRITE_NAME_MAX);
	ck_assert(!strncmp(name_of(5), long_name, FORMAT_WRITE_NAME_MAX));
	for (uint32_t i = 0; i < 6; i++) {
		const struct peat_event *event = next();

		ck_assert_uint_eq(event->type, i);
		if (i % 2)
			ck_assert_uint_eq(number_in(event, "number"), i);
	}
	end();
}
END_TEST

/* Their bytes are not changed or padded. */
START_TEST(test_no_schema)
{
	const struct reader_type types[] = { { 0, NULL, "bytes", NULL, NULL, 0, 0, false } };
	const struct peat_event *event;

	describe(types, 1);
	ck_assert(!formats.at[0].is_typed);
	put(0, "123456789", 9);
	put(0, "", 0);
	read_it();
	event = next();
	ck_assert_str_eq(name_of(0), "bytes");
	ck_assert_uint_eq(event->size, 9);
	ck_assert_mem_eq(event->data, "123456789", 9);
	ck_assert_uint_eq(next()->size, 0);
	ck_assert_ptr_null(next());
	end();
}
END_TEST

/* Types of two maps that have one name have events of two names. */
START_TEST(test_shared_name)
{
	const struct reader_type types[] = { { 0, &one, "event", "events", NULL, 0, 0, false },
					     { 1, &other, "event", "more_events", NULL, 0, 0,
					       false },
					     { 2, NULL, "raw", "raw", NULL, 0, 0, false },
					     { 3, &one, "one", "third", NULL, 0, 0, false } };

	describe(types, 4);
	put(0, "1234", 4);
	read_it();
	ck_assert_ptr_nonnull(next());
	ck_assert_str_eq(name_of(0), "events_event");
	ck_assert_str_eq(name_of(1), "more_events_event");
	ck_assert_str_eq(name_of(2), "raw");
	ck_assert_str_eq(name_of(3), "one");
	end();
}
END_TEST

/* Records need an event. */
START_TEST(test_no_types)
{
	struct peat_record record = { .type = PEAT_RECORD_COMM, .time_ns = 12, .comm.comm = "sh" };
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	const struct peat_event *event;
	char path[32];

	describe(NULL, 0);
	ck_assert_ptr_null(event_formats__find(&formats, 0));
	record.id = formats.side_id;
	ck_assert_uint_ne(record.id, 0);
	ck_assert_int_eq(encode__record(perf_writer__out(writer), &formats.side, &record), 0);
	ck_assert_int_eq(perf_writer__close(writer), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opts.side_band = PEAT_SIDE_BAND_COMM;
	reader = peat_reader__open(path, &opts);
	event = next();
	ck_assert(event->kind == PEAT_EVENT_RECORD && event->time_ns == 12);
	ck_assert_str_eq(event->record->comm.comm, "sh");
	ck_assert_str_eq(name_of(0), "records");
	ck_assert_ptr_null(next());
	end();
}
END_TEST

START_TEST(test_unknown_type)
{
	const struct reader_type types[] = { { 5, &one, "one", NULL, NULL, 0, 0, false },
					     { 3, NULL, "three", NULL, NULL, 0, 0, false } };

	describe(types, 2);
	ck_assert_ptr_null(event_formats__find(&formats, 0));
	ck_assert_ptr_null(event_formats__find(&formats, 4));
	ck_assert_ptr_null(event_formats__find(&formats, 6));
	ck_assert(event_formats__find(&formats, 5)->is_typed);
	ck_assert(!event_formats__find(&formats, 3)->is_typed);
	read_it();
	end();
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_same_name);
	tcase_add_test(tests, test_special_characters);
	tcase_add_test(tests, test_no_schema);
	tcase_add_test(tests, test_shared_name);
	tcase_add_test(tests, test_no_types);
	tcase_add_test(tests, test_unknown_type);
}
