// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_containers.c: libraries of containers.  runc runs the programs of this machine in a root of
 * their own, with copies of its libraries, against a server outside.
 */
#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/scratch.h"
#include "support/machine/tracing.h"

#define PORT "4433"

/* ---- a container ----------------------------------------------------------------------------- */

static char container[64]; /* its name, and that of its cgroup */
static struct command server, running;

/* runc needs cgroups of one version. */
static void mount_cgroups(void)
{
	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	ck_assert_int_eq(mount("cgroup2", "/sys/fs/cgroup", "cgroup2", 0, NULL), 0);
}

static void shell(const char *script)
{
	struct command command;

	command__run(&command, ALL_CAPS,
		     ARGV("/bin/bash", "-e", "-c", script, "bash", scratch__dir()));
	ck_assert_msg(!command.status, "%s%s", command.out_text, command.err_text);
	command__free(&command);
}

static void make_root(void)
{
	shell("cd \"$1\"; mkdir -p rootfs/{proc,dev,tmp}\n"
	      "for program in /bin/sh /usr/bin/curl /usr/bin/openssl /bin/sleep; do\n"
	      "	for file in $program $(ldd $program | grep -o '/[^ ]*'); do\n"
	      "		mkdir -p rootfs${file%/*}; cp -L $file rootfs$file\n"
	      "	done\n"
	      "done");
}

/* Its processes share the network of the test. */
static void write_config(const char *script)
{
	char text[2048];
	int bytes = snprintf(
		text, sizeof(text),
		"{ \"ociVersion\": \"1.0.2\", \"root\": { \"path\": \"rootfs\", \"readonly\": true "
		"},"
		" \"process\": { \"terminal\": false, \"user\": { \"uid\": 0, \"gid\": 0 },"
		" \"args\": [ \"/bin/sh\", \"-c\", \"%s\" ],"
		" \"env\": [ \"PATH=/usr/bin:/bin\" ], \"cwd\": \"/\" },"
		" \"mounts\": [ { \"destination\": \"/proc\", \"type\": \"proc\","
		" \"source\": \"proc\" } ],"
		" \"linux\": { \"cgroupsPath\": \"/%s\", \"namespaces\": [ { \"type\": \"pid\" },"
		" { \"type\": \"mount\" }, { \"type\": \"ipc\" }, { \"type\": \"uts\" } ] } }",
		script, container);

	ck_assert_int_lt(bytes, (int)sizeof(text));
	close(scratch__file("config.json", text));
}

static void start_server(void)
{
	shell("cd \"$1\"; openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2"
	      " -subj /CN=localhost");
	command__start(&server, ALL_CAPS,
		       ARGV("openssl", "s_server", "-accept", "127.0.0.1:" PORT, "-www", "-key",
			    scratch__path("key"), "-cert", scratch__path("cert")));
	command__expect(server.out, "ACCEPT");
}

static void start_container(const char *script)
{
	write_config(script);
	command__start(&running, ALL_CAPS,
		       ARGV("runc", "--root", scratch__path("state"), "run", "--bundle",
			    scratch__dir(), container));
}

static const char *needs(void)
{
	static const char *const programs[] = { "runc", "curl", "openssl" };

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (!command__exists(programs[i]))
			return programs[i];
	return NULL;
}

static void prepare(void)
{
	snprintf(container, sizeof(container), "peat-test-%d", (int)getpid());
	netns__enter();
	mount_cgroups();
	make_root();
	start_server();
}

/* The cgroup goes away with the container. */
static void end_container(void)
{
	struct command command;

	command__run(&command, ALL_CAPS,
		     ARGV("runc", "--root", scratch__path("state"), "kill", container, "KILL"));
	command__free(&command);
	command__finish(&running);
	command__free(&running);
	kill(server.pid, SIGKILL);
	command__finish(&server);
	command__free(&server);
}

#define need_containers()                                                                          \
	do {                                                                                       \
		if (needs())                                                                       \
			skip("no %s on this machine", needs());                                    \
	} while (0)

/* ---- tests ----------------------------------------------------------------------------------- */

static const char *cgroup(void)
{
	static char path[128];

	snprintf(path, sizeof(path), "/sys/fs/cgroup/%s", container);
	return path;
}

/* The client writes a line ten times per second. */
static const char writer[] = "while :; do echo from the container; sleep 0.1; done | openssl "
			     "s_client -quiet -connect 127.0.0.1:" PORT;

static void start_writer(void)
{
	start_container(writer);
	command__expect(running.err, "verify return"); /* it is connected */
}

/* Waits for an event with the text, which ends the trace. */
static void expect_event(const char *const *argv, const char *text)
{
	struct command peat;

	command__start(&peat, ALL_CAPS, argv);
	command__expect(peat.out, text);
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_msg(!peat.status, "%s", peat.err_text);
	command__free(&peat);
}

#define LINE "\"data\":\"from the container"

/* Its library is another file than that of this machine. */
START_TEST(test_library_of_running_container)
{
	need_containers();
	prepare();
	start_writer();
	expect_event(TRACE("ssl"), LINE);
	expect_event(TRACE("ssl", "--cgroup", cgroup()), LINE);
	expect_event(TRACE("uprobe:libssl.so.3:SSL_write", "--fields", "comm,arg3", "--cgroup",
			   cgroup()),
		     "\"comm\":\"openssl\"");
	end_container();
}
END_TEST

/* A container that starts later: its library is a new file. */
START_TEST(test_library_of_new_container)
{
	struct command peat;

	need_containers();
	prepare();
	command__start(&peat, ALL_CAPS, TRACE("ssl", "--comm", "curl"));
	command__expect(peat.err, "attached");
	/* Nobody reads the page: a pipe full of them would stop curl before it is traced. */
	start_container("while :; do curl -sk https://127.0.0.1:" PORT "/ | :; sleep 0.1; done");
	command__expect(peat.out, "\"data\":\"GET / HTTP");
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_msg(!peat.status, "%s", peat.err_text);
	command__free(&peat);
	end_container();
}
END_TEST

static Suite *containers_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("containers", 120, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_library_of_running_container);
	tcase_add_test(tests, test_library_of_new_container);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { containers_suite };

	return harness__main(argc, argv, suites, 1);
}
