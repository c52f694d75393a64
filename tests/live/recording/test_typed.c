// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_typed.c: formats and payloads made by peat, decoded by stock perf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/recording/every_kind.h"
#include "support/machine/harness.h"
#include "tracing_data/payload.h"
#include "support/perf/stock_perf.h"
#include "tracing_data/tracing_data_write.h"
#include "support/recording/typed_file.h"

#define EVENTS_MAX 4

static struct payload_format formats[EVENTS_MAX];
static struct typed_event events[EVENTS_MAX];
static uint8_t payloads[EVENTS_MAX][4096];
static uint32_t count;

/* Adds an event of this schema to the file. */
static void add(const struct peat_schema *schema, const char *name, const void *data,
		uint32_t bytes)
{
	struct payload_format *format = &formats[count];
	int size;

	ck_assert_uint_lt(count, EVENTS_MAX);
	ck_assert_int_eq(payload__init(format, schema, name, 40000 + count), 0);
	size = payload__convert(format, data, bytes, 77, payloads[count], sizeof(payloads[count]));
	ck_assert_int_gt(size, 0);
	ck_assert(!(size & PAYLOAD_CUT));
	events[count] = (struct typed_event){ 40000 + count, payloads[count], (size_t)size };
	count++;
}

/* Writes "typed.data", with all events that were added. */
static void write_file(void)
{
	struct tracing_format texts[EVENTS_MAX];
	struct strbuf tracing = { 0 };

	for (uint32_t i = 0; i < count; i++)
		texts[i] = (struct tracing_format){ "peat",
						    { formats[i].text, formats[i].text_bytes } };
	tracing_data_write__append(&tracing, texts, count, 4096);
	ck_assert(!tracing.failed);
	typed_file__write("typed.data", tracing.bytes, tracing.count, events, count);
	strbuf__free(&tracing);
	while (count)
		payload__free(&formats[--count]);
}

static void add_every_kind(bool open)
{
	struct peat_schema *schema = every_kind__schema(open);
	uint32_t bytes;
	const void *event = every_kind__event(&bytes);

	add(schema, open ? "every_kind" : "closed", event,
	    open ? bytes : peat_schema__bytes(schema));
	peat_schema__free(schema);
}

/* perf 7 prints arrays of numbers in another way. */
static bool is_row(const char *value)
{
	return strspn(value, "0123456789 ") == strlen(value) && strchr(value, ' ');
}

/* ---- script ---------------------------------------------------------------------------------- */

START_TEST(test_perf_script_prints_fields)
{
	char *text, part[256];

	need_perf();
	add_every_kind(true);
	write_file();
	text = stock_perf__shell("perf script -i typed.data 2>&1");
	stock_perf__check_has(text, "maker   100 [000]     1.000000: peat:every_kind: ");
	for (const struct every_kind_text *said = every_kind_texts; said->name; said++) {
		if (is_row(said->perf))
			continue;
		snprintf(part, sizeof(part), " %s=%s%s", said->name, said->perf,
			 strcmp(said->name, "text") != 0 ? " " : "\n");
		stock_perf__check_has(text, part);
	}
	ck_assert(strstr(text, " numbers=1 2 3 ") || strstr(text, " numbers={0x1,0x2,0x3} "));
	ck_assert(strstr(text, " open=5 1099511627776 ") ||
		  strstr(text, " open={0x5,0x10000000000} "));
	ck_assert_ptr_null(strstr(text, "FAILED"));
	free(text);
}
END_TEST

/* A payload that ends early, an empty one, and one of an unknown event. */
START_TEST(test_short_and_unknown)
{
	struct peat_schema *schema = every_kind__schema(true);
	const uint64_t seven = 7;
	uint8_t cut[10] = { 0 };
	char *text;

	need_perf();
	memcpy(cut, &seven, sizeof(seven));
	add(schema, "short", cut, sizeof(cut));
	add(schema, "nothing", NULL, 0);
	add(NULL, "unknown", "\x01\xff\x20", 3);
	peat_schema__free(schema);
	write_file();
	text = stock_perf__shell("perf script -i typed.data 2>&1");
	stock_perf__check_has(text, "peat:short: u64=7 s64=0 pointer=0x0 ");
	stock_perf__check_has(text, " result_err=OK ");
	stock_perf__check_has(text, " args= text=\n");
	stock_perf__check_has(text, "peat:nothing: u64=0 ");
	stock_perf__check_has(text, "peat:unknown: bytes=01ff20\n");
	free(text);
}
END_TEST

