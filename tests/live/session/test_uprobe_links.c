// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_uprobe_links.c: programs of functions, attached by links of uprobe_multi, and by perf
 * events. Each test with a loop runs in both ways: the second time, the kernel refuses such links.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/perf_event.h>
#include <linux/securebits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "object/returns.h"
#include "session/attach/links.h"
#include "session/parts/session.h"
#include "session/attach/uprobe_multi.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/multi_links.h"
#include "support/machine/object.h"
#include "support/machine/paranoid.h"
#include "support/machine/process.h"
#include "support/machine/refuse.h"
#include "elf/function_offset.h"

EMBED_OBJECT(tracepoints)
EMBED_OBJECT(uprobe_links)
EMBED_OBJECT(uprobe_tail_call)

#define CALLS	  10
#define FIRST	  0x1111
#define SECOND	  0x2222
#define NOBODY	  65534
#define CAPS	  (1ULL << 38 | 1ULL << 39) /* CAP_PERFMON, CAP_BPF */
#define LINK_TYPE 12			    /* BPF_LINK_TYPE_UPROBE_MULTI */
#define PINS	  "/sys/fs/bpf/uprobe_links"

enum way { BY_LINKS, BY_EVENTS, WAYS };
enum which { ENTRY, RETURN, INSIDE, CHOSEN, ALL };

/* ---- functions ------------------------------------------------------------------------------- */

/*
 * The first four bytes replace the first argument by the second.  What follows is no return, which
 * an emulated s390x would not execute.
 */
void uprobe_links_called(long first, long second);
void uprobe_links_other(long first, long second);

#if defined(__s390x__)
#define REPLACE "lgr %r2, %r3\n"
#define GO_BACK "nopr\nbr %r14\n"
#elif defined(__aarch64__)
#define REPLACE "mov x0, x1\n"
#define GO_BACK "nop\nret\n"
#else
#define REPLACE "mov %rsi, %rdi\nnop\n"
#define GO_BACK "nop\nret\n"
#endif

#define FUNCTION(name)                                                                             \
	__asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name                      \
		":\n" REPLACE GO_BACK ".size " #name ", .-" #name "\n");

FUNCTION(uprobe_links_called)
FUNCTION(uprobe_links_other)

static void call(void)
{
	for (int i = 0; i < CALLS; i++)
		uprobe_links_called(FIRST, SECOND);
}

/* ---- sessions -------------------------------------------------------------------------------- */

static char messages[2048]; /* warnings and errors */
static bool is_by_links;    /* as a message says */
static struct peat_session *session;
static unsigned came[ALL]; /* events, by program */

static void keep_message(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	is_by_links |= strstr(text, "by a link of uprobe_multi") != NULL;
	if (level <= PEAT_LOG_WARN)
		snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

static void setup(void)
{
	peat_set_print(keep_message);
}

static void choose(enum way way)
{
	if (way == BY_EVENTS)
		ck_assert(refuse__bpf(BPF_LINK_CREATE));
}

static void make(const struct object_file *file, uint32_t pid)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .pid = pid, .measure = !!pid };

	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, file->name, file->bytes, *file->count), 0);
}

static int start(void)
{
	struct peat_reader_opts opts = { .sz = sizeof(opts), .memory_bytes = 8192 };

	messages[0] = '\0';
	is_by_links = false;
	return peat_session__start(session, &opts);
}

static void start_all(uint32_t pid)
{
	make(&uprobe_links_object, pid);
	ck_assert_msg(!start(), "%s", messages);
}

/* Reads all events. */
static void stop(void)
{
	const struct peat_event *event;

	memset(came, 0, sizeof(came));
	peat_session__stop(session);
	while (peat_reader__next(peat_session__reader(session), &event) > 0) {
		const struct {
			uint64_t argument;
			uint32_t which;
		} *called = event->data;

		if (event->kind != PEAT_EVENT_DATA || event->pid != (uint32_t)getpid())
			continue;
		ck_assert_uint_lt(called->which, ALL);
		came[called->which]++;
		ck_assert_uint_eq(called->argument,
				  called->which == ENTRY || called->which == CHOSEN ? FIRST
										    : SECOND);
	}
}

static void check_came(unsigned count)
{
	for (int i = 0; i < ALL; i++)
		ck_assert_msg(came[i] == count, "%u events of program %d", came[i], i);
}

static void check_way(enum way way)
{
	ck_assert_int_eq(is_by_links, way == BY_LINKS && multi_links__are_possible());
}

