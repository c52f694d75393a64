// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_namer.c: children that read files: what they may do, how they end, and how they lie. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peat/log.h>

#include "unit/symbols/liar.h"
#include "support/machine/process.h"
#include "symbols/namer/flat_symbols.h"
#include "symbols/namer/namer.h"
#include "unit/suite.h"

#define SELF "/proc/self/exe"

static struct namer *namer;
static unsigned fds;
static unsigned warnings;
static enum namer_patience patience;

static void note_warning(enum peat_log_level level, const char *text)
{
	(void)text;
	warnings += level == PEAT_LOG_WARN;
}

static void setup(void)
{
	peat_set_print(note_warning);
	fds = process__count_fds();
	namer = namer__new(SELF);
	ck_assert_ptr_nonnull(namer);
}

static void teardown(void)
{
	namer__free(namer);
	liar__remove();
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

/* Asks for a part of a file that belongs to `owner`. */
static int ask(const char *path, uid_t owner, enum namer_part part, struct namer_result *result)
{
	struct namer_request request = { .fd = open(path, O_RDONLY | O_CLOEXEC), .part = part };
	int err;

	ck_assert_int_ge(request.fd, 0);
	ck_assert_int_eq(fstat(request.fd, &request.search.program), 0);
	request.search.program.st_uid = owner;
	request.is_of_root = !owner;
	request.patience = patience;
	request.wait_ms = 10;
	request.search.path = path;
	err = namer__read(namer, &request, result);
	close(request.fd);
	return err;
}

static int read_symbols(uid_t owner)
{
	struct namer_result result;
	struct file_symbols read;
	int err = ask(SELF, owner, NAMER_SYMBOLS, &result);

	if (err)
		return err;
	err = flat_symbols__take_over(&read, result.memory.at, result.memory.bytes);
	namer_memory__free(&result.memory);
	if (err)
		return err;
	ck_assert_uint_gt(read.symbols.count, 1000);
	file_symbols__free(&read);
	return 0;
}

/* The only child.  0: there is none. */
static pid_t find_child(void)
{
	char path[64];
	FILE *file;
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	if (fscanf(file, "%d", &pid) != 1)
		pid = 0;
	fclose(file);
	return pid;
}

/* Returns when it has ended. */
static void kill_child(void)
{
	const pid_t pid = find_child();
	siginfo_t info;

	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

START_TEST(test_reads_each_part)
{
	struct namer_result result;

	ck_assert_int_eq(read_symbols(0), 0);
	ck_assert_int_eq(ask(SELF, 0, NAMER_BUILD_ID, &result), 0);
	ck_assert_uint_eq(result.build_id.bytes, 20);
	ck_assert_ptr_null(result.memory.at);
	ck_assert_int_eq(ask(SELF, 0, NAMER_FRAMES, &result), 0);
	ck_assert_uint_gt(result.memory.bytes, 10000);
	namer_memory__free(&result.memory);
	ck_assert_int_eq(ask(SELF, 0, NAMER_DEBUG_FRAME, &result), -ENOENT);
	ck_assert_int_eq(ask("/etc/passwd", 0, NAMER_SYMBOLS, &result), -ENOEXEC);
	ck_assert_int_eq(ask(SELF, 0, (enum namer_part)99, &result), -EINVAL);
	ck_assert_int_eq(read_symbols(0), 0);
}
END_TEST

/* The value of a line of /proc/PID/status. */
static void read_status(pid_t pid, const char *key, char value[64])
{
	char path[64], line[256];
	FILE *file;

	*value = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)) && line[strlen(key)] == ':')
			sscanf(line + strlen(key) + 1, "%63s", value);
	fclose(file);
}

static void check_status(pid_t pid, const char *key, const char *expected)
{
	char value[64];

	read_status(pid, key, value);
	ck_assert_msg(!strcmp(value, expected), "%s is %s", key, value);
}

