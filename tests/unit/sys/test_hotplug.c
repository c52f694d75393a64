// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_hotplug.c: the CPU that a uevent names, and CPUs that may have changed. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <peat/log.h>

#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "ring/reopen.h"
#include "sys/hotplug.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

/* Parses a copy in memory of exactly that size, for the sanitizer. */
static int parse(const char *bytes, size_t count)
{
	char *copy = malloc(count ? count : 1);
	int cpu;

	memcpy(copy, bytes, count);
	cpu = hotplug__parse_uevent(copy, count);
	free(copy);
	return cpu;
}

static int parse_text(const char *text)
{
	return parse(text, strlen(text) + 1);
}

START_TEST(test_uevents_of_cpus)
{
	static const char whole[] = "offline@/devices/system/cpu/cpu3\0ACTION=offline\0"
				    "DEVPATH=/devices/system/cpu/cpu3\0SUBSYSTEM=cpu";

	ck_assert_int_eq(parse(whole, sizeof(whole)), 3);
	ck_assert_int_eq(parse_text("online@/devices/system/cpu/cpu0"), 0);
	ck_assert_int_eq(parse_text("online@/devices/system/cpu/cpu8191"), 8191);
	ck_assert_int_eq(parse_text("add@/devices/system/cpu/cpu12"), 12);
}
END_TEST

START_TEST(test_uevents_of_other_devices)
{
	ck_assert_int_eq(parse_text("online@/devices/system/memory/memory3"), -1);
	ck_assert_int_eq(parse_text("add@/devices/system/cpu/cpufreq"), -1);
	ck_assert_int_eq(parse_text("add@/devices/system/cpu/cpu"), -1);
	ck_assert_int_eq(parse_text("add@/devices/virtual/net/x/devices/system/cpu/cpu3"), -1);
	ck_assert_int_eq(parse_text("/devices/system/cpu/cpu3"), -1);
	ck_assert_int_eq(parse_text("libudev"), -1);
	ck_assert_int_eq(parse_text(""), -1);
	ck_assert_int_eq(parse("", 0), -1);
	ck_assert_int_eq(parse("@", 1), -1);
	ck_assert_int_eq(parse_text("online@/devices/system/cpu/cpu99999999999999999999"), -1);
}
END_TEST

/* A message that is cut names a CPU from the first digit on; one with a changed byte, none. */
START_TEST(test_cut_and_changed_uevents)
{
	char message[] = "offline@/devices/system/cpu/cpu31";
	size_t digit = strlen(message) - 2;

	for (size_t bytes = 0; bytes <= strlen(message); bytes++)
		ck_assert_int_eq(parse(message, bytes) >= 0, bytes > digit);
	for (size_t i = 0; i < digit; i++)
		for (int byte = 0; byte < 256; byte++) {
			char whole = message[i];

			message[i] = (char)byte;
			if (i >= strlen("offline") && message[i] != whole)
				ck_assert_int_eq(parse(message, strlen("offline@") + 25), -1);
			message[i] = whole;
		}
}
END_TEST

/* ---- uevents and ticks that arrive ----------------------------------------------------------- */

static struct hotplug hotplug;
static int kernel_fd; /* sends to hotplug.fd */

static void begin_uevents(void)
{
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends),
			 0);
	hotplug = (struct hotplug){ .fd = ends[0], .has_uevents = true };
	kernel_fd = ends[1];
}

static void send_uevent(const char *text)
{
	ck_assert_int_eq(send(kernel_fd, text, strlen(text) + 1, 0), (ssize_t)strlen(text) + 1);
}

/* No CPU has a ring: what was noticed is only forgotten. */
static void reopen_none(void)
{
	struct rings rings = { 0 };
	struct cpus wanted = { 0 };

	ck_assert_int_eq(cpus__add(&wanted, 0), 0);
	ck_assert_uint_eq(hotplug__reopen_rings(&hotplug, &rings, &wanted), 0);
	ck_assert(!hotplug.any);
	ck_assert_uint_eq(cpus__count(&hotplug.named), 0);
	cpus__free(&wanted);
}

static void end_hotplug(void)
{
	int fd = hotplug.fd;

	hotplug__close(&hotplug);
	ck_assert_int_eq(hotplug.fd, -1);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	hotplug__close(&hotplug);
	close(kernel_fd);
}

START_TEST(test_uevents_name_cpus)
{
	begin_uevents();
	ck_assert(!hotplug__poll(&hotplug));
	send_uevent("online@/devices/system/memory/memory3");
	ck_assert(!hotplug__poll(&hotplug));
	send_uevent("offline@/devices/system/cpu/cpu5");
	send_uevent("online@/devices/system/cpu/cpu0");
	send_uevent("online@/devices/system/cpu/cpu5 and more than fits the room for a message");
	ck_assert(hotplug__poll(&hotplug));
	ck_assert(!hotplug.any);
	ck_assert_uint_eq(cpus__count(&hotplug.named), 2);
	ck_assert(cpus__has(&hotplug.named, 0));
	ck_assert(cpus__has(&hotplug.named, 5));
	ck_assert(hotplug__poll(&hotplug)); /* until the rings are reopened */
	reopen_none();
	ck_assert(!hotplug__poll(&hotplug));
	end_hotplug();
}
END_TEST

