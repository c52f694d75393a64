// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_processes.c: names of addresses in processes that end, exec, delete their file, have other
 * namespaces, or ran before.
 *
 * The processes are this program itself, with an argument: it prints the address of a function, and
 * runs until its stdin is closed.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <peat/reader.h>
#include <peat/symbols.h>

#include "support/machine/harness.h"
#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/vdso.h"

#define FUNCTION "function_with_a_name"
#define JIT_NAME "function of a JIT compiler"

__attribute__((noinline, used)) int function_with_a_name(int number)
{
	return number * 3 + getpid();
}

/* ---- the process ----------------------------------------------------------------------------- */

static int wait_for_end(uint64_t address)
{
	char byte;

	if (write(STDOUT_FILENO, &address, sizeof(address)) != sizeof(address))
		return 1;
	return read(STDIN_FILENO, &byte, 1) < 0;
}

static int run_plain(void)
{
	return wait_for_end((uintptr_t)function_with_a_name);
}

static int run_deleted(void)
{
	char path[PATH_MAX] = "";

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0 || unlink(path))
		return 1;
	return run_plain();
}

/* The first line of stdin is a signal to exec. */
static int run_exec(void)
{
	char byte;

	if (wait_for_end((uintptr_t)function_with_a_name))
		return 1;
	execl("/bin/sh", "sh", "-c", "printf exec-ed.; sleep 30", NULL);
	return read(STDIN_FILENO, &byte, 1) < 0;
}

/* Process 1 of its namespace, with a /tmp of its own. */
static int run_jit(void)
{
	FILE *map;
	void *code;

	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED || mount("none", "/tmp", "tmpfs", 0, NULL))
		return 1;
	map = fopen("/tmp/perf-1.map", "we");
	if (!map)
		return 1;
	fprintf(map, "%" PRIxPTR " 1000 " JIT_NAME "\n", (uintptr_t)code);
	fclose(map);
	return wait_for_end((uintptr_t)code + 0x10);
}

static int run(const char *what)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!strcmp(what, "--plain"))
		return run_plain();
	if (!strcmp(what, "--deleted"))
		return run_deleted();
	if (!strcmp(what, "--exec"))
		return run_exec();
	return run_jit();
}

/* ---- starting it ----------------------------------------------------------------------------- */

struct child {
	pid_t pid;
	int to, from;
	uint64_t address;
};

static bool copy_self(const char *path)
{
	char command[PATH_MAX + 64];

	snprintf(command, sizeof(command), "cp /proc/%d/exe %s && chmod 700 %s", getpid(), path,
		 path);
	return !system(command);
}

/* Mounts nobody else sees, with a tmpfs that has the program. */
static void enter_mount_namespace(const char *directory)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", directory, "tmpfs", 0, NULL))
		_exit(1);
}

struct start {
	const char *what;
	const char *path;      /* of a copy of this program; NULL: this program */
	const char *directory; /* of the path: is in a mount namespace of its own; or NULL */
	bool has_namespaces;   /* pid and mount namespaces of its own */
};

static void become(const struct start *start, int in, int out)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	if (start->directory)
		enter_mount_namespace(start->directory);
	if (start->path && !copy_self(start->path))
		_exit(1);
	execl(start->path ? start->path : "/proc/self/exe", "child", start->what, NULL);
	_exit(127);
}

static int is_in_dead_namespace;

/*
 * LeakSanitizer asks.  It starts a thread, which fails in a process whose children are in a pid
 * namespace that has ended.
 */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
	return is_in_dead_namespace;
}

