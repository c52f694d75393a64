// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_page.c: the sink that writes events as a page.  tests/live/recording/test_report.c opens it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include <peat/page.h>
#include <peat/schema.h>

#include "field/fields.h"
#include "unit/page/page_reader.h"
#include "unit/suite.h"

static const uint64_t chain[] = { PEAT_CONTEXT_KERNEL, 0xffffffff81000010, PEAT_CONTEXT_USER,
				  0x400010 };
static const struct peat_record sample = { .type = PEAT_RECORD_SAMPLE,
					   .has = PEAT_SAMPLE_CALLCHAIN,
					   .sample.callchain = { (const uint8_t *)chain, 4,
								 false } };

static struct peat_sink *page_to(int fd, const char *title)
{
	struct peat_page_opts opts = { .sz = sizeof(opts), .title = title };
	struct peat_sink *sink = peat_sink__new_page(fd, &opts);

	ck_assert_ptr_nonnull(sink);
	return sink;
}

static void write_event(struct peat_sink *sink, const struct peat_event *event)
{
	ck_assert_int_eq(peat_sink__write(sink, event), 0);
}

/* The page; the caller frees it. */
static char *finish(struct peat_sink *sink, int fd)
{
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0); /* once */
	peat_sink__free(sink);
	return page_reader__text(fd);
}

static void check_json(const char *page, const char *part)
{
	struct page_block tables = page_reader__block(page, "tables", 0);

	ck_assert_ptr_nonnull(tables.bytes);
	ck_assert_msg(strstr((char *)tables.bytes, part), "no '%s' in %s", part, tables.bytes);
	free(tables.bytes);
}

/* ---- columns --------------------------------------------------------------------------------- */

static void check_columns(struct page_block *rows, size_t count, const int64_t (*wanted)[6])
{
	for (int column = 0; column < 6; column++) {
		uint64_t bytes = page_reader__number(rows), end = rows->at + bytes;

		for (size_t i = 0; i < count; i++) {
			int64_t value = column == 1 ? page_reader__signed(rows)
						    : (int64_t)page_reader__number(rows);

			ck_assert_msg(value == wanted[i][column], "row %zu column %d: %lld", i,
				      column, (long long)value);
		}
		ck_assert_uint_eq(rows->at, end);
	}
}

/* Type, time less the one before, duration, CPU + 1, task, stack. */
START_TEST(test_rows_of_events)
{
	static const int64_t wanted[][6] = { { 0, 0, 0, 1, 0, 0 },
					     { 0, 2000, 0, 4, 1, 3 },
					     { 0, -1000, 0, 0, 1, 0 },
					     { 0, 0, 0, 0, 1, 0 } };
	struct peat_event event = { .pid = 1, .tid = 1, .comm = "init", .time_ns = 5000 };
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct peat_sink *sink = page_to(fd, NULL);
	struct page_block rows;
	char *page;

	write_event(sink, &event);
	event = (struct peat_event){ .pid = 2, .tid = 3, .time_ns = 7000, .cpu = 3 };
	event.record = &sample;
	write_event(sink, &event);
	event.record = NULL;
	event.cpu = PEAT_NO_CPU;
	event.time_ns = 6000;
	write_event(sink, &event);
	event.time_ns = 0; /* unknown: where the one before is */
	write_event(sink, &event);
	page = finish(sink, fd);
	rows = page_reader__block(page, "rows", 0);
	ck_assert_uint_eq(rows.rows, 4);
	check_columns(&rows, 4, wanted);
	free(rows.bytes);
	check_json(page, "\"tasks\":[[1,1,\"init\"],\n[2,3,null]]");
	check_json(page, "\"first_ns\":\"5000\"");
	check_json(page, "\"events\":4");
	check_json(page,
		   "[\":3\",null,0],\n[\"0x400010\",null,1],\n[\"0xffffffff81000010\",null,3]");
	free(page);
	close(fd);
}
END_TEST

START_TEST(test_fields_of_events)
{
	const struct peat_schema *schema = peat_side_band__schema(PEAT_SIDE_BAND_TASK, 0);
	uint32_t bytes = peat_schema__bytes(schema), count, data[64];
	const struct peat_field *fields = peat_schema__fields(schema, &count);
	struct peat_event event = { .kind = PEAT_EVENT_RECORD, .schema = schema, .data = data };
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct peat_sink *sink = page_to(fd, NULL);
	struct page_block block;
	char *page, type[64];

	ck_assert_uint_le(bytes, sizeof(data));
	for (uint32_t i = 0; i < 64; i++)
		data[i] = i + 1;
	event.size = bytes;
	write_event(sink, &event);
	event.size = 0; /* cut: no field is there */
	write_event(sink, &event);
	page = finish(sink, fd);
	block = page_reader__block(page, "fields", 0);
	ck_assert_uint_eq(block.rows, 2);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t value;

		ck_assert_uint_eq(fields[i].span, 1);
		ck_assert_uint_gt(page_reader__number(&block), 0); /* bytes of the column */
		ck_assert_uint_eq(page_reader__number(&block), 1);
		ck_assert_uint_eq(page_reader__number(&block), 1); /* row 1 */
		ck_assert_uint_eq(page_reader__number(&block), 0);
		ck_assert(peat_field__number(&fields[i], data, bytes, &value));
		ck_assert_uint_eq(page_reader__number(&block), value);
		ck_assert_uint_eq(page_reader__number(&block), 0);
	}
	ck_assert_uint_eq(block.at, block.count);
	free(block.bytes);
	snprintf(type, sizeof(type), "{\"name\":\"@fork\",\"events\":2,\"duration\":-1,");
	check_json(page, type);
	free(page);
	close(fd);
}
END_TEST

