// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_maps_of_others.c: perf event arrays of other programs: found, taken over, left to the next
 * reader.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "support/machine/paranoid.h"
#include "support/load/renames.h"
#include "read_maps.h"

EMBED_OBJECT(renames)

static const char *decimal(const char *before, long long number)
{
	static char text[4][40];
	static unsigned next;
	char *chosen = text[next++ % 4];

	snprintf(chosen, sizeof(text[0]), "%s%lld", before, number);
	return chosen;
}

/* ---- maps and programs of the tests ---------------------------------------------------------- */

static int make_map(enum bpf_map_type type, const char *name, uint32_t flags)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);
	int fd = bpf_map_create(type, name, 4, 4, 64, &opts);

	ck_assert_msg(fd >= 0, "bpf_map_create: %s", strerror(errno));
	return fd;
}

static uint32_t id_of(int map_fd)
{
	char path[64], line[128];
	unsigned id = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", map_fd);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file) && sscanf(line, "map_id: %u", &id) != 1)
		;
	fclose(file);
	ck_assert_uint_ne(id, 0);
	return id;
}

static struct bpf_object *object;
static struct bpf_link *attached;

/*
 * The map by id, since other maps may have its name: the kernel frees those of the last test late.
 */
static char which[32];

static int load_renames(void)
{
	object = object__open(&renames_object);
	object__load(object);
	attached = object__attach(object, "on_rename");
	snprintf(which, sizeof(which), "id=%u", id_of(object__map_fd(object, "renames")));
	return object__map_fd(object, "renames");
}

static struct renames_counts counts_now(void)
{
	const volatile struct renames_counts *counts =
		object__variable(object, "counts", sizeof(*counts));

	return *counts;
}

static void unload_renames(void)
{
	bpf_link__destroy(attached);
	bpf_object__close(object);
}

/* ---- finding --------------------------------------------------------------------------------- */

static void check_opens(const char *text, uint32_t id)
{
	int fd = peat_map__open(text);

	ck_assert_msg(fd >= 0, "%s: %s", text, messages);
	ck_assert_uint_eq(id_of(fd), id);
	close(fd);
}

static void check_refused(const char *text, int err, const char *word)
{
	*messages = 0;
	ck_assert_int_eq(peat_map__open(text), err);
	ck_assert_int_eq(errno, -err);
	ck_assert_msg(strstr(messages, word), "'%s' does not say '%s'", messages, word);
}

START_TEST(test_found_by_id_name_and_path)
{
	int fd = make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_t_found_an", 0);
	uint32_t id = id_of(fd);

	ck_assert_int_eq(bpf_obj_pin(fd, "/sys/fs/bpf/found"), 0);
	check_opens(decimal("id=", id), id);
	check_opens(decimal("id:", id), id);
	check_opens("name=peat_t_found_an", id);
	check_opens("name=peat_t_found_and_cut_by_the_kernel", id);
	check_opens("/sys/fs/bpf/found", id);
	check_opens("pinned:/sys/fs/bpf/found", id);
	close(fd);
	check_opens("/sys/fs/bpf/found", id);
}
END_TEST

