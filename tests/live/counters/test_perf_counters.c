// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_perf_counters.c: peat_counters of this thread, of other tasks, of CPUs and of a cgroup. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/counters/counted.h"
#include "support/machine/breakpoints.h"
#include "support/machine/paranoid.h"
#include "support/machine/command.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"
#include "sys/cpus.h"

/* Counters of this thread, which count. */
static void open_own(const char *events)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts), .events = events };

	open_with(&opts);
	enable();
}

static void check_fails(const struct peat_counters_opts *opts, int err, const char *message)
{
	unsigned fds = process__count_fds();

	logged[0] = '\0';
	ck_assert_ptr_null(peat_counters__new(opts));
	ck_assert_msg(errno == err, "%s, not %s", strerror(errno), strerror(err));
	ck_assert_msg(strstr(logged, message), "no '%s' in '%s'", message, logged);
	ck_assert_uint_eq(process__count_fds(), fds);
}

static void update(void)
{
	ck_assert_msg(!peat_counters__read(counters), "%s", logged);
}

static struct peat_counter_value last(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__value(counters, event, &value), 0);
	return value;
}

static struct peat_counter_value last_part(uint32_t event, uint32_t part)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__part(counters, event, part, &value), 0);
	return value;
}

static uint64_t count(uint32_t event)
{
	update();
	return last(event).value;
}

/* Writes to new pages: a fault for each. */
static void fault(unsigned pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	madvise(memory, pages * page, MADV_NOHUGEPAGE);
	for (unsigned i = 0; i < pages; i++)
		memory[i * page] = 1;
	munmap(memory, pages * page);
}

/* ---- this thread ----------------------------------------------------------------------------- */

START_TEST(test_page_faults)
{
	uint64_t faults;

	open_own("page-faults");
	fault(200);
	faults = count(0);
	ck_assert_uint_ge(faults, 200);
	ck_assert_uint_le(faults, 300); /* sanitizers have pages of their own */
	ck_assert_uint_eq(last(0).scaled, faults);
	ck_assert_double_eq(last(0).amount, (double)faults);
	ck_assert_ptr_null(last(0).unit);
	ck_assert_int_eq(last(0).status, PEAT_COUNTER_COUNTED);
	ck_assert_int_eq(last(0).tid, -1);
	ck_assert_uint_eq(last(0).group, PEAT_COUNTER_NO_GROUP);
	ck_assert_uint_eq(peat_counters__parts(counters, 0), 1);
	ck_assert_int_eq(last_part(0, 0).tid, 0);
	ck_assert_int_eq(peat_counters__fd(counters), -1);
}
END_TEST

START_TEST(test_system_calls_are_counted_exactly)
{
	open_own(CALLS ",task-clock");
	call_getpgid(1000);
	ck_assert_uint_eq(count(0), 1000);
	ck_assert_str_eq(last(1).unit, "ns");
	ck_assert_uint_gt(last(1).value, 0);
}
END_TEST

START_TEST(test_disabled_counters_keep_their_counts)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts), .events = CALLS };

	open_with(&opts);
	call_getpgid(5);
	ck_assert_uint_eq(count(0), 0);
	ck_assert_int_eq(last(0).status, PEAT_COUNTER_NOT_COUNTED);
	enable();
	call_getpgid(10);
	ck_assert_int_eq(peat_counters__disable(counters), 0);
	call_getpgid(20);
	ck_assert_uint_eq(count(0), 10);
	enable();
	call_getpgid(40);
	ck_assert_uint_eq(count(0), 50);
}
END_TEST

/* Counts between the reading and the reset are in the next interval. */
START_TEST(test_intervals_lose_nothing)
{
	open_own(CALLS);
	call_getpgid(7);
	ck_assert_uint_eq(count(0), 7);
	call_getpgid(2);
	peat_counters__reset(counters);
	ck_assert_uint_eq(last(0).value, 0);
	ck_assert_uint_eq(last(0).enabled_ns, 0);
	call_getpgid(3);
	ck_assert_uint_eq(count(0), 5);
	ck_assert_uint_gt(last(0).enabled_ns, 0);
}
END_TEST

