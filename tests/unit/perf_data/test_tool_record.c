// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tool_record.c: records of perf itself that the library reads, of either byte order. */
#include <errno.h>
#include <stdio.h>

#include "support/machine/harness.h"
#include "support/recording/sections.h"
#include "unit/suite.h"
#include "tool_bytes.h"

/* Parses the first `len` bytes of the body, which end where their memory does. */
static struct placed parse(const struct bytes *b, size_t len, struct tool_record *rec)
{
	struct placed p = place(b, 8 + len, 3);

	ck_assert_int_eq(tool_record__parse(p.at, 8 + len, b->swapped, rec), 0);
	ck_assert_uint_eq(rec->bytes, len);
	return p;
}

static void build(struct bytes *b, uint32_t type, void (*body)(struct bytes *b), bool swapped)
{
	put_header(b, type, 1, swapped);
	body(b);
	end_record(b);
}

static void check_build_id(const struct tool_record *rec, bool whole)
{
	struct tool_build_id id;

	ck_assert_int_eq(tool_record__build_id(rec, false, &id), whole ? 0 : -EBADMSG);
	if (!whole)
		return;
	ck_assert_int_eq(id.pid, -1);
	ck_assert_uint_eq(id.id_bytes, 20);
	ck_assert_mem_eq(id.id, "\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23", 20);
	ck_assert(!strncmp(id.filename, "[kernel.kallsyms]", id.filename_bytes));
}

static void check_update(const struct tool_record *rec, bool whole)
{
	struct tool_event_update update;

	ck_assert_int_eq(tool_record__event_update(rec, &update), whole ? 0 : -EBADMSG);
	if (!whole)
		return;
	ck_assert(update.kind == TOOL_UPDATE_NAME && update.id == 88);
	ck_assert_uint_eq(update.bytes, rec->bytes - 16);
	ck_assert(!strncmp(update.data, "cpu-clock:u", update.bytes));
}

/* A record that ends after the id is the mark after the last feature. */
static void check_feature(const struct tool_record *rec, bool whole)
{
	struct tool_feature feature;

	ck_assert_int_eq(tool_record__feature(rec, &feature), whole ? 0 : -EBADMSG);
	if (!whole)
		return;
	ck_assert_uint_eq(feature.id, FEATURE_HOSTNAME);
	ck_assert_uint_eq(feature.bytes, rec->bytes - 8);
	ck_assert(feature.end == (rec->bytes == 8));
}

static const struct {
	uint32_t type;
	void (*build)(struct bytes *b);
	void (*check)(const struct tool_record *rec, bool whole);
	size_t least; /* bytes of a body that is no damage */
} samples[] = {
	{ TOOL_BUILD_ID, build_build_id, check_build_id, 28 },
	{ TOOL_EVENT_UPDATE, build_update_name, check_update, 16 },
	{ TOOL_FEATURE, build_feature, check_feature, 8 },
};

#define SAMPLES_COUNT (sizeof(samples) / sizeof(*samples))

START_TEST(test_cut_anywhere)
{
	struct bytes b;

	build(&b, samples[_i / 2].type, samples[_i / 2].build, _i % 2);
	for (size_t len = 0; len <= b.len - 8; len++) {
		struct tool_record rec;
		struct placed p = parse(&b, len, &rec);

		ck_assert_uint_eq(rec.type, samples[_i / 2].type);
		ck_assert_uint_eq(rec.misc, 1);
		samples[_i / 2].check(&rec, len >= samples[_i / 2].least);
		free(p.mem);
	}
}
END_TEST

START_TEST(test_shorter_than_a_header)
{
	struct tool_record rec;
	struct bytes b;

	put_header(&b, TOOL_STAT, 0, false);
	for (size_t len = 0; len < 8; len++) {
		struct placed p = place(&b, len, 0);

		ck_assert_int_eq(tool_record__parse(p.at, len, false, &rec), -EBADMSG);
		ck_assert_uint_eq(rec.bytes, 0);
		free(p.mem);
	}
}
END_TEST

START_TEST(test_names_of_types)
{
	for (uint32_t type = TOOL_HEADER_ATTR; type <= TOOL_SCHEDSTAT_DOMAIN; type++)
		ck_assert_ptr_nonnull(tool_record__name(type));
	ck_assert_ptr_null(tool_record__name(63));
	ck_assert_ptr_null(tool_record__name(87));
	ck_assert_ptr_null(tool_record__name(UINT32_MAX));
	ck_assert_str_eq(tool_record__name(TOOL_FEATURE), "FEATURE");
	ck_assert_str_eq(tool_record__name(TOOL_SCHEDSTAT_DOMAIN), "SCHEDSTAT_DOMAIN");
}
END_TEST

/* ---- what other projects' files have --------------------------------------------------------- */

static void check_record(const uint8_t *at, size_t bytes, void *arg)
{
	unsigned int *count = arg;
	struct tool_record rec;
	uint32_t type;

	memcpy(&type, at, sizeof(type));
	if (type < TOOL_HEADER_ATTR)
		return;
	ck_assert_int_eq(tool_record__parse(at, bytes, false, &rec), 0);
	ck_assert_ptr_nonnull(tool_record__name(type));
	++*count;
}

static void check_file(const struct sections *file, const char *name, void *arg)
{
	(void)name;
	sections__each_record(file, check_record, arg);
}

START_TEST(test_corpus_is_understood)
{
	unsigned int count = 0, files = sections__each_file(check_file, &count);

	if (!files)
		skip("no corpus: set PEAT_CORPUS to a directory of perf.data files");
	printf("tool_record: %u records of %u files of the corpus\n", count, files);
	ck_assert_uint_gt(count, 0);
}
END_TEST

SUITE(60)
{
	tcase_add_loop_test(tests, test_cut_anywhere, 0, 2 * SAMPLES_COUNT);
	tcase_add_test(tests, test_shorter_than_a_header);
	tcase_add_test(tests, test_names_of_types);
	tcase_add_test(tests, test_corpus_is_understood);
}
