// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_source_directories.c: recordings of several files as a reader's events. */
#include <sys/resource.h>

#include "support/machine/process.h"
#include "replay_fixture.h"
#include "unit/suite.h"

static void write_in(const char *directory, const char *name, const struct maker *m)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(m->at, 1, m->len, file), m->len);
	ck_assert_int_eq(fclose(file), 0);
}

static void write_parts(const char *directory, uint32_t parts, uint32_t events)
{
	size_t data = begin_made_file(&made);
	char name[32];

	make_name(&made, (struct made_at){ 1, 0, 43 }, "somebody");
	end_made_file(&made, data);
	write_in(directory, "data", &made);
	for (uint32_t part = 0; part < parts; part++) {
		made.len = 0;
		for (uint32_t i = 0; i < events; i++)
			add(10 + i * parts + (part * 7 + i) % parts, part,
			    i * parts + (part * 7 + i) % parts);
		snprintf(name, sizeof(name), "data.%u", part);
		write_in(directory, name, &made);
	}
}

static struct peat_reader *open_directory(const char *directory)
{
	struct peat_reader *reader = peat_reader__open(directory, &replay_opts);

	ck_assert_msg(reader, "%s", replay_log);
	return reader;
}

static void check_directory(uint32_t parts, uint32_t events, bool ordered)
{
	char directory[] = "/tmp/peat-replay-XXXXXX";
	struct peat_reader *reader;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	made.len = 0;
	write_parts(directory, parts, events);
	replay_opts.ordered = ordered;
	replay_opts.names = true;
	reader = open_directory(directory);
	see_all(reader);
	peat_reader__free(reader);
	process__run("/bin/rm", ARGV("rm", "-r", directory));
	ck_assert_uint_eq(replayed.count, parts * events);
	for (uint32_t i = 0; ordered && i < replayed.count; i++) {
		ck_assert_uint_eq(replayed.at[i].number, i);
		ck_assert(!replayed.at[i].late);
		ck_assert_str_eq(replayed.at[i].comm, "somebody");
	}
	ck_assert_int_eq(replayed.end, -ENODATA);
}

START_TEST(test_sorts_directories)
{
	check_directory(3, 1000, true);
	check_directory(3, 1000, false);
	check_directory(1, 100, true);
	check_directory(200, 15, true);
}
END_TEST

/*
 * An interrupt comes while the kernel writes a record, and writes newer ones before it.  A file of
 * two CPUs goes back by the time between two drains.
 */
START_TEST(test_directory_of_unsorted_files)
{
	char directory[] = "/tmp/peat-replay-XXXXXX";
	struct peat_reader *reader;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	write_parts(directory, 1, 0);
	made.len = 0;
	for (uint64_t i = 0; i < 300; i++)
		add(1000 + (i % 100 == 50 ? i - 3 : i), 0, i);
	write_in(directory, "data.1", &made);
	made.len = 0;
	for (uint64_t i = 0; i < 300; i++)
		add(1000 + i / 100 * 100 + i % 50 * 2, 1 + i % 100 / 50, i);
	write_in(directory, "data.2", &made);
	reader = open_directory(directory);
	see_all(reader);
	peat_reader__free(reader);
	process__run("/bin/rm", ARGV("rm", "-r", directory));
	ck_assert_uint_eq(replayed.count, 600);
	for (uint32_t i = 1; i < replayed.count; i++)
		ck_assert_uint_le(replayed.at[i - 1].time_ns, replayed.at[i].time_ns);
	ck_assert_uint_eq(replayed.stats.late, 0);
	ck_assert_uint_eq(replayed.stats.hurried, 0);
}
END_TEST

/* One of them is cut: the others are read to their ends. */
START_TEST(test_cut_directory)
{
	char directory[] = "/tmp/peat-replay-XXXXXX";
	struct peat_reader *reader;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	write_parts(directory, 2, 10);
	made.len = 0;
	add(10, 5, 1000);
	add(12, 5, 1001);
	made.len -= 8;
	write_in(directory, "data.5", &made);
	reader = peat_reader__open(directory, &replay_opts);
	see_all(reader);
	peat_reader__free(reader);
	process__run("/bin/rm", ARGV("rm", "-r", directory));
	ck_assert_uint_eq(replayed.count, 21);
	ck_assert_int_eq(replayed.end, -EBADMSG);
	ck_assert_ptr_nonnull(strstr(replay_log, "data.5 is cut at byte 56"));
}
END_TEST

/* All are open together: where that is not allowed the log says what would help. */
START_TEST(test_too_many_files)
{
	char directory[] = "/tmp/peat-replay-XXXXXX";
	struct rlimit limit = { 20, 20 };
	const struct peat_event *event;
	struct peat_reader *reader;
	int ret;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	write_parts(directory, 30, 3);
	reader = peat_reader__open(directory, &replay_opts);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	while ((ret = peat_reader__next(reader, &event)) > 0)
		;
	ck_assert_int_eq(ret, -EMFILE);
	ck_assert_int_eq(peat_reader__wait(reader, -1), -EMFILE);
	ck_assert_ptr_nonnull(strstr(replay_log, "ulimit -n"));
	peat_reader__free(reader);
	process__run("/bin/rm", ARGV("rm", "-r", directory));
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_sorts_directories);
	tcase_add_test(tests, test_directory_of_unsorted_files);
	tcase_add_test(tests, test_cut_directory);
	tcase_add_test(tests, test_too_many_files);
}
