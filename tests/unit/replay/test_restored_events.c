// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_restored_events.c: events of a recording are those that were recorded: their types, and what
 * sinks and expressions make of them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/btf.h>

#include <peat/table.h>
#include <peat/where.h>

#include "field/fields.h"
#include "perf_data/features.h"
#include "perf_data/write/feature_encode.h"
#include "print/json.h"
#include "record/encode.h"
#include "recorder/event_formats.h"
#include "replay_run.h"
#include "support/recording/every_kind.h"
#include "sys/kallsyms.h"
#include "sys/kernel_id.h"
#include "unit/suite.h"

#define PROGRAM "peat 9.9"

/* The kernel that the recording is of. */
enum kernel { UNKNOWN_KERNEL, RUNNING_KERNEL, OTHER_BUILD, OTHER_BOOT };

static struct btf *btf;
static struct peat_schema *schema;
static struct event_formats formats;
static struct perf_writer *writer;
static struct peat_reader *reader;
static struct peat_sink *json;
static enum kernel kernel;
static int fd;

static void setup(void)
{
	const struct peat_sink_opts opts = { .sz = sizeof(opts), .no_symbols = true };
	uint32_t id;

	begin_replays();
	kernel = UNKNOWN_KERNEL;
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

static void put_kernel_id(void)
{
	uint8_t id[KERNEL_ID_BYTES];
	struct strbuf out = { 0 };

	if (kernel == UNKNOWN_KERNEL)
		return;
	memcpy(id, kernel_id__running(), sizeof(id));
	id[0] ^= kernel == OTHER_BUILD;
	feature_encode__kernel_id(&out, id, sizeof(id));
	ck_assert_int_eq(perf_writer__feature_strbuf(writer, FEATURE_BUILD_ID, &out), 0);
}

/* The kernel's code is at another address after each boot. */
static void put_kernel_map(void)
{
	struct peat_record record = { .type = PEAT_RECORD_MMAP, .misc = PEAT_MISC_KERNEL };
	char filename[64];
	const char *name;

	if (kernel == UNKNOWN_KERNEL)
		return;
	ck_assert(kallsyms__text(&name, &record.mmap.pgoff));
	snprintf(filename, sizeof(filename), "[kernel.kallsyms]%s", name);
	if (kernel == OTHER_BOOT)
		record.mmap.pgoff += 2 << 20;
	record.mmap.addr = record.mmap.pgoff;
	record.mmap.len = 512u << 20;
	record.mmap.pid = UINT32_MAX;
	record.mmap.filename = filename;
	ck_assert_int_eq(encode__record(perf_writer__out(writer), &formats.side, &record), 0);
}

static void begin(const char *program, const char *type, bool has_btf)
{
	const struct reader_type types[] = { { 0, schema, type, NULL, NULL, 0, 0, false } };
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
	put_kernel_id();
	ck_assert_int_eq(event_formats__add_types(&formats, writer, types, 1), 0);
	ck_assert_int_eq(event_formats__finish(&formats, writer), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	put_kernel_map();
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

/* NULL: the reader refused its options. */
static struct peat_reader *open_it(struct peat_where *where, struct peat_table *table)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	char path[32];

	opts.where = where;
	opts.table = table;
	if (writer)
		ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
	writer = NULL;
	peat_reader__free(reader);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader = peat_reader__open(path, &opts);
	return reader;
}

static void read_it(struct peat_where *where)
{
	ck_assert_ptr_nonnull(open_it(where, NULL));
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

/* Before the first event is read. */
START_TEST(test_unknown_fields_are_refused)
{
	struct peat_where *where = peat_where__parse("no_field == 1");
	struct peat_table_opts opts = { .sz = sizeof(opts), .by = "no_key" };
	struct peat_table *table = peat_table__new(&opts);
	uint32_t all;

	every_kind__event(&all);
	begin(PROGRAM, "every_kind", true);
	put_event(all);
	errno = 0;
	ck_assert_ptr_null(open_it(where, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "no field \"no_field\""));
	errno = 0;
	ck_assert_ptr_null(open_it(NULL, table));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "no_key"));
	peat_where__free(where);
	peat_table__free(table);
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

/* Fields after one that was cut are in the payload alone: its own format has them. */
START_TEST(test_payload_cut_inside)
{
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE };
	struct payload_format format;
	const struct peat_event *event;
	static uint8_t payload[4096];
	uint32_t all;
	int bytes;

	every_kind__event(&all);
	begin(PROGRAM, "every_kind", true);
	ck_assert_int_eq(payload__init(&format, schema, "every_kind", PAYLOAD_ID_MIN), 0);
	format.is_exact = true;
	bytes = payload__convert(&format, event_of(0).data, all, 8, payload,
				 format.fixed_bytes + format.tail_count + 4);
	ck_assert_int_gt(bytes, 0);
	ck_assert_int_ne(bytes & PAYLOAD_CUT, 0);
	record.id = formats.at[0].id;
	record.sample.raw = payload;
	record.sample.raw_bytes = (uint32_t)bytes & PAYLOAD_BYTES;
	ck_assert_int_eq(encode__record(perf_writer__out(writer), &formats.at[0].layout, &record),
			 0);
	put_event(all);
	payload__free(&format);
	read_it(NULL);
	event = next_event();
	check_flat(event, "every_kind");
	check_next(all);
}
END_TEST

static void check_address(const struct peat_schema *of, const void *data, uint32_t bytes,
			  const char *wanted)
{
	const struct peat_field *field = peat_schema__find(of, "kaddr", NULL);
	char text[256];

	ck_assert_ptr_nonnull(field);
	peat_field__text(field, data, bytes, text, sizeof(text));
	ck_assert_str_eq(text, wanted);
}

static void check_table(const struct peat_event *event, const char *wanted)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;
	struct peat_table_row row = { .sz = sizeof(row) };
	struct peat_table *table;

	opts.by = "kaddr";
	table = peat_table__new(&opts);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_ge(peat_table__add_type(table, event->schema), 0);
	ck_assert_int_ge(peat_table__add(table, event), 0);
	ck_assert_int_ge(peat_table__read(table), 0);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	check_address(peat_table__schema(table), row.data, row.size, wanted);
	peat_table__free(table);
}

