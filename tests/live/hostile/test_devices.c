// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_devices.c: devices, FIFOs and files of the kernel where peat looks for programs, debug files
 * and perf maps.  None of them is opened.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/recording/recorded_run.h"
#include "support/symbols/made_elf.h"

/* ---- targets --------------------------------------------------------------------------------- */

static int terminal = -1;

/* A terminal is a device that nothing else opens. */
static const char *make_terminal(void)
{
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_ge(terminal, 0);
	ck_assert_int_eq(grantpt(terminal), 0);
	ck_assert_int_eq(unlockpt(terminal), 0);
	ck_assert_int_eq(chmod(ptsname(terminal), 0666), 0);
	return ptsname(terminal);
}

static const char *make_fifo(void)
{
	const char *path = attack__path("fifo");

	ck_assert_int_eq(mkfifo(path, 0666), 0);
	ck_assert_int_eq(chmod(path, 0666), 0);
	return path;
}

/* A file of procfs that root owns and nothing else opens, as the log of the kernel: /proc/kmsg. */
static const char *kernel_file(void)
{
	return "/proc/execdomains";
}

/* Whether peat opens the target while it names the frames of the attacker. */
static void check(int (*attack)(void *), const char *target, const char *module)
{
	pid_t attacker = attack__start(attack, (void *)target);

	ck_assert_int_gt(attacker, 0);
	attack__watch(target);
	attack__meet(attacker, module);
	attack__check_unopened();
	attack__stop(attacker);
}

/* ---- links ----------------------------------------------------------------------------------- */

/* The program is gone, and a link has its path. */
static int run_linked(void *arg)
{
	attack_code code;

	attack__write_code("linked");
	code = attack__map("linked", 0);
	if (unlink("linked") || symlink(arg, "linked"))
		return 1;
	return attack__spin(code);
}

START_TEST(test_link_to_device)
{
	check(run_linked, make_terminal(), "linked");
}
END_TEST

START_TEST(test_link_to_fifo)
{
	check(run_linked, make_fifo(), "linked");
}
END_TEST

START_TEST(test_link_to_kernel)
{
	check(run_linked, kernel_file(), "linked");
}
END_TEST

