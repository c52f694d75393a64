// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_types.c: what samples are: by their formats, by BTF, or bytes. */
#include <stdio.h>
#include <bpf/btf.h>

#include <peat/recording.h>

#include "field/fields.h"
#include "replay/event_types.h"
#include "replay_run.h"
#include "unit/suite.h"

#define SOFTWARE   1
#define TRACEPOINT 2
#define BPF_OUTPUT 10

static struct replay_types events;
static struct bytes formats;
static const char *why;
static uint64_t bad_at;

static void setup(void)
{
	begin_replays();
	replay_types__init(&events, false);
	why = NULL;
	bad_at = 0;
}

static void teardown(void)
{
	replay_types__free(&events);
}

/* From memory that ends there, and is gone soon. */
static int learn_formats(size_t len)
{
	uint8_t *copy = memcpy(malloc(len + !len), formats.at, len);
	int err = replay_types__add_formats(&events, copy, len, &why, &bad_at);

	memset(copy, 0xa5, len);
	free(copy);
	return err;
}

static const struct replay_type *event_of(uint32_t index, uint32_t type, uint64_t config,
					  const char *name)
{
	char room[32];
	struct perf_attr attr = { .index = index, .type = type, .config = config };
	const struct replay_type *event;

	attr.layout.sample_type = PEAT_SAMPLE_RAW;
	if (name)
		attr.name = strcpy(room, name);
	event = replay_types__of(&events, &attr);
	ck_assert_ptr_nonnull(event);
	ck_assert_ptr_eq(replay_types__of(&events, &attr), event);
	return event;
}

static void check_schema(const struct replay_type *event, const char *name, const char *field)
{
	const struct peat_field *fields;
	uint32_t count;

	fields = peat_schema__fields(event->schema, &count);
	ck_assert_str_eq(peat_schema__name(event->schema), name);
	ck_assert_uint_eq(count, field != NULL);
	if (field)
		ck_assert_str_eq(fields->name, field);
}

/* ---- ids ------------------------------------------------------------------------------------- */

START_TEST(test_id_of_a_format)
{
	static const struct {
		const char *text;
		bool has_id;
		uint32_t id;
	} texts[] = {
		{ "name: x\nID: 7\nformat:\n", true, 7 },
		{ "ID: 4294967295", true, UINT32_MAX },
		{ "name: x\nID: 7", true, 7 },
		{ "name: x\nID:\nformat:\n", false, 0 },
		{ "name: x\nID: ", false, 0 },
		{ "name: x\nI", false, 0 },
		{ "name: x\n ID: -\n", false, 0 },
		{ "ID: 4294967296\n", false, 0 },
		{ "name: ID: 7\n", false, 0 },
		{ "\n\n\nID: 12\n", true, 12 },
		{ "", false, 0 },
		{ "\n", false, 0 },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		size_t bytes = strlen(texts[i].text);
		char *copy = memcpy(malloc(bytes + !bytes), texts[i].text, bytes);
		uint32_t id = 0;

		ck_assert_msg(format_parse__id(copy, bytes, &id) == texts[i].has_id, "%s",
			      texts[i].text);
		ck_assert(!texts[i].has_id || id == texts[i].id);
		free(copy);
	}
}
END_TEST

/* ---- what BPF_BTF has ------------------------------------------------------------------------ */

static struct btf *new_btf(const char *name, const char *member)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "unsigned int", 4, 0);

	ck_assert_int_gt(number, 0);
	ck_assert_int_gt(btf__add_struct(btf, name, 4), 0);
	ck_assert_int_eq(btf__add_field(btf, member, number, 0, 0), 0);
	return btf;
}

/* BPF_BTF: how many, and of each its id, its length, and itself. */
static struct maker make_types(bool swapped)
{
	struct maker m = { .swapped = swapped };
	static const char *const structs[][2] = { { "other", "x" },
						  { "open_event", "flags" },
						  { "open_event", "later" } };

	make(&m, 4, 4);
	for (uint32_t i = 0; i < 3; i++) {
		struct btf *btf = new_btf(structs[i][0], structs[i][1]);
		uint32_t size;
		const void *raw = btf__raw_data(btf, &size);

		make(&m, 99 + i, 4);
		make(&m, size, 4);
		make_bytes(&m, raw, size);
		btf__free(btf);
	}
	make(&m, 102, 4);
	make(&m, 7, 4);
	make_bytes(&m, "garbage", 7);
	return m;
}

