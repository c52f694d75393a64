// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_filters.c: only events of processes that match a filter arrive.  Each process has two
 * threads, which call getpgid(2) and receive a signal without effect: so a task is filtered once as
 * the current task, and once as the target of a signal.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <bpf/bpf.h>

#include "session/filters.h"
#include "support/load/channel_load.h"
#include "live/bpf/filters.bpf.h"

EMBED_OBJECT(filters)
EMBED_TWINS(kinds)

#define CHILDREN 4
#define THREADS	 2
#define CALLS	 3

/* The properties of a child process. */
struct traits {
	const char *comm, *cgroup; /* NULL: as it is */
	uint32_t uid, cpu;
};

static struct thread {
	pid_t pid, tid;
} (*threads)[THREADS]; /* of each child, shared with it */

static int children, ready[2], go[2];
static struct bpf_object *object;
static struct bpf_link *links[2];

/* ---- the processes --------------------------------------------------------------------------- */

static void *report_and_call(void *thread_arg)
{
	struct thread *thread = thread_arg;
	char byte = 0;

	thread->pid = getpid();
	thread->tid = (pid_t)syscall(SYS_gettid);
	ck_assert_int_eq(write(ready[1], &byte, 1), 1);
	ck_assert_int_eq(read(go[0], &byte, 1), 0);
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getpgid, 0);
	return NULL;
}

static void enter_cgroup(const char *path)
{
	char procs[256];
	FILE *file;

	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	file = fopen(procs, "w");
	ck_assert_msg(file && fputs("0", file) >= 0 && !fclose(file), "%s: %s", procs,
		      strerror(errno));
}

static void become(const struct traits *traits)
{
	pin_to(traits->cpu);
	if (traits->cgroup)
		enter_cgroup(traits->cgroup);
	if (traits->comm) {
		ck_assert_int_eq(prctl(PR_SET_NAME, "a longer name ."), 0);
		ck_assert_int_eq(prctl(PR_SET_NAME, traits->comm), 0);
	}
	ck_assert_int_eq(setresuid(traits->uid, traits->uid, traits->uid), 0);
}

static void wait_ready(void)
{
	char byte;

	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
}

static void spawn(const struct traits *traits)
{
	struct thread *own = threads[children++];
	pthread_t second;
	pid_t pid;

	ck_assert_int_le(children, CHILDREN);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid) {
		for (int i = 0; i < THREADS; i++)
			wait_ready();
		return;
	}
	close(go[1]);
	become(traits);
	ck_assert_int_eq(pthread_create(&second, NULL, report_and_call, &own[1]), 0);
	report_and_call(&own[0]);
	pthread_join(second, NULL);
	_exit(0);
}

static void end_children(void)
{
	close(go[1]);
	while (wait(NULL) > 0)
		;
}

/* ---- the programs ---------------------------------------------------------------------------- */

