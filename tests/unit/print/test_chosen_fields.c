// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_chosen_fields.c: fields chosen by name, in text and JSON; also widths and colours. */
#include <errno.h>
#include <stdio.h>

#include <peat/log.h>

#include "print/chosen_fields.h"
#include "print/line.h"
#include "sink_output.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

struct end {
	uint32_t host, port;
};

struct call {
	int32_t result;
	uint32_t count;
	struct end to;
	char path[48];
};

static struct peat_field fields[] = {
	FIELD(struct call, result, PEAT_FIELD_ERRNO, .is_signed = true),
	FIELD(struct call, count, PEAT_FIELD_UNSIGNED, .is_minor = true),
	{ .name = "to", .kind = PEAT_FIELD_STRUCT, .span = 3, .offset = 8, .bytes = 8 },
	FIELD(struct end, host, PEAT_FIELD_UNSIGNED),
	FIELD(struct end, port, PEAT_FIELD_UNSIGNED),
	FIELD(struct call, path, PEAT_FIELD_STRING),
};

static const struct peat_schema schema = SCHEMA("call", fields), other = SCHEMA("other", fields);
static const struct call failed = { -2, 5, { 17, 443 }, "/etc/a/path/of/thirty-two/bytes" };
static const struct call done = { 3, 6, { 18, 80 }, "p" };

static struct peat_sink *sink;
static int fd;

static void open_sink(struct peat_sink_opts opts, bool json)
{
	opts.sz = sizeof(opts);
	fd = new_output();
	sink = json ? peat_sink__new_json(fd, &opts) : peat_sink__new_text(fd, &opts);
	ck_assert_ptr_nonnull(sink);
}

static void put(const struct peat_schema *type, const struct call *call)
{
	struct peat_event event = an_event(type, call, sizeof(*call));

	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
}

static void check(const char *wanted)
{
	ck_assert_str_eq(output(sink, fd), wanted);
}

static void close_sink(void)
{
	peat_sink__free(sink);
	close(fd);
}

/* Exactly these columns, in this order, however narrow the line is. */
START_TEST(test_table_has_chosen_columns)
{
	open_sink((struct peat_sink_opts){ .columns = &schema,
					   .fields = "path,to.port,comm,tid,result,type,cpu",
					   .width = 200 },
		  false);
	put(&schema, &failed);
	check("PATH                            TO.PORT  COMM                TID  RESULT  TYPE      "
	      "CPU\n"
	      "/etc/a/path/of/thirty-two/bytes     443  bash                 41  ENOENT  call      "
	      "[003]\n");
	close_sink();
}
END_TEST

START_TEST(test_struct_becomes_its_fields)
{
	open_sink((struct peat_sink_opts){ .columns = &schema, .fields = "to,count" }, false);
	put(&schema, &failed);
	check("TO.HOST TO.PORT   COUNT\n"
	      "     17     443       5\n");
	close_sink();
}
END_TEST

/* The time needs no other option. */
START_TEST(test_time_needs_no_option)
{
	open_sink((struct peat_sink_opts){ .columns = &schema, .fields = "time,pid" }, false);
	put(&schema, &done);
	check("          TIME     PID\n"
	      "      1.000000      41\n");
	close_sink();
}
END_TEST

/* Lines have the chosen fields that their type has. */
START_TEST(test_lines_have_chosen_fields)
{
	open_sink((struct peat_sink_opts){ .fields = "to.port,none,result,comm" }, false);
	put(&schema, &failed);
	check("TYPE         PID COMM            CPU\n"
	      "call          41 bash            [003] to.port=443 result=ENOENT\n");
	close_sink();
}
END_TEST

START_TEST(test_json_has_chosen_fields)
{
	open_sink((struct peat_sink_opts){ .fields = "path,to.port,to,pid,comm,none,type" }, true);
	put(&schema, &done);
	check("{\"type\":\"call\",\"path\":\"p\",\"to.port\":80,\"to\":{\"host\":18,\"port\":80},"
	      "\"pid\":41,\"comm\":\"bash\"}\n");
	close_sink();
	open_sink((struct peat_sink_opts){ .fields = "cpu,tid,time", .wall_clock_ns = 1 }, true);
	put(&schema, &done);
	check("{\"type\":\"call\",\"cpu\":3,\"tid\":41,\"time_ns\":1000000007,\"time\":"
	      "\"1970-01-01T00:00:01.000000008Z\"}\n");
	close_sink();
}
END_TEST

static char logged[512];

