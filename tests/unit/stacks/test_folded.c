// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_folded.c: folded stacks of a recording. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <peat/recording.h>
#include <peat/where.h>

#include "support/machine/harness.h"
#include "record/attr.h"
#include "unit/perf_data/read/perf_maker.h"
#include "support/perf/stock_perf.h"
#include "unit/suite.h"

#define CHAINS (PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CALLCHAIN)

static void make_chain(struct maker *m, uint64_t time, const uint64_t *chain, unsigned count)
{
	size_t start = make_header(m, PEAT_RECORD_SAMPLE, PEAT_MISC_KERNEL, 0);

	make(m, 42, 4);
	make(m, 43, 4);
	make(m, time, 8);
	make(m, count, 8);
	for (unsigned i = 0; i < count; i++)
		make(m, chain[i], 8);
	end_made(m, start);
}

static void make_trailer(struct maker *m, uint64_t time)
{
	make(m, 42, 4);
	make(m, 43, 4);
	make(m, time, 8);
}

static void make_mmap(struct maker *m, uint64_t time)
{
	size_t start = make_header(m, PEAT_RECORD_MMAP, PEAT_MISC_USER, 0);

	make(m, 42, 4);
	make(m, 43, 4);
	make(m, 0x400000, 8);
	make(m, 0x10000, 8);
	make(m, 0x2000, 8);
	make_bytes(m, "/bin/a;b\0\0\0\0\0\0\0", 16);
	make_trailer(m, time);
	end_made(m, start);
}

#define NAME_BYTES 16

static void make_name(struct maker *m, uint64_t time, const char *name)
{
	size_t start = make_header(m, PEAT_RECORD_COMM, 0, 0);

	make(m, 42, 4);
	make(m, 43, 4);
	make_bytes(m, name, NAME_BYTES);
	make_trailer(m, time);
	end_made(m, start);
}

static const struct made_attr chains = { 1, 112, 0, CHAINS, 1ULL << PERF_ATTR_SAMPLE_ID_ALL };

static void save(const struct maker *m, const char *path)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(m->at, 1, m->len, file), m->len);
	fclose(file);
	free(m->at);
}

static void save_chains(const char *path, bool swapped)
{
	const uint64_t both[] = { PEAT_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020,
				  PEAT_CONTEXT_USER,   0x400010,	   0x999990 },
		       user[] = { PEAT_CONTEXT_USER, 0x400010 }, bare[] = { 0xffffffff81000030 };
	struct maker m = { .swapped = swapped };
	size_t data;

	make_file(&m, &chains, 1);
	data = m.len;
	make_mmap(&m, 1);
	make_name(&m, 2, "two words\0\0\0\0\0\0");
	make_chain(&m, 3, both, 6);
	make_chain(&m, 4, user, 2);
	make_chain(&m, 5, both, 6);
	make_chain(&m, 6, bare, 1);
	make_chain(&m, 7, NULL, 0);
	end_data(&m, data, 0);
	save(&m, path);
}

static void check_text(const char *path, const char *wanted)
{
	char text[4096];
	FILE *file = fopen(path, "re");

	ck_assert_ptr_nonnull(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	ck_assert_str_eq(text, wanted);
}

/* Each character that acts on a terminal becomes a '_', also U+009B and U+202E. */
START_TEST(test_active_name)
{
	static const char name[NAME_BYTES] = "a\x1b;\xc2\x9b\x9b\xe2\x80\xae\xc3\xa9";
	struct maker m = { .swapped = false };
	size_t data;

	make_file(&m, &chains, 1);
	data = m.len;
	make_name(&m, 1, name);
	make_chain(&m, 2, NULL, 0);
	end_data(&m, data, 0);
	save(&m, "file");
	ck_assert_int_eq(peat_recording__fold("file", "folded", NULL), 0);
	check_text("folded", "a_____\xc3\xa9 1\n");
}
END_TEST

static const char folded[] =
	"two words 1\n"
	"two words;0x999990;[a_b]+0x2010;0xffffffff81000020;0xffffffff81000010 2\n"
	"two words;0xffffffff81000030 1\n"
	"two words;[a_b]+0x2010 1\n";

START_TEST(test_folds_chains)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		save_chains("file", swapped);
		ck_assert_int_eq(peat_recording__fold("file", "folded", NULL), 0);
		check_text("folded", folded);
	}
	ck_assert_int_eq(peat_recording__fold("nothing", "folded", NULL), -ENOENT);
	ck_assert_int_eq(peat_recording__fold("file", "file", NULL), -EINVAL);
	ck_assert_int_eq(peat_recording__fold("file", "/dev/full", NULL), -ENOSPC);
	check_text("folded", folded);
}
END_TEST

static void note_progress(void *arg, uint64_t done, uint64_t all)
{
	uint64_t *last = arg;

	ck_assert_uint_ge(done, last[0]);
	ck_assert_uint_le(done, all);
	last[0] = done;
	last[1] = all;
}

START_TEST(test_progress_of_folding)
{
	uint64_t last[2] = { 0, 0 };
	const struct peat_fold_opts opts = { .sz = sizeof(opts),
					     .progress = note_progress,
					     .progress_arg = last };

	save_chains("file", false);
	ck_assert_int_eq(peat_recording__fold("file", "folded", &opts), 0);
	ck_assert_uint_gt(last[0], 0);
	ck_assert_uint_eq(last[0], last[1]);
	check_text("folded", folded);
}
END_TEST

/* The intact part is folded. */
START_TEST(test_cut_file_is_folded)
{
	save_chains("file", false);
	ck_assert_int_eq(truncate("file", 460), 0);
	ck_assert_int_eq(peat_recording__fold("file", "folded", NULL), -EBADMSG);
	check_text("folded", "two words;0x999990;[a_b]+0x2010;0xffffffff81000020;"
			     "0xffffffff81000010 1\n");
}
END_TEST

static int fold_where(const char *expression)
{
	struct peat_fold_opts opts = { .sz = sizeof(opts) };
	int err;

	save_chains("file", false);
	opts.where = peat_where__parse(expression);
	ck_assert_ptr_nonnull(opts.where);
	err = peat_recording__fold("file", "folded", &opts);
	peat_where__free(opts.where);
	return err;
}

/* Names and mappings are known in any case. */
START_TEST(test_folds_chosen_samples)
{
	ck_assert_int_eq(fold_where("time > 3ns && time <= 6ns && comm == \"two words\""), 0);
	check_text("folded",
		   "two words;0x999990;[a_b]+0x2010;0xffffffff81000020;0xffffffff81000010 1\n"
		   "two words;0xffffffff81000030 1\n"
		   "two words;[a_b]+0x2010 1\n");
	ck_assert_int_eq(fold_where("nothing == 1"), -EINVAL);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_folds_chains);
	tcase_add_test(tests, test_active_name);
	tcase_add_test(tests, test_progress_of_folding);
	tcase_add_test(tests, test_cut_file_is_folded);
	tcase_add_test(tests, test_folds_chosen_samples);
}