static void setup(void)
{
	pin_to(0);
	threads = mmap(NULL, CHILDREN * sizeof(*threads), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(threads, MAP_FAILED);
	ck_assert_int_eq(pipe(ready), 0);
	ck_assert_int_eq(pipe(go), 0);
	open_channel(NULL);
}

static void teardown(void)
{
	for (int i = 0; i < 2; i++)
		bpf_link__destroy(links[i]);
	close_all();
}

static void set32(const char *name, uint32_t value)
{
	*(uint32_t *)object__variable(object, name, sizeof(value)) = value;
}

static void set_comm(const char *comm)
{
	strcpy(object__variable(object, "peat_filter_comm", 16), comm);
}

/* Opens the object: the caller sets the filters, then loads it. */
static void open_filtered(uint32_t filters)
{
	object = bind_object(&filters_object);
	set32("peat_filters", filters);
	set32("getpgid_number", SYS_getpgid);
	set32("sender_pid", (uint32_t)getpid());
	set32("signal_number", SIGWINCH);
}

/* ---- received events ------------------------------------------------------------------------- */

static uint32_t called[CHILDREN][THREADS], told[CHILDREN][THREADS];

/* Ignores other processes, which may call getpgid(2) too. */
static void count(const struct peat_event *event)
{
	bool is_call = !strcmp(peat_channel__type_name(channel, event->type), "called");

	ck_assert_uint_eq(event->size, sizeof(struct called));
	ck_assert_uint_eq(((const struct called *)event->data)->check, FILTERS_CHECK);
	for (int i = 0; i < children; i++)
		for (int t = 0; t < THREADS; t++) {
			if (event->tid != (uint32_t)threads[i][t].tid)
				continue;
			ck_assert_uint_eq(event->pid, (uint32_t)threads[i][t].pid);
			(*(is_call ? &called : &told))[i][t]++;
		}
}

static void run(void)
{
	object__load(object);
	open_channel_reader(100, 0);
	links[0] = object__attach(object, "of_current");
	links[1] = object__attach(object, "of_target");
	for (int i = 0; i < children; i++)
		for (int t = 0; t < THREADS; t++)
			ck_assert_int_eq(
				syscall(SYS_tgkill, threads[i][t].pid, threads[i][t].tid, SIGWINCH),
				0);
	end_children();
	drain_all(count);
}

/*
 * Expects events of the threads whose bit is set: 0x1 is the first thread of the first child.  If
 * programs are preempted (Linux 7.2), the kernel skips some runs and counts them.
 */
static void check_counts(uint32_t (*counts)[THREADS], uint32_t each, uint32_t passing)
{
	uint64_t missing = 0;

	for (int i = 0; i < children; i++)
		for (int t = 0; t < THREADS; t++, passing >>= 1) {
			uint32_t wanted = (passing & 1) * each;

			ck_assert_msg(counts[i][t] <= wanted, "%u events of child %d, thread %d",
				      counts[i][t], i, t);
			missing += wanted - counts[i][t];
		}
	ck_assert_uint_le(missing, object__misses(object, "of_current") +
					   object__misses(object, "of_target"));
}

static void run_and_check(uint32_t passing)
{
	run();
	check_counts(called, CALLS, passing);
	check_counts(told, 1, passing);
}

/* ---- one filter ------------------------------------------------------------------------------ */

START_TEST(test_without_filter)
{
	spawn(&(struct traits){ .uid = 4321 });
	spawn(&(struct traits){ .comm = "other" });
	open_filtered(0);
	/* Without its bit, a filter value is ignored. */
	set32("peat_filter_pid", 1);
	set32("peat_filter_tid", 1);
	set32("peat_filter_uid", 1);
	set_comm("none");
	run_and_check(0xf);
}
END_TEST

START_TEST(test_filters_by_pid)
{
	spawn(&(struct traits){ 0 });
	spawn(&(struct traits){ 0 });
	open_filtered(PEAT_FILTER_PID);
	set32("peat_filter_pid", (uint32_t)threads[0][0].pid);
	run_and_check(0x3);
}
END_TEST

START_TEST(test_filters_by_tid)
{
	spawn(&(struct traits){ 0 });
	spawn(&(struct traits){ 0 });
	open_filtered(PEAT_FILTER_TID);
	set32("peat_filter_tid", (uint32_t)threads[1][_i].tid);
	run_and_check(0x4u << _i);
}
END_TEST

START_TEST(test_filters_by_uid)
{
	spawn(&(struct traits){ .uid = 4321 });
	spawn(&(struct traits){ .uid = 4322 });
	spawn(&(struct traits){ .uid = 0 });
	open_filtered(PEAT_FILTER_UID);
	set32("peat_filter_uid", 4321);
	run_and_check(0x3);
}
END_TEST

START_TEST(test_uid_of_root)
{
	spawn(&(struct traits){ .uid = 4321 });
	spawn(&(struct traits){ .uid = 0 });
	open_filtered(PEAT_FILTER_UID);
	set32("peat_filter_uid", 0);
	run_and_check(0xc);
}
END_TEST

START_TEST(test_filters_by_comm)
{
	spawn(&(struct traits){ .comm = "peat-filter" });
	spawn(&(struct traits){ .comm = "peat-filter-12" });
	spawn(&(struct traits){ .comm = "peat-filter-123" });
	spawn(&(struct traits){ .comm = "peat" });
	open_filtered(PEAT_FILTER_COMM);
	set_comm(_i ? "peat-filter-123" : "peat-filter");
	run_and_check(_i ? 0x30 : 0x3);
}
END_TEST

/* The CPU that runs the program: that of the children, or of the sender of the signals. */
START_TEST(test_filters_by_cpu)
{
	struct cpus cpus = online_cpus();
	uint32_t last = 0;

	for_each_cpu (cpu, &cpus)
		last = cpu;
	cpus__free(&cpus);
	if (!last)
		skip("there is one CPU only");
	spawn(&(struct traits){ .cpu = last });
	spawn(&(struct traits){ .cpu = 0 });
	open_filtered(PEAT_FILTER_CPU);
	((uint64_t *)object__variable(object, "peat_filter_cpus", 1024))[last / 64] = 1ULL
										      << last % 64;
	run();
	check_counts(called, CALLS, 0x3);
	check_counts(told, 1, 0);
}
END_TEST

/* ---- cgroups --------------------------------------------------------------------------------- */

static char hierarchy[] = "/tmp/peat-cgroups-XXXXXX", top[64], inner[80], beside[64];

/* Mounts cgroup2 for this process only; the cgroups are visible to all.  NULL, or the error. */
static const char *mount_hierarchy(void)
{
	struct stat root;

	ck_assert_ptr_nonnull(mkdtemp(hierarchy));
	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	if (mount("cgroup2", hierarchy, "cgroup2", 0, NULL)) {
		ck_assert_int_eq(errno, ENODEV);
		rmdir(hierarchy);
		return "this kernel has no cgroup v2";
	}
	ck_assert_int_eq(stat(hierarchy, &root), 0);
	if (root.st_ino == 1)
		return NULL;
	umount(hierarchy);
	rmdir(hierarchy);
	return "this cgroup namespace hides the root, and with it the levels";
}

static void make_cgroups(void)
{
	snprintf(top, sizeof(top), "%s/peat-%d", hierarchy, getpid());
	snprintf(inner, sizeof(inner), "%s/inner", top);
	snprintf(beside, sizeof(beside), "%s/peat-%d-2", hierarchy, getpid());
	ck_assert_int_eq(mkdir(top, 0755), 0);
	ck_assert_int_eq(mkdir(inner, 0755), 0);
	ck_assert_int_eq(mkdir(beside, 0755), 0);
}

static void remove_cgroups(void)
{
	ck_assert_int_eq(rmdir(inner), 0);
	ck_assert_int_eq(rmdir(top), 0);
	ck_assert_int_eq(rmdir(beside), 0);
	ck_assert_int_eq(umount(hierarchy), 0);
	ck_assert_int_eq(rmdir(hierarchy), 0);
}

/*
 * Gives the object a map with the cgroup, as filters__set() does on kernels without the helper.
 * `path` NULL: an empty map.
 */
static void use_cgroup_map(const char *path)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "peat_cgroup");
	int fd = bpf_map_create(BPF_MAP_TYPE_CGROUP_ARRAY, "peat_cgroup", 4, 4, 1, NULL);
	int cgroup = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	ck_assert_int_ge(fd, 0);
	if (path)
		ck_assert_int_eq(bpf_map_update_elem(fd, &(uint32_t){ 0 }, &cgroup, 0), 0);
	ck_assert_int_eq(bpf_map__reuse_fd(map, fd), 0);
	ck_assert_int_eq(bpf_map__set_autocreate(map, true), 0);
	if (path)
		close(cgroup);
	close(fd);
	set32("peat_filter_by_map", 1);
}

