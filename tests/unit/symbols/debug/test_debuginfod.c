// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_debuginfod.c: debug files from a server on the loopback device. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/symbols/separated.h"
#include "symbols/files/file_reader.h"
#include "symbols/debug/debuginfod.h"

#include "support/machine/process.h"
#include "unit/suite.h"

static struct separated separated;
static struct elf_file *program;
static uid_t owner; /* of the program */
static pid_t server_pid;

/* ---- the server ------------------------------------------------------------------------------ */

struct server {
	int fd;
	const char *path; /* of the file that it sends; NULL: zeros, without an end */
	char id[BUILD_ID_TEXT];
};

static struct server server;

/* Reads a request and returns whether it is for the debug file of that build-id. */
static bool read_request(int fd)
{
	char request[4096], wanted[128];
	size_t count = 0;

	do {
		ssize_t got = read(fd, request + count, sizeof(request) - 1 - count);

		if (got <= 0)
			return false;
		count += (size_t)got;
		request[count] = '\0';
	} while (!strstr(request, "\r\n\r\n"));
	snprintf(wanted, sizeof(wanted), "GET /buildid/%s/debuginfo ", server.id);
	return !strncmp(request, wanted, strlen(wanted));
}

static void send_zeros(int fd)
{
	static const char zeros[1 << 16];

	dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\nConnection: close\r\n\r\n",
		1LL << 40);
	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
}

static void answer(int fd)
{
	int file = server.path ? open(server.path, O_RDONLY) : -1;
	struct stat status;

	if (!server.path && read_request(fd)) {
		send_zeros(fd);
	} else if (read_request(fd) && file >= 0 && !fstat(file, &status)) {
		dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\nConnection: close\r\n\r\n",
			(long long)status.st_size);
		while (sendfile(fd, file, NULL, 1 << 20) > 0)
			;
	} else {
		dprintf(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
			    "Connection: close\r\n\r\n");
	}
	close(file);
	close(fd);
}

static int serve(void *arg)
{
	(void)arg;
	for (;;) {
		int fd = accept(server.fd, NULL, NULL);

		if (fd >= 0)
			answer(fd);
	}
	return 0;
}

static void start_server(const char *path)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t bytes = sizeof(address);
	char text[64];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server.path = path;
	build_id__text(&program->build_id, server.id);
	server.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_ge(server.fd, 0);
	ck_assert_int_eq(bind(server.fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(server.fd, 8), 0);
	ck_assert_int_eq(getsockname(server.fd, (struct sockaddr *)&address, &bytes), 0);
	snprintf(text, sizeof(text), "http://127.0.0.1:%u", ntohs(address.sin_port));
	setenv("DEBUGINFOD_URLS", text, 1);
	server_pid = process__start(serve, NULL);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void setup(void)
{
	char cache[SEPARATED_PATH];

	separated__make(&separated);
	program = separated__open(separated.program);
	snprintf(cache, sizeof(cache), "%s/cache", separated.dir);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	unsetenv("DEBUGINFOD_URLS");
	unsetenv("http_proxy");
	unsetenv("HTTP_PROXY");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
}

static void teardown(void)
{
	if (server_pid)
		kill(server_pid, SIGKILL);
	elf_file__free(program);
	separated__remove(&separated);
}

/* The debug file, only from servers. */
static int find(bool debuginfod, struct elf_file **debug)
{
	static const char *const dirs[] = { "/nowhere", NULL };
	const struct file_reader reader = { .places = { dirs, debuginfod } };
	struct opened_file file = { .path = "/nowhere/program" };

	file.status.st_uid = owner;
	return file_reader__open_debug(&reader, &file, program, debug);
}

START_TEST(test_finds_debug_file)
{
	struct elf_file *debug;

	ck_assert_ptr_null(debuginfod__absence());
	start_server(separated.debug);
	ck_assert_int_eq(find(false, &debug), -ENOENT);
	owner = geteuid() + 1; /* the file of somebody else makes this process ask for nothing */
	ck_assert_int_eq(find(true, &debug), -ENOENT);
	owner = geteuid();
	ck_assert_int_eq(find(true, &debug), 0);
	ck_assert(build_id__equal(&debug->build_id, &program->build_id));
	ck_assert_ptr_nonnull(elf_file__find_section(debug, ".symtab", NULL));
	elf_file__free(debug);
}
END_TEST

/* A server may send anything. */
START_TEST(test_wrong_file)
{
	struct elf_file *debug;

	start_server("/bin/true");
	ck_assert_int_eq(find(true, &debug), -ENOENT);
}
END_TEST

/* The rest of a file that is too large is not downloaded. */
START_TEST(test_too_large)
{
	signal(SIGPIPE, SIG_IGN);
	start_server(NULL);
	ck_assert_int_eq(debuginfod__find(&program->build_id, "large"), -EFBIG);
}
END_TEST

START_TEST(test_not_there)
{
	const struct build_id other = { 3, "\1\2\3" };
	struct elf_file *debug;

	ck_assert_int_eq(find(true, &debug), -ENOENT); /* no server */
	start_server("/nowhere/file");
	ck_assert_int_eq(find(true, &debug), -ENOENT);
	ck_assert_int_lt(debuginfod__find(&other, "other"), 0);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_finds_debug_file);
	tcase_add_test(tests, test_wrong_file);
	tcase_add_test(tests, test_too_large);
	tcase_add_test(tests, test_not_there);
}
