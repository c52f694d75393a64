// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* probe_events.c: causes events of most probes. */
#include <fcntl.h>
#include <netdb.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/load/probe_events.h"
#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "support/machine/tcp_pair.h"

/* Functions of the library that the probe ssl watches: here, of this program, which may have its
 * own. */
#define FUNCTION __attribute__((weak, noinline, noipa, used, visibility("default")))

int SSL_read(void *ssl, void *data, int room);
int SSL_write(void *ssl, const void *data, int bytes);

FUNCTION int SSL_read(void *ssl, void *data, int room)
{
	memset(data, 'r', (size_t)room);
	return ssl ? room : -1;
}

FUNCTION int SSL_write(void *ssl, const void *data, int bytes)
{
	return ssl && data ? bytes : -1;
}

const char *probe_events__name(void)
{
	static char name[16];

	if (!*name)
		snprintf(name, sizeof(name), "where-%d", (int)getpid());
	return name;
}

/* System calls of which it does not matter here whether they succeed. */
static void try(long result)
{
	(void)result;
}

static void use_files(void)
{
	static const char *const names[] = {
		"a", "abc", "no/such/file",
		"",  "a b", "a-rather-long-name-of-a-file-that-is-in-this-place"
	};
	char bytes[5000] = "text";
	int fd;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		fd = open(names[i], O_RDWR | (i % 2 ? O_CREAT : 0) | O_CLOEXEC, 0640);
		try(pwrite(fd, bytes, 10 + i * 700, (off_t)i * 100));
		try(fsync(fd));
		try(pread(fd, bytes, 100, 7));
		try(ftruncate(fd, 3));
		try(close(fd));
	}
	try(rename("abc", "another-name"));
	try(mkdir("folder", 0700));
	try(chmod("folder", 0750));
	try(symlink("folder", "link"));
	try(rmdir("folder"));
	try(unlink("link"));
	try(unlink("another-name"));
	try(unlink("nothing"));
}

static int die(void *unused)
{
	(void)unused;
	kill(getpid(), SIGKILL);
	return 0;
}

static int change_namespaces(void *unused)
{
	(void)unused;
	try(chroot("/"));
	try(unshare(CLONE_NEWNS));
	try(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	try(mount("tmpfs", scratch__dir(), "tmpfs", 0, NULL));
	try(umount(scratch__dir()));
	try(setuid(4321));
	try(chroot("/"));
	try(unshare(CLONE_NEWUTS));
	return 3;
}

static void use_processes(void)
{
	process__run(scratch__path(probe_events__name()), ARGV("name", "a", "", "a b"));
	process__run(scratch__path(probe_events__name()), ARGV("name"));
	process__run(scratch__path(probe_events__name()),
		     ARGV("x", "-a", "--long-option=with/a/value", "end"));
	process__do(die, NULL);
	process__do(change_namespaces, NULL);
	signal(SIGUSR1, SIG_IGN);
	for (int i = 0; i < 3; i++)
		raise(i ? SIGUSR1 : SIGCHLD);
	for (int i = 0; i < 4; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 * i }, NULL);
}

static void use_network(void)
{
	struct netns_pair pair;
	struct addrinfo *found;

	for (int i = 0; i < 2; i++) {
		int family = i ? AF_INET6 : AF_INET;
		uint16_t port;
		int listener = tcp_pair__listen(family, &port);
		struct tcp_pair tcp = tcp_pair__connect(family, listener);

		tcp_pair__send(tcp.client, tcp.server, 10 + (size_t)i * 3000);
		close(listener);
		if (i)
			tcp_pair__reset(tcp.client);
		else
			close(tcp.client);
		close(tcp.server);
		pair = netns__pair(family);
		netns__send(&pair, "a message", 9);
		close(pair.to);
		try(send(pair.from, "to nobody", 9, 0));
		close(pair.from);
	}
	netns__be_refused();
	if (!getaddrinfo("127.0.0.1", NULL, NULL, &found))
		freeaddrinfo(found);
	if (!getaddrinfo("no number", NULL, &(struct addrinfo){ .ai_flags = AI_NUMERICHOST },
			 &found))
		freeaddrinfo(found);
}

static void use_memory(void)
{
	size_t bytes = 64 * (size_t)sysconf(_SC_PAGESIZE);
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char text[300];

	ck_assert_ptr_ne(memory, MAP_FAILED);
	for (size_t i = 0; i < bytes; i += 4096)
		memory[i] = 1;
	try(munmap(memory, bytes));
	for (int i = 0; i < 5; i++) {
		try(SSL_read((void *)0x5e5510, text, 1 + i * 70));
		try(SSL_write((void *)0x5e5510, text, 300 - i * 60));
	}
}

static int requests[2], answers[2];
static pid_t causer;

/* Causes the events at each request, with the name; it has another name while it waits. */
static int cause_events(void *unused)
{
	char byte;

	(void)unused;
	close(requests[1]);
	process__pin();
	ck_assert_int_eq(chdir(scratch__dir()), 0);
	while (read(requests[0], &byte, 1) == 1) {
		prctl(PR_SET_NAME, probe_events__name());
		use_files();
		use_processes();
		use_network();
		use_memory();
		prctl(PR_SET_NAME, "waits");
		ck_assert_int_eq(write(answers[1], "", 1), 1);
	}
	return 0;
}

void probe_events__start(void)
{
	ck_assert_int_eq(symlink(process__program(), scratch__path(probe_events__name())), 0);
	ck_assert_int_eq(pipe2(requests, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(answers, O_CLOEXEC), 0);
	causer = process__start(cause_events, NULL);
	close(requests[0]);
	close(answers[1]);
}

void probe_events__end(void)
{
	close(requests[1]);
	ck_assert_int_eq(process__wait(causer), 0);
	unlink(process__program());
}

void probe_events__request(void)
{
	char byte;

	ck_assert_int_eq(write(requests[1], "", 1), 1);
	ck_assert_int_eq(read(answers[0], &byte, 1), 1);
	usleep(50000); /* packets, and processes that end */
}

void probe_events__set_options(struct peat_session *session, char *options)
{
	for (char *option; (option = strsep(&options, ","));) {
		char *name = strsep(&option, "=");

		ck_assert_int_eq(peat_session__set_text(session, name, option ? option : "1"), 0);
	}
}