static int learn_types(const struct maker *m, size_t len)
{
	uint8_t *copy = memcpy(malloc(len + !len), m->at, len);
	int err = replay_types__add_btfs(&events, copy, len, &why);

	free(copy);
	return err;
}

/* ---- tracepoints ----------------------------------------------------------------------------- */

START_TEST(test_formats_give_types)
{
	const struct replay_type *first, *missing;

	put_made_formats(&formats, false);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	first = event_of(0, TRACEPOINT, 301, NULL);
	check_schema(first, "made:first", "number");
	ck_assert_ptr_eq(first->format->schema, first->schema);
	check_schema(event_of(3, TRACEPOINT, 302, "other:name"), "made:second", "number");
	missing = event_of(1, TRACEPOINT, 303, NULL);
	check_schema(missing, "tracepoint 303", "bytes");
	ck_assert_ptr_null(missing->format);
	check_schema(event_of(2, TRACEPOINT, 301ULL << 32, "sys:x"), "sys:x", "bytes");
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* Two events of one tracepoint, with filters of their own say. */
START_TEST(test_same_format)
{
	put_made_formats(&formats, false);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	ck_assert_ptr_eq(event_of(0, TRACEPOINT, 301, NULL)->schema,
			 event_of(1, TRACEPOINT, 301, NULL)->schema);
}
END_TEST

/* Formats of ftrace itself have ids, too, and are no events. */
START_TEST(test_formats_of_ftrace)
{
	begin_tracing(&formats, "0.6", 8, false);
	put_u32(&formats, 1);
	put_format(&formats, "function", 1, MADE_FIELD);
	put_u32(&formats, 1);
	begin_system(&formats, "ftrace", 1);
	put_format(&formats, "print", 5, MADE_FIELD);
	end_tracing(&formats);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	check_schema(event_of(0, TRACEPOINT, 1, NULL), "tracepoint 1", "bytes");
	check_schema(event_of(1, TRACEPOINT, 5, NULL), "tracepoint 5", "bytes");
}
END_TEST

START_TEST(test_damaged_format)
{
	begin_tracing(&formats, "0.6", 8, false);
	put_u32(&formats, 0);
	put_u32(&formats, 1);
	begin_system(&formats, "made", 1);
	put_format(&formats, "first", 301, "\tfield:u64 number;\toffset:what;\n");
	end_tracing(&formats);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	ck_assert_str_eq(replay_log, "");
	check_schema(event_of(0, TRACEPOINT, 301, NULL), "tracepoint 301", "bytes");
	ck_assert_ptr_nonnull(strstr(replay_log, "invalid format of tracepoint 301 (made)"));
	*replay_log = '\0';
	event_of(0, TRACEPOINT, 301, NULL);
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* Cut anywhere: no harm, and formats that are whole are read. */
START_TEST(test_cut_formats)
{
	unsigned whole = 0;

	put_made_formats(&formats, false);
	for (size_t len = 0; len < formats.len; len++) {
		int err = learn_formats(len);

		ck_assert(err == 0 || err == -EBADMSG);
		ck_assert(!err || (why && bad_at <= len));
		whole += events.formats->count;
		replay_types__free(&events);
	}
	ck_assert_uint_gt(whole, 100);
	ck_assert_int_eq(learn_formats(formats.len - 60), -EBADMSG);
	check_schema(event_of(0, TRACEPOINT, 301, NULL), "made:first", "number");
}
END_TEST

/* The first counts. */
START_TEST(test_formats_twice)
{
	const struct replay_type *first;

	put_made_formats(&formats, false);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	first = event_of(0, TRACEPOINT, 301, NULL);
	begin_tracing(&formats, "0.6", 8, false);
	put_u32(&formats, 0);
	put_u32(&formats, 1);
	begin_system(&formats, "again", 2);
	put_format(&formats, "renamed", 302, MADE_FIELD);
	put_format(&formats, "third", 303, MADE_FIELD);
	end_tracing(&formats);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	ck_assert_ptr_eq(event_of(0, TRACEPOINT, 301, NULL), first);
	check_schema(first, "made:first", "number");
	check_schema(event_of(1, TRACEPOINT, 302, NULL), "made:second", "number");
	check_schema(event_of(2, TRACEPOINT, 303, NULL), "tracepoint 303", "bytes");
}
END_TEST

/* Whoever asks before they come has bytes, which live on, and then what it really is. */
START_TEST(test_formats_late)
{
	const struct replay_type *early = event_of(0, TRACEPOINT, 301, NULL);
	const struct peat_schema *schema = early->schema;
	struct maker m;

	check_schema(early, "tracepoint 301", "bytes");
	check_schema(event_of(5, SOFTWARE, BPF_OUTPUT, "other"), "other", "bytes");
	put_made_formats(&formats, false);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	check_schema(event_of(0, TRACEPOINT, 301, NULL), "made:first", "number");
	m = make_types(false);
	ck_assert_int_eq(learn_types(&m, m.len), 0);
	check_schema(event_of(5, SOFTWARE, BPF_OUTPUT, "other"), "other", "x");
	ck_assert_str_eq(peat_schema__name(schema), "tracepoint 301");
	free(m.at);
}
END_TEST

/* In a pipe, the recorder may be known after the first lookup: sinks hide the samples of peat's. */
START_TEST(test_recorder_late)
{
	const struct replay_type *early = event_of(5, SOFTWARE, BPF_OUTPUT, "peat:late"), *type;

	check_schema(early, "late", "bytes");
	ck_assert(!early->schema->hides_sample);
	replay_types__set_recorder(&events, true);
	type = event_of(5, SOFTWARE, BPF_OUTPUT, "peat:late");
	ck_assert_ptr_ne(type, early);
	ck_assert(type->schema->hides_sample);
	ck_assert(!early->schema->hides_sample);
	replay_types__set_recorder(&events, true);
	ck_assert_ptr_eq(event_of(5, SOFTWARE, BPF_OUTPUT, "peat:late"), type);
}
END_TEST

/* Those that are not tracepoints have their names, and no field without RAW. */
START_TEST(test_other_events)
{
	char name[] = "uops/u/";
	struct perf_attr clock = { .index = 1, .type = SOFTWARE };
	struct perf_attr named = { .index = 2, .type = 4, .config = 0x1c2, .name = name };
	struct perf_attr point = { .index = 3, .type = TRACEPOINT, .config = 9 };

	check_schema(replay_types__of(&events, &clock), "cpu-clock", NULL);
	check_schema(replay_types__of(&events, &named), "uops/u/", NULL);
	check_schema(replay_types__of(&events, &point), "tracepoint 9", NULL);
	check_schema(event_of(4, SOFTWARE, BPF_OUTPUT, NULL), "bpf-output", "bytes");
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

static void check_names(const struct replay_type *event, const char *name, bool is_peats)
{
	char pattern[64];

	ck_assert_str_eq(peat_schema__name(event->schema), name);
	ck_assert(peat_schema__is_called(event->schema, name));
	ck_assert(peat_schema__is_called(event->schema, "*"));
	snprintf(pattern, sizeof(pattern), "peat:%s", name);
	ck_assert_msg(peat_schema__is_called(event->schema, pattern) == is_peats, "%s", pattern);
	ck_assert_msg(peat_schema__is_called(event->schema, "peat:*") == is_peats, "%s", name);
	ck_assert(!peat_schema__is_called(event->schema, "other"));
	ck_assert(!peat_schema__is_called(event->schema, "peat:other"));
	ck_assert(!peat_schema__is_called(event->schema, "peat:"));
	ck_assert(!peat_schema__is_called(event->schema, ""));
}

/* Only types of events that peat recorded are also called peat:NAME, in the recording. */
START_TEST(test_names_of_types)
{
	begin_tracing(&formats, "0.6", 8, false);
	put_u32(&formats, 0);
	put_u32(&formats, 2);
	begin_system(&formats, "peat", 1);
	put_format(&formats, "exec", 301, MADE_FIELD);
	begin_system(&formats, "made", 1);
	put_format(&formats, "first", 302, MADE_FIELD);
	end_tracing(&formats);
	ck_assert_int_eq(learn_formats(formats.len), 0);
	check_names(event_of(0, TRACEPOINT, 301, "peat:exec"), "exec", true);
	check_names(event_of(1, TRACEPOINT, 302, "made:first"), "made:first", false);
	check_names(event_of(2, SOFTWARE, BPF_OUTPUT, "peat:plain"), "plain", true);
	check_names(event_of(3, SOFTWARE, BPF_OUTPUT, "exec"), "exec", false);
}
END_TEST

/* ---- types ----------------------------------------------------------------------------------- */

START_TEST(test_btf_gives_types)
{
	struct maker m = make_types(false);

	ck_assert_int_eq(learn_types(&m, m.len), 0);
	check_schema(event_of(0, SOFTWARE, BPF_OUTPUT, "open_event"), "open_event", "flags");
	check_schema(event_of(1, SOFTWARE, BPF_OUTPUT, "other"), "other", "x");
	check_schema(event_of(2, SOFTWARE, BPF_OUTPUT, "unsigned int"), "unsigned int", "bytes");
	check_schema(event_of(3, SOFTWARE, BPF_OUTPUT, NULL), "bpf-output", "bytes");
	check_schema(event_of(4, SOFTWARE, 0, "other"), "other", "bytes");
	check_schema(event_of(5, SOFTWARE, BPF_OUTPUT, "open_event"), "open_event", "flags");
	check_schema(event_of(6, SOFTWARE, BPF_OUTPUT, ""), "bpf-output", "bytes");
	free(m.at);
}
END_TEST

/* Types of the other byte order are not used: the samples are bytes. */
START_TEST(test_swapped_types)
{
	struct maker m = make_types(true);

	replay_types__init(&events, true);
	ck_assert_int_eq(learn_types(&m, m.len), 0);
	check_schema(event_of(0, SOFTWARE, BPF_OUTPUT, "open_event"), "open_event", "bytes");
	free(m.at);
}
END_TEST

START_TEST(test_cut_types)
{
	struct maker m = make_types(false);

	for (size_t len = 0; len < m.len; len++) {
		ck_assert_int_eq(learn_types(&m, len), -EBADMSG);
		ck_assert_ptr_nonnull(why);
		replay_types__free(&events);
	}
	ck_assert_int_eq(learn_types(&m, m.len - 1), -EBADMSG);
	check_schema(event_of(0, SOFTWARE, BPF_OUTPUT, "other"), "other", "x"); /* was whole */
	free(m.at);
}
END_TEST

/* The first count. */
START_TEST(test_types_twice)
{
	struct maker m = make_types(false), more = { 0 };
	struct btf *btf = new_btf("late", "y");
	uint32_t size;
	const void *raw = btf__raw_data(btf, &size);

	ck_assert_int_eq(learn_types(&m, m.len), 0);
	check_schema(event_of(0, SOFTWARE, BPF_OUTPUT, "other"), "other", "x");
	make(&more, 1, 4);
	make(&more, 5, 4);
	make(&more, size, 4);
	make_bytes(&more, raw, size);
	ck_assert_int_eq(learn_types(&more, more.len), 0);
	check_schema(event_of(1, SOFTWARE, BPF_OUTPUT, "late"), "late", "bytes");
	check_schema(event_of(2, SOFTWARE, BPF_OUTPUT, "open_event"), "open_event", "flags");
	btf__free(btf);
	free(m.at);
	free(more.at);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_id_of_a_format);
	tcase_add_test(tests, test_formats_give_types);
	tcase_add_test(tests, test_same_format);
	tcase_add_test(tests, test_formats_of_ftrace);
	tcase_add_test(tests, test_damaged_format);
	tcase_add_test(tests, test_cut_formats);
	tcase_add_test(tests, test_formats_twice);
	tcase_add_test(tests, test_formats_late);
	tcase_add_test(tests, test_recorder_late);
	tcase_add_test(tests, test_other_events);
	tcase_add_test(tests, test_names_of_types);
	tcase_add_test(tests, test_btf_gives_types);
	tcase_add_test(tests, test_swapped_types);
	tcase_add_test(tests, test_cut_types);
	tcase_add_test(tests, test_types_twice);
}
