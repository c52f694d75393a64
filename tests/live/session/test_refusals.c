// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_refusals.c: messages about programs that cannot be loaded or attached. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"

EMBED_OBJECT(functions)
EMBED_OBJECT(no_member)
EMBED_OBJECT(no_target)
EMBED_OBJECT(burst)
EMBED_OBJECT(refusals)
EMBED_OBJECT(refused)

static char logged[2048], warned[2048];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
	else if (level == PEAT_LOG_WARN)
		snprintf(warned, sizeof(warned), "%s", text);
}

static void setup(void)
{
	peat_set_print(note);
	logged[0] = '\0';
}

/* The reason is in the message of the session: no other message is needed. */
static void check_refused(const char *program, int err, const char *words)
{
	static const char *const all[] = { "past_end", "no_argument", "no_file", "no_function" };
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(
		peat_session__add(session, "refused", refused_object.bytes, *refused_object.count),
		0);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i], program))
			ck_assert_int_eq(peat_session__leave_out(session, all[i]), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), err);
	ck_assert_int_eq(errno, -err);
	ck_assert_ptr_nonnull(strstr(logged, program));
	ck_assert_msg(strstr(logged, words), "'%s' has no '%s'", logged, words);
	ck_assert_ptr_null(strstr(logged, "-v"));
	ck_assert_ptr_null(strstr(logged, "seccomp"));
	peat_session__free(session);
}

START_TEST(test_tracepoint_record_too_short)
{
	check_refused("past_end", -EACCES, "past the end of the tracepoint's record");
}
END_TEST

START_TEST(test_raw_tracepoint_argument)
{
	check_refused("no_argument", -EINVAL, "more arguments than the tracepoint has");
}
END_TEST

START_TEST(test_uprobe_without_file)
{
	check_refused("no_file", -EINVAL, "write uprobe/FILE:FUNCTION");
}
END_TEST

START_TEST(test_uprobe_without_function)
{
	check_refused("no_function", -ENOENT, "no function");
}
END_TEST

START_TEST(test_missing_member)
{
	static const char reason[] =
		"cannot be loaded: it needs struct task_struct___other.no_such, which this kernel "
		"does not have";
	const struct peat_session_opts opts = { .sz = sizeof(opts), .best_effort = true };
	struct peat_session *session = peat_session__new(&opts);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "no_member", no_member_object.bytes,
					   *no_member_object.count),
			 0);
	ck_assert_int_eq(peat_session__start(session, NULL), -ENOENT);
	ck_assert_msg(strstr(warned, reason), "%s", warned);
	peat_session__free(session);
}
END_TEST

/* bpf_perf_event_output() is for programs with a license like that of the kernel. */
START_TEST(test_missing_license)
{
	size_t bytes = *refusals_object.count;
	char *elf = malloc(bytes), *license;
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_ptr_nonnull(elf);
	memcpy(elf, refusals_object.bytes, bytes);
	license = memmem(elf, bytes, "Dual BSD/GPL", sizeof("Dual BSD/GPL"));
	ck_assert_ptr_nonnull(license);
	memcpy(license, "Proprietary", sizeof("Proprietary"));
	ck_assert_int_eq(peat_session__add(session, "refusals", elf, bytes), 0);
	ck_assert_int_lt(peat_session__start(session, NULL), 0);
	ck_assert_msg(strstr(logged, "declare a license"), "%s", logged);
	peat_session__free(session);
	free(elf);
}
END_TEST

START_TEST(test_missing_target)
{
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "no_target", no_target_object.bytes,
					   *no_target_object.count),
			 0);
	ck_assert_int_eq(peat_session__start(session, NULL), -ESRCH);
	ck_assert_msg(strstr(logged, "BTF has no 'no_such_tracepoint' to attach it to"), "%s",
		      logged);
	peat_session__free(session);
}
END_TEST

static struct peat_session *refused_session(void)
{
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(
		peat_session__add(session, "refused", refused_object.bytes, *refused_object.count),
		0);
	ck_assert_int_eq(peat_session__leave_out(session, "no_argument"), 0);
	ck_assert_int_eq(peat_session__leave_out(session, "no_file"), 0);
	ck_assert_int_eq(peat_session__leave_out(session, "no_function"), 0);
	return session;
}

/* Starts the session with a limit, and frees it.  Returns the error. */
static int start_limited(struct peat_session *session, int resource, rlim_t most)
{
	struct rlimit all, few;
	int err;

	logged[0] = '\0';
	ck_assert_int_eq(getrlimit(resource, &all), 0);
	few = (struct rlimit){ most, all.rlim_max };
	ck_assert_int_eq(setrlimit(resource, &few), 0);
	err = peat_session__start(session, NULL);
	ck_assert_int_eq(setrlimit(resource, &all), 0);
	peat_session__free(session);
	return err;
}