/* Both namespaces begin with the next child, whose pid is that of the initial namespace here. */
static pid_t fork_in_namespaces(void)
{
	pid_t pid;

	ck_assert_int_eq(unshare(CLONE_NEWPID | CLONE_NEWNS), 0);
	ck_assert_int_eq(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	pid = fork();
	is_in_dead_namespace = 1;
	return pid;
}

static struct child begin(const struct start *start)
{
	int in[2], out[2];
	struct child child;

	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	child.pid = start->has_namespaces ? fork_in_namespaces() : fork();
	ck_assert_int_ge(child.pid, 0);
	if (!child.pid)
		become(start, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	child.to = in[1];
	child.from = out[0];
	ck_assert_int_eq(read(child.from, &child.address, sizeof(child.address)),
			 sizeof(child.address));
	return child;
}

static void end(struct child *child)
{
	int status;

	close(child->to);
	ck_assert_int_eq(waitpid(child->pid, &status, 0), child->pid);
	close(child->from);
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct peat_reader *follow_all(void)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader *reader;

	opts.side_band = PEAT_SIDE_BAND_MMAP | PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM;
	reader = peat_reader__new_side_band(&opts);
	ck_assert_ptr_nonnull(reader);
	return reader;
}

static void drain(struct peat_reader *reader, struct peat_symbols *symbols)
{
	const struct peat_event *event;

	peat_reader__flush(reader);
	while (peat_reader__next(reader, &event) > 0)
		ck_assert_int_eq(peat_symbols__follow(symbols, event), 0);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* "": without a name. */
static void check(struct peat_symbols *symbols, const struct child *child, uint64_t time_ns,
		  const char *name)
{
	const struct peat_stack_frame *frames;

	ck_assert_int_ge(peat_symbols__address(symbols, PEAT_SPACE_USER, (uint32_t)child->pid,
					       time_ns, child->address, &frames),
			 1);
	ck_assert_str_eq(frames->symbol ? frames->symbol : "", name);
}

static char directory[] = "/tmp/peat-processes-XXXXXX";

static const char *path_in_directory(void)
{
	static char path[PATH_MAX];

	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/program", directory);
	return path;
}

static void remove_directory(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(test_ran_before)
{
	struct child child = begin(&(struct start){ .what = "--plain" });
	struct peat_symbols *symbols = peat_symbols__new(NULL);

	check(symbols, &child, 0, FUNCTION);
	end(&child);
	check(symbols, &child, 0, FUNCTION);
	peat_symbols__free(symbols);
}
END_TEST

/* All records of the process are read after it has ended. */
START_TEST(test_ended_process_has_names)
{
	struct peat_reader *reader = follow_all();
	struct peat_symbols *symbols = peat_symbols__new(NULL);
	struct child child = begin(&(struct start){ .what = "--plain" });
	uint64_t time_ns = now();

	end(&child);
	drain(reader, symbols);
	check(symbols, &child, time_ns, FUNCTION);
	peat_symbols__free(symbols);
	peat_reader__free(reader);
}
END_TEST

/* The names of the program before the exec are those of events before it. */
START_TEST(test_exec_separates_names)
{
	struct peat_reader *reader = follow_all();
	struct peat_symbols *symbols = peat_symbols__new(NULL);
	struct child child = begin(&(struct start){ .what = "--exec" });
	uint64_t time_ns = now();
	char text[8];

	ck_assert_int_eq(write(child.to, "x", 1), 1);
	ck_assert_int_eq(read(child.from, text, sizeof(text)), 8);
	drain(reader, symbols);
	check(symbols, &child, time_ns, FUNCTION);
	check(symbols, &child, now(), "");
	kill(child.pid, SIGKILL);
	end(&child);
	peat_symbols__free(symbols);
	peat_reader__free(reader);
}
END_TEST

/* Its file is nowhere any more when names are asked for; its records were read before. */
static void check_passing(const struct start *start)
{
	struct peat_reader *reader = follow_all();
	struct peat_symbols *symbols = peat_symbols__new(NULL);
	struct child child = begin(start);
	uint64_t time_ns = now();

	drain(reader, symbols);
	end(&child);
	drain(reader, symbols);
	ck_assert_int_ne(access(start->path, F_OK), 0);
	check(symbols, &child, time_ns, FUNCTION);
	peat_symbols__free(symbols);
	peat_reader__free(reader);
	remove_directory();
}

START_TEST(test_deleted_and_ended)
{
	check_passing(&(struct start){ .what = "--deleted", .path = path_in_directory() });
}
END_TEST

START_TEST(test_other_mounts_and_ended)
{
	const char *path = path_in_directory();

	check_passing(&(struct start){ .what = "--plain", .path = path, .directory = directory });
}
END_TEST

START_TEST(test_deleted_and_running)
{
	struct child child =
		begin(&(struct start){ .what = "--deleted", .path = path_in_directory() });
	struct peat_symbols *symbols = peat_symbols__new(NULL);

	check(symbols, &child, 0, FUNCTION);
	end(&child);
	peat_symbols__free(symbols);
	remove_directory();
}
END_TEST

/* The map is in the process's own /tmp, under the pid of its own namespace. */
START_TEST(test_jit_in_namespaces)
{
	struct child child = begin(&(struct start){ .what = "--jit", .has_namespaces = true });
	struct peat_symbols *symbols = peat_symbols__new(NULL);

	check(symbols, &child, 0, JIT_NAME);
	end(&child);
	check(symbols, &child, 0, JIT_NAME);
	peat_symbols__free(symbols);
}
END_TEST

START_TEST(test_vdso_functions_are_named)
{
	struct peat_symbols *symbols = peat_symbols__new(NULL);
	struct elf_symbols table = { 0 };
	const struct peat_stack_frame *frames;
	struct elf_file *file;

	if (!getauxval(AT_SYSINFO_EHDR))
		skip("processes have no vdso here");
	ck_assert_int_eq(vdso__open(&file), 0);
	ck_assert_int_eq(elf_symbols__add(&table, file, file), 0);
	elf_symbols__finish(&table, false);
	ck_assert_uint_gt(table.count, 0);
	for (uint32_t i = 0; i < table.count; i++) {
		uint64_t address = getauxval(AT_SYSINFO_EHDR) + table.list[i].begin;

		ck_assert_int_eq(peat_symbols__address(symbols, PEAT_SPACE_USER, (uint32_t)getpid(),
						       0, address, &frames),
				 1);
		ck_assert_str_eq(frames->symbol, table.list[i].raw_name);
		ck_assert_str_eq(frames->module, "[vdso]");
	}
	elf_symbols__free(&table);
	elf_file__free(file);
	peat_symbols__free(symbols);
}
END_TEST

static Suite *processes_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("processes", 30, &tests);

	tcase_add_test(tests, test_ran_before);
	tcase_add_test(tests, test_ended_process_has_names);
	tcase_add_test(tests, test_exec_separates_names);
	tcase_add_test(tests, test_deleted_and_ended);
	tcase_add_test(tests, test_other_mounts_and_ended);
	tcase_add_test(tests, test_deleted_and_running);
	tcase_add_test(tests, test_jit_in_namespaces);
	tcase_add_test(tests, test_vdso_functions_are_named);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { processes_suite };

	if (argc == 2 && !strncmp(argv[1], "--", 2) && strcmp(argv[1], "--list") != 0)
		return run(argv[1]);
	return harness__main(argc, argv, suites, 1);
}
