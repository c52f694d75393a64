// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_doctor.c: peat doctor on machines that lack something.  Each test takes a thing away, looks
 * for it among the causes, gives it back as the remedy says, and compares with peat trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/multi_links.h"
#include "support/machine/paranoid.h"
#include "support/machine/process.h"
#include "support/machine/refuse.h"
#include "support/recording/json_lines.h"

#define USER	     61234 /* has no files */
#define PROBING_CAPS (CAP(BPF) | CAP(PERFMON))
#define SAME	     ((uid_t)-1)

/* ---- runs ------------------------------------------------------------------------------------ */

/* The user, the capabilities, and limits of a shell: "ulimit -l 64; ". */
struct setting {
	uid_t user;
	uint64_t caps;
	const char *before;
};

static void run(struct command *peat, const struct setting *setting, const char *words)
{
	char line[512];
	const char *const argv[] = { "sh", "-c", line, NULL };

	snprintf(line, sizeof(line), "%sexec %s %s", setting->before ?: "", command__peat(), words);
	if (setting->user == SAME)
		command__run(peat, setting->caps, argv);
	else
		command__run_as(peat, setting->user, setting->caps, argv);
}

static struct command doctor;

static void diagnose(const struct setting *setting, const char *words)
{
	char line[256];
	const char *wrong;
	size_t at;

	command__free(&doctor);
	snprintf(line, sizeof(line), "doctor -j %s", words);
	run(&doctor, setting, line);
	wrong = json_lines__check(doctor.out_text, strlen(doctor.out_text), &at);
	ck_assert_msg(!wrong, "%s at '%.40s': %s", wrong, doctor.out_text + at, doctor.err_text);
}

/* The doctor's verdict is what then happens. */
static bool runs(const struct setting *setting, const char *words)
{
	struct command trace;
	char line[256];
	bool does_run;

	diagnose(setting, words);
	snprintf(line, sizeof(line), "trace -d 50ms -o /dev/null %s", words);
	run(&trace, setting, line);
	does_run = !trace.status;
	ck_assert_msg(!doctor.status == does_run, "doctor: %d, %s; trace: %d, %s", doctor.status,
		      doctor.out_text, trace.status, trace.err_text);
	ck_assert(json_lines__is(doctor.out_text, "sources[0].runs", does_run ? "true" : "false"));
	command__free(&trace);
	return does_run;
}

#define CHECKS_MAX 64

/* The member of the check of this name; valid until the fourth call from now. */
static const char *member(const char *name, const char *which)
{
	static char texts[4][1024];
	static unsigned at;
	char path[64];

	for (int i = 0; i < CHECKS_MAX; i++) {
		const char *found;

		snprintf(path, sizeof(path), "checks[%d].name", i);
		found = json_lines__text(doctor.out_text, path);
		if (!found || strcmp(found, name) != 0)
			continue;
		snprintf(path, sizeof(path), "checks[%d].%s", i, which);
		found = json_lines__text(doctor.out_text, path);
		at = (at + 1) % 4;
		snprintf(texts[at], sizeof(texts[at]), "%s", found ?: "none");
		return texts[at];
	}
	ck_abort_msg("no check %s", name);
	return NULL;
}

static void expect_state(const char *name, const char *state)
{
	ck_assert_msg(!strcmp(member(name, "state"), state), "%s is %s: %s", name,
		      member(name, "state"), member(name, "found"));
}

/* The check has failed, and has a remedy with these words. */
static void expect_remedy(const char *name, const char *remedy)
{
	const char *text = member(name, "remedy");

	ck_assert_str_ne(member(name, "state"), "ok");
	ck_assert_msg(strstr(text, remedy), "%s: %s", name, text);
}

/* Likewise, and it is named as a cause. */
static void expect_cause(const char *name, const char *remedy)
{
	const char *cause = "";
	char path[64];

	for (int i = 0; cause && strcmp(cause, name) != 0; i++) {
		snprintf(path, sizeof(path), "sources[0].causes[%d]", i);
		cause = json_lines__text(doctor.out_text, path);
	}
	ck_assert_msg(cause, "%s is no cause: %s", name,
		      json_lines__raw(doctor.out_text, "sources[0]"));
	expect_remedy(name, remedy);
}

static void check(const struct setting *setting, const char *words, const char *cause,
		  const char *remedy)
{
	ck_assert_msg(!runs(setting, words), "it runs without %s", cause);
	expect_cause(cause, remedy);
}

static void check_runs(const struct setting *setting, const char *words)
{
	ck_assert_msg(runs(setting, words), "%s", doctor.out_text);
}