START_TEST(test_several_of_one_name)
{
	int fds[2] = { make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_t_twins", 0),
		       make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_t_twins", 0) };
	int other = make_map(BPF_MAP_TYPE_ARRAY, "peat_t_twins", 0);

	check_refused("name=peat_t_twins", -ENOTUNIQ, decimal("id=", id_of(fds[0])));
	ck_assert_ptr_nonnull(strstr(messages, decimal("id=", id_of(fds[1]))));
	close(fds[0]);
	check_opens("name=peat_t_twins", id_of(fds[1]));
	close(fds[1]);
	check_refused("name=peat_t_twins", -ENOENT, "of other types");
	close(other);
}
END_TEST

START_TEST(test_maps_that_cannot_be_read)
{
	int array = make_map(BPF_MAP_TYPE_ARRAY, "peat_t_array", 0);
	int frozen = make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_t_frozen", 0);

	ck_assert_int_eq(bpf_map_freeze(frozen), 0);
	check_refused(decimal("id=", id_of(frozen)), -EPERM, "is frozen");
	check_refused(decimal("id=", id_of(array)), -EINVAL, "is not a perf event array");
	check_refused("name=peat_t_nothing", -ENOENT, "no perf event array 'peat_t_nothing'");
	check_refused("id=4294967295", -ENOENT, "no BPF map '");
	check_refused("id=4294967296", -EINVAL, "invalid id of a map");
	check_refused("id=x", -EINVAL, "invalid id of a map");
	check_refused("events", -EINVAL, "names no map");
	check_refused("/sys/fs/bpf/nothing", -ENOENT, "no BPF map '");
	check_refused("/proc/self/status", -EACCES, "/proc/self/status");
	load_renames();
	ck_assert_int_eq(bpf_obj_pin(object__program_fd(object, "on_rename"), "/sys/fs/bpf/p"), 0);
	check_refused("/sys/fs/bpf/p", -EINVAL, "another object is pinned there");
	unload_renames();
	close(array);
	close(frozen);
}
END_TEST

/*
 * BPF_F_RDONLY and BPF_F_WRONLY restrict the fd that created the map, not an fd of another process.
 */
START_TEST(test_access_of_others_does_not_bind)
{
	static const uint32_t flags[] = { BPF_F_RDONLY, BPF_F_WRONLY };

	for (size_t i = 0; i < 2; i++) {
		int made = make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_t_access", flags[i]);
		int fd = peat_map__open("name=peat_t_access");
		struct peat_reader *reader;

		ck_assert_msg(fd >= 0, "%s", messages);
		reader = peat_reader__new_raw(fd, NULL);
		ck_assert_msg(reader, "%s", messages);
		peat_reader__free(reader);
		close(fd);
		if (flags[i] == BPF_F_RDONLY)
			ck_assert_ptr_null(peat_reader__new_raw(made, NULL));
		close(made);
	}
}
END_TEST

/* ---- other readers of a map ------------------------------------------------------------------ */

static int hold(void *ready)
{
	prctl(PR_SET_NAME, "the holder");
	if (write(*(int *)ready, "", 1) == 1)
		pause();
	return 1;
}

/* Starts a child that inherits all fds of this process. */
static pid_t start_holder(void)
{
	int ready[2];
	char byte;
	pid_t child;

	ck_assert_int_eq(pipe(ready), 0);
	child = process__start(hold, &ready[1]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return child;
}

static void end_holder(pid_t child)
{
	kill(child, SIGKILL);
	process__wait(child);
}

START_TEST(test_who_may_read_it)
{
	int map_fd = load_renames();
	pid_t child;

	/* Neither the programs that write to the map nor this process count as readers. */
	ck_assert_msg(peat_map__check_unread(map_fd) == 0, "%s", messages);
	child = start_holder();
	ck_assert_int_eq(peat_map__check_unread(map_fd), -EBUSY);
	ck_assert_msg(strstr(messages, decimal("process ", child)) &&
			      strstr(messages, "(the holder)") && !strstr(messages, "pinned"),
		      "%s", messages);
	end_holder(child);
	ck_assert_int_eq(peat_map__check_unread(map_fd), 0);
	*messages = 0;
	ck_assert_int_eq(mkdir("/sys/fs/bpf/deep", 0700), 0);
	ck_assert_int_eq(bpf_obj_pin(map_fd, "/sys/fs/bpf/deep/pin"), 0);
	ck_assert_int_eq(peat_map__check_unread(map_fd), -EBUSY);
	ck_assert_msg(strstr(messages, "pinned at /sys/fs/bpf/deep/pin") &&
			      !strstr(messages, "process"),
		      "%s", messages);
	ck_assert_int_eq(peat_map__check_unread(0), -EBADF);
	unload_renames();
}
END_TEST

START_TEST(test_refused_but_for_steal)
{
	struct tracing tracing;
	struct command peat;
	const char *event;

	load_renames();
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-d", "1", "--map", which));
	ck_assert_ptr_nonnull(strstr(peat.err_text, "--steal"));
	check_exit(&peat, 1, decimal("process ", getpid()));
	tracing__start(&tracing, TRACE("--map", which, "--steal"));
	renames__emit(7, 1);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "raw", getpid());
	expect_text(event, "map", "renames");
	ck_assert_int_ge(json_lines__number(event, "size"), 16);
	ck_assert_int_eq(
		strncmp(json_lines__text(event, "bytes"), "70656174233700000000000000000000", 32),
		0);
	tracing__free(&tracing);
	/* The reader cleared its slots of the map when it ended. */
	renames__emit(8, 1);
	ck_assert_uint_eq(counts_now().written, 1);
	ck_assert_uint_eq(counts_now().no_slot, 1);
	unload_renames();
}
END_TEST

/* The same map in two spellings is refused, and the session stays usable. */
START_TEST(test_named_twice)
{
	struct peat_session *session = peat_session__new(NULL);
	int map_fd = load_renames(), again = peat_map__open(which);
	const struct peat_event *event;
	struct command peat;
	size_t events = 0;
	char line[64];

	ck_assert_int_eq(bpf_obj_pin(map_fd, "/sys/fs/bpf/again"), 0);
	snprintf(line, sizeof(line), "peat: map renames (id %u) is named twice\n", id_of(map_fd));
	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "--steal", "--map", which, "--map", "/sys/fs/bpf/again"));
	ck_assert_str_eq(peat.err_text, line);
	check_exit(&peat, 1, "");
	ck_assert_int_eq(peat_session__add_map(session, map_fd), 0);
	ck_assert_int_eq(peat_session__add_map(session, again), -EEXIST);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	renames__emit(1, 3);
	while (peat_reader__next(peat_session__reader(session), &event) > 0)
		events += event->kind == PEAT_EVENT_DATA;
	ck_assert_uint_eq(events, 3);
	peat_session__free(session);
	close(again);
	unload_renames();
}
END_TEST

