// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* traced_library.c: a shared library for tests, and processes that call it. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <check.h>

#include "process.h"
#include "traced_library.h"

__asm__(".pushsection .rodata\n"
	".hidden traced_library, traced_library_end\n"
	".globl traced_library, traced_library_end\n"
	"traced_library: .incbin \"" TEST_OBJECTS "/library/traced.so\"\n"
	"traced_library_end: .byte 0\n"
	".popsection\n");
extern const char traced_library[], traced_library_end[];

void traced_library__write(const char *directory)
{
	char path[PATH_MAX];
	size_t bytes = (size_t)(traced_library_end - traced_library);
	int fd;

	mkdir(directory, 0755);
	snprintf(path, sizeof(path), "%s/" TRACED_LIBRARY, directory);
	unlink(path);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0755);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, traced_library, bytes), (ssize_t)bytes);
	ck_assert_int_eq(close(fd), 0);
}

/* ---- the process ----------------------------------------------------------------------------- */

/* `comm` is empty, or its new name. */
struct order {
	unsigned calls;
	char comm[16];
};

struct start {
	const char *root;
	int order, answer;
};

static int follow_order(long (*call)(long), const struct order *order, int answer)
{
	if (order->comm[0])
		prctl(PR_SET_NAME, order->comm);
	for (unsigned i = 0; i < order->calls; i++)
		if (call(i) != i + 1L)
			return EXIT_FAILURE;
	return write(answer, "", 1) == 1 ? 0 : EXIT_FAILURE;
}

static int run(void *arg)
{
	const struct start *start = arg;
	struct order order;
	void *library, *function;
	long (*call)(long);
	int status;

	if (chroot(start->root) || chdir("/"))
		return EXIT_FAILURE;
	library = dlopen("/" TRACED_LIBRARY, RTLD_NOW);
	function = library ? dlsym(library, TRACED_FUNCTION) : NULL;
	if (!function)
		return EXIT_FAILURE;
	memcpy(&call, &function, sizeof(call));
	status = follow_order(call, &(struct order){ 0 }, start->answer);
	while (!status && read(start->order, &order, sizeof(order)) == sizeof(order))
		status = follow_order(call, &order, start->answer);
	return status;
}

static void expect_answer(const struct library_user *user)
{
	char answer;

	ck_assert_int_eq(read(user->answer, &answer, 1), 1);
}

void library_user__start(struct library_user *user, const char *root)
{
	int order[2], answer[2];
	struct start start;

	ck_assert_int_eq(pipe2(order, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(answer, O_CLOEXEC), 0);
	start = (struct start){ root, order[0], answer[1] };
	user->order = order[1];
	user->answer = answer[0];
	user->pid = process__start(run, &start);
	close(order[0]);
	close(answer[1]);
	expect_answer(user);
}

static void send(const struct library_user *user, const struct order *order)
{
	ck_assert_int_eq(write(user->order, order, sizeof(*order)), sizeof(*order));
	expect_answer(user);
}

void library_user__call(const struct library_user *user, unsigned calls)
{
	send(user, &(struct order){ .calls = calls });
}

void library_user__rename(const struct library_user *user, const char *comm)
{
	struct order order = { 0 };

	snprintf(order.comm, sizeof(order.comm), "%s", comm);
	send(user, &order);
}

/* Children that started later may have the write end of the pipe: it is killed. */
void library_user__stop(struct library_user *user)
{
	kill(user->pid, SIGKILL);
	process__wait(user->pid);
	close(user->order);
	close(user->answer);
}