/* It has neither capabilities nor ids of others, and only its socket. */
START_TEST(test_child_has_no_rights)
{
	char path[64], uid[64];
	pid_t pid;

	ck_assert_int_eq(read_symbols(0), 0);
	pid = find_child();
	ck_assert_int_ne(pid, 0);
	check_status(pid, "Name", "peat-namer");
	check_status(pid, "NoNewPrivs", "1");
	check_status(pid, "Seccomp", "2");
	check_status(pid, "CapEff", "0000000000000000");
	check_status(pid, "CapPrm", "0000000000000000");
	check_status(pid, "CapAmb", "0000000000000000");
	snprintf(path, sizeof(path), "/proc/%d/fd/4", pid);
	ck_assert_int_ne(access(path, F_OK), 0);
	if (geteuid())
		return;
	check_status(pid, "CapBnd", "0000000000000000");
	read_status(pid, "Uid", uid);
	ck_assert_uint_eq(strtoul(uid, NULL, 10), 0x70000000u + (unsigned)pid);
	check_status(pid, "Groups", "");
}
END_TEST

static unsigned count_children(void)
{
	char path[64];
	unsigned count = 0;
	FILE *file;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	while (fscanf(file, "%d", &pid) == 1)
		count++;
	fclose(file);
	return count;
}

/* A child becomes ready before it is needed, and the other one while the first reads. */
START_TEST(test_children_start_early)
{
	pid_t first;

	ck_assert_int_eq(find_child(), 0);
	namer__start(namer);
	namer__start(namer);
	first = find_child();
	ck_assert_int_ne(first, 0);
	ck_assert_uint_eq(count_children(), 1);
	ck_assert_int_eq(read_symbols(0), 0);
	ck_assert_int_eq(find_child(), first);
	ck_assert_uint_eq(count_children(), 2);
	ck_assert_int_eq(read_symbols(1000), 0);
	ck_assert_uint_eq(count_children(), 2);
}
END_TEST

/* A program that cannot be started is reported when it is needed. */
START_TEST(test_early_without_program)
{
	namer__free(namer);
	namer = namer__new("/nowhere/peat-namer");
	namer__start(namer);
	ck_assert_uint_eq(warnings, 0);
	ck_assert_int_eq(read_symbols(0), -ENOENT);
	ck_assert_uint_eq(warnings, 1);
}
END_TEST

/* One child for files of root, one for others. */
START_TEST(test_two_children_by_owner)
{
	pid_t of_root;

	ck_assert_int_eq(read_symbols(0), 0);
	of_root = find_child();
	ck_assert_int_eq(read_symbols(1000), 0);
	kill_child();
	ck_assert_int_eq(waitpid(of_root, NULL, 0), of_root);
	ck_assert_int_ne(find_child(), 0);
	ck_assert_int_eq(read_symbols(1000), 0);
	ck_assert_int_eq(read_symbols(0), 0);
}
END_TEST

/* A child that died while it was idle costs no file its names. */
START_TEST(test_killed_child_is_replaced)
{
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(read_symbols(1000), 0);
		kill_child();
	}
	ck_assert_int_eq(read_symbols(1000), 0);
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

static int read_in_child(void *arg)
{
	(void)arg;
	return read_symbols(0) || read_symbols(0);
}

/* Lines have children of their own, with an account of their own. */
START_TEST(test_lines_have_own_child)
{
	const uint64_t address = 0x1000;
	struct namer_result result;
	struct namer_request request = { .fd = open("/bin/sh", O_RDONLY | O_CLOEXEC),
					 .part = NAMER_LINES,
					 .addresses = &address,
					 .addresses_count = 1 };

	ck_assert_int_eq(fstat(request.fd, &request.search.program), 0);
	request.search.program.st_uid = 1000;
	ck_assert_int_eq(read_symbols(1000), 0);
	ck_assert_uint_eq(count_children(), 1);
	for (int i = 0; i < 6; i++) {
		const int err = namer__read(namer, &request, &result);

		ck_assert_int_eq(err, -ENODATA);
		ck_assert_uint_eq(count_children(), 2);
		namer__distrust(namer, &request);
		ck_assert_uint_eq(count_children(), 1);
	}
	ck_assert_int_eq(namer__read(namer, &request, &result), -EBUSY);
	ck_assert_int_eq(read_symbols(1000), 0);
	close(request.fd);
}
END_TEST

