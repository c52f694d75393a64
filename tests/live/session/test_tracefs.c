// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracefs.c: programs on tracepoints, with tracefs mounted at its usual places, or nowhere. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/paranoid.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(tracepoints)

#define PEAT command__peat()
#define PIN  "/sys/fs/bpf/tracefs"

/* CAP_BPF and CAP_PERFMON: enough to attach, not to mount. */
#define TRACER_CAPS (1ULL << 39 | 1ULL << 38)

#define MOUNT_IT "tracefs is not mounted: mount -t tracefs none /sys/kernel/tracing"

/* ---- programs -------------------------------------------------------------------------------- */

static char path[64], source[128];

static void setup(void)
{
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-tracepoints-%d.bpf.o", (int)getpid());
	snprintf(source, sizeof(source), "%s,only_pid=%d", path, (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(tracepoints_object.bytes, *tracepoints_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

static void teardown(void)
{
	unlink(path);
}

static void start(struct tracing *tracing, uint64_t caps, const char *const *argv)
{
	*tracing = (struct tracing){ 0 };
	command__start(&tracing->peat, caps, argv);
	command__expect(tracing->peat.err, "1 program attached");
}

static void call_getpgid(void)
{
	ck_assert_int_ge(syscall(SYS_getpgid, getpid()), 0);
}

/* Makes a system call, and checks that peat traces it. */
static void check_traces(uint64_t caps)
{
	struct tracing tracing;

	start(&tracing, caps, TRACE("--memory", "8K", "--no-prog", "missing", source));
	call_getpgid();
	tracing__stop(&tracing);
	expect_number(tracing__only(&tracing, "getpgid", getpid()), "asked", getpid());
	tracing__free(&tracing);
}

/* Checks that peat fails with a single line that has these words. */
static void check_fails(uint64_t caps, const char *const *argv, const char *words)
{
	struct command peat;

	command__run(&peat, caps, argv);
	ck_assert_int_eq(peat.status, 1);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_msg(strstr(peat.err_text, words), "'%s' is not in: %s", words, peat.err_text);
	ck_assert_msg(strchr(peat.err_text, '\n') == strrchr(peat.err_text, '\n'), "%s",
		      peat.err_text);
	command__free(&peat);
}

/* The mounts that a process sees, for free(). */
static char *mounts_of(pid_t pid)
{
	char name[64], *text = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/mountinfo", (int)pid);
	file = fopen(name, "re");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_gt(getdelim(&text, &room, '\0', file), 0);
	fclose(file);
	return text;
}

/* ---- mounted nowhere ------------------------------------------------------------------------- */

START_TEST(test_without_a_mount)
{
	char *before, *during, *after;
	struct tracing tracing;

	mounts__hide_tracefs();
	before = mounts_of(getpid());
	start(&tracing, ALL_CAPS, TRACE("--no-prog", "missing", source));
	during = mounts_of(tracing.peat.pid);
	call_getpgid();
	tracing__stop(&tracing);
	expect_number(tracing__only(&tracing, "getpgid", getpid()), "asked", getpid());
	tracing__free(&tracing);
	after = mounts_of(getpid());
	ck_assert_ptr_null(strstr(before, "tracefs"));
	ck_assert_str_eq(during, before);
	ck_assert_str_eq(after, before);
	free(before);
	free(during);
	free(after);
}
END_TEST

START_TEST(test_open_without_a_mount)
{
	struct tracing tracing;
	char pid[16];

	mounts__hide_tracefs();
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	tracing__start(&tracing, TRACE("open", "-p", pid));
	ck_assert_ptr_null(fopen("/no/such/file", "re"));
	tracing__stop(&tracing);
	expect_text(tracing__only(&tracing, "open", getpid()), "path", "/no/such/file");
	tracing__free(&tracing);
}
END_TEST

/* Linux 5.15 has both. */
static bool has_links_of_tracepoints(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) == 1;
}

/* The link outlives the process, although its private tracefs does not. */
START_TEST(test_pinned_link_without_a_mount)
{
	struct tracing tracing;

	mounts__hide_tracefs();
	mounts__own_bpffs();
	if (!has_links_of_tracepoints()) {
		check_fails(ALL_CAPS,
			    ARGV(PEAT, "trace", "--no-prog", "missing", "--pin", PIN, source),
			    "on Linux 5.15 and newer");
		ck_assert_int_ne(access(PIN, F_OK), 0);
		return;
	}
	start(&tracing, ALL_CAPS, TRACE("--no-prog", "missing", "--pin", PIN, source));
	kill(tracing.peat.pid, SIGINT);
	tracing__finish(&tracing);
	tracing__free(&tracing);
	ck_assert_int_eq(access(PIN "/link-0", F_OK), 0);

	tracing = (struct tracing){ 0 };
	command__start(&tracing.peat, ALL_CAPS, TRACE("--map", PIN, "--steal"));
	command__expect(tracing.peat.err, "0 programs attached");
	call_getpgid();
	tracing__stop(&tracing);
	expect_number(tracing__only(&tracing, "getpgid", getpid()), "asked", getpid());
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_missing_tracepoint_without_a_mount)
{
	mounts__hide_tracefs();
	check_fails(ALL_CAPS, ARGV(PEAT, "trace", source), "cannot attach missing of ");
	check_fails(ALL_CAPS, ARGV(PEAT, "trace", source), "this kernel has no such tracepoint");
}
END_TEST

#define need_perfmon()                                                                             \
	do {                                                                                       \
		if (!perfmon_is_enough())                                                          \
			skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf "   \
			     "event");                                                             \
	} while (0)

/*
 * Optional programs fail too: without tracefs it is unknown whether the kernel has the tracepoint.
 */
START_TEST(test_user_mounts_without_sys_admin)
{
	need_perfmon();
	mounts__hide_tracefs();
	check_fails(TRACER_CAPS, ARGV(PEAT, "trace", "--memory", "8K", "-d", "1", "open"),
		    MOUNT_IT);
	check_fails(TRACER_CAPS,
		    ARGV(PEAT, "trace", "--memory", "8K", "--no-prog", "missing", "--no-prog",
			 "on_getpgid", source),
		    MOUNT_IT);
}
END_TEST

/* ---- mounted --------------------------------------------------------------------------------- */

/* Without CAP_SYS_ADMIN, so the mounted tracefs is read, not a private one. */
START_TEST(test_mounted_tracefs_is_read)
{
	need_perfmon();
	mounts__need_tracefs();
	check_traces(TRACER_CAPS);
}
END_TEST

START_TEST(test_mounted_in_debugfs)
{
	need_perfmon();
	mounts__only_in_debugfs();
	check_traces(TRACER_CAPS);
}
END_TEST

START_TEST(test_unreadable_mount)
{
	need_perfmon();
	mounts__lock_tracefs();
	check_fails(TRACER_CAPS, ARGV(PEAT, "trace", "--memory", "8K", "-d", "1", "open"),
		    "cap_dac_read_search+ep");
}
END_TEST

static Suite *tracefs_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("tracefs", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_without_a_mount);
	tcase_add_test(tests, test_open_without_a_mount);
	tcase_add_test(tests, test_pinned_link_without_a_mount);
	tcase_add_test(tests, test_missing_tracepoint_without_a_mount);
	tcase_add_test(tests, test_user_mounts_without_sys_admin);
	tcase_add_test(tests, test_mounted_tracefs_is_read);
	tcase_add_test(tests, test_mounted_in_debugfs);
	tcase_add_test(tests, test_unreadable_mount);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { tracefs_suite };

	return harness__main(argc, argv, suites, 1);
}