static const struct setting root = { SAME, ALL_CAPS, NULL };
static const struct setting prober = { USER, PROBING_CAPS, NULL };
static const struct setting root_prober = { SAME, PROBING_CAPS, NULL };

#define NEED_PERFMON                                                                               \
	do {                                                                                       \
		if (!perfmon_is_enough())                                                          \
			skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON is not enough");  \
	} while (0)

/* ---- kernel.perf_event_paranoid -------------------------------------------------------------- */

static int level_before;

static void set_level(int level)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "we");

	if (file) {
		fprintf(file, "%d\n", level);
		fclose(file);
	}
}

static void keep_level(void)
{
	level_before = paranoid_level();
}

static void restore_level(void)
{
	set_level(level_before);
}

START_TEST(test_paranoid_level)
{
	set_level(3);
	if (perfmon_is_enough())
		skip("kernel.perf_event_paranoid cannot be set on this machine");
	if (runs(&prober, "exec"))
		skip("this kernel has no level 3 of kernel.perf_event_paranoid");
	expect_cause("perf_event_paranoid", "sysctl kernel.perf_event_paranoid=2");
	check_runs(&root, "exec");
	set_level(2);
	check_runs(&prober, "exec");
	expect_state("perf_event_paranoid", "ok");
}
END_TEST

/* ---- files of the kernel --------------------------------------------------------------------- */

#define TRACEPOINT "tracepoint:sched:sched_switch"

START_TEST(test_no_tracefs)
{
	NEED_PERFMON;
	mounts__hide_tracefs();
	check(&root_prober, TRACEPOINT, "tracefs", "mount -t tracefs none /sys/kernel/tracing");
	mounts__need_tracefs();
	check_runs(&root_prober, TRACEPOINT);
	expect_state("tracefs", "ok");
}
END_TEST

#define BTF "/sys/kernel/btf/vmlinux"

START_TEST(test_no_btf)
{
	char path[64], words[128];

	snprintf(path, sizeof(path), "/tmp/peat-doctor-%d.btf", (int)getpid());
	snprintf(words, sizeof(words), "cp " BTF " %s", path);
	ck_assert_int_eq(system(words), 0);
	mounts__hide_btf();
	check(&root, "exec", "BTF", "name a file of its types: --btf");
	snprintf(words, sizeof(words), "--btf %s exec", path);
	check_runs(&root, words);
	unlink(path);
}
END_TEST

/* Containers mount /sys like this. */
START_TEST(test_read_only_sys)
{
	static const char *const paths[] = { "/sys", "/sys/fs/bpf" };
	const unsigned long flags = MS_REMOUNT | MS_BIND;

	mounts__own_bpffs();
	for (size_t i = 0; i < 2; i++)
		ck_assert_msg(!mount(NULL, paths[i], NULL, flags | MS_RDONLY, NULL), "%s: %s",
			      paths[i], strerror(errno));
	check_runs(&root, "exec");
	expect_state("bpf file system", "limited");
	expect_remedy("bpf file system", "mount -o remount,rw /sys/fs/bpf");
	ck_assert(!mount(NULL, paths[1], NULL, flags, NULL));
	check_runs(&root, "exec");
	expect_state("bpf file system", "ok");
}
END_TEST

/* ---- seccomp --------------------------------------------------------------------------------- */

/* A filter cannot be removed: the run without it comes first. */
static void check_filter(int err)
{
	check_runs(&root, "exec");
	expect_state("seccomp", "ok");
	if (!refuse__call(SYS_bpf, err))
		skip("no seccomp filters on this machine");
	check(&root, "exec", "seccomp", "seccomp=unconfined");
	ck_assert_ptr_nonnull(strstr(member("seccomp", "found"), strerror(err)));
}

START_TEST(test_seccomp_forbids)
{
	check_filter(EPERM);
}
END_TEST

START_TEST(test_seccomp_hides)
{
	check_filter(ENOSYS);
}
END_TEST

/* Before Linux 6.10 this is how any kernel is. */
START_TEST(test_no_multi_links)
{
	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	NEED_PERFMON;
	diagnose(&prober, "");
	expect_state("uprobe_multi", "ok");
	if (!refuse__bpf(BPF_LINK_CREATE))
		skip("no seccomp filters on this machine");
	if (!runs(&prober, "uprobe:libc.so.6:malloc"))
		expect_cause("uprobe_multi", "run it as root");
	expect_state("uprobe_multi", "limited");
	expect_remedy("uprobe_multi", "Linux 6.10");
	check_runs(&root, "uprobe:libc.so.6:malloc");
}
END_TEST