START_TEST(test_filter_of_tracepoint)
{
	open_own(CALLS "/pid==7/," CALLS);
	for (int i = 0; i < 30; i++)
		syscall(SYS_getpgid, i % 3 ? 0 : 7);
	ck_assert_uint_eq(count(0), 10);
	ck_assert_uint_eq(last(1).value, 30);
}
END_TEST

START_TEST(test_invalid_filter)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = CALLS "/no_such_field==7/" };

	check_fails(&opts, EINVAL, "invalid filter");
}
END_TEST

/* ---- groups ---------------------------------------------------------------------------------- */

/* A group is read at once: its events have the same times, and exact values. */
START_TEST(test_group_is_read_at_once)
{
	open_own("{" CALLS ",page-faults,task-clock}," CALLS);
	call_getpgid(100);
	fault(50);
	update();
	ck_assert_uint_eq(last(0).value, 100);
	ck_assert_uint_ge(last(1).value, 50);
	ck_assert_uint_le(last(1).value, 70);
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(last(i).group, 0);
		ck_assert_uint_eq(last(i).enabled_ns, last(0).enabled_ns);
		ck_assert_uint_eq(last(i).running_ns, last(0).running_ns);
	}
	ck_assert_uint_eq(last(3).value, 100);
	ck_assert_uint_eq(last(3).group, PEAT_COUNTER_NO_GROUP);
}
END_TEST

static int call_from_child(void *calls)
{
	call_getpgid(*(unsigned *)calls);
	return 0;
}

START_TEST(test_group_is_inherited)
{
	unsigned calls = 30;

	open_own("{" CALLS ",page-faults}");
	call_getpgid(12);
	process__do(call_from_child, &calls);
	ck_assert_uint_eq(count(0), 42);
	ck_assert_uint_gt(last(1).value, 0);
}
END_TEST

START_TEST(test_children_are_counted)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts), .events = CALLS };
	unsigned calls = 30;

	open_own(CALLS);
	process__do(call_from_child, &calls);
	call_getpgid(1);
	ck_assert_uint_eq(count(0), 31);
	teardown();
	opts.no_inherit = true;
	open_with(&opts);
	enable();
	process__do(call_from_child, &calls);
	call_getpgid(1);
	ck_assert_uint_eq(count(0), 1);
}
END_TEST

/* ---- hardware -------------------------------------------------------------------------------- */

static bool has_event(const char *events)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts), .events = events };
	struct peat_counters *found = peat_counters__new(&opts);

	peat_counters__free(found);
	return found;
}

static uint64_t spin(void)
{
	volatile uint64_t sum = 0;

	for (uint64_t i = 0; i < 1000000; i++)
		sum += i;
	return sum;
}

START_TEST(test_counts_cycles)
{
	if (!has_event("cycles"))
		skip("no hardware counters on this machine");
	open_own("cycles,cycles:u");
	spin();
	update();
	ck_assert_int_eq(last(0).status, PEAT_COUNTER_COUNTED);
	ck_assert_uint_gt(last(0).scaled, 100000);
	ck_assert_str_eq(last(1).name, "cycles:u");
	ck_assert_uint_gt(last(1).scaled, 100000);
}
END_TEST

START_TEST(test_group_of_hardware_counters)
{
	if (!has_event("{cycles,instructions}"))
		skip("no hardware counters of cycles and instructions on this machine");
	open_own("{cycles,instructions}");
	spin();
	update();
	ck_assert_uint_gt(last(0).value, 100000);
	ck_assert_uint_gt(last(1).value, 3000000);
	ck_assert_uint_eq(last(0).enabled_ns, last(1).enabled_ns);
	ck_assert_uint_eq(last(0).running_ns, last(1).running_ns);
}
END_TEST