/* The cgroup and those below it, not those above and beside it. */
START_TEST(test_filters_by_cgroup)
{
	static const struct {
		const char *path;
		uint32_t passing;
	} chosen[] = {
		{ hierarchy, 0xff },
		{ top, 0x0f },
		{ inner, 0x0c },
		{ beside, 0x30 },
	};
	const char *path = chosen[_i / 2].path;
	const char *reason = mount_hierarchy();

	if (reason)
		skip("%s", reason);
	make_cgroups();
	spawn(&(struct traits){ .cgroup = top });
	spawn(&(struct traits){ .cgroup = inner });
	spawn(&(struct traits){ .cgroup = beside });
	spawn(&(struct traits){ .cgroup = hierarchy });
	open_filtered(0);
	ck_assert_int_eq(
		filters__set(object, "filters", &(struct peat_session_opts){ .cgroup = path }), 0);
	if (_i % 2)
		use_cgroup_map(path);
	run();
	remove_cgroups();
	check_counts(called, CALLS, chosen[_i / 2].passing);
	check_counts(told, 1, chosen[_i / 2].passing);
}
END_TEST

/* ---- more than one filter -------------------------------------------------------------------- */

START_TEST(test_all_filters_have_to_match)
{
	spawn(&(struct traits){ .comm = "peat-filter", .uid = 4321 });
	spawn(&(struct traits){ .comm = "peat-filter", .uid = 4322 });
	spawn(&(struct traits){ .comm = "peat-other", .uid = 4321 });
	open_filtered(PEAT_FILTER_UID | PEAT_FILTER_COMM);
	set32("peat_filter_uid", 4321);
	set_comm("peat-filter");
	run_and_check(0x3);
}
END_TEST