START_TEST(test_options_that_do_not_fit)
{
	static const char pin[] = "--pin=" PIN;
	static const char *const options[] = { "-u0", "--cgroup=/", "--max-rate=5", pin };
	struct command peat;

	for (size_t i = 0; i < 4; i++) {
		command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "--map", "id=1", options[i]));
		check_exit(&peat, 64, "programs that peat loads");
	}
	load_renames();
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "exec", "--map", which, "--steal"));
	check_exit(&peat, 1, "together with objects");
	unload_renames();
}
END_TEST

static int emit_one(void *unused)
{
	(void)unused;
	renames__emit(1, 1);
	return 0;
}

START_TEST(test_filtered_as_printed)
{
	struct command peat;
	const char *line;
	char start[64];

	load_renames();
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "trace", "-v", "-n1", "--steal", "-p", decimal("", getpid()),
			    "--map", which));
	command__expect(peat.err, "attached");
	process__do(emit_one, NULL);
	prctl(PR_SET_NAME, "calls");
	prctl(PR_SET_NAME, "peat#42");
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	snprintf(start, sizeof(start), "renames  %7d ", (int)getpid());
	line = strchr(peat.out_text, '\n'); /* after the heading */
	ck_assert_msg(line && !strncmp(line + 1, start, strlen(start)), "%s", peat.out_text);
	ck_assert_msg(strstr(peat.out_text, " bytes=70656174 23343200 00000000 00000000 ") &&
			      strstr(peat.out_text, " |peat#42........."),
		      "%s", peat.out_text);
	command__free(&peat);
	unload_renames();
}
END_TEST

#define CAP_BPF_AND_PERFMON (1ull << 39 | 1ull << 38)

static void check_without_sys_admin(const char *map)
{
	struct command peat;

	command__run(&peat, CAP_BPF_AND_PERFMON, ARGV(PEAT, "trace", "-d1ms", "--map", map));
	check_exit(&peat, 1, "CAP_SYS_ADMIN");
}