/* More events than the PMU has counters are counted in turns. */
START_TEST(test_multiplexed_counts_are_scaled)
{
	static const char list[] = "cycles:u,cycles:k,cycles,cycles:u,cycles:k,cycles,cycles:u,"
				   "cycles:k,cycles,cycles:u,cycles:k,cycles,cycles:u,cycles:k,"
				   "cycles,cycles:u,cycles:k,cycles,cycles:u,cycles:k";
	uint32_t partial = 0;

	if (!has_event("cycles"))
		skip("no hardware counters on this machine");
	open_own(list);
	for (int i = 0; i < 100; i++)
		spin();
	update();
	for (uint32_t i = 0; i < peat_counters__count(counters); i++) {
		struct peat_counter_value value = last(i);

		if (!value.running_ns || value.running_ns >= value.enabled_ns)
			continue;
		partial++;
		ck_assert_uint_ge(value.scaled, value.value);
	}
	ck_assert_uint_gt(partial, 0);
}
END_TEST

START_TEST(test_optional_event_is_left_out)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts),
					   .events = "{node-prefetch-misses," CALLS "}" };

	if (has_event("node-prefetch-misses"))
		skip("this machine counts node-prefetch-misses");
	check_fails(&opts, EOPNOTSUPP, "cannot count node-prefetch-misses");
	opts.optional = true;
	open_with(&opts);
	enable();
	call_getpgid(3);
	ck_assert_uint_eq(count(1), 3);
	ck_assert_int_eq(last(0).status, PEAT_COUNTER_NOT_SUPPORTED);
	ck_assert_uint_eq(peat_counters__parts(counters, 0), 0);
}
END_TEST

/* ---- breakpoints ----------------------------------------------------------------------------- */

static volatile uint32_t watched[2];

static void write_to(uint32_t index, unsigned writes)
{
	while (writes--)
		watched[index] = writes;
}

static const char *breakpoint_on(volatile uint32_t *at)
{
	static char name[64];

	snprintf(name, sizeof(name), "mem:%p/4:w", (void *)at);
	return name;
}

START_TEST(test_breakpoint_counts_writes)
{
	need_breakpoints();
	open_own(breakpoint_on(&watched[0]));
	write_to(0, 77);
	write_to(1, 5);
	ck_assert_uint_eq(count(0), 77);
}
END_TEST

START_TEST(test_breakpoint_moves)
{
	need_breakpoints();
	open_own(breakpoint_on(&watched[0]));
	write_to(0, 10);
	ck_assert_int_eq(peat_counters__move_breakpoint(counters, 0, (uintptr_t)&watched[1]), 0);
	write_to(0, 100);
	write_to(1, 7);
	ck_assert_uint_eq(count(0), 17);
	ck_assert_int_eq(peat_counters__disable(counters), 0);
	ck_assert_int_eq(peat_counters__move_breakpoint(counters, 0, (uintptr_t)&watched[0]), 0);
	write_to(0, 100);
	ck_assert_uint_eq(count(0), 17);
	enable();
	write_to(0, 3);
	ck_assert_uint_eq(count(0), 20);
}
END_TEST

/* Events of user space cannot watch it. */
#define KERNEL_ADDRESS (UINT64_MAX - 0xfff)

START_TEST(test_breakpoint_that_cannot_move)
{
	char name[64];

	need_breakpoints();
	snprintf(name, sizeof(name), "mem:%p/4:w:u", (void *)&watched[0]);
	open_own(name);
	ck_assert_int_eq(peat_counters__move_breakpoint(counters, 0, KERNEL_ADDRESS), -EINVAL);
	ck_assert_msg(strstr(logged, "cannot move mem:"), "%s", logged);
	write_to(0, 3);
	ck_assert_uint_eq(count(0), 3);
	teardown();
	open_own(CALLS);
	ck_assert_int_eq(peat_counters__move_breakpoint(counters, 0, 0), -EINVAL);
	ck_assert_msg(strstr(logged, "it is no breakpoint"), "%s", logged);
	ck_assert_int_eq(peat_counters__move_breakpoint(counters, 1, 0), -EINVAL);
}
END_TEST

/* ---- other tasks ----------------------------------------------------------------------------- */

struct caller {
	unsigned calls;
	int begin[2], done[2];
};