/* After fork() both processes have children of their own. */
START_TEST(test_forked_process_has_own_child)
{
	pid_t pid;

	ck_assert_int_eq(read_symbols(0), 0);
	pid = find_child();
	process__do(read_in_child, NULL);
	ck_assert_int_eq(read_symbols(0), 0);
	ck_assert_int_eq(find_child(), pid);
}
END_TEST

static void use_liar(enum lie lie)
{
	namer__free(namer);
	namer = namer__new(liar__script(lie));
}

static int read_from_liar(enum lie lie)
{
	struct namer_result result;
	int err;

	use_liar(lie);
	err = ask(SELF, 1000, NAMER_SYMBOLS, &result);
	if (!err)
		namer_memory__free(&result.memory);
	return err;
}

START_TEST(test_liars_are_refused)
{
	static const int errors[LIES] = {
		[LIE_NO_HELLO] = -EPIPE,
		[LIE_OTHER_PROGRAM] = -EPROTO,
		[LIE_DIES] = -EPIPE,
		[LIE_UNSEALED] = -EBADMSG,
		[LIE_NO_MEMORY_FILE] = -EPROTO,
		[LIE_GARBAGE] = 0,
		[LIE_SERIAL] = -EPROTO,
		[LIE_KIND] = -EPROTO,
		[LIE_ERROR] = -EPROTO,
		[LIE_ENDLESS_DEBUG] = -EPROTO,
		[LIE_SLEEPS] = -ETIMEDOUT,
		[LIE_DIES_OF_LINES] = 0,
	};

	ck_assert_int_eq(read_from_liar((enum lie)_i), errors[_i]);
	ck_assert_int_eq(find_child() != 0, !errors[_i]);
}
END_TEST

START_TEST(test_build_id_of_liar)
{
	struct namer_result result;

	use_liar(LIE_GARBAGE);
	ck_assert_int_eq(ask(SELF, 1000, NAMER_BUILD_ID, &result), -EPROTO);
}
END_TEST

/*
 * A caller in a hurry leaves the file to the child, and asks again.  Another file waits meanwhile,
 * but files of root do not.
 */
START_TEST(test_hurried_callers_ask_again)
{
	struct namer_result result;

	use_liar(LIE_SLEEPS);
	patience = NAMER_SHORTLY;
	ck_assert_int_eq(ask(SELF, 1000, NAMER_SYMBOLS, &result), -EAGAIN);
	ck_assert_int_eq(ask("/bin/sh", 1000, NAMER_SYMBOLS, &result), -EAGAIN);
	patience = NAMER_NOW;
	ck_assert_int_eq(ask(SELF, 1000, NAMER_SYMBOLS, &result), -EAGAIN);
	ck_assert_int_ne(find_child(), 0);
	namer__free(namer);
	namer = namer__new(SELF);
	ck_assert_int_eq(read_symbols(0), 0);
	while (read_symbols(1000) == -EAGAIN)
		usleep(1000);
	patience = NAMER_WAIT;
	ck_assert_int_eq(read_symbols(1000), 0);
}
END_TEST

/* A file that was asked for once, in a hurry, and never again: the child does not stay busy. */
START_TEST(test_abandoned_child_is_ended)
{
	struct namer_result result;
	pid_t first;
	int err;

	use_liar(LIE_SLEEPS);
	patience = NAMER_SHORTLY;
	ck_assert_int_eq(ask(SELF, 1000, NAMER_DEBUG_FRAME, &result), -EAGAIN);
	first = find_child();
	do {
		err = ask("/bin/sh", 1000, NAMER_SYMBOLS, &result);
		usleep(10000);
	} while (find_child() == first);
	ck_assert_int_eq(err, -EAGAIN);
}
END_TEST

static uint32_t hurry_ms;

static void hurry(int number)
{
	(void)number;
	namer__hurry(namer, hurry_ms);
}

/* Asks for a file that is never read, and a signal handler is in a hurry meanwhile. */
static int ask_hurried(uid_t owner, uint32_t ms)
{
	struct sigaction action = { .sa_handler = hurry }, before;
	struct namer_result result;
	int err;

	hurry_ms = ms;
	ck_assert_int_eq(sigaction(SIGALRM, &action, &before), 0);
	ualarm(50000, 0);
	use_liar(LIE_SLEEPS);
	err = ask(SELF, owner, NAMER_SYMBOLS, &result);
	sigaction(SIGALRM, &before, NULL);
	return err;
}

