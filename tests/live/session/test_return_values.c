// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_return_values.c: perf counts the same events with and without peat's programs. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "sys/tracefs.h"

EMBED_OBJECT(zero)
EMBED_OBJECT(tracepoints)

#define CALLS 20

static char messages[4096];

static void keep_message(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	if (level <= PEAT_LOG_WARN)
		snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

static void setup(void)
{
	peat_set_print(keep_message);
}

/* ---- perf's events --------------------------------------------------------------------------- */

/* Counts an event of this thread, as `perf stat` does. */
static int open_counter(struct perf_event_attr *attr)
{
	int fd;

	attr->size = sizeof(*attr);
	fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	ck_assert_msg(fd >= 0, "perf_event_open: %s", strerror(errno));
	return fd;
}

static int open_tracepoint(const char *name)
{
	int id = tracefs__read_id(name);
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = (uint64_t)id };

	ck_assert_int_ge(id, 0);
	return open_counter(&attr);
}

static bool read_pmu(const char *name, uint32_t *type)
{
	char path[128];
	bool read;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	file = fopen(path, "re");
	if (!file)
		return false;
	read = fscanf(file, "%u", type) == 1;
	ck_assert_int_eq(fclose(file), 0);
	return read;
}

static int open_uprobe(void)
{
	void *function = dlsym(RTLD_DEFAULT, "getpgid");
	struct perf_event_attr attr = { 0 };
	Dl_info info;

	ck_assert_ptr_nonnull(function);
	ck_assert_int_ne(dladdr(function, &info), 0);
	ck_assert(read_pmu("uprobe", &attr.type));
	attr.config1 = (uint64_t)(uintptr_t)info.dli_fname;
	attr.config2 = (uint64_t)((char *)function - (char *)info.dli_fbase);
	return open_counter(&attr);
}

static uint64_t count_of(int fd)
{
	uint64_t count;

	ck_assert_int_eq(read(fd, &count, sizeof(count)), sizeof(count));
	ck_assert_int_eq(close(fd), 0);
	return count;
}

static void call(long number)
{
	for (int i = 0; i < CALLS; i++)
		ck_assert_int_ge(syscall(number, 0), 0);
}

/* ---- sessions -------------------------------------------------------------------------------- */

static struct peat_session *start_only(const struct object_file *file, const char *program)
{
	static const char *const all[] = { "on_tracepoint", "on_uprobe", "on_kprobe", "by_function",
					   "missing" };
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, file->name, file->bytes, *file->count), 0);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i], program) && peat_session__leave_out(session, all[i]))
			ck_assert_int_eq(errno, ENOENT);
	messages[0] = '\0';
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
	return session;
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_tracepoint_is_still_counted)
{
	int counter = open_tracepoint("syscalls/sys_enter_getpgid");
	struct peat_session *session = start_only(&zero_object, "on_tracepoint");

	call(SYS_getpgid);
	peat_session__free(session);
	ck_assert_uint_eq(count_of(counter), CALLS);
	ck_assert_str_eq(messages, "");
}
END_TEST

START_TEST(test_tracepoint_of_a_peat_object)
{
	int counter = open_tracepoint("syscalls/sys_enter_getpgid");
	struct peat_session *session;

	session = start_only(&tracepoints_object, "on_getpgid");
	call(SYS_getpgid);
	peat_session__free(session);
	ck_assert_uint_eq(count_of(counter), CALLS);
	ck_assert_str_eq(messages, "");
}
END_TEST

/* libc's function is called, not the system call alone. */
START_TEST(test_uprobe_is_still_counted)
{
	int counter = open_uprobe();
	struct peat_session *session = start_only(&zero_object, "on_uprobe");

	for (int i = 0; i < CALLS; i++)
		ck_assert_int_ge(getpgid(0), 0);
	peat_session__free(session);
	ck_assert_uint_eq(count_of(counter), CALLS);
	ck_assert_str_eq(messages, "");
}
END_TEST

static int open_kprobe(const char *function)
{
	struct perf_event_attr attr = { .config1 = (uint64_t)(uintptr_t)function };

	ck_assert(read_pmu("kprobe", &attr.type));
	return open_counter(&attr);
}

START_TEST(test_kprobe_is_still_counted)
{
#if defined(__x86_64__)
	const char *function = "__x64_sys_getpgid";
#elif defined(__s390x__)
	const char *function = "__s390x_sys_getpgid";
#else
	const char *function = "__arm64_sys_getpgid";
#endif
	struct peat_session *session;
	uint32_t type;
	int counter;

	if (!read_pmu("kprobe", &type))
		skip("this kernel has no kprobes");
	counter = open_kprobe(function);
	session = start_only(&zero_object, "on_kprobe");
	call(SYS_getpgid);
	peat_session__free(session);
	ck_assert_uint_eq(count_of(counter), CALLS);
	ck_assert_str_eq(messages, "");
}
END_TEST

/* Instructions of a function cannot be changed before the load. */
START_TEST(test_zero_of_a_function_is_reported)
{
	struct peat_session *session = start_only(&zero_object, "by_function");

	peat_session__free(session);
	ck_assert_msg(strstr(messages, "program by_function of zero "
				       "(tp/syscalls/sys_enter_getsid) can return 0"),
		      "%s", messages);
}
END_TEST

static Suite *suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("return values", 60, &tests);

	tcase_add_unchecked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_tracepoint_is_still_counted);
	tcase_add_test(tests, test_tracepoint_of_a_peat_object);
	tcase_add_test(tests, test_uprobe_is_still_counted);
	tcase_add_test(tests, test_kprobe_is_still_counted);
	tcase_add_test(tests, test_zero_of_a_function_is_reported);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { suite };

	return harness__main(argc, argv, suites, 1);
}
