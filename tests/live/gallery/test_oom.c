// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_oom.c: the probe oom: processes killed at the limit of a cgroup of their own. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/memory_cgroup.h"
#include "support/machine/mounts.h"
#include "support/machine/tracing.h"

#define MIB	   (1024 * 1024)
#define LIMIT	   (32 * MIB)
#define CGROUP	   "peat-test-oom"
#define ADJ_VICTIM 777
#define UID_VICTIM 4321

/* Pages that a child shares with the test: they are in its anon_rss, but not in its cgroup. */
#ifdef __SANITIZE_ADDRESS__
#define SHARED (16 * MIB)
#else
#define SHARED (2 * MIB)
#endif

static const char *cgroup;
static int from_child[2], to_child[2];

/* Lowering it would need CAP_SYS_RESOURCE. */
static void raise_score(int adj)
{
	FILE *file = fopen("/proc/self/oom_score_adj", "we");

	if (!file || fprintf(file, "%d", adj) < 0 || fclose(file))
		_exit(2);
}

static void become(const char *comm, int adj)
{
	mounts__enter_cgroup(cgroup);
	if (adj)
		raise_score(adj);
	prctl(PR_SET_NAME, comm);
}

/* Touches memory; in a cgroup with less, this does not return. */
static void use_memory(size_t bytes)
{
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(3);
	memset(memory, 1, bytes);
}

/* The pages of the address space, before and after which nothing is mapped. */
static long address_space(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		_exit(4);
	close(fd);
	return strtol(text, NULL, 10);
}

static void setup(void)
{
	cgroup = memory_cgroup__make(CGROUP, LIMIT);
	ck_assert_int_eq(pipe(from_child), 0);
	ck_assert_int_eq(pipe(to_child), 0);
}

static void teardown(void)
{
	if (cgroup)
		memory_cgroup__remove(cgroup);
}

static void expect_between(const char *event, const char *member, long long least, long long most)
{
	long long number = json_lines__number(event, member);

	ck_assert_msg(number >= least && number <= most, "%s: %s is not from %lld to %lld", event,
		      member, least, most);
}

/* The victim's own allocation is too much. */
static int ask_too_much(void *unused)
{
	long pages;

	(void)unused;
	become("peat-greedy", ADJ_VICTIM);
	if (setresuid(UID_VICTIM, UID_VICTIM, UID_VICTIM))
		return 1;
	pages = address_space() + 2 * LIMIT / sysconf(_SC_PAGESIZE);
	if (write(from_child[1], &pages, sizeof(pages)) != sizeof(pages))
		return 1;
	use_memory(2 * LIMIT);
	return 0;
}

START_TEST(test_own_limit)
{
	struct tracing tracing;
	const char *event;
	long pages = 0;
	pid_t child;
	int status;

	if (!cgroup)
		skip("this kernel has no memory controller");
	tracing__start(&tracing, TRACE("oom"));
	child = process__start(ask_too_much, NULL);
	status = process__wait(child);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "status %#x", status);
	tracing__stop(&tracing);
	ck_assert_int_eq(read(from_child[0], &pages, sizeof(pages)), sizeof(pages));
	event = tracing__only(&tracing, "oom", child);
	expect_number(event, "victim", child);
	expect_text(event, "victim_comm", "peat-greedy");
	expect_between(event, "anon_rss", LIMIT / 2, LIMIT + SHARED); /* not exact */
	/* The stack may have grown. */
	expect_between(event, "total_vm", pages * sysconf(_SC_PAGESIZE),
		       pages * sysconf(_SC_PAGESIZE) + MIB);
	expect_number(event, "uid", UID_VICTIM);
	expect_number(event, "oom_score_adj", ADJ_VICTIM);
	expect_text(event, "cgroup", CGROUP);
	tracing__free(&tracing);
}
END_TEST

static int hold_memory(void *unused)
{
	(void)unused;
	become("peat-victim", 1000);
	use_memory(LIMIT / 2);
	if (write(from_child[1], "1", 1) != 1)
		return 1;
	pause();
	return 0;
}

static int ask_after(void *unused)
{
	char byte;

	(void)unused;
	become("peat-asker", 0);
	if (read(to_child[0], &byte, 1) != 1)
		return 1;
	use_memory(LIMIT * 5 / 8);
	return 0;
}

/* The only event with this victim, which another process asked for. */
static const char *only_victim(const struct tracing *tracing, pid_t victim, pid_t asker)
{
	const char *event, *found = NULL;
	size_t from = 0;

	while ((event = tracing__next(tracing, "oom", asker, &from))) {
		if (json_lines__number(event, "victim") != victim)
			continue;
		ck_assert_msg(!found, "killed twice: %s", event);
		found = event;
	}
	ck_assert_msg(found, "no event in %s", tracing->peat.err_text);
	return found;
}

/*
 * One process asks, and another one is killed for it.  If that one exits slowly, the kernel kills
 * the first as well.
 */
START_TEST(test_victim_is_another)
{
	struct tracing tracing;
	pid_t victim, asker;
	const char *event;
	char byte;
	int status;

	if (!cgroup)
		skip("this kernel has no memory controller");
	tracing__start(&tracing, TRACE("oom"));
	victim = process__start(hold_memory, NULL);
	ck_assert_int_eq(read(from_child[0], &byte, 1), 1);
	asker = process__start(ask_after, NULL);
	ck_assert_int_eq(write(to_child[1], "1", 1), 1);
	process__wait(asker);
	status = process__wait(victim);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "status %#x", status);
	tracing__stop(&tracing);
	event = only_victim(&tracing, victim, asker);
	expect_text(event, "comm", "peat-asker");
	expect_text(event, "victim_comm", "peat-victim");
	expect_between(event, "anon_rss", LIMIT / 2 - MIB, LIMIT / 2 + SHARED);
	expect_number(event, "oom_score_adj", 1000);
	tracing__free(&tracing);
}
END_TEST

static int stay_below(void *unused)
{
	(void)unused;
	become("peat-modest", ADJ_VICTIM);
	use_memory(LIMIT / 2);
	return 0;
}

/* Neither memory below the limit nor another SIGKILL is an event. */
START_TEST(test_no_kill)
{
	struct tracing tracing;
	pid_t killed;
	char byte;

	if (!cgroup)
		skip("this kernel has no memory controller");
	tracing__start(&tracing, TRACE("oom", "--where", "cgroup == \"" CGROUP "\""));
	ck_assert_int_eq(process__wait(process__start(stay_below, NULL)), 0);
	killed = process__start(hold_memory, NULL);
	ck_assert_int_eq(read(from_child[0], &byte, 1), 1);
	ck_assert_int_eq(kill(killed, SIGKILL), 0);
	process__wait(killed);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

static Suite *oom_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("oom", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_own_limit);
	tcase_add_test(tests, test_victim_is_another);
	tcase_add_test(tests, test_no_kill);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { oom_suite };

	return harness__main(argc, argv, suites, 1);
}