/* Searching objects by id needs CAP_SYS_ADMIN; a path needs no search. */
START_TEST(test_without_sys_admin)
{
	struct command peat;

	ck_assert_int_eq(bpf_obj_pin(load_renames(), "/sys/fs/bpf/here"), 0);
	command__run(&peat, CAP_BPF_AND_PERFMON, ARGV(PEAT, "list", "--attached"));
	check_exit(&peat, 1, "CAP_SYS_ADMIN");
	check_without_sys_admin(which);
	check_without_sys_admin("name=renames");
	check_without_sys_admin("/sys/fs/bpf/here");
	if (perfmon_is_enough()) {
		command__run(&peat, CAP_BPF_AND_PERFMON,
			     ARGV(PEAT, "trace", "-d1ms", "--map", "/sys/fs/bpf/here", "--steal"));
		check_exit(&peat, 0, " 0 lost");
	}
	unload_renames();
}
END_TEST

/* ---- taking over ----------------------------------------------------------------------------- */

struct taken {
	struct peat_reader *reader;
	uint64_t events;
	unsigned next; /* the next event has this number, or a higher one */
};

static void drain(struct taken *taken)
{
	const struct peat_event *event;

	while (peat_reader__next(taken->reader, &event) > 0) {
		if (event->kind != PEAT_EVENT_DATA)
			continue;
		ck_assert_uint_ge(renames__number(event->data, event->size), taken->next);
		ck_assert_str_eq(event->map, "renames");
		taken->next = renames__number(event->data, event->size) + 1;
		taken->events++;
	}
}

static uint64_t lost_by(const struct taken *taken)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(taken->reader, &stats), 0);
	if (!stats.lost_is_exact)
		return 0;
	return stats.lost;
}

static volatile bool enough;

static void *emit_until_enough(void *first)
{
	unsigned number = *(unsigned *)first;

	while (!enough)
		renames__emit(number++, 1);
	return NULL;
}

/*
 * Each event is read by exactly one of two readers: the old one reads all events before the new one
 * took over, even if it is freed while the new one reads.
 */
START_TEST(test_take_over_without_a_gap)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct taken old = { 0 }, new = { 0 };
	int map_fd = load_renames(), new_fd;
	unsigned first = 0;
	pthread_t thread;

	opts.memory_bytes = 64 << 20;
	opts.keep_slots = true;
	old.reader = peat_reader__new_raw(map_fd, &opts);
	ck_assert_ptr_nonnull(old.reader);
	process__pin();
	ck_assert_int_eq(pthread_create(&thread, NULL, emit_until_enough, &first), 0);
	while (old.events < 1000)
		drain(&old);
	new_fd = peat_map__open(which);
	ck_assert_msg(new_fd >= 0, "%s", messages);
	new.reader = peat_reader__new_raw(new_fd, &opts);
	ck_assert_ptr_nonnull(new.reader);
	while (new.events < 1000)
		drain(&new);
	peat_reader__pause(old.reader);
	drain(&old);
	ck_assert_uint_eq(lost_by(&old), 0);
	peat_reader__free(old.reader);
	while (new.events < 2000)
		drain(&new);
	enough = true;
	pthread_join(thread, NULL);
	drain(&new);
	ck_assert_uint_eq(counts_now().written, old.events + new.events);
	ck_assert_uint_eq(counts_now().no_space + counts_now().no_slot + counts_now().others, 0);
	ck_assert_uint_eq(lost_by(&new), 0);
	peat_reader__free(new.reader);
	close(new_fd);
	renames__emit(0, 1);
	ck_assert_uint_eq(counts_now().no_slot, 1);
	unload_renames();
}
END_TEST

/* Events emitted after the pause are counted as lost, and none is left in the ring. */
START_TEST(test_pause_counts)
{
	struct taken taken = { 0 };
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	taken.reader = peat_reader__new_raw(load_renames(), NULL);
	ck_assert_ptr_nonnull(taken.reader);
	renames__emit(0, 10);
	peat_reader__pause(taken.reader);
	renames__emit(10, 5);
	ck_assert_int_eq(peat_reader__wait(taken.reader, 0), 1);
	drain(&taken);
	ck_assert_uint_eq(taken.events, 10);
	ck_assert_uint_eq(counts_now().no_space, 5);
	ck_assert_int_eq(peat_reader__stats(taken.reader, &stats), 0);
	if (stats.lost_is_exact)
		ck_assert_uint_eq(stats.lost, 5);
	peat_reader__free(taken.reader);
	unload_renames();
}
END_TEST

/* ---- writers and readers of each map --------------------------------------------------------- */