START_TEST(test_thread_of_another_process)
{
	spawn(&(struct traits){ 0 });
	spawn(&(struct traits){ 0 });
	open_filtered(PEAT_FILTER_PID | PEAT_FILTER_TID);
	set32("peat_filter_pid", (uint32_t)threads[0][0].pid);
	set32("peat_filter_tid", (uint32_t)threads[1][0].tid);
	run_and_check(0);
}
END_TEST

static bool has_cgroup_helper(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT,
				       BPF_FUNC_get_current_ancestor_cgroup_id, NULL) == 1;
}

/* The verifier accepts each helper in tracing programs of each type. */
START_TEST(test_all_filters_load)
{
	static const char *const kinds[] = { "of_raw_tp", "of_tp_btf", "of_tp", "of_kprobe",
					     "of_perf_event" };
	const char *kind = kinds[_i / 2];
	struct bpf_program *program;

	object = bind_object(&kinds_object);
	set32("peat_filters", PEAT_FILTER_PID | PEAT_FILTER_TID | PEAT_FILTER_UID |
				      PEAT_FILTER_COMM | PEAT_FILTER_CGROUP | PEAT_FILTER_CPU);
	if (_i % 2 || !has_cgroup_helper())
		use_cgroup_map(NULL);
	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, !strcmp(bpf_program__name(program), kind));
	object__load(object);
	ck_assert_int_ge(object__program_fd(object, kind), 0);
}
END_TEST

/* ---- the task of an event -------------------------------------------------------------------- */

static uint32_t wanted_pid, wanted_tid;

static void check_given(const struct peat_event *event)
{
	ck_assert_uint_eq(event->pid, wanted_pid);
	ck_assert_uint_eq(event->tid, wanted_tid);
	ck_assert_uint_eq(((const struct told *)event->data)->check, FILTERS_CHECK);
}

/* Without ids, nothing is written in their place. */
START_TEST(test_filter_task_is_given)
{
	uint64_t *head_bytes;

	open_filtered(0);
	head_bytes = object__variable(object, "peat_head_bytes", sizeof(*head_bytes));
	*head_bytes = _i ? PEAT_HEAD_ALONE : PEAT_HEAD_WITH_IDS;
	object__load(object);
	open_channel_reader(100, 0);
	wanted_pid = _i ? 0 : 1234567;
	wanted_tid = _i ? 0 : 7654321;
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(call(object, "of_given", 1234567, 7654321), 0);
	finish_whole(100, check_given);
}
END_TEST

/* The filters apply where the operation began, not where its event is made. */
START_TEST(test_filter_task_is_accepted_before)
{
	uint32_t own = (uint32_t)getpid();

	open_filtered(PEAT_FILTER_PID);
	set32("peat_filter_pid", _i ? own : own + 1);
	object__load(object);
	open_channel_reader(100, 0);
	wanted_pid = 1234567;
	wanted_tid = 7654321;
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(call(object, "of_accepted", (uint64_t)_i, 0), 0);
	finish_whole(100, check_given);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *filters_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("filters", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_without_filter);
	tcase_add_test(tests, test_filters_by_pid);
	tcase_add_loop_test(tests, test_filters_by_tid, 0, THREADS);
	tcase_add_test(tests, test_filters_by_uid);
	tcase_add_test(tests, test_uid_of_root);
	tcase_add_loop_test(tests, test_filters_by_comm, 0, 2);
	tcase_add_test(tests, test_filters_by_cpu);
	tcase_add_loop_test(tests, test_filters_by_cgroup, 0, 8);
	tcase_add_test(tests, test_all_filters_have_to_match);
	tcase_add_test(tests, test_thread_of_another_process);
	tcase_add_loop_test(tests, test_all_filters_load, 0, 10);
	tcase_add_loop_test(tests, test_filter_task_is_given, 0, 2);
	tcase_add_loop_test(tests, test_filter_task_is_accepted_before, 0, 2);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { filters_suite };

	return harness__main(argc, argv, suites, 1);
}
