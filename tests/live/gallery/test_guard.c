// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_guard.c: the probe guard: privileged acts of a child of the test. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <linux/capability.h>

#include "support/machine/harness.h"
#include "support/machine/tracing.h"

/* Traces a child that runs `function` and exits with 0. */
static pid_t trace_child(struct tracing *tracing, const char *probe, int (*function)(void *),
			 void *arg)
{
	pid_t child;

	tracing__start(tracing, TRACE(probe));
	child = process__start(function, arg);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(tracing);
	return child;
}

/* The only event of the process with this act and object. */
static const char *only_act(const struct tracing *tracing, pid_t pid, const char *act,
			    const char *object)
{
	const char *event, *found = NULL;
	size_t from = 0;

	while ((event = tracing__next(tracing, "guard", pid, &from))) {
		if (strcmp(json_lines__text(event, "act"), act) ||
		    strcmp(json_lines__text(event, "object"), object))
			continue;
		ck_assert_msg(!found, "two events %s %s", act, object);
		found = event;
	}
	ck_assert_msg(found, "no event %s %s in:\n%s", act, object, tracing->peat.out_text);
	return found;
}

static void expect_act(const struct tracing *tracing, pid_t pid, const char *act,
		       const char *object, long long target)
{
	const char *event = only_act(tracing, pid, act, object);

	expect_number(event, "result", 0);
	expect_number(event, "target", target);
}

/* ---- mounts, roots, namespaces --------------------------------------------------------------- */

static int mount_and_enter(void *directory)
{
	int uts;

	if (unshare(CLONE_NEWNS | CLONE_NEWUTS) || unshare(CLONE_FILES) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", directory, "tmpfs", 0, "size=64k") || umount(directory))
		return 1;
	if (mount("none", "/no/such/directory", "tmpfs", 0, NULL) != -1 || errno != ENOENT)
		return 2;
	uts = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
	if (uts < 0 || setns(uts, 0) || setns(uts, CLONE_NEWUTS))
		return 3;
	return chroot("/");
}

START_TEST(test_mounts_and_namespaces)
{
	char directory[] = "/tmp/peat-guard.XXXXXX";
	struct tracing tracing;
	const char *event;
	pid_t child;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	child = trace_child(&tracing, "guard", mount_and_enter, directory);
	rmdir(directory);
	expect_act(&tracing, child, "unshare", "mnt,uts", -1);
	expect_act(&tracing, child, "mount", "/", -1);
	expect_act(&tracing, child, "mount", directory, -1);
	expect_act(&tracing, child, "umount", directory, -1);
	expect_act(&tracing, child, "chroot", "/", -1);
	event = only_act(&tracing, child, "mount", "/no/such/directory");
	expect_text(event, "result", "ENOENT");
	/* Both kinds of setns(), and nothing for unshare(CLONE_FILES). */
	ck_assert_uint_eq(tracing__count(&tracing, "guard", child), 8);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_setns_is_traced)
{
	char directory[] = "/tmp/peat-guard.XXXXXX";
	struct tracing tracing;
	size_t from = 0, found = 0;
	const char *event;
	pid_t child;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	child = trace_child(&tracing, "guard", mount_and_enter, directory);
	rmdir(directory);
	while ((event = tracing__next(&tracing, "guard", child, &from))) {
		if (strcmp(json_lines__text(event, "act"), "setns"))
			continue;
		expect_text(event, "object", "uts");
		expect_number(event, "result", 0);
		found++;
	}
	ck_assert_uint_eq(found, 2);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_failures_alone_are_traced)
{
	char directory[] = "/tmp/peat-guard.XXXXXX";
	struct tracing tracing;
	pid_t child;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	child = trace_child(&tracing, "guard,failed", mount_and_enter, directory);
	rmdir(directory);
	only_act(&tracing, child, "mount", "/no/such/directory");
	ck_assert_uint_eq(tracing__count(&tracing, "guard", child), 1);
	tracing__free(&tracing);
}
END_TEST

/* ---- users and groups ------------------------------------------------------------------------ */

/* System calls, since those of libc set the ids of all threads. */
static int change_ids(void *unused)
{
	(void)unused;
	if (syscall(SYS_setgid, getgid()) || syscall(SYS_setresuid, -1, geteuid(), -1))
		return 1; /* no changes */
	if (syscall(SYS_setresgid, -1, 4322, -1) || syscall(SYS_setgid, 4323) ||
	    syscall(SYS_setresuid, 4321, 4321, 4321))
		return 2;
	return syscall(SYS_setuid, 0) != -1;
}

START_TEST(test_changes_of_ids)
{
	struct tracing tracing;
	size_t from = 0;
	const char *event;
	pid_t child;
	static const struct {
		const char *act;
		int target;
		const char *result;
	} expected[] = {
		{ "setgid", 4322, "0" },
		{ "setgid", 4323, "0" },
		{ "setuid", 4321, "0" },
		{ "setuid", 0, "\"EPERM\"" },
	};

	tracing__start(&tracing, TRACE("guard", "--ordered"));
	child = process__start(change_ids, NULL);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(&tracing);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		event = tracing__next(&tracing, "guard", child, &from);
		ck_assert_ptr_nonnull(event);
		expect_text(event, "act", expected[i].act);
		expect_number(event, "target", expected[i].target);
		expect_member(event, "result", expected[i].result);
	}
	ck_assert_ptr_null(tracing__next(&tracing, "guard", child, &from));
	tracing__free(&tracing);
}
END_TEST