/* No memory to store the CPU: any CPU may have changed. */
START_TEST(test_uevent_without_memory)
{
	begin_uevents();
	send_uevent("online@/devices/system/cpu/cpu5");
	fail_alloc__begin(1);
	ck_assert(hotplug__poll(&hotplug));
	ck_assert(hotplug.any == fail_alloc__end());
	reopen_none();
	ck_assert(!hotplug__poll(&hotplug));
	end_hotplug();
}
END_TEST

/* Where no uevents arrive, a tick says that any CPU may have changed. */
START_TEST(test_ticks_name_no_cpu)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	kernel_fd = dup(fd);
	hotplug = (struct hotplug){ .fd = fd };
	ck_assert(!hotplug__poll(&hotplug));
	ck_assert_int_eq(eventfd_write(kernel_fd, 1), 0);
	ck_assert(hotplug__poll(&hotplug));
	ck_assert(hotplug__poll(&hotplug));
	ck_assert_uint_eq(cpus__count(&hotplug.named), 0);
	reopen_none();
	ck_assert(!hotplug__poll(&hotplug));
	end_hotplug();
}
END_TEST

/* A CPU whose ring could not be opened is not tried, and warned of, until it is offline once. */
START_TEST(test_failed_cpu_is_not_tried_again)
{
	struct ring ring;
	struct rings rings = { .by_cpu = &ring, .limit = 1 };
	struct cpus wanted = { 0 };

	ring__clear(&ring);
	ck_assert_int_eq(cpus__add(&wanted, 0), 0);
	hotplug = (struct hotplug){ .fd = -1 };
	ck_assert_uint_eq(hotplug__reopen_rings(&hotplug, &rings, &wanted), 0); /* not noticed */
	ck_assert_uint_eq(cpus__count(&hotplug.failed), 0);
	ck_assert_int_eq(cpus__add(&hotplug.failed, 0), 0);
	for (int i = 0; i < 3; i++) {
		hotplug.any = true;
		ck_assert_uint_eq(hotplug__reopen_rings(&hotplug, &rings, &wanted), 0);
		ck_assert(cpus__has(&hotplug.failed, 0));
		ck_assert_int_eq(ring.fd, -1);
	}
	hotplug__close(&hotplug);
	cpus__free(&wanted);
}
END_TEST