/* A call that waits returns, and the child still has the file. */
START_TEST(test_end_of_waits)
{
	struct namer_result result;

	ck_assert_int_eq(ask_hurried(1000, 100), -EAGAIN);
	ck_assert_int_ne(find_child(), 0);
	ck_assert_int_eq(ask("/bin/sh", 1000, NAMER_SYMBOLS, &result), -EAGAIN);
	ck_assert_int_eq(ask_hurried(0, 0), -EAGAIN);
}
END_TEST

/* Files of root are waited for, 2 seconds here.  Other files are read nevertheless. */
START_TEST(test_end_of_waits_for_others)
{
	int err;

	namer__hurry(namer, 100);
	ck_assert_int_eq(read_symbols(0), 0);
	usleep(101 * 1000); /* no time is left for others */
	while ((err = read_symbols(1000)) == -EAGAIN)
		usleep(1000);
	ck_assert_int_eq(err, 0);
}
END_TEST

START_TEST(test_no_wait_after_the_end)
{
	struct namer_result result;

	use_liar(LIE_SLEEPS);
	namer__hurry(namer, 1);
	usleep(2000);
	ck_assert_int_eq(ask(SELF, 1000, NAMER_SYMBOLS, &result), -EAGAIN);
}
END_TEST

/* Bytes that are no table: their child is not asked again. */
START_TEST(test_distrusted_child_is_ended)
{
	const struct namer_request of_root = { .is_of_root = true }, of_other = { 0 };

	ck_assert_int_eq(read_symbols(0), 0);
	namer__distrust(namer, &of_other);
	ck_assert_int_ne(find_child(), 0);
	namer__distrust(namer, &of_root);
	ck_assert_int_eq(find_child(), 0);
	ck_assert_int_eq(read_symbols(0), 0);
}
END_TEST

START_TEST(test_no_program)
{
	struct namer_result result;

	namer__free(namer);
	namer = namer__new("/nowhere/peat-namer");
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(ask(SELF, 0, NAMER_SYMBOLS, &result), -ENOENT);
	ck_assert_uint_eq(warnings, 1);
}
END_TEST

/* Files of an owner that kill children wait; those of others do not. */
START_TEST(test_many_deaths)
{
	struct namer_result result;

	use_liar(LIE_DIES);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(ask(SELF, 1000, NAMER_SYMBOLS, &result), -EPIPE);
	ck_assert_int_eq(ask(SELF, 1000, NAMER_SYMBOLS, &result), -EBUSY);
	ck_assert_uint_eq(warnings, 1);
	ck_assert_int_eq(ask(SELF, 1001, NAMER_SYMBOLS, &result), -EPIPE);
	ck_assert_int_eq(ask(SELF, 0, NAMER_SYMBOLS, &result), -EPIPE);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_reads_each_part);
	tcase_add_test(tests, test_child_has_no_rights);
	tcase_add_test(tests, test_children_start_early);
	tcase_add_test(tests, test_early_without_program);
	tcase_add_test(tests, test_two_children_by_owner);
	tcase_add_test(tests, test_killed_child_is_replaced);
	tcase_add_test(tests, test_lines_have_own_child);
	tcase_add_test(tests, test_forked_process_has_own_child);
	tcase_add_loop_test(tests, test_liars_are_refused, 0, LIES);
	tcase_add_test(tests, test_build_id_of_liar);
	tcase_add_test(tests, test_hurried_callers_ask_again);
	tcase_add_test(tests, test_abandoned_child_is_ended);
	tcase_add_test(tests, test_end_of_waits);
	tcase_add_test(tests, test_end_of_waits_for_others);
	tcase_add_test(tests, test_no_wait_after_the_end);
	tcase_add_test(tests, test_distrusted_child_is_ended);
	tcase_add_test(tests, test_no_program);
	tcase_add_test(tests, test_many_deaths);
}