/* Programs return 1, but 0 if they are attached by links. */
static void check_results(void)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, session->parts[0].object)
	{
		ck_assert_int_eq(returns__has_even(bpf_program__insns(program),
						   bpf_program__insn_cnt(program)),
				 is_by_links);
	}
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_functions_in_each_way)
{
	choose((enum way)_i);
	start_all(0);
	check_way((enum way)_i);
	check_results();
	call();
	stop();
	check_came(CALLS);
	call();
	stop();
	check_came(0);
	peat_session__free(session);
}
END_TEST

static void *call_in_thread(void *unused)
{
	call();
	return unused;
}

static int call_in_child(void *unused)
{
	(void)unused;
	call();
	return 0;
}

static uint64_t runs_of_chosen(void)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };

	for (uint32_t i = 0; peat_session__program(session, i, &stats) > 0; i++)
		if (!strcmp(stats.name, "on_chosen"))
			return stats.runs;
	return 0;
}

/* The filter is a process: all of its threads, and no child. */
START_TEST(test_one_process)
{
	pthread_t thread;

	choose((enum way)_i);
	start_all((uint32_t)getpid());
	check_way((enum way)_i);
	ck_assert_int_eq(pthread_create(&thread, NULL, call_in_thread, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	process__do(call_in_child, NULL);
	ck_assert_uint_eq(runs_of_chosen(), CALLS);
	stop();
	check_came(CALLS);
	peat_session__free(session);
}
END_TEST

static int free_in_child(void *unused)
{
	(void)unused;
	peat_session__free(session);
	return 0;
}

/* The links are the parent's. */
START_TEST(test_child_frees)
{
	choose((enum way)_i);
	start_all(0);
	process__do(free_in_child, NULL);
	call();
	stop();
	check_came(CALLS);
	peat_session__free(session);
}
END_TEST

START_TEST(test_file_descriptors)
{
	unsigned before;

	choose((enum way)_i);
	start_all(0);
	peat_session__free(session);
	before = process__count_fds();
	start_all(0);
	peat_session__free(session);
	ck_assert_uint_eq(process__count_fds(), before);
}
END_TEST

static void start_after_tracepoint(void)
{
	session = peat_session__new(NULL);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, tracepoints_object.name,
					   tracepoints_object.bytes, *tracepoints_object.count),
			 0);
	ck_assert_int_eq(peat_session__leave_out(session, "missing"), 0);
	ck_assert_int_eq(peat_session__add(session, uprobe_links_object.name,
					   uprobe_links_object.bytes, *uprobe_links_object.count),
			 0);
	ck_assert_msg(!start(), "%s", messages);
}

/* The first link is libbpf's. */
START_TEST(test_file_descriptors_after_tracepoint)
{
	unsigned before;

	start_after_tracepoint();
	peat_session__free(session);
	before = process__count_fds();
	start_after_tracepoint();
	peat_session__free(session);
	ck_assert_uint_eq(process__count_fds(), before);
}
END_TEST

/* Attach types in a program array have to be alike, so that the kernel's default is kept. */
START_TEST(test_program_array)
{
	const struct peat_event *event;
	unsigned events = 0;

	make(&uprobe_tail_call_object, 0);
	ck_assert_msg(!start(), "%s", messages);
	check_way(BY_EVENTS);
	call();
	uprobe_links_other(FIRST, SECOND);
	peat_session__stop(session);
	while (peat_reader__next(peat_session__reader(session), &event) > 0)
		events += event->kind == PEAT_EVENT_DATA;
	ck_assert_uint_eq(events, CALLS + 1);
	peat_session__free(session);
}
END_TEST

/* A path that does not have the function, or is no program. */
static void check_refused(const char *library, int err, const char *words)
{
	make(&uprobe_links_object, 0);
	ck_assert_int_eq(peat_session__set_text(session, "library", library), 0);
	ck_assert_int_eq(start(), err);
	ck_assert_msg(strstr(messages, words), "'%s' is not in: %s", words, messages);
	peat_session__free(session);
}

START_TEST(test_wrong_files)
{
	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	check_refused("/no/such", -ENOENT,
		      "/no/such has no function uprobe_links_called, or there is no such file");
	check_refused("/proc/self/stat", -ENOEXEC, "/proc/self/stat is not an ELF file");
	check_refused("/", -ENOEXEC, "/ is not an ELF file");
}
END_TEST

/* ---- the kernel ------------------------------------------------------------------------------ */