static int call_when_told(void *arg)
{
	struct caller *caller = arg;
	char byte;

	while (read(caller->begin[0], &byte, 1) == 1 && byte != 'q') {
		call_getpgid(caller->calls);
		if (write(caller->done[1], &byte, 1) != 1)
			return 1;
	}
	return 0;
}

static void tell(const struct caller *caller, char byte)
{
	ck_assert_int_eq(write(caller->begin[1], &byte, 1), 1);
	if (byte != 'q')
		ck_assert_int_eq(read(caller->done[0], &byte, 1), 1);
}

static struct caller new_caller(unsigned calls)
{
	struct caller caller = { .calls = calls };

	ck_assert_int_eq(pipe(caller.begin), 0);
	ck_assert_int_eq(pipe(caller.done), 0);
	return caller;
}

START_TEST(test_running_process)
{
	struct caller caller = new_caller(25);
	uint32_t pid = (uint32_t)process__start(call_when_told, &caller);
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = CALLS, .pids = &pid, .pid_count = 1
	};

	tell(&caller, 'c');
	open_with(&opts);
	enable();
	tell(&caller, 'c');
	call_getpgid(500);
	ck_assert_uint_eq(count(0), 25);
	ck_assert_int_eq(last_part(0, 0).tid, (int)pid);
	tell(&caller, 'c');
	tell(&caller, 'q');
	ck_assert_int_eq(process__wait((pid_t)pid), 0);
	ck_assert_uint_eq(count(0), 50);
	teardown();
	check_fails(&opts, ESRCH, "it does not exist, or it has ended");
}
END_TEST

static void *call_in_thread(void *caller)
{
	call_when_told(caller);
	return NULL;
}

START_TEST(test_threads_of_a_process)
{
	uint32_t pid = (uint32_t)getpid(), parts;
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = CALLS, .pids = &pid, .pid_count = 1
	};
	struct caller caller = new_caller(9);
	pthread_t thread;
	uint64_t sum = 0;

	ck_assert_int_eq(pthread_create(&thread, NULL, call_in_thread, &caller), 0);
	tell(&caller, 'c');
	open_with(&opts);
	enable();
	tell(&caller, 'c');
	call_getpgid(4);
	ck_assert_uint_eq(count(0), 13);
	parts = peat_counters__parts(counters, 0);
	ck_assert_uint_eq(parts, 2);
	for (uint32_t i = 0; i < parts; i++) {
		struct peat_counter_value part = last_part(0, i);

		ck_assert_uint_eq(part.value, part.tid == getpid() ? 4 : 9);
		sum += part.value;
	}
	ck_assert_uint_eq(sum, 13);
	tell(&caller, 'q');
	pthread_join(thread, NULL);
}
END_TEST

static int execute_when_told(void *arg)
{
	struct caller *caller = arg;
	const char *path = process__program();
	char byte;

	if (read(caller->begin[0], &byte, 1) != 1)
		return 1;
	call_getpgid(caller->calls);
	execl(path, path, NULL);
	return 1;
}

/* Faults of the child before it executes the program are not counted. */
START_TEST(test_enable_on_exec)
{
	struct caller caller = new_caller(40);
	uint32_t pid = (uint32_t)process__start(execute_when_told, &caller);
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = "{" CALLS ",page-faults},page-faults",
						 .pids = &pid,
						 .pid_count = 1,
						 .enable_on_exec = true };

	open_with(&opts);
	ck_assert_int_eq(write(caller.begin[1], "c", 1), 1);
	process__wait((pid_t)pid);
	update();
	ck_assert_uint_eq(last(0).value, 0);
	ck_assert_uint_gt(last(1).value, 0);
	ck_assert_uint_eq(last(1).value, last(2).value);
}
END_TEST

/* ---- CPUs and cgroups ------------------------------------------------------------------------ */

static const char *own_calls(void)
{
	static char event[96];

	snprintf(event, sizeof(event), CALLS "/common_pid==%d/", (int)getpid());
	return event;
}

