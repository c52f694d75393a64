// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_skipped.c: programs whose skipped runs are counted, by id; the kernel counts in live tests.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/log.h>

#include "channel/channel.h"
#include "channel/skipped.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define NOBODY 65534

static struct skipped skipped;
static uint32_t ids[2];
static int programs[2]; /* -1 without privileges */

static void setup(void)
{
	/* r0 = 0; exit */
	static const struct bpf_insn pass[] = { { .code = 0xb7 }, { .code = 0x95 } };
	struct bpf_prog_info info;
	uint32_t bytes;

	skipped = (struct skipped){ 0 };
	for (int i = 0; i < 2; i++) {
		programs[i] =
			bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "pass", "GPL", pass, 2, NULL);
		if (programs[i] < 0)
			continue;
		info = (struct bpf_prog_info){ 0 };
		bytes = sizeof(info);
		ck_assert_int_eq(bpf_obj_get_info_by_fd(programs[i], &info, &bytes), 0);
		ids[i] = info.id;
	}
}

static void teardown(void)
{
	skipped__free(&skipped);
	for (int i = 0; i < 2; i++)
		if (programs[i] >= 0)
			close(programs[i]);
}

static unsigned open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static uint64_t read_count(void)
{
	uint64_t count = 77;

	skipped__read(&skipped, &count);
	return count;
}

START_TEST(test_no_programs)
{
	uint64_t count = 77;

	ck_assert(skipped__read(&skipped, &count));
	ck_assert_uint_eq(count, 0);
	skipped.is_unknown = true;
	ck_assert(!skipped__read(&skipped, &count));
	ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(test_programs_by_id)
{
	long blocks = fail_alloc__blocks();
	unsigned files;

	if (programs[0] < 0 || geteuid())
		return;
	files = open_files();
	ck_assert_int_eq(skipped__add_id(&skipped, ids[0]), 0);
	ck_assert_int_eq(skipped__add_id(&skipped, ids[1]), 0);
	ck_assert_uint_eq(skipped.count, 2);
	ck_assert_uint_eq(open_files(), files + 2);
	ck_assert_uint_eq(read_count(), 0);
	skipped.programs[0].before -= 5;
	skipped.programs[1].before -= 2;
	ck_assert_uint_eq(read_count(), 7);
	skipped__free(&skipped);
	ck_assert_uint_eq(open_files(), files);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
	ck_assert_ptr_null(skipped.programs);
	ck_assert_uint_eq(skipped.count, 0);
}
END_TEST

START_TEST(test_programs_of_a_channel)
{
	struct bound_object bound[3] = { 0 }; /* none has an object */
	struct peat_channel channel = {
		.bound = bound, .bound_count = 3, .running = ids, .running_count = 2
	};

	if (programs[0] < 0 || geteuid())
		return;
	ck_assert_int_eq(skipped__add_channel(&skipped, &channel), 0);
	ck_assert_uint_eq(skipped.count, 2);
	ck_assert_int_ne(skipped.programs[0].fd, skipped.programs[1].fd);
}
END_TEST

START_TEST(test_ended_program)
{
	if (programs[0] < 0 || geteuid())
		return;
	ck_assert_int_eq(skipped__add_id(&skipped, UINT32_MAX), 0);
	ck_assert_uint_eq(skipped.count, 0);
	ck_assert(!skipped.is_unknown);
}
END_TEST

/* The channel is read all the same. */
START_TEST(test_programs_that_may_not_be_asked)
{
	int status;
	pid_t child;

	if (programs[0] < 0 || geteuid())
		return;
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		bool is_known = setresuid(NOBODY, NOBODY, NOBODY) ||
				skipped__add_id(&skipped, ids[0]) || !skipped.is_unknown ||
				skipped.count;

		_exit(is_known);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

static unsigned errors;

static void note(enum peat_log_level level, const char *text)
{
	errors += level == PEAT_LOG_ERROR && strstr(text, "cannot count the runs");
}

/* A program that cannot be kept fails the whole, which is logged. */
START_TEST(test_too_many_files)
{
	struct rlimit all, few = { 0 };

	if (programs[0] < 0 || geteuid())
		return;
	errors = 0;
	peat_set_print(note);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	few.rlim_max = all.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(skipped__add_id(&skipped, ids[0]), -EMFILE);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	peat_set_print(NULL);
	ck_assert_uint_eq(errors, 1);
	ck_assert_uint_eq(skipped.count, 0);
}
END_TEST

/* Its fd is closed. */
START_TEST(test_no_memory)
{
	unsigned files;
	int err;

	if (programs[0] < 0 || geteuid())
		return;
	files = open_files();
	fail_alloc__begin(1);
	err = skipped__add_id(&skipped, ids[0]);
	if (fail_alloc__end()) {
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_uint_eq(open_files(), files);
		ck_assert_uint_eq(skipped.count, 0);
	}
}
END_TEST

/* A file that is no program: the kernel has no count of it. */
START_TEST(test_no_count)
{
	struct skipped_program other = { .fd = -1 };
	struct skipped wrong = { .programs = &other, .count = 1 };
	uint64_t count = 77;

	ck_assert(skipped__read(&wrong, &count));
	ck_assert_uint_eq(count, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_no_programs);
	tcase_add_test(tests, test_programs_by_id);
	tcase_add_test(tests, test_programs_of_a_channel);
	tcase_add_test(tests, test_ended_program);
	tcase_add_test(tests, test_programs_that_may_not_be_asked);
	tcase_add_test(tests, test_too_many_files);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_no_count);
}