START_TEST(test_kernel_is_tried)
{
	unsigned fds;

	ck_assert_int_eq(uprobe_multi__is_supported(), multi_links__are_possible());
	fds = process__count_fds();
	uprobe_multi__is_supported();
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert(refuse__bpf(BPF_PROG_LOAD));
	ck_assert(!uprobe_multi__is_supported());
}
END_TEST

/* A link may be file descriptor 0. */
START_TEST(test_lowest_file_descriptor)
{
	struct uprobe_place place = { .path = "/proc/self/exe" };
	int program;

	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	program = multi_links__load_program();
	ck_assert_int_eq(function_offset__find(place.path, "uprobe_links_called", &place.offset),
			 0);
	ck_assert_int_eq(close(STDIN_FILENO), 0);
	errno = EIO;
	ck_assert_int_eq(uprobe_multi__attach(program, &place), STDIN_FILENO);
	ck_assert_int_eq(close(program), 0);
}
END_TEST

/* ---- libraries of a process ------------------------------------------------------------------ */

static char directory[] = "/tmp/test_uprobe_links.XXXXXX";

/* Maps a copy of the file, as a library of this name. */
static void map_library(const char *name, const char *file)
{
	char line[128], path[64];
	void *memory;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	snprintf(line, sizeof(line), "cp %s %s", file, path);
	ck_assert_int_eq(system(line), 0);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	ck_assert_int_eq(close(fd), 0);
}

static int start_with_library(void)
{
	make(&uprobe_links_object, (uint32_t)getpid());
	ck_assert_int_eq(peat_session__set_text(session, "library", "libnone.so"), 0);
	return start();
}

/* One file with the function is enough, wherever it is among them. */
START_TEST(test_several_libraries)
{
	char own[32], line[64];

	choose((enum way)_i);
	snprintf(own, sizeof(own), "/proc/%d/exe", (int)getpid());
	ck_assert_ptr_nonnull(mkdtemp(directory));
	map_library("libnone.so.1", "/bin/true");
	ck_assert_int_eq(start_with_library(), -ENOENT);
	ck_assert_msg(strstr(messages, "libnone.so.1 has no function uprobe_links_called"), "%s",
		      messages);
	peat_session__free(session);
	map_library("libnone.so.2", own);
	map_library("libnone.so.3", "/bin/true");
	ck_assert_msg(!start_with_library(), "%s", messages);
	ck_assert_int_eq(session->link_count, ALL);
	call();
	stop();
	ck_assert_uint_eq(came[ENTRY], CALLS);
	ck_assert_uint_eq(came[CHOSEN], 0); /* it is on the copy */
	peat_session__free(session);
	snprintf(line, sizeof(line), "rm -r %s", directory);
	ck_assert_int_eq(system(line), 0);
}
END_TEST

/* ---- privileges ------------------------------------------------------------------------------ */

/* This process keeps two capabilities, with which it can read no other process. */
static void become_nobody(void)
{
	ck_assert_int_eq(prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP), 0);
	ck_assert_int_eq(setgroups(0, NULL), 0);
	ck_assert_int_eq(setresgid(NOBODY, NOBODY, NOBODY), 0);
	ck_assert_int_eq(setresuid(NOBODY, NOBODY, NOBODY), 0);
	command__limit_caps(CAPS);
}

START_TEST(test_nobody_attaches_functions)
{
	if (!perfmon_is_enough())
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf event");
	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	become_nobody();
	start_all(0);
	call();
	stop();
	check_came(CALLS);
	peat_session__free(session);
}
END_TEST

static int start_with_file_of_root(void *path)
{
	char words[96];

	snprintf(words, sizeof(words), "Permission denied: %s cannot be read", (char *)path);
	become_nobody();
	check_refused(path, -EACCES, words);
	return 0;
}

START_TEST(test_file_of_root)
{
	char path[] = "/tmp/test_uprobe_links.XXXXXX";
	int fd = mkstemp(path), status;

	if (!perfmon_is_enough())
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf event");
	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	status = process__wait(process__start(start_with_file_of_root, path));
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* Whether a perf event of a uprobe needs CAP_SYS_ADMIN: as nobody. */
static bool events_need_admin(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config1 = (uintptr_t) "/proc/self/exe",
	};
	FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	long fd;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%u", &attr.type), 1);
	ck_assert_int_eq(fclose(file), 0);
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		ck_assert_int_eq(close((int)fd), 0);
	return fd < 0 && errno == EACCES;
}

