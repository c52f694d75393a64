// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_header.c: what the header of a recording says for its events. */
#include <sys/utsname.h>

#include "replay/header.h"
#include "replay_run.h"
#include "unit/suite.h"

#define WALL_NS	 1711586729335160123
#define CLOCK_NS 12799249383892

static struct maker feature, made;

static void setup(void)
{
	begin_replays();
	feature = made = (struct maker){ 0 };
}

static void teardown(void)
{
	free(feature.at);
	free(made.at);
}

/* The content of the header of a recording that is read to its end. */
struct learned {
	struct perf_recording rec;
	struct replay_types events;
	struct replay_header header;
	int err;
};

static struct learned *learn(void)
{
	static struct learned learned;
	struct perf_entry entry;
	char path[64];
	int fd = memory_of(&made, path);

	learned = (struct learned){ .header = { .rec = &learned.rec, .types = &learned.events } };
	ck_assert_int_eq(perf_recording__open(&learned.rec, path), 0);
	learned.rec.path = "made";
	close(fd);
	replay_types__init(&learned.events, made.swapped);
	learned.err = replay_header__read_sections(&learned.header);
	while (!learned.err && perf_file__next(learned.rec.file, &entry) > 0)
		if (entry.type >= TOOL_HEADER_ATTR)
			learned.err = replay_header__read_record(&learned.header, &entry);
	return &learned;
}

static void forget(struct learned *learned)
{
	replay_types__free(&learned->events);
	perf_recording__close(&learned->rec);
}

/* A file with this feature as its only one, or a pipe with its record. */
static void make_with(uint32_t bit, bool pipe)
{
	size_t table;

	made.swapped = feature.swapped;
	made.len = 0;
	if (pipe) {
		begin_made_pipe(&made);
		make_feature(&made, bit, feature.at, feature.len);
		return;
	}
	begin_made_file(&made);
	table = made.len;
	make_section(&made, AT_DATA, table, 0);
	make_over(&made, AT_FEATURES, 1ULL << bit, 8);
	make_zeroes(&made, 16);
	make_section(&made, table, made.len, feature.len);
	make_bytes(&made, feature.at, feature.len);
}

static void begin_feature(bool swapped)
{
	feature.swapped = swapped;
	feature.len = 0;
}

static void make_string(const char *text, size_t room)
{
	make(&feature, room, 4);
	make_bytes(&feature, text, strlen(text));
	make_zeroes(&feature, room - strlen(text));
}

/* ---- strings --------------------------------------------------------------------------------- */

START_TEST(test_reads_strings)
{
	struct learned *learned;

	for (int i = 0; i < 4; i++) {
		begin_feature(i & 1);
		make_string("s390x", 64);
		make_with(FEATURE_ARCH, i & 2);
		learned = learn();
		ck_assert_int_eq(learned->err, 0);
		ck_assert_str_eq(learned->header.arch, "s390x");
		ck_assert_str_eq(learned->header.release, "");
		forget(learned);
		begin_feature(i & 1);
		make_string("6.1.0-18-amd64", 14); /* without a NUL */
		make_with(FEATURE_OSRELEASE, i & 2);
		learned = learn();
		ck_assert_str_eq(learned->header.release, "6.1.0-18-amd64");
		forget(learned);
	}
	ck_assert_str_eq(replay_log, "");
}
END_TEST

START_TEST(test_long_and_empty_strings)
{
	static char text[300];
	struct learned *learned;

	memset(text, 'x', sizeof(text) - 1);
	make_string(text, 320);
	make_with(FEATURE_OSRELEASE, true);
	learned = learn();
	ck_assert_uint_eq(strlen(learned->header.release), 64);
	forget(learned);
	begin_feature(false);
	make_string("", 0);
	make_with(FEATURE_ARCH, true);
	learned = learn();
	ck_assert_str_eq(learned->header.arch, "");
	forget(learned);
}
END_TEST

/* ---- the machine ----------------------------------------------------------------------------- */

/* Unknown names are no others. */
START_TEST(test_unknown_machine_is_this_one)
{
	struct replay_header header = { 0 };
	struct utsname own;

	ck_assert_int_eq(uname(&own), 0);
	ck_assert(!replay_header__is_of_other_machine(&header));
	snprintf(header.host, sizeof(header.host), "%s", own.nodename);
	snprintf(header.release, sizeof(header.release), "%s", own.release);
	ck_assert_uint_lt(strlen(own.machine), sizeof(header.arch));
	strcpy(header.arch, own.machine);
	ck_assert(!replay_header__is_of_other_machine(&header));
	for (int i = 0; i < 3; i++) {
		struct replay_header other = header;
		char *const names[] = { other.host, other.release, other.arch };

		strcpy(names[i], "other");
		ck_assert(replay_header__is_of_other_machine(&other));
	}
}
END_TEST