/* ---- other processes, BPF -------------------------------------------------------------------- */

static int wait_for_signal(void *unused)
{
	(void)unused;
	pause();
	return 0;
}

START_TEST(test_ptrace_is_traced)
{
	pid_t child = process__start(wait_for_signal, NULL);
	struct tracing tracing;
	long word;

	tracing__start(&tracing, TRACE("guard"));
	ck_assert_int_eq(ptrace(PTRACE_ATTACH, child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	word = ptrace(PTRACE_PEEKDATA, child, &tracing, NULL); /* reading is no act */
	ck_assert_int_eq(ptrace(PTRACE_POKEDATA, child, &tracing, word), 0);
	ck_assert_int_eq(ptrace(PTRACE_DETACH, child, NULL, NULL), 0);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, child, NULL, NULL), 0);
	tracing__stop(&tracing);
	expect_act(&tracing, getpid(), "ptrace", "attach", child);
	expect_act(&tracing, getpid(), "ptrace", "poke", child);
	expect_act(&tracing, getpid(), "ptrace", "seize", child);
	ck_assert_uint_eq(tracing__count(&tracing, "guard", getpid()), 3);
	kill(child, SIGKILL);
	tracing__free(&tracing);
}
END_TEST

static int use_bpf(void *unused)
{
	union bpf_attr create = { .map_type = BPF_MAP_TYPE_ARRAY,
				  .key_size = 4,
				  .value_size = 8,
				  .max_entries = 1,
				  .map_name = "peat_guarded" };
	union bpf_attr load = { .prog_type = BPF_PROG_TYPE_TRACEPOINT, .prog_name = "guarded" };
	union bpf_attr lookup = { 0 };
	uint64_t key = 0, value;
	long map;

	(void)unused;
	map = syscall(SYS_bpf, BPF_MAP_CREATE, &create, sizeof(create));
	lookup.map_fd = (uint32_t)map;
	lookup.key = (uintptr_t)&key;
	lookup.value = (uintptr_t)&value;
	if (map < 0 || syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &lookup, sizeof(lookup)))
		return 1;
	return syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof(load)) != -1;
}

/* Commands that read a map are no acts, and peat's own are left out. */
START_TEST(test_bpf_is_traced)
{
	struct tracing tracing;
	const char *event;
	pid_t child;

	child = trace_child(&tracing, "guard", use_bpf, NULL);
	event = only_act(&tracing, child, "bpf", "map_create peat_guarded");
	ck_assert_int_ge(json_lines__number(event, "result"), 0);
	event = only_act(&tracing, child, "bpf", "prog_load guarded");
	ck_assert_msg(json_lines__text(event, "result"), "%s", event); /* E2BIG, EFAULT */
	ck_assert_uint_eq(tracing__count(&tracing, "guard", child), 2);
	ck_assert_uint_eq(tracing__count(&tracing, "guard", tracing.peat.pid), 0);
	tracing__free(&tracing);
}
END_TEST