START_TEST(test_nobody_with_perf_events)
{
	if (!perfmon_is_enough())
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf event");
	become_nobody();
	choose(BY_EVENTS);
	make(&uprobe_links_object, 0);
	if (events_need_admin()) {
		ck_assert_int_eq(start(), -EACCES);
		ck_assert_msg(strstr(messages, "CAP_SYS_ADMIN is missing, which perf events of "
					       "uprobes need"),
			      "%s", messages);
	} else {
		ck_assert_msg(!start(), "%s", messages);
		call();
		stop();
		check_came(CALLS);
	}
	peat_session__free(session);
}
END_TEST

/* ---- pins ------------------------------------------------------------------------------------ */

/* The type of a link that is pinned there. */
static uint32_t pinned_type(int number)
{
	struct bpf_link_info info = { 0 }; /* newer ones are input, too */
	uint32_t bytes = sizeof(info);
	char name[64];
	int fd;

	snprintf(name, sizeof(name), PINS "/link-%d", number);
	fd = bpf_obj_get(name);
	ck_assert_msg(fd >= 0, "%s: %s", name, strerror(errno));
	ck_assert_int_eq(bpf_obj_get_info_by_fd(fd, &info, &bytes), 0);
	ck_assert_int_eq(close(fd), 0);
	return info.type;
}

static int start_pinned(const struct object_file *file)
{
	mounts__own_bpffs();
	make(file, 0);
	ck_assert_int_eq(peat_session__pin(session, PINS), 0);
	return start();
}

START_TEST(test_links_are_pinned)
{
	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	ck_assert_msg(!start_pinned(&uprobe_links_object), "%s", messages);
	ck_assert_int_eq(links__pin(session, 0, PINS "/link-0"), -EEXIST);
	ck_assert_int_eq(links__pin(session, 0, PINS "/again"), 0);
	peat_session__free(session);
	for (int i = ALL - 1; i >= 0; i--)
		ck_assert_uint_eq(pinned_type(i), LINK_TYPE);
}
END_TEST

/* Linux 5.15 and newer have links of perf events, which libbpf makes. */
START_TEST(test_pinned_perf_events)
{
	int err = start_pinned(&uprobe_tail_call_object);

	if (err == -EOPNOTSUPP)
		skip("this kernel has no links of perf events (Linux 5.15)");
	ck_assert_msg(!err, "%s", messages);
	ck_assert(links__is_link(session, 0));
	peat_session__free(session);
	for (int i = 1; i >= 0; i--)
		ck_assert_uint_eq(pinned_type(i), BPF_LINK_TYPE_PERF_EVENT);
}
END_TEST

/* Before, programs were attached by ioctl(2). */
START_TEST(test_perf_events_without_links)
{
	choose(BY_EVENTS);
	ck_assert_int_eq(start_pinned(&uprobe_links_object), -EOPNOTSUPP);
	ck_assert_msg(strstr(messages, "can be pinned on Linux 5.15 and newer"), "%s", messages);
	peat_session__free(session);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *uprobe_links_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("uprobe_links", 60, &tests);

	tcase_add_unchecked_fixture(tests, setup, NULL);
	tcase_add_loop_test(tests, test_functions_in_each_way, BY_LINKS, WAYS);
	tcase_add_loop_test(tests, test_one_process, BY_LINKS, WAYS);
	tcase_add_loop_test(tests, test_child_frees, BY_LINKS, WAYS);
	tcase_add_loop_test(tests, test_file_descriptors, BY_LINKS, WAYS);
	tcase_add_test(tests, test_file_descriptors_after_tracepoint);
	tcase_add_test(tests, test_program_array);
	tcase_add_test(tests, test_wrong_files);
	tcase_add_test(tests, test_kernel_is_tried);
	tcase_add_test(tests, test_lowest_file_descriptor);
	tcase_add_loop_test(tests, test_several_libraries, BY_LINKS, WAYS);
	tcase_add_test(tests, test_nobody_attaches_functions);
	tcase_add_test(tests, test_file_of_root);
	tcase_add_test(tests, test_nobody_with_perf_events);
	tcase_add_test(tests, test_links_are_pinned);
	tcase_add_test(tests, test_pinned_perf_events);
	tcase_add_test(tests, test_perf_events_without_links);
	return suite;
}

int main(int argc, char **argv)
{
	return harness__main(argc, argv, (const suite_fn[]){ uprobe_links_suite }, 1);
}