static void keep_log(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

START_TEST(test_errors_list_the_fields)
{
	static const char *const lists[] = { "", ",", "pid,", ",pid", "pid,,comm", "pid,resul" };
	struct peat_sink_opts opts = { .sz = sizeof(opts), .columns = &schema };

	peat_set_print(keep_log);
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		*logged = 0;
		opts.fields = lists[i];
		ck_assert_ptr_null(peat_sink__new_text(1, &opts));
		ck_assert_int_eq(errno, EINVAL);
		ck_assert(*logged);
		ck_assert_ptr_null(peat_sink__new_json(1, &opts));
		ck_assert_int_eq(errno, EINVAL);
	}
	ck_assert_str_eq(logged, "no field \"resul\" in events of type call: did you mean "
				 "\"result\"? there are result, count, to, path, time, type, pid, "
				 "tid, comm and cpu");
	peat_set_print(NULL);
}
END_TEST

/* ---- widths and colours ---------------------------------------------------------------------- */

/* Minor fields are left out first, paths keep their end, and the first field stays. */
START_TEST(test_widths_leave_out_columns)
{
	open_sink((struct peat_sink_opts){ .columns = &schema, .width = 100 }, false);
	put(&schema, &failed);
	check("    PID  COMM             CPU    RESULT   COUNT TO.HOST TO.PORT  PATH\n"
	      "     41  bash             [003]  ENOENT       5      17     443  "
	      "/etc/a/path/of/thirty-two/bytes\n");
	close_sink();
	open_sink((struct peat_sink_opts){ .columns = &schema, .width = 81 }, false);
	put(&schema, &failed);
	check("    PID  COMM             RESULT TO.HOST TO.PORT  PATH\n"
	      "     41  bash             ENOENT      17     443  "
	      "/etc/a/path/of/thirty-two/bytes\n");
	close_sink();
	open_sink((struct peat_sink_opts){ .columns = &schema, .width = 45 }, false);
	put(&schema, &failed);
	check("    PID  COMM RESULT  PATH\n"
	      "     41  bash ENOENT  …th/of/thirty-two/bytes\n");
	close_sink();
	open_sink((struct peat_sink_opts){ .columns = &schema, .width = 24 }, false);
	put(&schema, &failed);
	check("    PID  COMM     RESULT\n"
	      "     41  bash     ENOENT\n");
	close_sink();
}
END_TEST

START_TEST(test_set_width)
{
	struct peat_sink *json = peat_sink__new_json(1, NULL);

	open_sink((struct peat_sink_opts){ .columns = &schema, .width = 100 }, false);
	ck_assert_int_eq(peat_sink__set_width(sink, 26), 0);
	put(&schema, &done);
	check("    PID  COMM       RESULT\n"
	      "     41  bash            3\n");
	put(&schema, &done);
	ck_assert_int_eq(peat_sink__set_width(sink, 26), 0); /* no change, no heading */
	ck_assert_int_eq(peat_sink__set_width(sink, 27), 0);
	put(&schema, &done);
	check("     41  bash            3\n"
	      "    PID  COMM        RESULT\n"
	      "     41  bash             3\n");
	ck_assert_int_eq(peat_sink__set_width(sink, 0), 0);
	put(&schema, &done);
	check("    PID  COMM             CPU    RESULT   COUNT TO.HOST TO.PORT  PATH\n"
	      "     41  bash             [003]       3       6      18      80  p\n");
	close_sink();
	open_sink((struct peat_sink_opts){ .width = 30 }, false);
	put(&schema, &failed);
	ck_assert_int_eq(peat_sink__set_width(sink, 72), 0);
	put(&schema, &failed);
	check("TYPE         PID COMM\n"
	      "call          41 bash        …\n"
	      "call          41 bash            result=ENOENT to={host=17 port=443} pa…\n");
	close_sink();
	ck_assert_int_eq(peat_sink__set_width(json, 80), -EINVAL);
	peat_sink__free(json);
}
END_TEST

START_TEST(test_colours_mark_errors)
{
	struct peat_event loss = { .kind = PEAT_EVENT_LOST, .lost = 2, .cpu = 1 };

	open_sink((struct peat_sink_opts){ .columns = &schema,
					   .fields = "result,pid",
					   .colour = 1,
					   .no_heading = true },
		  false);
	put(&schema, &failed);
	put(&schema, &done);
	ck_assert_int_eq(peat_sink__write(sink, &loss), 0);
	put(&other, &failed);
	check(" " LINE_RED "ENOENT" LINE_PLAIN "      41\n"
	      "      3      41\n" LINE_RED "# 2 events lost on CPU 1" LINE_PLAIN "\n"
	      "other         41 bash            [003] result=" LINE_RED "ENOENT" LINE_PLAIN "\n");
	close_sink();
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_table_has_chosen_columns);
	tcase_add_test(tests, test_struct_becomes_its_fields);
	tcase_add_test(tests, test_time_needs_no_option);
	tcase_add_test(tests, test_lines_have_chosen_fields);
	tcase_add_test(tests, test_json_has_chosen_fields);
	tcase_add_test(tests, test_errors_list_the_fields);
	tcase_add_test(tests, test_widths_leave_out_columns);
	tcase_add_test(tests, test_set_width);
	tcase_add_test(tests, test_colours_mark_errors);
}