/* ---- capabilities ---------------------------------------------------------------------------- */

/* The capabilities of this process. */
static uint64_t own_caps(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	ck_assert(!syscall(SYS_capget, &header, data));
	return (uint64_t)data[1].permitted << 32 | data[0].permitted;
}

/* Each of them is missing alone; CAP_SYS_ADMIN would imply two. */
START_TEST(test_each_capability)
{
	static const struct {
		const char *name, *remedy;
		uint64_t without;
	} all[] = {
		{ "CAP_BPF", "cap_bpf", CAP(BPF) | CAP(SYS_ADMIN) },
		{ "CAP_PERFMON", "cap_perfmon", CAP(PERFMON) | CAP(SYS_ADMIN) },
		{ "CAP_SYS_ADMIN", "cap_sys_admin", CAP(SYS_ADMIN) },
		{ "CAP_NET_ADMIN", "cap_net_admin", CAP(NET_ADMIN) },
		{ "CAP_DAC_READ_SEARCH", "cap_dac_read_search", CAP(DAC_READ_SEARCH) },
		{ "CAP_SYS_PTRACE", "cap_sys_ptrace", CAP(SYS_PTRACE) },
		{ "CAP_SYSLOG", "cap_syslog", CAP(SYSLOG) },
		{ "CAP_IPC_LOCK", "cap_ipc_lock", CAP(IPC_LOCK) },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct setting setting = { USER, own_caps() & ~all[i].without, NULL };

		diagnose(&setting, "");
		expect_remedy(all[i].name, all[i].remedy);
		for (size_t j = 0; j < sizeof(all) / sizeof(*all); j++)
			if (!(all[j].without & all[i].without))
				expect_state(all[j].name, "ok");
		diagnose(&root, "");
		expect_state(all[i].name, "ok");
	}
}
END_TEST

/* The source runs with the capability, and not without. */
static void check_need(const char *words, const char *name, const char *remedy, uint64_t cap)
{
	struct setting setting = { USER, (PROBING_CAPS | cap) & ~cap, NULL };

	check(&setting, words, name, remedy);
	setting.caps |= cap;
	check_runs(&setting, words);
}

START_TEST(test_capabilities_of_sources)
{
	NEED_PERFMON;
	check_need("exec", "CAP_BPF", "setcap cap_bpf,cap_perfmon+ep", CAP(BPF));
	check_need("exec", "CAP_PERFMON", "setcap cap_bpf,cap_perfmon+ep", CAP(PERFMON));
	check_need("--if lo packet", "CAP_NET_ADMIN", "cap_net_admin+ep", CAP(NET_ADMIN));
	mounts__lock_tracefs();
	check(&prober, TRACEPOINT, "CAP_DAC_READ_SEARCH", "cap_dac_read_search+ep");
}
END_TEST

/* A user needs all capabilities that root is told, and no others. */
START_TEST(test_printed_capabilities_are_enough)
{
	static const char *const names[] = { "CAP_BPF", "CAP_PERFMON", "CAP_DAC_READ_SEARCH" };
	static const uint64_t caps[] = { CAP(BPF), CAP(PERFMON), CAP(DAC_READ_SEARCH) };
	struct setting setting = { USER, 0, NULL };
	char path[64];

	NEED_PERFMON;
	mounts__need_tracefs();
	check_runs(&root, TRACEPOINT);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "sources[0].capabilities[%zu]", i);
		ck_assert_str_eq(json_lines__text(doctor.out_text, path), names[i]);
	}
	ck_assert_int_eq(json_lines__kind(doctor.out_text, "sources[0].capabilities[3]"),
			 JSON_NOTHING);
	ck_assert_ptr_nonnull(strstr(json_lines__text(doctor.out_text, "setcap"),
				     "setcap cap_bpf,cap_perfmon,cap_dac_read_search+ep /"));
	ck_assert_str_eq(json_lines__text(doctor.out_text, "ambient"),
			 "AmbientCapabilities=CAP_BPF CAP_PERFMON CAP_DAC_READ_SEARCH");
	ck_assert_ptr_nonnull(strstr(json_lines__text(doctor.out_text, "docker"),
				     "--cap-add BPF --cap-add PERFMON --cap-add DAC_READ_SEARCH "));
	ck_assert_ptr_nonnull(strstr(json_lines__text(doctor.out_text, "kubernetes"),
				     "{add: [BPF, PERFMON, DAC_READ_SEARCH]}"));
	setting.caps = caps[0] | caps[1] | caps[2];
	check_runs(&setting, TRACEPOINT);
	for (size_t i = 0; i < 3; i++) {
		setting.caps = (caps[0] | caps[1] | caps[2]) & ~caps[i];
		ck_assert_msg(!runs(&setting, TRACEPOINT), "it runs without %s", names[i]);
	}
}
END_TEST