/* Symbols of the running kernel are right for no other kernel, and for no earlier boot. */
START_TEST(test_kernel_addresses)
{
	const struct peat_field *field = peat_schema__find(schema, "kaddr", NULL);
	static uint8_t changed[4096];
	struct peat_event event = event_of(0);
	const struct peat_event *found;
	char wanted[256];
	uint64_t address;
	const char *name;
	uint32_t all;

	if (!kernel_id__running() || !kallsyms__text(&name, &address))
		skip("this kernel hides its build id or the address of its code");
	kernel = (enum kernel)_i;
	memcpy(changed, every_kind__event(&all), schema->bytes);
	memcpy(changed + field->offset, &address, sizeof(address));
	event.data = changed;
	event.size = schema->bytes;
	begin(PROGRAM, "every_kind", true);
	ck_assert_int_gt(sample_plan__put(&formats.at[0].plan, &event, perf_writer__out(writer)),
			 0);
	read_it(NULL);
	ck_assert_ptr_nonnull(peat_reader__type(reader, 0)); /* before the kernel's map is read */
	found = next_event();
	ck_assert_ptr_nonnull(found);
	peat_field__text(field, changed, schema->bytes, wanted, sizeof(wanted));
	ck_assert_str_ne(wanted, "");
	if (kernel == RUNNING_KERNEL)
		ck_assert_int_ne(strncmp(wanted, "0x", 2), 0);
	else
		snprintf(wanted, sizeof(wanted), "0x%llx", (unsigned long long)address);
	check_address(found->schema, found->data, found->size, wanted);
	check_table(found, wanted);
	ck_assert_str_eq(replay_log, "");
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

FORKED_SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_every_kind);
	tcase_add_test(tests, test_expressions_with_units);
	tcase_add_test(tests, test_unknown_fields_are_refused);
	tcase_add_test(tests, test_without_struct);
	tcase_add_test(tests, test_damaged_payload);
	tcase_add_test(tests, test_payload_cut_inside);
	tcase_add_loop_test(tests, test_kernel_addresses, UNKNOWN_KERNEL, OTHER_BOOT + 1);
	tcase_add_loop_test(tests, test_ids_of_samples, 0, 2);
}
