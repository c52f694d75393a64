// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_folded.c: mappings of processes, and folded stacks. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <peat/recording.h>
#include <peat/where.h>

#include "support/machine/harness.h"
#include "convert/mappings.h"
#include "record/attr.h"
#include "unit/perf_data/read/perf_maker.h"
#include "support/perf/stock_perf.h"
#include "unit/suite.h"

/* ---- texts ----------------------------------------------------------------------------------- */

START_TEST(test_texts)
{
	struct string_counts counts = { 0 };
	const struct string_count **sorted;
	char text[20];

	for (unsigned i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "%04u", (i * 7) % 1000);
		string_counts__add(&counts, text, 4)->count++;
	}
	string_counts__add(&counts, "0000", 3)->count = 9; /* a prefix of others */
	ck_assert_uint_eq(counts.count, 1001);
	sorted = string_counts__sorted(&counts);
	ck_assert_str_eq(sorted[0]->text, "000");
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "%04u", i);
		ck_assert_str_eq(sorted[i + 1]->text, text);
		ck_assert_uint_eq(sorted[i + 1]->count, 3);
	}
	ck_assert_ptr_null(sorted[1001]);
	free(sorted);
	string_counts__free(&counts);
}
END_TEST

/* ---- what is mapped -------------------------------------------------------------------------- */

static void map(struct mappings *mappings, uint32_t pid, uint64_t from, uint64_t to,
		const char *file)
{
	const struct peat_record rec = { .type = PEAT_RECORD_MMAP2,
					 .mmap = { .pid = pid,
						   .addr = from,
						   .len = to - from,
						   .pgoff = 0x100000 + from,
						   .filename = file } };

	ck_assert_int_eq(mappings__apply(mappings, &rec), 0);
}

static void check_file(const struct mappings *mappings, uint32_t pid, uint64_t address,
		       const char *wanted)
{
	uint64_t offset = 0;
	const char *file = mappings__find(mappings, pid, address, &offset);

	ck_assert_msg(!file == !wanted && (!file || !strcmp(file, wanted)), "%#lx: %s, not %s",
		      (unsigned long)address, file ?: "nothing", wanted ?: "nothing");
	ck_assert(!file || offset == 0x100000 + address);
}

START_TEST(test_mappings)
{
	struct mappings mappings = { 0 };

	check_file(&mappings, 1, 0x1000, NULL);
	map(&mappings, 1, 0x1000, 0x5000, "/usr/lib/libc.so.6");
	map(&mappings, 1, 0x8000, 0x9000, "[vdso]");
	map(&mappings, 1, 0x2000, 0x3000, "//anon"); /* in the middle */
	map(&mappings, UINT32_MAX, 0, UINT64_MAX / 2, "[kernel.kallsyms]_text");
	check_file(&mappings, 1, 0xfff, NULL);
	check_file(&mappings, 1, 0x1000, "libc.so.6");
	check_file(&mappings, 1, 0x1fff, "libc.so.6");
	check_file(&mappings, 1, 0x2000, "anon");
	check_file(&mappings, 1, 0x2fff, "anon");
	check_file(&mappings, 1, 0x3000, "libc.so.6");
	check_file(&mappings, 1, 0x4fff, "libc.so.6");
	check_file(&mappings, 1, 0x5000, NULL);
	check_file(&mappings, 1, 0x8800, "[vdso]");
	check_file(&mappings, 2, 0x8800, NULL);
	map(&mappings, 1, 0x1800, 0x8800, "over/all"); /* two are covered in part, two wholly */
	check_file(&mappings, 1, 0x17ff, "libc.so.6");
	check_file(&mappings, 1, 0x1800, "all");
	check_file(&mappings, 1, 0x87ff, "all");
	check_file(&mappings, 1, 0x8800, "[vdso]");
	map(&mappings, 1, 0, 0x10000, "one"); /* all are covered */
	check_file(&mappings, 1, 0, "one");
	check_file(&mappings, 1, 0xffff, "one");
	mappings__free(&mappings);
}
END_TEST

