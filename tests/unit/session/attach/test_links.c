// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_links.c: links that are file descriptors: kept and closed.  Files in memory stand for links
 * of the kernel, which test_uprobe_links.c has.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "session/attach/links.h"
#include "session/attach/network.h"
#include "session/parts/session.h"
#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define MOST 200

static struct peat_session session;
static int fds[MOST];

static int open_file(void)
{
	int fd = memfd_create("link", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void keep(int count)
{
	for (int i = 0; i < count; i++) {
		fds[i] = open_file();
		ck_assert_int_eq(links__keep_fd(&session, fds[i]), 0);
	}
	ck_assert_int_eq(session.link_count, count);
}

/* The last first: threads that close it may have been started last. */
static void check_closed(int count)
{
	for (int i = count - 1; i >= 0; i--)
		ck_assert_msg(!is_open(fds[i]), "%d of %d", i, count);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		ck_assert(is_open(fd));
	ck_assert_ptr_null(session.links);
	ck_assert_int_eq(session.link_count, 0);
}

/* Up to 16 threads close them. */
START_TEST(test_detach_closes_links)
{
	static const int counts[] = { 1, 2, 3, 15, 16, 17, 31, 33, MOST };
	unsigned before = process__count_fds();

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		keep(counts[i]);
		links__detach(&session);
		check_closed(counts[i]);
	}
	links__detach(&session);
	ck_assert_uint_eq(process__count_fds(), before);
}
END_TEST

/* No thread can be created. */
START_TEST(test_detach_without_threads)
{
	pthread_attr_t usual, huge;

	ck_assert_int_eq(pthread_getattr_default_np(&usual), 0);
	ck_assert_int_eq(pthread_getattr_default_np(&huge), 0);
	ck_assert_int_eq(pthread_attr_setstacksize(&huge, (size_t)1 << 60), 0);
	ck_assert_int_eq(pthread_setattr_default_np(&huge), 0);
	keep(40);
	links__detach(&session);
	ck_assert_int_eq(pthread_setattr_default_np(&usual), 0);
	check_closed(40);
}
END_TEST

START_TEST(test_disown_closes_links)
{
	keep(40);
	links__disown(&session);
	check_closed(40);
}
END_TEST

/* Two links, and memory after them with a file descriptor, or with links that do not exist. */
static void make_memory_after(uintptr_t link)
{
	session.links = calloc(4, sizeof(*session.links));
	session.link_count = 2;
	for (int i = 0; i < 4; i++) {
		session.links[i].fd = fds[i] = open_file();
		if (i >= 2)
			session.links[i].link = (struct bpf_link *)link;
	}
}

static void check_memory_after(void)
{
	ck_assert(is_open(fds[2]) && is_open(fds[3]));
	check_closed(2);
}

START_TEST(test_memory_after)
{
	for (uintptr_t link = 0; link <= 8; link += 8) {
		make_memory_after(link);
		links__detach(&session);
		check_memory_after();
		make_memory_after(link);
		links__disown(&session);
		check_memory_after();
	}
}
END_TEST

/* The array of links is full. */
START_TEST(test_no_memory)
{
	bool failed;
	int fd, err;

	keep(ARRAY_LEAST);
	fd = open_file();
	fail_alloc__begin(1);
	err = links__keep_fd(&session, fd);
	failed = fail_alloc__end();
	ck_assert_int_eq(err, failed ? -ENOMEM : 0);
	ck_assert_int_eq(is_open(fd), !failed);
	ck_assert_int_eq(session.link_count, failed ? ARRAY_LEAST : ARRAY_LEAST + 1);
	links__detach(&session);
	check_closed(ARRAY_LEAST);
}
END_TEST

/* A file is no link, and cannot be pinned. */
START_TEST(test_other_descriptors)
{
	keep(1);
	ck_assert(!links__is_link(&session, 0));
	ck_assert_int_lt(links__pin(&session, 0, "/sys/fs/bpf/link"), 0);
	links__detach(&session);
}
END_TEST

START_TEST(test_program_events_are_detached)
{
	session.program_events.at = malloc(1);
	ck_assert_ptr_nonnull(session.program_events.at);
	links__detach(&session);
	ck_assert_ptr_null(session.program_events.at);
}
END_TEST

/* The interfaces of a session without programs. */
START_TEST(test_network_is_freed)
{
	void (*const ends[])(struct peat_session *) = { links__detach, links__disown };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		long blocks = fail_alloc__blocks();

		session.network = network__new("lo");
		ck_assert_ptr_nonnull(session.network);
		ends[i](&session);
		ck_assert_ptr_null(session.network);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
}
END_TEST

/* The first thread of a process leaves memory for the next. */
START_TEST(test_memory_is_freed)
{
	long blocks = 0;

	for (int i = 0; i < 2; i++) {
		blocks = fail_alloc__blocks();
		keep(3);
		links__disown(&session);
	}
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_detach_closes_links);
	tcase_add_test(tests, test_detach_without_threads);
	tcase_add_test(tests, test_disown_closes_links);
	tcase_add_test(tests, test_memory_after);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_other_descriptors);
	tcase_add_test(tests, test_program_events_are_detached);
	tcase_add_test(tests, test_network_is_freed);
	tcase_add_test(tests, test_memory_is_freed);
}