static void check_flags(void)
{
	ck_assert_int_eq(fcntl(hotplug.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(fcntl(hotplug.fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
}

/* Makes the kernel send a uevent of CPU 0, whose state stays.  False: not permitted. */
static bool make_uevent(const char *action)
{
	int fd = open("/sys/devices/system/cpu/cpu0/uevent", O_WRONLY | O_CLOEXEC);
	bool made = fd >= 0 && write(fd, action, strlen(action)) > 0;

	if (fd >= 0)
		close(fd);
	return made;
}

/* Descriptor 0 is as good as any, and nothing else stays open. */
START_TEST(test_open_without_stdin)
{
	bool has_uevents;
	unsigned fds;

	ck_assert_int_eq(hotplug__open(&hotplug), 0);
	has_uevents = hotplug.has_uevents;
	hotplug__close(&hotplug);
	close(0);
	fds = process__count_fds();
	ck_assert_int_eq(hotplug__open(&hotplug), 0);
	ck_assert_int_eq(hotplug.has_uevents, has_uevents);
	ck_assert_uint_eq(process__count_fds(), fds + 1);
	check_flags();
	if (has_uevents && make_uevent("online"))
		ck_assert(hotplug__poll(&hotplug));
	hotplug__close(&hotplug);
	ck_assert_uint_eq(process__count_fds(), fds);
	hotplug = (struct hotplug){ .fd = 0 };
	ck_assert_int_eq(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
	hotplug__close(&hotplug);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

START_TEST(test_no_descriptors)
{
	int lowest = dup(0), err;
	struct rlimit before, files;

	close(lowest);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	files = (struct rlimit){ (rlim_t)lowest, before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
	err = hotplug__open(&hotplug);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ck_assert_int_eq(err, -EMFILE);
	hotplug__close(&hotplug);
}
END_TEST

/* The kernel sends no uevents to the network namespace of another user namespace. */
START_TEST(test_timer_without_uevents)
{
	struct itimerspec spec;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return; /* not permitted */
	close(0);
	ck_assert_int_eq(hotplug__open(&hotplug), 0);
	ck_assert(!hotplug.has_uevents && !hotplug.fd);
	ck_assert_int_eq(timerfd_gettime(hotplug.fd, &spec), 0);
	ck_assert(!spec.it_interval.tv_sec && spec.it_interval.tv_nsec == 500000000);
	ck_assert(!spec.it_value.tv_sec && spec.it_value.tv_nsec > 0);
	check_flags();
	hotplug__close(&hotplug);
}
END_TEST

static void forget_cpus(void)
{
	cpus__free(&hotplug.named);
	hotplug.any = false;
}

static bool is_first_namespace(void)
{
	struct stat status;

	return !stat("/proc/self/ns/user", &status) && status.st_ino == 0xeffffffd;
}

/* Other programs may switch other CPUs at the same time. */
START_TEST(test_uevents_of_the_kernel)
{
	int least = 1;
	char first;

	ck_assert_int_eq(hotplug__open(&hotplug), 0);
	ck_assert(hotplug.has_uevents || geteuid() || !is_first_namespace());
	if (!hotplug.has_uevents || !make_uevent("change"))
		goto end;
	ck_assert(recv(hotplug.fd, &first, 1, 0) < 0 || first == 'o'); /* of other CPUs */
	hotplug__poll(&hotplug);
	ck_assert(!cpus__has(&hotplug.named, 0));
	ck_assert(make_uevent("online"));
	ck_assert(hotplug__poll(&hotplug));
	ck_assert(!hotplug.any && cpus__has(&hotplug.named, 0));
	forget_cpus();
	ck_assert(make_uevent("offline"));
	ck_assert(hotplug__poll(&hotplug));
	ck_assert(!hotplug.any && cpus__has(&hotplug.named, 0));
	forget_cpus();
	/* Without room for all uevents, any CPU may have changed. */
	ck_assert_int_eq(setsockopt(hotplug.fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least)), 0);
	for (int i = 0; i < 20; i++)
		ck_assert(make_uevent("online"));
	ck_assert(hotplug__poll(&hotplug));
	ck_assert(hotplug.any);
end:
	hotplug__close(&hotplug);
}
END_TEST

/* A call receives at most 64 uevents; the others wake the reader again. */
START_TEST(test_many_uevents)
{
	char message[100];
	unsigned left = 0;
	int ends[2];

	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
	hotplug = (struct hotplug){ .fd = ends[0], .has_uevents = true };
	kernel_fd = ends[1];
	for (int i = 0; i < 70; i++)
		send_uevent("online@/devices/system/cpu/cpu5");
	ck_assert(hotplug__poll(&hotplug));
	while (recv(hotplug.fd, message, sizeof(message), 0) > 0)
		left++;
	ck_assert_uint_eq(left, 6);
	end_hotplug();
}
END_TEST

static char warning[256];

static void note_warning(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_WARN)
		snprintf(warning, sizeof(warning), "%s", text);
}

/* Without /sys nothing is reopened, and the CPUs stay to be checked. */
START_TEST(test_no_list_of_cpus)
{
	int root = open("/", O_PATH | O_CLOEXEC);
	struct cpus wanted = { 0 };
	struct rings rings = { 0 };
	uint32_t reopened;

	hotplug = (struct hotplug){ .fd = -1, .any = true };
	peat_set_print(note_warning);
	if (chroot("/proc/self/fdinfo"))
		return; /* needs root */
	reopened = hotplug__reopen_rings(&hotplug, &rings, &wanted);
	ck_assert(!fchdir(root) && !chroot("."));
	close(root);
	ck_assert_uint_eq(reopened, 0);
	ck_assert(hotplug.any);
	ck_assert_ptr_nonnull(strstr(warning, "cannot read which CPUs are online"));
	ck_assert_uint_eq(hotplug__reopen_rings(&hotplug, &rings, &wanted), 0);
	ck_assert(!hotplug.any);
	hotplug__close(&hotplug);
}
END_TEST

static long blocks;

static void setup(void)
{
	blocks = fail_alloc__blocks();
}

static void teardown(void)
{
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

/* A socket or a timer, whichever works here. */
START_TEST(test_opens_socket_or_timer)
{
	ck_assert_int_eq(hotplug__open(&hotplug), 0);
	ck_assert_int_ge(hotplug.fd, 0);
	ck_assert_int_eq(fcntl(hotplug.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	kernel_fd = dup(hotplug.fd);
	end_hotplug();
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_uevents_of_cpus);
	tcase_add_test(tests, test_uevents_of_other_devices);
	tcase_add_test(tests, test_cut_and_changed_uevents);
	tcase_add_test(tests, test_uevents_name_cpus);
	tcase_add_test(tests, test_uevent_without_memory);
	tcase_add_test(tests, test_ticks_name_no_cpu);
	tcase_add_test(tests, test_failed_cpu_is_not_tried_again);
	tcase_add_test(tests, test_opens_socket_or_timer);
	tcase_add_test(tests, test_open_without_stdin);
	tcase_add_test(tests, test_no_descriptors);
	tcase_add_test(tests, test_timer_without_uevents);
	tcase_add_test(tests, test_uevents_of_the_kernel);
	tcase_add_test(tests, test_many_uevents);
	tcase_add_test(tests, test_no_list_of_cpus);
}