/* Whichever call of whichever library fails. */
START_TEST(test_too_few_files)
{
	int next = dup(0), err;
	unsigned refused = 0;

	ck_assert_int_ge(next, 0);
	for (rlim_t files = 1; files < 100; files++) {
		err = start_limited(refused_session(), RLIMIT_NOFILE, (rlim_t)next + files);
		if (err == -EACCES) /* no limit is in the way: that of past_end */
			break;
		ck_assert_int_eq(err, -EMFILE);
		ck_assert_msg(strstr(logged, "RLIMIT_NOFILE"), "%s", logged);
		ck_assert_ptr_null(strstr(logged, "bpf_object__"));
		refused++;
	}
	ck_assert_uint_gt(refused, 3);
	ck_assert_int_eq(err, -EACCES);
	close(next);
}
END_TEST

static int start_best_effort(rlim_t files)
{
	const struct peat_session_opts opts = { .sz = sizeof(opts), .best_effort = true };
	struct peat_session *session = peat_session__new(&opts);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "refusals", refusals_object.bytes,
					   *refusals_object.count),
			 0);
	return start_limited(session, RLIMIT_NOFILE, files);
}

/*
 * Refused programs are left out under each limit that the object itself can be loaded with.  Copies
 * of libbpf 1.4 and newer need a file more.
 */
START_TEST(test_too_few_files_for_trials)
{
	int next = dup(0), err = -EMFILE;
	unsigned refused = 0;
	rlim_t files = 0;

	ck_assert_int_ge(next, 0);
	/* libbpf tries but once what the kernel supports. */
	ck_assert_int_eq(start_best_effort((rlim_t)next + 100), 0);
	while (err && files < 100) {
		err = start_best_effort((rlim_t)next + ++files);
		refused += strstr(logged, "cannot load the program ") != NULL;
	}
	ck_assert_uint_le(refused, libbpf_minor_version() >= 4);
	ck_assert_uint_gt(files, 3);
	ck_assert_int_eq(err, 0);
	close(next);
}
END_TEST

#ifdef __SANITIZE_ADDRESS__
#define NEED_SMALL_MEMORY() skip("AddressSanitizer ends a process that has no more memory")
#else
#define NEED_SMALL_MEMORY() ((void)0)
#endif

/* The kernel's BTF alone needs more memory. */
START_TEST(test_too_little_memory)
{
	unsigned long pages;
	FILE *file;

	NEED_SMALL_MEMORY();
	file = fopen("/proc/self/statm", "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	ck_assert_int_eq(start_limited(refused_session(), RLIMIT_AS,
				       pages * (rlim_t)sysconf(_SC_PAGESIZE) + (1 << 20)),
			 -ENOMEM);
	ck_assert_msg(strstr(logged, "Cannot allocate memory: RLIMIT_AS is "), "%s", logged);
}
END_TEST

/*
 * The kernel has no 256 TiB for a map, and no limit of the process is in the way.  Linux 5.10 says
 * E2BIG.
 */
START_TEST(test_too_large_map)
{
	struct peat_session *session = peat_session__new(NULL);
	int err;

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(
		peat_session__add(session, "burst", burst_object.bytes, *burst_object.count), 0);
	ck_assert_int_eq(peat_session__set_map_entries(session, "payloads", UINT32_MAX), 0);
	err = start_limited(session, RLIMIT_AS, (rlim_t)1 << 60);
	ck_assert_msg(err == -ENOMEM || err == -E2BIG, "%d: %s", err, logged);
	ck_assert_msg(strstr(logged, "cannot create the map payloads of burst: "), "%s", logged);
	ck_assert_ptr_null(strstr(logged, "RLIMIT_AS"));
}
END_TEST

/* Kernels without programs for functions say no more than EPERM. */
START_TEST(test_function_programs)
{
	static const char *const names[] = { "function", "hook" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct peat_session *session = peat_session__new(NULL);
		int err;

		ck_assert_ptr_nonnull(session);
		logged[0] = '\0';
		ck_assert_int_eq(peat_session__add(session, "functions", functions_object.bytes,
						   *functions_object.count),
				 0);
		ck_assert_int_eq(peat_session__leave_out(session, names[!i]), 0);
		err = peat_session__start(session, NULL);
		if (err == -EPERM)
			ck_assert_msg(strstr(logged, "refuses even an empty program"), "%s",
				      logged);
		else if (err)
			ck_assert_msg(strstr(logged, names[i]), "%s", logged);
		peat_session__free(session);
	}
}
END_TEST

static Suite *refusals_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("refusals", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_tracepoint_record_too_short);
	tcase_add_test(tests, test_raw_tracepoint_argument);
	tcase_add_test(tests, test_uprobe_without_file);
	tcase_add_test(tests, test_uprobe_without_function);
	tcase_add_test(tests, test_missing_member);
	tcase_add_test(tests, test_missing_license);
	tcase_add_test(tests, test_missing_target);
	tcase_add_test(tests, test_function_programs);
	tcase_add_test(tests, test_too_few_files);
	tcase_add_test(tests, test_too_few_files_for_trials);
	tcase_add_test(tests, test_too_little_memory);
	tcase_add_test(tests, test_too_large_map);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { refusals_suite };

	return harness__main(argc, argv, suites, 1);
}