static void write_map(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	ck_assert_msg(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), "%s: %s",
		      path, strerror(errno));
	close(fd);
}

/* A process cannot leave it: the run outside comes first. */
START_TEST(test_user_namespace)
{
	check_runs(&root, "exec");
	expect_state("user namespace", "ok");
	if (unshare(CLONE_NEWUSER))
		skip("no user namespaces on this machine");
	write_map("/proc/self/uid_map", "0 0 1");
	check(&root, "exec", "user namespace", "run it outside");
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

START_TEST(test_few_files)
{
	struct setting setting = { SAME, ALL_CAPS, "ulimit -n 14; " };

	check(&setting, "exec", "RLIMIT_NOFILE", "ulimit -n");
	setting.before = "ulimit -n 4096; ";
	check_runs(&setting, "exec");
	expect_state("RLIMIT_NOFILE", "ok");
}
END_TEST

/* Rings shrink, and the source runs; before Linux 5.11, maps need locked memory, too. */
START_TEST(test_little_locked_memory)
{
	struct setting setting = { USER, PROBING_CAPS, "ulimit -l 64; " };

	NEED_PERFMON;
	if (!runs(&setting, "exec"))
		expect_cause("RLIMIT_MEMLOCK", "raise RLIMIT_MEMLOCK (ulimit -l)");
	expect_state("RLIMIT_MEMLOCK", "limited");
	expect_remedy("RLIMIT_MEMLOCK", "CAP_IPC_LOCK");
	setting.caps |= CAP(IPC_LOCK);
	setting.before = NULL;
	check_runs(&setting, "exec");
	expect_state("RLIMIT_MEMLOCK", "ok");
}
END_TEST

/* ---- the output ------------------------------------------------------------------------------ */

START_TEST(test_text_names_causes)
{
	struct command peat;

	run(&peat, &root, "doctor exec ./nosuch.bpf.o");
	ck_assert_int_eq(peat.status, 1);
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_ptr_nonnull(strstr(peat.out_text, "privileges\n  ok       CAP_BPF  "));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\n  ok       exec: will run; needs CAP_"));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\n  missing  ./nosuch.bpf.o: will not run\n"));
	ck_assert_ptr_nonnull(
		strstr(peat.out_text, "peat: ./nosuch.bpf.o cannot be used as a BPF object: No"));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\n  program     setcap cap_"));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\n  docker      docker run --cap-add "));
	command__free(&peat);
}
END_TEST

/* Without a source, nothing may be missing. */
START_TEST(test_status_without_sources)
{
	struct setting nothing = { USER, 0, NULL };

	diagnose(&nothing, "");
	ck_assert_int_eq(doctor.status, 1);
	expect_state("CAP_BPF", "missing");
	diagnose(&root, "");
	ck_assert_int_eq(doctor.status, strstr(doctor.out_text, "\"missing\"") ? 1 : 0);
}
END_TEST

static Suite *doctor_suite(void)
{
	TCase *tests, *level = tcase_create("level");
	Suite *suite = harness__suite("doctor", 120, &tests);

	tcase_add_unchecked_fixture(level, keep_level, restore_level);
	tcase_set_timeout(level, 120);
	tcase_add_test(level, test_paranoid_level);
	suite_add_tcase(suite, level);
	tcase_add_test(tests, test_no_tracefs);
	tcase_add_test(tests, test_no_btf);
	tcase_add_test(tests, test_read_only_sys);
	tcase_add_test(tests, test_seccomp_forbids);
	tcase_add_test(tests, test_seccomp_hides);
	tcase_add_test(tests, test_no_multi_links);
	tcase_add_test(tests, test_each_capability);
	tcase_add_test(tests, test_capabilities_of_sources);
	tcase_add_test(tests, test_printed_capabilities_are_enough);
	tcase_add_test(tests, test_user_namespace);
	tcase_add_test(tests, test_few_files);
	tcase_add_test(tests, test_little_locked_memory);
	tcase_add_test(tests, test_text_names_causes);
	tcase_add_test(tests, test_status_without_sources);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { doctor_suite };

	return harness__main(argc, argv, suites, 1);
}
