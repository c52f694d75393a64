// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_source_opts.c: the options of peat_reader__open(). */
#include <peat/where.h>

#include "replay_fixture.h"
#include "unit/suite.h"

struct longer {
	struct peat_replay_opts opts;
	uint64_t unknown;
};

/* An event at 10 ns on CPU 1, then one at 5 ns on CPU 2. */
static void make_two(void)
{
	size_t data = begin_made_file(&made);

	make_event(&made, 100, (struct made_at){ 10, 1, 43 }, 0);
	make_event(&made, 100, (struct made_at){ 5, 2, 43 }, 1);
	end_made_file(&made, data);
}

/* Opens the recording; `opts` may be NULL or have another size. */
static struct peat_reader *open_with(const struct peat_replay_opts *opts)
{
	struct peat_reader *reader;
	char path[64];
	int fd = memory_of(&made, path);

	errno = 0;
	reader = peat_reader__open(path, opts);
	close(fd);
	return reader;
}

static void replay_with(const struct peat_replay_opts *opts)
{
	struct peat_reader *reader = open_with(opts);

	ck_assert_msg(reader, "%s", replay_log);
	see_all(reader);
	peat_reader__free(reader);
}

START_TEST(test_defaults_order_events)
{
	static const struct peat_replay_opts initial = PEAT_REPLAY_OPTS_INIT;

	make_two();
	replay_with(NULL);
	CHECK_NUMBERS(0, 1);
	ck_assert_str_eq(replayed.at[0].comm, "?");
	replay_with(&initial);
	CHECK_NUMBERS(0, 1);
}
END_TEST

START_TEST(test_shorter_options_of_older_programs)
{
	static const struct {
		size_t sz;
		uint64_t memory_bytes;
		const char *cpus;
	} older = { sizeof(older), 0, "2" };

	make_two();
	replay_with((const struct peat_replay_opts *)&older);
	CHECK_NUMBERS(1);
}
END_TEST

START_TEST(test_longer_with_a_tail_of_zeroes)
{
	struct longer newer = { PEAT_REPLAY_OPTS_INIT, 0 };

	newer.opts.sz = sizeof(newer);
	newer.opts.ordered = true;
	make_two();
	replay_with(&newer.opts);
	CHECK_NUMBERS(1, 0);
}
END_TEST

START_TEST(test_unknown_tail_is_refused)
{
	struct longer newer = { PEAT_REPLAY_OPTS_INIT, 1 };

	newer.opts.sz = sizeof(newer);
	make_two();
	ck_assert_ptr_null(open_with(&newer.opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "peat_replay_opts"));
}
END_TEST

START_TEST(test_forgotten_size_is_refused)
{
	make_two();
	replay_opts.sz = 0;
	ck_assert_ptr_null(open_with(&replay_opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "peat_replay_opts: .sz is 0"));
}
END_TEST

START_TEST(test_reserved_bytes_are_refused)
{
	make_two();
	for (size_t i = 0; i < sizeof(replay_opts.reserved); i++) {
		replay_opts.reserved[i] = 1;
		ck_assert_ptr_null(open_with(&replay_opts));
		ck_assert_int_eq(errno, EINVAL);
		replay_opts.reserved[i] = 0;
	}
	replay_with(&replay_opts);
}
END_TEST

START_TEST(test_unknown_kinds_are_refused)
{
	make_two();
	replay_opts.side_band = PEAT_SIDE_BAND_TOOL << 1;
	ck_assert_ptr_null(open_with(&replay_opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "side_band is 0x800"));
	replay_opts.side_band =
		PEAT_SIDE_BAND_TOOL | PEAT_SIDE_BAND_OTHER | PEAT_SIDE_BAND_TEXTPOKE;
	replay_with(&replay_opts);
}
END_TEST

/* An event of a pipe, which this selects.  The result of peat_reader__next() at its end. */
static int select_of_pipe(const char *expression)
{
	struct peat_where *where = peat_where__parse(expression);
	struct peat_reader *reader;
	int end;

	ck_assert_ptr_nonnull(where);
	made.len = 0;
	begin_made_pipe(&made);
	make_event(&made, 100, (struct made_at){ 10, 1, 43 }, 7);
	replay_opts.where = where;
	replay_opts.where_side_band = PEAT_SIDE_BAND_TASK;
	reader = open_replay(&made);
	memset(&replayed, 0, sizeof(replayed));
	end = see_round(reader);
	ck_assert_int_eq(peat_reader__wait(reader, 0), end ? end : -ENODATA);
	peat_reader__free(reader);
	peat_where__free(where);
	replay_opts.where = NULL;
	return end;
}

START_TEST(test_fields_of_pipes_are_checked_at_the_end)
{
	ck_assert_int_eq(select_of_pipe("number == 7"), 0);
	CHECK_NUMBERS(7);
	ck_assert_str_eq(replay_log, "");
	ck_assert_int_eq(select_of_pipe("nubmer == 7"), -EINVAL);
	ck_assert_uint_eq(replayed.count, 0);
	ck_assert_msg(strstr(replay_log, "did you mean \"number\"?"), "%s", replay_log);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_defaults_order_events);
	tcase_add_test(tests, test_shorter_options_of_older_programs);
	tcase_add_test(tests, test_longer_with_a_tail_of_zeroes);
	tcase_add_test(tests, test_unknown_tail_is_refused);
	tcase_add_test(tests, test_forgotten_size_is_refused);
	tcase_add_test(tests, test_reserved_bytes_are_refused);
	tcase_add_test(tests, test_unknown_kinds_are_refused);
	tcase_add_test(tests, test_fields_of_pipes_are_checked_at_the_end);
}
