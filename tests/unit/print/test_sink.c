// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sink.c: output to a function of the caller, and one event into memory. */
#include <errno.h>
#include <stdlib.h>

#include "sink_output.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

struct small {
	uint32_t number;
	char word[8];
};

static struct peat_field fields[] = {
	FIELD(struct small, number, PEAT_FIELD_UNSIGNED),
	FIELD(struct small, word, PEAT_FIELD_STRING),
};
static const struct peat_schema schema = SCHEMA("small", fields);
static const struct small data = { 7, "a\"b" };

static struct peat_event small_event(void)
{
	struct peat_event event = an_event(&schema, &data, sizeof(data));

	event.time_ns = 5;
	event.cpu = 1;
	event.pid = event.tid = 2;
	event.comm = "sh";
	return event;
}

#define SMALL_JSON                                                                                 \
	"{\"type\":\"small\",\"time_ns\":5,\"cpu\":1,\"pid\":2,\"tid\":2,\"comm\":\"sh\","         \
	"\"number\":7,\"word\":\"a\\\"b\"}"

/* ---- one event ------------------------------------------------------------------------------- */

START_TEST(test_event_as_json)
{
	struct peat_event event = small_event();
	char text[256], cut[8];
	int bytes = peat_event__json(&event, text, sizeof(text));

	ck_assert_str_eq(text, SMALL_JSON);
	ck_assert_int_eq(bytes, (int)strlen(SMALL_JSON));
	ck_assert_int_eq(peat_event__json(&event, cut, sizeof(cut)), bytes);
	ck_assert_str_eq(cut, "{\"type\"");
	ck_assert_int_eq(peat_event__json(&event, NULL, 0), bytes);
	ck_assert_int_eq(peat_event__json(&event, text, (size_t)bytes + 1), bytes);
	ck_assert_str_eq(text, SMALL_JSON);
	ck_assert_int_eq(peat_event__json(&event, text, (size_t)bytes), bytes);
	ck_assert_uint_eq(strlen(text), (size_t)bytes - 1);
}
END_TEST

START_TEST(test_event_as_text)
{
	struct peat_event event = small_event();
	char text[256];
	int bytes = peat_event__text(&event, text, sizeof(text));

	ck_assert_int_eq(bytes, (int)strlen(text));
	ck_assert_ptr_eq(strstr(text, "small"), text);
	ck_assert_ptr_nonnull(strstr(text, " number=7 word="));
	ck_assert_ptr_null(strchr(text, '\n'));
	event = (struct peat_event){ .kind = PEAT_EVENT_LOST, .lost = 3, .cpu = 4 };
	peat_event__text(&event, text, sizeof(text));
	ck_assert_ptr_eq(strstr(text, "# 3 events lost on CPU 4"), text);
}
END_TEST

START_TEST(test_no_memory)
{
	static int (*const prints[])(const struct peat_event *event, char *text,
				     size_t room) = { peat_event__json, peat_event__text };
	struct peat_event event = small_event();
	long blocks = fail_alloc__blocks();
	char text[256];

	for (size_t i = 0; i < 2; i++)
		for (unsigned nth = 1; nth; nth++) {
			int bytes;

			fail_alloc__begin(nth);
			bytes = prints[i](&event, text, sizeof(text));
			if (!fail_alloc__end())
				break;
			ck_assert_int_eq(bytes, -ENOMEM);
		}
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

/* ---- output to a function -------------------------------------------------------------------- */

struct memory {
	char bytes[1 << 18];
	size_t count;
	int calls, err;
};

static struct memory memory;

static int remember(void *arg, const char *bytes, size_t count)
{
	struct memory *to = arg;

	to->calls++;
	if (to->err)
		return to->err;
	ck_assert_uint_lt(to->count + count, sizeof(to->bytes));
	memcpy(to->bytes + to->count, bytes, count);
	to->count += count;
	to->bytes[to->count] = 0;
	return 0;
}

static struct peat_sink_opts to_memory(void)
{
	memory.count = 0;
	memory.calls = memory.err = 0;
	return (struct peat_sink_opts){ .sz = sizeof(struct peat_sink_opts),
					.output = remember,
					.output_arg = &memory };
}

START_TEST(test_output_takes_whole_buffers)
{
	struct peat_sink_opts opts = to_memory();
	struct peat_sink *sink = peat_sink__new_json(-1, &opts);
	struct peat_event event = small_event();

	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(memory.calls, 0);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_str_eq(memory.bytes, SMALL_JSON "\n" SMALL_JSON "\n");
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(memory.calls, 1);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(memory.calls, 2); /* 64 KiB are written without a flush */
	ck_assert_int_eq(memory.bytes[memory.count - 1], '\n');
	peat_sink__free(sink);
}
END_TEST

START_TEST(test_output_of_text)
{
	struct peat_sink_opts opts = to_memory();
	struct peat_event event = small_event();
	struct peat_sink *sink;

	opts.columns = &schema;
	sink = peat_sink__new_text(-1, &opts);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_ptr_nonnull(strstr(memory.bytes, "NUMBER"));
	peat_sink__free(sink);
}
END_TEST

START_TEST(test_failing_output)
{
	struct peat_sink_opts opts = to_memory();
	struct peat_sink *sink = peat_sink__new_json(-1, &opts);
	struct peat_event event = small_event();

	memory.err = -EDQUOT;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__flush(sink), -EDQUOT);
	ck_assert_int_eq(errno, EDQUOT);
	ck_assert_int_eq(peat_sink__write(sink, &event), -EDQUOT);
	ck_assert_int_eq(memory.calls, 1);
	peat_sink__free(sink);
}
END_TEST

START_TEST(test_output_and_fd)
{
	struct peat_sink_opts opts = to_memory();

	ck_assert_ptr_null(peat_sink__new_json(1, &opts));
	ck_assert_int_eq(errno, EINVAL);
	opts.output = NULL;
	ck_assert_ptr_null(peat_sink__new_text(-1, &opts));
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_event_as_json);
	tcase_add_test(tests, test_event_as_text);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_output_takes_whole_buffers);
	tcase_add_test(tests, test_output_of_text);
	tcase_add_test(tests, test_failing_output);
	tcase_add_test(tests, test_output_and_fd);
}