/* Random mappings, compared with a table of pages. */
START_TEST(test_random_mappings)
{
	static const char *const files[] = { "a", "b", "c", "d", "e" };
	struct mappings mappings = { 0 };
	const char *pages[64] = { NULL };
	uint32_t random = 1;

	for (unsigned i = 0; i < 5000; i++) {
		uint32_t from, to;

		random = random * 1664525 + 1013904223;
		from = random >> 26;
		to = from + 1 + (random >> 20) % (64 - from);
		map(&mappings, 7, from << 12, (uint64_t)to << 12, files[i % 5]);
		for (uint32_t page = from; page < to; page++)
			pages[page] = files[i % 5];
		for (uint32_t page = 0; page < 64; page++)
			check_file(&mappings, 7, (page << 12) + i % 4096, pages[page]);
	}
	mappings__free(&mappings);
}
END_TEST

START_TEST(test_processes)
{
	struct peat_record fork = { .type = PEAT_RECORD_FORK, .task = { .ppid = 1, .ptid = 1 } };
	struct peat_record exec = { .type = PEAT_RECORD_COMM,
				    .comm = { .pid = 50, .tid = 50, .comm = "x", .exec = true } };
	struct mappings mappings = { 0 };

	ck_assert_int_eq(mappings__apply(&mappings, &exec), 0);
	map(&mappings, 1, 0x1000, 0x5000, "parent");
	for (uint32_t pid = 2; pid < 200; pid++) {
		fork.task.pid = fork.task.tid = pid;
		ck_assert_int_eq(mappings__apply(&mappings, &fork), 0);
	}
	map(&mappings, 3, 0x2000, 0x3000, "child");
	ck_assert_int_eq(mappings__apply(&mappings, &exec), 0);
	check_file(&mappings, 1, 0x2000, "parent");
	check_file(&mappings, 2, 0x2000, "parent");
	check_file(&mappings, 3, 0x2000, "child");
	check_file(&mappings, 50, 0x2000, NULL);
	check_file(&mappings, 199, 0x2000, "parent");
	mappings__free(&mappings);
}
END_TEST

/* ---- stacks ---------------------------------------------------------------------------------- */

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

static void make_name(struct maker *m, uint64_t time)
{
	size_t start = make_header(m, PEAT_RECORD_COMM, 0, 0);

	make(m, 42, 4);
	make(m, 43, 4);
	make_bytes(m, "two word", 8);
	make_bytes(m, "s\0\0\0\0\0\0\0", 8);
	make_trailer(m, time);
	end_made(m, start);
}

static void save_chains(const char *path, bool swapped)
{
	static const struct made_attr attr = { 1, 112, 0, CHAINS, 1ULL << PERF_ATTR_SAMPLE_ID_ALL };
	const uint64_t both[] = { PEAT_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020,
				  PEAT_CONTEXT_USER,   0x400010,	   0x999990 },
		       user[] = { PEAT_CONTEXT_USER, 0x400010 }, bare[] = { 0xffffffff81000030 };
	struct maker m = { .swapped = swapped };
	FILE *file = fopen(path, "we");
	size_t data;

	make_file(&m, &attr, 1);
	data = m.len;
	make_mmap(&m, 1);
	make_name(&m, 2);
	make_chain(&m, 3, both, 6);
	make_chain(&m, 4, user, 2);
	make_chain(&m, 5, both, 6);
	make_chain(&m, 6, bare, 1);
	make_chain(&m, 7, NULL, 0);
	end_data(&m, data, 0);
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(m.at, 1, m.len, file), m.len);
	fclose(file);
	free(m.at);
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

static const char folded[] =
	"two words 1\n"
	"two words;0x999990;[a_b]+0x2010;0xffffffff81000020;0xffffffff81000010 2\n"
	"two words;0xffffffff81000030 1\n"
	"two words;[a_b]+0x2010 1\n";

START_TEST(test_fold)
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

/* The intact part is folded. */
START_TEST(test_cut)
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
START_TEST(test_where)
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
	tcase_add_test(tests, test_texts);
	tcase_add_test(tests, test_mappings);
	tcase_add_test(tests, test_random_mappings);
	tcase_add_test(tests, test_processes);
	tcase_add_test(tests, test_fold);
	tcase_add_test(tests, test_cut);
	tcase_add_test(tests, test_where);
}