/* ---- memory and files of other processes, mounts by fds -------------------------------------- */

static pid_t other;

static int write_to_other(void *word)
{
	struct iovec vector = { word, sizeof(long) };
	char path[32];
	int pidfd = (int)syscall(SYS_pidfd_open, other, 0);

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)other);
	if (open(path, O_RDONLY) < 0 || open(path, O_RDWR | O_CLOEXEC) < 0)
		return 1;
	if (syscall(SYS_process_vm_writev, other, &vector, 1L, &vector, 1L, 0L) < 0)
		return 2;
	return pidfd < 0 || syscall(SYS_pidfd_getfd, pidfd, 0, 0) < 0;
}

START_TEST(test_other_processes)
{
	static long word;
	struct tracing tracing;
	size_t from = 0, writes = 0;
	const char *event;
	pid_t child;

	other = process__start(wait_for_signal, NULL);
	child = trace_child(&tracing, "guard", write_to_other, &word);
	kill(other, SIGKILL);
	while ((event = tracing__next(&tracing, "guard", child, &from))) {
		expect_number(event, "target", other);
		writes += !strcmp(json_lines__text(event, "act"), "memory_write");
	}
	ck_assert_uint_eq(writes, 2); /* reading is no act */
	event = only_act(&tracing, child, "pidfd_getfd", "");
	ck_assert_int_ge(json_lines__number(event, "result"), 0);
	ck_assert_uint_eq(tracing__count(&tracing, "guard", child), 3);
	tracing__free(&tracing);
}
END_TEST

static int mount_by_fds(void *unused)
{
	int fs, mounted;

	(void)unused;
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return 1;
	fs = (int)syscall(SYS_fsopen, "tmpfs", 0);
	if (fs < 0 || syscall(SYS_fsconfig, fs, 6 /* FSCONFIG_CMD_CREATE */, NULL, NULL, 0))
		return 2;
	mounted = (int)syscall(SYS_fsmount, fs, 0, 0);
	if (mounted < 0 || syscall(SYS_open_tree, AT_FDCWD, "/proc", 1 /* OPEN_TREE_CLONE */) < 0)
		return 3;
	if (syscall(SYS_open_tree, AT_FDCWD, "/dev", 0) < 0)
		return 4;
	syscall(SYS_mount_setattr, AT_FDCWD, "/no/such/mount", 0, NULL, 0);
	return 0;
}

START_TEST(test_mounts_by_fds)
{
	struct tracing tracing;
	const char *event;
	pid_t child = trace_child(&tracing, "guard", mount_by_fds, NULL);

	event = only_act(&tracing, child, "fsmount", "tmpfs");
	ck_assert_int_ge(json_lines__number(event, "result"), 0);
	event = only_act(&tracing, child, "open_tree", "/proc");
	ck_assert_int_ge(json_lines__number(event, "result"), 0);
	/* unshare(), mount(), and mount_setattr() if the kernel has it; no open_tree() of /dev. */
	ck_assert_uint_le(tracing__count(&tracing, "guard", child), 5);
	if (tracing__count(&tracing, "guard", child) == 5)
		only_act(&tracing, child, "mount_setattr", "/no/such/mount");
	else if (syscall(SYS_mount_setattr, -1, "", 0, NULL, 0) < 0)
		ck_assert_int_eq(errno, ENOSYS);
	tracing__free(&tracing);
}
END_TEST

static int change_groups(void *unused)
{
	const gid_t groups[] = { 4324, 4325 };
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	(void)unused;
	return syscall(SYS_setgroups, 2L, groups) || syscall(SYS_setgroups, 0L, NULL) ||
	       syscall(SYS_capset, &head, data);
}

START_TEST(test_groups_and_capabilities)
{
	static const int targets[] = { 4324, -1 };
	struct tracing tracing;
	size_t from = 0, i = 0;
	const char *event;
	pid_t child;

	tracing__start(&tracing, TRACE("guard", "--ordered"));
	child = process__start(change_groups, NULL);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(&tracing);
	for (; i < 2; i++) {
		event = tracing__next(&tracing, "guard", child, &from);
		ck_assert_ptr_nonnull(event);
		expect_text(event, "act", "setgroups");
		expect_number(event, "target", targets[i]);
	}
	expect_act(&tracing, child, "capset", "", -1);
	ck_assert_uint_eq(tracing__count(&tracing, "guard", child), 3);
	tracing__free(&tracing);
}
END_TEST