/* ---- other commands of perf ------------------------------------------------------------------ */

START_TEST(test_perf_evlist_lists_fields)
{
	char *text;

	need_perf();
	add_every_kind(true);
	add(NULL, "unknown", "", 0);
	write_file();
	text = stock_perf__shell("perf evlist -v --trace-fields -i typed.data 2>&1");
	stock_perf__check_has(text, "peat:every_kind: ");
	stock_perf__check_has(text, "config: 0x9c40");
	stock_perf__check_has(text, "trace_fields: u64,s64,pointer,kaddr,");
	stock_perf__check_has(text, ",args,text,open_count,open\n");
	stock_perf__check_has(text, "trace_fields: bytes\n");
	free(text);
}
END_TEST

/* Labels are looked for by how they begin. */
START_TEST(test_perf_report_sorts_by_fields)
{
	static const char *const pairs[][2] = {
		{ "pid_", "42" },	 { "pid_ns", "5" },	 { "duration", "1234567" },
		{ "signal", "SIGKILL" }, { "host", "10.1.2.3" }, { "from_column", "-8" },
		{ "names_1", "two" },	 { "port", "443" },	 { "mode", "MODE_WEIRD" },
		{ "s8", "-3" },		 { "full", "12345678" }, { "part", "a0b1c2" },
		{ "part_bytes", "3" },	 { "small", "5" },	 { "deltas_0", "-1" },
		{ "common_x_", "13" },
	};

	need_perf();
	add_every_kind(true);
	write_file();
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char line[256], *text;

		snprintf(line, sizeof(line),
			 "perf report --stdio -i typed.data -s every_kind.%s 2>/dev/null | "
			 "grep '^ *100'",
			 pairs[i][0]);
		text = stock_perf__shell(line);
		stock_perf__check_has(text, "100.00%");
		stock_perf__check_has(text, pairs[i][1]);
		free(text);
	}
}
END_TEST

START_TEST(test_perf_converts_to_json)
{
	char *text;

	need_perf();
	add_every_kind(true);
	write_file();
	text = stock_perf__shell("perf data convert --to-json typed.json -i typed.data 2>&1 && "
				 "cat typed.json");
	stock_perf__check_has(text, "\"timestamp\": 1000000000");
	stock_perf__check_has(text, "\"comm\": \"maker\"");
	if (strstr(text, "\"duration\"")) {
		/* perf 6.12 has all values in quotes */
		if (!strstr(text, "\"duration\": \"1234567\""))
			stock_perf__check_has(text, "\"duration\": 1234567");
		stock_perf__check_has(text, "\"text\": \"a text\"");
	}
	free(text);
}
END_TEST

/* CTF has everything except arrays of variable length. */
START_TEST(test_perf_converts_to_ctf)
{
	char *text;

	need_perf();
	add_every_kind(false);
	add(NULL, "unknown", "\1\2\3", 3);
	write_file();
	text = stock_perf__shell(
		"perf data convert --to-ctf typed.ctf -i typed.data 2>&1 || echo failed: $?");
	if (!strstr(text, "libbabeltrace"))
		stock_perf__check_has(text, "(2 samples)");
	free(text);
}
END_TEST

static Suite *typed_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("typed", 60, &tests);

	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_perf_script_prints_fields);
	tcase_add_test(tests, test_short_and_unknown);
	tcase_add_test(tests, test_perf_evlist_lists_fields);
	tcase_add_test(tests, test_perf_report_sorts_by_fields);
	tcase_add_test(tests, test_perf_converts_to_json);
	tcase_add_test(tests, test_perf_converts_to_ctf);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { typed_suite };

	return harness__main(argc, argv, suites, 1);
}