START_TEST(test_reads_host)
{
	struct learned *learned;

	make_string("here.example", 64);
	make_with(FEATURE_HOSTNAME, false);
	learned = learn();
	ck_assert_str_eq(learned->header.host, "here.example");
	forget(learned);
}
END_TEST

/* ---- time of day ----------------------------------------------------------------------------- */

static void make_clock(void)
{
	make(&feature, 1, 4);
	make(&feature, 1, 4);
	make(&feature, WALL_NS, 8);
	make(&feature, CLOCK_NS, 8);
}

START_TEST(test_wall_clock)
{
	struct peat_reader *reader;
	int64_t offset_ns = 5;

	for (int i = 0; i < 4; i++) {
		begin_feature(i & 1);
		make_clock();
		make_with(FEATURE_CLOCK_DATA, i & 2);
		reader = open_replay(&made);
		if (i & 2) {
			ck_assert_int_eq(peat_reader__wall_clock(reader, &offset_ns), -ENODATA);
			see_all(reader);
		}
		ck_assert_int_eq(peat_reader__wall_clock(reader, &offset_ns), 0);
		ck_assert_int_eq(offset_ns, WALL_NS - CLOCK_NS);
		peat_reader__free(reader);
	}
	begin_feature(false);
	make_string("s390x", 64);
	make_with(FEATURE_ARCH, false);
	reader = open_replay(&made);
	ck_assert_int_eq(peat_reader__wall_clock(reader, &offset_ns), -ENODATA);
	ck_assert_int_eq(errno, ENODATA);
	peat_reader__free(reader);
}
END_TEST

/* A clock that is ahead of the time of day, as one that was set wrong. */
START_TEST(test_clock_ahead)
{
	struct peat_reader *reader;
	int64_t offset_ns;

	make(&feature, 1, 4);
	make(&feature, 1, 4);
	make(&feature, 1000, 8);
	make(&feature, 3000, 8);
	make_with(FEATURE_CLOCK_DATA, false);
	reader = open_replay(&made);
	ck_assert_int_eq(peat_reader__wall_clock(reader, &offset_ns), 0);
	ck_assert_int_eq(offset_ns, -2000);
	peat_reader__free(reader);
}
END_TEST

/* ---- groups ---------------------------------------------------------------------------------- */

#define EVENTS 6

/* Six events, of which these have PEAT_BRANCH_COUNTERS of their own. */
static void begin_groups(uint32_t leaders, bool swapped)
{
	begin_feature(swapped);
	made.swapped = swapped;
	made.len = 0;
	make_pipe_header(&made);
	for (uint32_t i = 0; i < EVENTS; i++) {
		size_t at = made.len;

		make_pipe_attr(&made, &made_points[0], 100 * (i + 1));
		make_over(&made, at + 8 + 72, leaders >> i & 1 ? PEAT_BRANCH_COUNTERS : 0, 8);
	}
}

static void add_group(uint32_t leader, uint32_t members)
{
	make_string("{anon_group}", 64);
	make(&feature, leader, 4);
	make(&feature, members, 4);
}

/* As a set of bits, whose branches have counters in the end. */
static uint32_t counters(void)
{
	struct learned *learned;
	struct perf_attrs *attrs;
	uint32_t found = 0;

	make_feature(&made, FEATURE_GROUP_DESC, feature.at, feature.len);
	learned = learn();
	attrs = perf_file__attrs(learned->rec.file);
	ck_assert_uint_eq(attrs->count, EVENTS);
	for (uint32_t i = 0; i < EVENTS; i++)
		found |= (uint32_t) !!(attrs->at[i]->layout.branch_sample_type &
				       PEAT_BRANCH_COUNTERS)
			 << i;
	forget(learned);
	return found;
}