/* ---- programs in memory, modules ------------------------------------------------------------- */

static int run_from_memory(void *unused)
{
	int from = open("/bin/true", O_RDONLY | O_CLOEXEC);
	int to = memfd_create("peat-hidden", MFD_CLOEXEC);
	char name[] = "true", *const argv[] = { name, NULL };
	struct stat stat;

	(void)unused;
	if (from < 0 || to < 0 || fstat(from, &stat) ||
	    sendfile(to, from, NULL, (size_t)stat.st_size) != stat.st_size)
		return 1;
	fexecve(to, argv, environ);
	return 2;
}

#define SCRIPT "#!/bin/sh\n"

/* The interpreter opens the script by its descriptor. */
static int run_script_from_memory(void *unused)
{
	int script = memfd_create("peat-script", 0);
	char name[] = "script", path[32], *const argv[] = { name, NULL };

	(void)unused;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", script);
	if (write(script, SCRIPT, sizeof(SCRIPT) - 1) != sizeof(SCRIPT) - 1)
		return 1;
	execv(path, argv);
	return 2;
}

static int run_from_disk(void *unused)
{
	(void)unused;
	execl("/bin/true", "true", NULL);
	return 2;
}

START_TEST(test_program_in_memory)
{
	struct tracing tracing;
	pid_t child;

	child = trace_child(&tracing, "guard", run_from_memory, NULL);
	expect_act(&tracing, child, "memfd_exec", "memfd:peat-hidden", -1);
	tracing__free(&tracing);
	child = trace_child(&tracing, "guard", run_script_from_memory, NULL);
	expect_act(&tracing, child, "memfd_exec", "memfd:peat-script", -1);
	tracing__free(&tracing);
	child = trace_child(&tracing, "guard", run_from_disk, NULL);
	ck_assert_uint_eq(tracing__count(&tracing, "guard", child), 0);
	tracing__free(&tracing);
}
END_TEST

/* The module of a guest of tests/vm, which no test uses while this one runs. */
#define MODULE "/lib/modules/loop.ko"

static int load_again(void *unused)
{
	int broken = memfd_create("broken", MFD_CLOEXEC), module = open(MODULE, O_RDONLY);

	(void)unused;
	if (syscall(SYS_finit_module, broken, "", 0) != -1)
		return 1;
	return syscall(SYS_delete_module, "loop", O_NONBLOCK) ||
	       syscall(SYS_finit_module, module, "", 0);
}

START_TEST(test_modules_are_traced)
{
	struct tracing tracing;
	const char *event;
	pid_t child;

	if (access(MODULE, R_OK))
		skip("no module " MODULE);
	child = trace_child(&tracing, "guard", load_again, NULL);
	event = only_act(&tracing, child, "module_load", "memfd:broken");
	ck_assert_ptr_nonnull(json_lines__text(event, "result"));
	expect_act(&tracing, child, "module_unload", "loop", -1);
	expect_act(&tracing, child, "module_load", "loop", -1);
	tracing__free(&tracing);
}
END_TEST

static Suite *guard_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("guard", 60, &tests);

	tcase_add_test(tests, test_mounts_and_namespaces);
	tcase_add_test(tests, test_setns_is_traced);
	tcase_add_test(tests, test_failures_alone_are_traced);
	tcase_add_test(tests, test_changes_of_ids);
	tcase_add_test(tests, test_ptrace_is_traced);
	tcase_add_test(tests, test_bpf_is_traced);
	tcase_add_test(tests, test_other_processes);
	tcase_add_test(tests, test_mounts_by_fds);
	tcase_add_test(tests, test_groups_and_capabilities);
	tcase_add_test(tests, test_program_in_memory);
	tcase_add_test(tests, test_modules_are_traced);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { guard_suite };

	return harness__main(argc, argv, suites, 1);
}