/* The path of the array element with this `id`. */
static void find_in(char *prefix, size_t room, const char *document, uint32_t id)
{
	for (size_t i = 0;; i++) {
		char path[64];

		snprintf(path, sizeof(path), "[%zu].id", i);
		ck_assert_msg(json_lines__kind(document, path), "no map %u in %s", id, document);
		snprintf(prefix, room, "[%zu]", i);
		if (json_lines__number(document, path) == id)
			return;
	}
}

static const char *member(const char *prefix, const char *rest)
{
	static char path[4][80];
	static unsigned next;
	char *chosen = path[next++ % 4];

	snprintf(chosen, sizeof(path[0]), "%s.%s", prefix, rest);
	return chosen;
}

START_TEST(test_list_attached)
{
	int map_fd = load_renames();
	struct command peat;
	char prefix[16];
	const char *wrong;
	size_t at;

	prctl(PR_SET_NAME, "th\"is");
	ck_assert_int_eq(bpf_obj_pin(map_fd, "/sys/fs/bpf/here"), 0);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "list", "--attached", "-j"));
	ck_assert_int_eq(peat.status, 0);
	wrong = json_lines__check(peat.out_text, strlen(peat.out_text), &at);
	ck_assert_msg(!wrong, "%s at: %s", wrong, peat.out_text + at);
	find_in(prefix, sizeof(prefix), peat.out_text, id_of(map_fd));
	expect_text(peat.out_text, member(prefix, "name"), "renames");
	expect_member(peat.out_text, member(prefix, "pins"), "[\"/sys/fs/bpf/here\"]");
	expect_number(peat.out_text, member(prefix, "holders[0].pid"), getpid());
	expect_text(peat.out_text, member(prefix, "holders[0].comm"), "th\"is");
	ck_assert_int_eq(json_lines__kind(peat.out_text, member(prefix, "holders[1]")),
			 JSON_NOTHING);
	expect_text(peat.out_text, member(prefix, "programs[0].name"), "on_rename");
	expect_text(peat.out_text, member(prefix, "programs[0].type"), "raw_tracepoint");
	expect_text(peat.out_text, member(prefix, "programs[0].attached"),
		    "raw_tracepoint task_rename");
	command__free(&peat);
	bpf_link__destroy(attached);
	attached = NULL;
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "list", "--attached", "-j"));
	find_in(prefix, sizeof(prefix), peat.out_text, id_of(map_fd));
	expect_member(peat.out_text, member(prefix, "programs[0].attached"), "null");
	command__free(&peat);
	unload_renames();
}
END_TEST

/* Programs attached by links, and by perf events. */
START_TEST(test_list_attached_of_peat)
{
	struct tracing tracing;
	struct command peat;

	tracing__start(&tracing, TRACE("exec", "open"));
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "list", "--attached"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.out_text, " peat_ring: ") &&
			      strstr(peat.out_text, decimal("held by  ", tracing.peat.pid)) &&
			      strstr(peat.out_text, ": raw_tracepoint sched_process_exec\n") &&
			      strstr(peat.out_text, ": tracepoint sys_exit_openat\n"),
		      "%s", peat.out_text);
	command__free(&peat);
	tracing__stop(&tracing);
	tracing__free(&tracing);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *maps_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("maps_of_others", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_found_by_id_name_and_path);
	tcase_add_test(tests, test_several_of_one_name);
	tcase_add_test(tests, test_maps_that_cannot_be_read);
	tcase_add_test(tests, test_access_of_others_does_not_bind);
	tcase_add_test(tests, test_who_may_read_it);
	tcase_add_test(tests, test_refused_but_for_steal);
	tcase_add_test(tests, test_named_twice);
	tcase_add_test(tests, test_options_that_do_not_fit);
	tcase_add_test(tests, test_filtered_as_printed);
	tcase_add_test(tests, test_without_sys_admin);
	tcase_add_test(tests, test_take_over_without_a_gap);
	tcase_add_test(tests, test_pause_counts);
	tcase_add_test(tests, test_list_attached);
	tcase_add_test(tests, test_list_attached_of_peat);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { maps_suite };

	return harness__main(argc, argv, suites, 1);
}