START_TEST(test_reads_groups)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		begin_groups(1 << 1 | 1 << 5, swapped);
		make(&feature, 2, 4);
		add_group(1, 3);
		add_group(4, 2); /* whose leader has none */
		ck_assert_uint_eq(counters(), 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5);
	}
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* Groups of events that are not there, and such as share some. */
START_TEST(test_impossible_groups)
{
	begin_groups(1, false);
	make(&feature, 3, 4);
	add_group(0, EVENTS + 1);
	add_group(UINT32_MAX, 2);
	add_group(0, UINT32_MAX);
	ck_assert_uint_eq(counters(), 1);
	begin_groups(1 << 5, false);
	make(&feature, 1, 4);
	add_group(5, 1);
	ck_assert_uint_eq(counters(), 1 << 5);
	begin_groups(1, false);
	make(&feature, 1, 4);
	add_group(0, 0);
	ck_assert_uint_eq(counters(), 1);
}
END_TEST

START_TEST(test_cut_groups)
{
	begin_groups(1, false);
	make(&feature, 2, 4);
	add_group(0, 2);
	add_group(2, 2);
	feature.len -= 4;
	ck_assert_uint_eq(counters(), 3);
	ck_assert_ptr_nonnull(strstr(replay_log, "the description of a group is cut"));
}
END_TEST

/* ---- damage ---------------------------------------------------------------------------------- */

/*
 * Cut anywhere: told of a record at once, of a section when all records were whole.  A record
 * without anything ends the features.
 */
static void check_cut(uint32_t bit, bool pipe)
{
	for (size_t len = feature.len; len-- > pipe;) {
		struct learned *learned;
		enum perf_end_how how;

		feature.len = len;
		*replay_log = '\0';
		make_with(bit, pipe);
		learned = learn();
		how = pipe ? learned->rec.end.how : learned->header.end.how;
		ck_assert_int_eq(learned->err, 0);
		ck_assert_msg(how == PERF_END_DAMAGED, "feature %u of %zu bytes", bit, len);
		ck_assert(pipe == !!*replay_log);
		ck_assert(!learned->header.has_wall_clock && !*learned->header.arch);
		forget(learned);
	}
}

START_TEST(test_cut_features)
{
	for (int pipe = 0; pipe < 2; pipe++) {
		begin_feature(false);
		make_string("s390x", 16);
		check_cut(FEATURE_ARCH, pipe);
		begin_feature(false);
		make_clock();
		check_cut(FEATURE_CLOCK_DATA, pipe);
	}
}
END_TEST

/* The damage of a section is reported after the records, which are whole. */
START_TEST(test_end_of_a_damaged_section)
{
	make(&feature, 100, 4);
	make_with(FEATURE_ARCH, false);
	replay_made(&made);
	ck_assert_int_eq(replayed.end, -EBADMSG);
	ck_assert_ptr_nonnull(strstr(replay_log, "a string is cut"));
}
END_TEST

/* A section that lies behind the end of the file. */
START_TEST(test_missing_section)
{
	size_t data = begin_made_file(&made);

	make_event(&made, 100, (struct made_at){ 10, 0, 43 }, 1);
	end_made_file(&made, data);
	made.len -= 8;
	replay_made(&made);
	CHECK_NUMBERS(1);
	ck_assert_int_eq(replayed.end, -EBADMSG);
	ck_assert_ptr_nonnull(strstr(replay_log, "is cut at byte"));
}
END_TEST

/* Formats that are damaged as of some place: those before it are known. */
START_TEST(test_damaged_formats)
{
	size_t data = begin_made_file(&made), text;

	make_event(&made, 100, (struct made_at){ 10, 0, 43 }, 1);
	end_made_file(&made, data);
	text = made.len - 100; /* in the last format: its system claims to go on for ever */
	made.len = text;
	memset(made.at + data + 56, 0, 16);
	make_section(&made, data + 56, data + 56 + 16, made.len - (data + 56 + 16));
	replay_made(&made);
	ck_assert_str_eq(replayed.at[0].name, "made:first");
	ck_assert_int_eq(replayed.end, -EBADMSG);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_reads_strings);
	tcase_add_test(tests, test_unknown_machine_is_this_one);
	tcase_add_test(tests, test_reads_host);
	tcase_add_test(tests, test_long_and_empty_strings);
	tcase_add_test(tests, test_wall_clock);
	tcase_add_test(tests, test_clock_ahead);
	tcase_add_test(tests, test_reads_groups);
	tcase_add_test(tests, test_impossible_groups);
	tcase_add_test(tests, test_cut_groups);
	tcase_add_test(tests, test_cut_features);
	tcase_add_test(tests, test_end_of_a_damaged_section);
	tcase_add_test(tests, test_missing_section);
	tcase_add_test(tests, test_damaged_formats);
}
