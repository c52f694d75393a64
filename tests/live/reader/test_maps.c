// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_maps.c: several perf event arrays, read through one ring per CPU. */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/cpu_switch.h"
#include "sys/cpus.h"
#include "support/machine/harness.h"
#include "live/bpf/many.bpf.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(many)

static const char *const names[MANY_MAPS] = { "first", "second", "third", "fourth" };
static struct bpf_object *object;
static struct bpf_link *attached;
static struct peat_reader *reader;
static struct cpus online;

static void open_object(void)
{
	object = object__open(&many_object);
	*(uint32_t *)object__variable(object, "only_pid", 4) = (uint32_t)getpid();
	*(uint32_t *)object__variable(object, "getpgid_number", 4) = SYS_getpgid;
	object__load(object);
	ck_assert_int_eq(cpus__read(&online, "online"), 0);
}

static void open_reader(uint64_t memory_bytes, bool names_too)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	int fds[MANY_MAPS];

	for (int i = 0; i < MANY_MAPS; i++)
		fds[i] = object__map_fd(object, names[i]);
	opts.memory_bytes = memory_bytes;
	opts.names = names_too;
	reader = peat_reader__new_maps(fds, MANY_MAPS, &opts);
	ck_assert_ptr_nonnull(reader);
	attached = object__attach(object, "many");
}

static void close_all(void)
{
	bpf_link__destroy(attached);
	peat_reader__free(reader);
	bpf_object__close(object);
	cpus__free(&online);
}

static void call(uint32_t times)
{
	while (times--)
		syscall(SYS_getpgid, 0);
}

static uint32_t seen[MANY_MAPS];

/* Events of one CPU and one process: the maps alternate. */
static void check_event(const struct peat_event *event, uint32_t turn)
{
	static const uint32_t bytes[MANY_MAPS] = { 24, 24, 12, 8 };
	const struct many_head *head = event->data;

	ck_assert_uint_eq(event->kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(event->type, turn % MANY_MAPS);
	ck_assert_uint_eq(head->map, event->type);
	ck_assert_uint_ge(event->size, bytes[event->type]);
	ck_assert_uint_lt(event->size, bytes[event->type] + 8);
	ck_assert_uint_eq(head->number, seen[event->type]++);
	ck_assert_uint_eq(event->pid, (uint32_t)getpid());
}

static uint32_t drain(void)
{
	const struct peat_event *event;
	uint32_t events = 0;

	while (peat_reader__next(reader, &event) > 0)
		check_event(event, events++);
	return events;
}

START_TEST(test_each_event_has_its_map)
{
	open_object();
	open_reader(0, false);
	ck_assert_int_eq(process__pin_to(online.limit - 1), 0);
	call(1000);
	ck_assert_uint_eq(drain(), 4000);
	close_all();
}
END_TEST

/* ---- rings and perf events ------------------------------------------------------------------- */

static uint32_t count_lines(const char *path, const char *word)
{
	FILE *file = fopen(path, "re");
	char line[1024];
	uint32_t count = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		count += strstr(line, word) != NULL;
	fclose(file);
	return count;
}

static uint32_t count_events(void)
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	uint32_t count = 0;

	ck_assert_ptr_nonnull(directory);
	while ((entry = readdir(directory))) {
		char target[64] = "";

		count += readlinkat(dirfd(directory), entry->d_name, target, sizeof(target) - 1) >
				 0 &&
			 strstr(target, "[perf_event]");
	}
	closedir(directory);
	return count;
}

/* One ring per CPU, and one perf event per map that writes into it. */
START_TEST(test_one_ring_per_cpu)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	uint32_t cpus;

	open_object();
	open_reader(0, false);
	cpus = cpus__count(&online);
	ck_assert_uint_eq(count_lines("/proc/self/maps", "[perf_event]"), cpus);
	ck_assert_uint_eq(count_events(), cpus * MANY_MAPS);
	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	ck_assert_uint_eq(stats.rings, cpus);
	close_all();
	ck_assert_uint_eq(count_events(), 0);
}
END_TEST

/* Losses are counted per map. */
START_TEST(test_losses_of_each_map)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	uint64_t lost, all = 0, events = 0;
	const struct peat_event *event;

	open_object();
	open_reader(1, true);
	ck_assert_int_eq(process__pin_to(online.limit - 1), 0);
	call(1000);
	while (peat_reader__next(reader, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA && ++events)
			seen[event->type]++;
	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	if (!stats.lost_is_exact)
		skip("this kernel has no PERF_FORMAT_LOST");
	ck_assert_uint_lt(events, 4000);
	for (uint32_t i = 0; i < MANY_MAPS; i++) {
		ck_assert_int_eq(peat_reader__map_lost(reader, i, &lost), 0);
		ck_assert_uint_eq(seen[i] + lost, 1000);
		all += lost;
	}
	ck_assert_uint_eq(stats.lost, all);
	ck_assert_int_eq(peat_reader__map_lost(reader, MANY_MAPS, &lost), -EINVAL);
	close_all();
}
END_TEST

/* Events from before a CPU went offline keep their map, though its perf events were replaced. */
START_TEST(test_cpu_returns)
{
	uint32_t cpu;
	int err;

	open_object();
	cpu = online.limit - 1;
	if (!cpu)
		skip("one CPU only");
	open_reader(0, false);
	ck_assert_uint_eq(drain(), 0);
	ck_assert_int_eq(process__pin_to(cpu), 0);
	call(10);
	ck_assert_int_eq(process__pin_to(0), 0);
	err = cpu_switch__set(cpu, "0");
	if (err)
		skip("CPU %u cannot be switched off: %s", cpu, strerror(-err));
	ck_assert_int_eq(cpu_switch__set(cpu, "1"), 0);
	ck_assert_uint_eq(drain(), 40); /* and begins a round that sees the CPU */
	for (int i = 0; i < 200 && peat_reader__wait(reader, 10) >= 0; i++)
		ck_assert_uint_eq(drain(), 0);
	ck_assert_int_eq(process__pin_to(cpu), 0);
	call(10);
	ck_assert_uint_eq(drain(), 40);
	close_all();
}
END_TEST

static Suite *maps_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("maps", 60, &tests);

	tcase_add_test(tests, test_each_event_has_its_map);
	tcase_add_test(tests, test_one_ring_per_cpu);
	tcase_add_test(tests, test_losses_of_each_map);
	tcase_add_test(tests, test_cpu_returns);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { maps_suite };

	return harness__main(argc, argv, suites, 1);
}