static void check_durations(bool is_rare, const int64_t (*wanted)[6])
{
	struct peat_field fields[] = { { .name = "latency",
					 .kind = PEAT_FIELD_DURATION,
					 .span = 1,
					 .bytes = sizeof(uint64_t),
					 .is_rare = is_rare } };
	const struct peat_schema schema = {
		.name = "open", .fields = fields, .count = 1, .stacks_fd = -1
	};
	uint64_t ns = 0;
	struct peat_event event = { .schema = &schema, .data = &ns, .size = sizeof(ns) };
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct peat_sink *sink = page_to(fd, NULL);
	struct page_block rows;
	char *page;

	event.time_ns = 5000;
	write_event(sink, &event);
	ns = 7;
	write_event(sink, &event);
	page = finish(sink, fd);
	rows = page_reader__block(page, "rows", 0);
	check_columns(&rows, 2, wanted);
	free(rows.bytes);
	free(page);
	close(fd);
}

/* Durations are written plus one; 0: none. */
START_TEST(test_rare_durations_of_0_are_none)
{
	static const int64_t plain[][6] = { { 0, 0, 1, 1, 0, 0 }, { 0, 0, 8, 1, 0, 0 } };
	static const int64_t rare[][6] = { { 0, 0, 0, 1, 0, 0 }, { 0, 0, 8, 1, 0, 0 } };

	check_durations(false, plain);
	check_durations(true, rare);
}
END_TEST

/* ---- sizes ----------------------------------------------------------------------------------- */

#define MANY 200000

/* A fifth of a million events in a fifth of 40 MB; memory does not grow with them. */
START_TEST(test_many_events)
{
	const struct peat_schema *schema = peat_side_band__schema(PEAT_SIDE_BAND_TASK, 0);
	uint32_t data[64], random = 1;
	struct peat_event event = { .kind = PEAT_EVENT_RECORD, .schema = schema, .data = data };
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct peat_sink *sink = page_to(fd, NULL);
	unsigned int rows = 0;
	char *page, *at;

	event.size = peat_schema__bytes(schema);
	for (uint32_t i = 0; i < MANY; i++) {
		for (uint32_t j = 0; j < 64; j++)
			data[j] = (random = random * 1664525 + 1013904223) >> 16;
		event.time_ns += random >> 12;
		event.cpu = random >> 30;
		event.pid = event.tid = random >> 24;
		write_event(sink, &event);
	}
	page = finish(sink, fd);
	ck_assert_int_lt(lseek(fd, 0, SEEK_END), 8 << 20);
	for (at = page; (at = strstr(at, "data-block=\"rows\"")); at++) {
		struct page_block block = page_reader__block(at, "rows", 0);

		rows += block.rows;
		free(block.bytes);
	}
	ck_assert_uint_eq(rows, MANY);
	free(page);
	close(fd);
}
END_TEST

/* ---- texts and errors ------------------------------------------------------------------------ */

START_TEST(test_names_are_no_elements)
{
	struct peat_event event = { .comm = "</script><b>" };
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct peat_sink *sink = page_to(fd, "</title><script>");
	char *page;

	write_event(sink, &event);
	event.comm = "\xff";
	write_event(sink, &event);
	page = finish(sink, fd);
	ck_assert_ptr_null(strstr(page, "</script><b>"));
	ck_assert_ptr_nonnull(strstr(page, "<title>&lt;/title&gt;&lt;script&gt;</title>"));
	check_json(page, "</script><b>");
	check_json(page, "\"title\":\"</title><script>\"");
	free(page);
	close(fd);
}
END_TEST

START_TEST(test_empty_page_is_whole)
{
	int fd = memfd_create("page", MFD_CLOEXEC);
	char *page = finish(page_to(fd, NULL), fd);

	check_json(page, "\"events\":0");
	check_json(page, "\"types\":[]");
	ck_assert_str_eq(page + strlen(page) - strlen("</html>\n"), "</html>\n");
	free(page);
	close(fd);
}
END_TEST

START_TEST(test_wrong_options_are_refused)
{
	struct peat_page_opts opts = { .sz = sizeof(opts), .reserved = { 1 } };

	ck_assert_ptr_null(peat_sink__new_page(-1, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(peat_sink__new_page(1, &opts));
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

START_TEST(test_full_disk_fails)
{
	const struct peat_event event = { .comm = "a task" };
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct peat_sink *sink = page_to(fd, NULL);

	ck_assert_int_eq(peat_sink__write(sink, &event), -ENOSPC);
	ck_assert_int_eq(peat_sink__write(sink, &event), -ENOSPC);
	ck_assert_int_eq(peat_sink__finish(sink), -ENOSPC);
	peat_sink__free(sink);
	close(fd);
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_rows_of_events);
	tcase_add_test(tests, test_fields_of_events);
	tcase_add_test(tests, test_rare_durations_of_0_are_none);
	tcase_add_test(tests, test_many_events);
	tcase_add_test(tests, test_names_are_no_elements);
	tcase_add_test(tests, test_empty_page_is_whole);
	tcase_add_test(tests, test_wrong_options_are_refused);
	tcase_add_test(tests, test_full_disk_fails);
}