START_TEST(test_sum_of_cpus)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = own_calls(),
						 .all_tasks = true };
	struct cpus online;
	uint64_t sum = 0;

	ck_assert_int_eq(cpus__read(&online, "online"), 0);
	open_with(&opts);
	ck_assert_int_ge(peat_counters__fd(counters), 0);
	enable();
	for_each_cpu (cpu, &online) {
		ck_assert_int_eq(process__pin_to(cpu), 0);
		call_getpgid(10 + cpu);
		sum += 10 + cpu;
	}
	ck_assert_uint_eq(count(0), sum);
	ck_assert_uint_eq(peat_counters__parts(counters, 0), cpus__count(&online));
	for (uint32_t i = 0; i < peat_counters__parts(counters, 0); i++) {
		struct peat_counter_value part = last_part(0, i);

		ck_assert_uint_eq(part.value, 10 + (uint64_t)part.cpu);
		ck_assert_int_eq(part.tid, -1);
	}
	cpus__free(&online);
}
END_TEST

/* A task that runs on each CPU for a part of the time is not scaled. */
START_TEST(test_task_on_cpus)
{
	char list[32];
	struct peat_counters_opts opts = { .sz = sizeof(opts), .events = CALLS, .cpus = list };
	struct cpus online;

	ck_assert_int_eq(cpus__read(&online, "online"), 0);
	snprintf(list, sizeof(list), "0,%u", online.limit - 1);
	open_with(&opts);
	ck_assert_int_eq(process__pin_to(online.limit - 1), 0);
	enable();
	call_getpgid(30);
	ck_assert_int_eq(process__pin_to(0), 0);
	call_getpgid(12);
	update();
	ck_assert_uint_eq(last(0).value, 42);
	ck_assert_uint_eq(last(0).scaled, 42);
	for (uint32_t i = 0; online.limit > 1 && i < 2; i++)
		ck_assert_uint_eq(last_part(0, i).scaled, last_part(0, i).cpu ? 30 : 12);
	cpus__free(&online);
}
END_TEST

START_TEST(test_chosen_cpus)
{
	struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = own_calls(), .all_tasks = true, .cpus = "0"
	};

	open_with(&opts);
	ck_assert_uint_eq(peat_counters__parts(counters, 0), 1);
	teardown();
	opts.cpus = "65000";
	check_fails(&opts, ENODEV, "this machine has no CPU 65000");
}
END_TEST

struct member {
	const char *cgroup;
	unsigned calls;
};

static int call_in_cgroup(void *arg)
{
	const struct member *member = arg;

	mounts__enter_cgroup(member->cgroup);
	call_getpgid(member->calls);
	return 0;
}

START_TEST(test_counts_in_cgroup)
{
	char path[512];
	struct member member = { path, 60 };
	struct peat_counters_opts opts = { .sz = sizeof(opts), .events = CALLS, .cgroup = path };

	snprintf(path, sizeof(path), "%s/peat-counters-%d", mounts__perf_cgroup2(), (int)getppid());
	rmdir(path);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	counters = peat_counters__new(&opts);
	if (counters && !peat_counters__enable(counters)) {
		call_getpgid(1000);
		process__do(call_in_cgroup, &member);
	}
	rmdir(path);
	ck_assert_msg(counters, "%s", logged);
	ck_assert_uint_eq(count(0), 60);
	ck_assert_uint_eq(last(0).scaled, 60);
	teardown();
	check_fails(&opts, ENOENT, "is not a cgroup");
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

START_TEST(test_without_privileges)
{
	const struct peat_counters_opts all = { .sz = sizeof(all),
						.events = "page-faults",
						.all_tasks = true };

	if (paranoid_level() != 2)
		skip("kernel.perf_event_paranoid is not 2");
	command__limit_caps(0);
	open_own("page-faults,{task-clock,page-faults:u}");
	fault(100);
	update();
	ck_assert_str_eq(last(0).name, "page-faults:u");
	ck_assert_str_eq(last(1).name, "task-clock:u");
	ck_assert_str_eq(last(2).name, "page-faults:u");
	ck_assert_uint_ge(last(0).value, 100);
	check_fails(&all, EACCES, "CAP_PERFMON is missing");
}
END_TEST

static void limit_files(rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = { soft, hard };

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Files with higher numbers may be open. */
static rlim_t lowest_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	close(fd);
	return (rlim_t)fd;
}

START_TEST(test_soft_limit_of_files_is_raised)
{
	rlim_t fds = lowest_free_fd();
	struct rlimit limit;

	limit_files(fds + 5, fds + 60); /* enough for the name of a tracepoint */
	open_own(CALLS ",page-faults,task-clock,minor-faults,page-faults,task-clock");
	call_getpgid(5);
	ck_assert_uint_eq(count(0), 5);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_uint_eq(limit.rlim_cur, fds + 60);
}
END_TEST

START_TEST(test_hard_limit_of_files_is_named)
{
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts),
		.events = "page-faults,task-clock,page-faults,task-clock,page-faults,"
			  "task-clock,page-faults,task-clock,page-faults,task-clock"
	};
	rlim_t fds = lowest_free_fd() + 4;

	limit_files(fds, fds);
	check_fails(&opts, EMFILE, "raise RLIMIT_NOFILE");
}
END_TEST