/* A stripped program that names its debug file. */
static void write_stripped(const char *link)
{
	struct made_elf made = made_elf__own();
	int fd = open("stripped", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	made.table = SHT_DYNSYM;
	made.text = attack__code();
	made.bytes = ATTACK_CODE_BYTES;
	made.link = link;
	made_elf__write(&made, fd);
	close(fd);
}

/* A link has the name of the debug file. */
static int run_stripped(void *arg)
{
	write_stripped("stripped.debug");
	if (symlink(arg, "stripped.debug"))
		return 1;
	return attack__spin(attack__map("stripped", MADE_TEXT_OFFSET));
}

START_TEST(test_debug_link_to_device)
{
	check(run_stripped, make_terminal(), "stripped");
}
END_TEST

START_TEST(test_debug_link_to_fifo)
{
	check(run_stripped, make_fifo(), "stripped");
}
END_TEST

START_TEST(test_debug_link_to_kernel)
{
	check(run_stripped, kernel_file(), "stripped");
}
END_TEST

/* The name leads to another directory. */
static int run_in_directory(void *arg)
{
	(void)arg;
	if (mkdir("directory", 0755) || chdir("directory"))
		return 1;
	write_stripped("../fifo");
	return attack__spin(attack__map("stripped", MADE_TEXT_OFFSET));
}

START_TEST(test_debug_link_with_directory)
{
	check(run_in_directory, make_fifo(), "stripped");
}
END_TEST

/* ---- perf maps ------------------------------------------------------------------------------- */

static const char *perf_map(pid_t pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return path;
}

static int run_fifo_map(void *arg)
{
	(void)arg;
	if (mkfifo(perf_map(getpid()), 0666))
		return 1;
	return attack__spin(attack__map(NULL, 0));
}

START_TEST(test_perf_map_is_fifo)
{
	pid_t attacker = attack__start(run_fifo_map, NULL);

	ck_assert_int_gt(attacker, 0);
	attack__watch(perf_map(attacker));
	attack__meet(attacker, "[anon]");
	attack__check_unopened();
	attack__stop(attacker);
	ck_assert_int_eq(unlink(perf_map(attacker)), 0);
}
END_TEST

static int run_linked_map(void *arg)
{
	if (symlink(arg, perf_map(getpid())))
		return 1;
	return attack__spin(attack__map(NULL, 0));
}

START_TEST(test_perf_map_is_link)
{
	check(run_linked_map, kernel_file(), "[anon]");
}
END_TEST

START_TEST(test_perf_map_is_link_to_device)
{
	check(run_linked_map, make_terminal(), "[anon]");
}
END_TEST

/* Mounts the target over the perf map, where this process alone sees it. */
static int run_mounted_map(void *arg)
{
	const char *map = perf_map(getpid());

	close(open(map, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644));
	if (!attack__enter_namespaces() || mount(arg, map, NULL, MS_BIND, NULL))
		return 1;
	return attack__spin(attack__map(NULL, 0));
}

static void check_mounted(const char *target)
{
	pid_t attacker = attack__start(run_mounted_map, (void *)target);

	if (!attacker)
		skip("users cannot mount in namespaces of their own here");
	attack__watch(target);
	attack__meet(attacker, "[anon]");
	attack__check_unopened();
	attack__stop(attacker);
	ck_assert_int_eq(unlink(perf_map(attacker)), 0);
}

START_TEST(test_mount_of_kernel_file)
{
	check_mounted(kernel_file());
}
END_TEST

START_TEST(test_mount_of_device)
{
	check_mounted(make_terminal());
}
END_TEST

/* A FUSE file over the perf map, whose server never answers.  The server has to be of the
 * namespace. */
static int run_silent_map(void *arg)
{
	const char *map = perf_map(getpid());
	char options[128];
	int fuse;

	close(open(map, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644));
	if (!attack__enter_namespaces())
		return 1;
	fuse = open(arg, O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=100644,user_id=0,group_id=0,allow_other",
		 fuse);
	if (fuse < 0 || mount("fuse", map, "fuse", MS_NOSUID | MS_NODEV, options))
		return 1;
	return attack__spin(attack__map(NULL, 0));
}

/* Nothing waits for the server: no file of it may be used here, and the kernel knows its type. */
START_TEST(test_silent_server)
{
	const char *device = attack__path("fuse");
	pid_t attacker;

	/* The one in /dev may be root's alone. */
	ck_assert_int_eq(mknod(device, S_IFCHR | 0600, makedev(10, 229)), 0);
	ck_assert_int_eq(chmod(device, 0666), 0);
	attacker = attack__start(run_silent_map, (void *)device);
	if (!attacker)
		skip("users cannot mount FUSE in namespaces of their own here");
	attack__meet(attacker, "[anon]");
	attack__stop(attacker);
	ck_assert_int_eq(unlink(perf_map(attacker)), 0);
}
END_TEST

/* ---- recordings ------------------------------------------------------------------------------ */

static int run_plain(void *arg)
{
	attack__write_code(arg);
	return attack__spin(attack__map(arg, 0));
}

/* Replaces a text of the recording by a shorter one. */
static void replace(const char *text, const char *by)
{
	FILE *file = fopen("recording", "r+e");
	size_t length = strlen(text), replaced = 0;
	char *bytes = malloc(1 << 24), *at;
	long count;

	ck_assert(file && bytes && strlen(by) <= length);
	count = (long)fread(bytes, 1, 1 << 24, file);
	for (at = bytes; (at = memmem(at, (size_t)(bytes + count - at), text, length));
	     at += length) {
		strncpy(at, by, length);
		replaced++;
	}
	ck_assert_uint_gt(replaced, 0);
	rewind(file);
	ck_assert_uint_eq(fwrite(bytes, 1, (size_t)count, file), (size_t)count);
	ck_assert_int_eq(fclose(file), 0);
	free(bytes);
}

/* A path like that of shared memory leads to a device. */
START_TEST(test_path_in_recording)
{
	static const char name[] = "name-that-is-as-long-as-the-path-of-the-device";
	const char *device = make_terminal();
	pid_t attacker = attack__start(run_plain, (void *)name);
	char path[64];

	ck_assert_int_gt(attacker, 0);
	attack__meet(attacker, name);
	attack__stop(attacker);
	attack__watch(device);
	ck_assert(!strncmp(device, "/dev/", 5));
	snprintf(path, sizeof(path), "/dev/shm/../%s", device + 5);
	replace(attack__path(name), path);
	attack__replay("recording", strrchr(device, '/') + 1);
	attack__check_unopened();
}
END_TEST

/* A directory of another user is refused if it has anything but files. */
START_TEST(test_fifo_in_directory)
{
	static const char *const names[] = { "directory/data", "directory/data.0" };
	struct command peat;

	ck_assert_int_eq(mkdir("directory", 0700), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(mkfifo(names[i], 0600), 0);
		attack__watch(names[i]);
		command__run(&peat, ALL_CAPS, REPLAY("directory"));
		ck_assert_int_ne(peat.status, 0);
		recorded_run__check_has(peat.err_text, "no regular file");
		command__free(&peat);
		attack__check_unopened();
		ck_assert_int_eq(unlink(names[i]), 0);
	}
}
END_TEST

static Suite *devices_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("devices", 120, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, attack__setup, attack__teardown);
	tcase_add_test(tests, test_link_to_device);
	tcase_add_test(tests, test_link_to_fifo);
	tcase_add_test(tests, test_link_to_kernel);
	tcase_add_test(tests, test_debug_link_to_device);
	tcase_add_test(tests, test_debug_link_to_fifo);
	tcase_add_test(tests, test_debug_link_to_kernel);
	tcase_add_test(tests, test_debug_link_with_directory);
	tcase_add_test(tests, test_perf_map_is_link);
	tcase_add_test(tests, test_perf_map_is_link_to_device);
	tcase_add_test(tests, test_perf_map_is_fifo);
	tcase_add_test(tests, test_mount_of_kernel_file);
	tcase_add_test(tests, test_mount_of_device);
	tcase_add_test(tests, test_silent_server);
	tcase_add_test(tests, test_path_in_recording);
	tcase_add_test(tests, test_fifo_in_directory);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { devices_suite };

	return harness__main(argc, argv, suites, 1);
}