START_TEST(test_wrong_options)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts) };
	struct peat_counter_value value = { .sz = sizeof(value) };

	check_fails(&opts, EINVAL, "no events");
	opts.events = "";
	check_fails(&opts, EINVAL, "no events");
	opts.events = "no-such-event";
	check_fails(&opts, ENOENT, "no-such-event");
	opts.events = "page-faults";
	opts.sz = 0;
	check_fails(&opts, EINVAL, ".sz");
	open_own("page-faults");
	ck_assert_int_eq(peat_counters__value(counters, 1, &value), -EINVAL);
	ck_assert_int_eq(peat_counters__part(counters, 0, 1, &value), -EINVAL);
	ck_assert_uint_eq(peat_counters__parts(counters, 1), 0);
	value.sz = 0;
	ck_assert_int_eq(peat_counters__value(counters, 0, &value), -EINVAL);
	peat_counters__free(NULL);
}
END_TEST

START_TEST(test_descriptors_are_closed)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = "{" CALLS ",page-faults},task-clock",
						 .all_tasks = true };
	unsigned fds = process__count_fds();

	open_with(&opts);
	ck_assert_uint_gt(process__count_fds(), fds);
	teardown();
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

static Suite *perf_counters_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perf_counters", 30, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_page_faults);
	tcase_add_test(tests, test_system_calls_are_counted_exactly);
	tcase_add_test(tests, test_disabled_counters_keep_their_counts);
	tcase_add_test(tests, test_intervals_lose_nothing);
	tcase_add_test(tests, test_filter_of_tracepoint);
	tcase_add_test(tests, test_invalid_filter);
	tcase_add_test(tests, test_group_is_read_at_once);
	tcase_add_test(tests, test_group_is_inherited);
	tcase_add_test(tests, test_children_are_counted);
	tcase_add_test(tests, test_counts_cycles);
	tcase_add_test(tests, test_group_of_hardware_counters);
	tcase_add_test(tests, test_multiplexed_counts_are_scaled);
	tcase_add_test(tests, test_optional_event_is_left_out);
	tcase_add_test(tests, test_breakpoint_counts_writes);
	tcase_add_test(tests, test_breakpoint_moves);
	tcase_add_test(tests, test_breakpoint_that_cannot_move);
	tcase_add_test(tests, test_running_process);
	tcase_add_test(tests, test_threads_of_a_process);
	tcase_add_test(tests, test_enable_on_exec);
	tcase_add_test(tests, test_sum_of_cpus);
	tcase_add_test(tests, test_task_on_cpus);
	tcase_add_test(tests, test_chosen_cpus);
	tcase_add_test(tests, test_counts_in_cgroup);
	tcase_add_test(tests, test_without_privileges);
	tcase_add_test(tests, test_soft_limit_of_files_is_raised);
	tcase_add_test(tests, test_hard_limit_of_files_is_named);
	tcase_add_test(tests, test_wrong_options);
	tcase_add_test(tests, test_descriptors_are_closed);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { perf_counters_suite };

	return harness__main(argc, argv, suites, 1);
}
