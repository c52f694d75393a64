// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rig.c: the benchmark's BPF objects, configured and loaded. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>

#include "objects.h"
#include "reader.h"
#include "cli/base/messages.h"

static const struct {
	const char *name, *program;
	const struct bench_object *object;
} ways[BENCH_WAYS] = {
	[BENCH_NONE] = { "none", "bench_none", &bench_libbpf },
	[BENCH_CLOCK] = { "none", "bench_clock", &bench_libbpf },
	[BENCH_PEAT] = { "peat", "bench_staged", &bench_channel },
	[BENCH_PERF_BUFFER] = { "perf_buffer", "bench_perf_buffer", &bench_libbpf },
	[BENCH_RING_BUFFER] = { "ring_buffer", "bench_ring_buffer", &bench_libbpf },
	[BENCH_STAGE_RINGBUF] = { "stage+ringbuf", "bench_staged", &bench_stage_ringbuf },
	[BENCH_LOAD] = { "none", "bench_load", &bench_by_hand },
	[BENCH_SELECT] = { "peat", "bench_events", &bench_select },
	[BENCH_DISCARD] = { "by hand", "bench_discard", &bench_select },
	[BENCH_HAND_TEST] = { "by hand", "bench_test", &bench_by_hand },
	[BENCH_HAND_COUNT] = { "by hand", "bench_count", &bench_by_hand },
	[BENCH_HAND_COMM] = { "by hand", "bench_comm", &bench_by_hand },
	[BENCH_HAND_LOG2] = { "by hand", "bench_log2", &bench_by_hand },
	[BENCH_TOOL] = { "no program", NULL, NULL },
};

const char *bench_rig__way_name(enum bench_way way)
{
	return ways[way].name;
}

const char *bench_rig__transport_name(const struct bench_transport *transport)
{
	return transport->name ? transport->name : bench_rig__way_name(transport->way);
}

uint64_t bench_rig__now_ns(void)
{
	return peat_clock__now_ns();
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A copy, since the object may have to be changed for an old kernel. */
static struct bpf_object *open_prepared(const struct bench_object *object)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = object->name);
	size_t bytes = (size_t)((const char *)object->end - (const char *)object->bytes);
	struct bpf_object *opened = NULL;
	void *copy = malloc(bytes);
	int err;

	if (!copy)
		return NULL;
	memcpy(copy, object->bytes, bytes);
	if (!peat_object__prepare(copy, bytes))
		opened = bpf_object__open_mem(copy, bytes, &opts);
	err = errno;
	free(copy);
	errno = err;
	return opened;
}

static int open_object(struct bench_rig *rig, struct bench_program *of)
{
	of->object = open_prepared(ways[rig->transport->way].object);
	if (!of->object)
		return -errno;
	of->program =
		bpf_object__find_program_by_name(of->object, ways[rig->transport->way].program);
	return of->program ? 0 : -ENOENT;
}

static bool is_collector(const struct bpf_program *program)
{
	return !strcmp(bpf_program__name(program), "bench_collect");
}

/* Loads only the program that is measured, and its map. */
static void choose_parts(const struct bench_rig *rig, const struct bench_program *of)
{
	enum bench_way way = rig->transport->way;
	struct bpf_program *program;
	struct bpf_map *map;

	bpf_object__for_each_program(program, of->object)
		bpf_program__set_autoload(program, program == of->program || is_collector(program));
	map = bpf_object__find_map_by_name(of->object, "bench_perf");
	if (map && way != BENCH_PERF_BUFFER)
		bpf_map__set_autocreate(map, false);
	map = bpf_object__find_map_by_name(of->object, "bench_scratch");
	if (map && way != BENCH_PERF_BUFFER)
		bpf_map__set_autocreate(map, false);
	map = bpf_object__find_map_by_name(of->object, "bench_ring");
	if (!map)
		return;
	if (way == BENCH_RING_BUFFER || way == BENCH_STAGE_RINGBUF)
		bpf_map__set_max_entries(map, (uint32_t)rig->transport->ring_bytes);
	else
		bpf_map__set_autocreate(map, false);
}

/* Initial value of a variable that has a section to itself; to be set before the load. */
static void *section(const struct bpf_object *object, const char *name, size_t bytes)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, name);
	size_t found = 0;
	void *memory = map ? (void *)bpf_map__initial_value(map, &found) : NULL;

	return found >= bytes ? memory : NULL;
}

static int set_constants(const struct bench_rig *rig, const struct bench_program *of)
{
	struct bench_setup *setup = section(of->object, ".rodata.bench", sizeof(*setup));

	if (!setup)
		return -ENOENT;
	*setup = (struct bench_setup){
		.pid = (uint32_t)getpid(),
		.syscall = SYS_getpgid,
		.bytes = rig->events.bytes,
		.stamped = rig->events.stamped,
		.wake_bytes = rig->transport->polls ? BENCH_WAKE_NEVER : rig->transport->wake_bytes,
	};
	return 0;
}

static size_t whole_pages(size_t bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

static int make_selection(struct bench_rig *rig)
{
	const struct bench_transport *transport = rig->transport;
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;

	if (transport->where) {
		rig->where = peat_where__parse(transport->where);
		if (!rig->where)
			return -errno;
	}
	if (!transport->values)
		return 0;
	opts.by = transport->by;
	opts.field = transport->field;
	opts.values = transport->values;
	rig->table = peat_table__new(&opts);
	return rig->table ? 0 : -errno;
}

/* The library configures the stage and the programs' constants. */
static int bind_channel(struct bench_rig *rig)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_map *map;
	int err = make_selection(rig);

	if (err)
		return err;
	opts.batch_bytes = rig->transport->batch_bytes;
	opts.unstaged = !opts.batch_bytes;
	opts.no_time = rig->transport->no_time;
	opts.no_ids = rig->transport->no_ids;
	opts.where = rig->where;
	opts.table = rig->table;
	rig->channel = peat_channel__new(&opts);
	if (!rig->channel)
		return -errno;
	err = peat_channel__bind(rig->channel, rig->object);
	if (err)
		return err;
	map = bpf_object__find_map_by_name(rig->object, "peat_stage");
	rig->slot_bytes = bpf_map__value_size(map);
	rig->stage_bytes = whole_pages(bpf_map__max_entries(map) * rig->slot_bytes);
	return 0;
}

static int map_control(struct bench_rig *rig)
{
	struct bpf_map *map = bpf_object__find_map_by_name(rig->object, ".data.bench");

	if (!map)
		return -ENOENT;
	rig->control = mmap(NULL, whole_pages(sizeof(*rig->control)), PROT_READ | PROT_WRITE,
			    MAP_SHARED, bpf_map__fd(map), 0);
	if (rig->control != MAP_FAILED)
		return 0;
	rig->control = NULL;
	return -errno;
}

static int load_program(struct bench_rig *rig)
{
	struct bench_program *first = &rig->programs[0];
	int err;

	if (rig->transport->way == BENCH_TOOL) {
		rig->control = &rig->own_control;
		return 0;
	}
	rig->program_count = 1;
	err = open_object(rig, first);
	if (err)
		return err;
	rig->object = first->object;
	choose_parts(rig, first);
	err = set_constants(rig, first);
	if (!err && bpf_object__find_map_by_name(rig->object, "peat_stage"))
		err = bind_channel(rig);
	if (!err)
		err = bpf_object__load(rig->object);
	return err ? err : map_control(rig);
}

static int open_all(struct bench_rig *rig)
{
	const struct bench_reader *reader = bench_reader__find(rig->transport);
	int err = load_program(rig);

	return err || !reader ? err : reader->open(rig);
}

int bench_rig__open(struct bench_rig *rig, const struct bench_transport *transport,
		    const struct bench_events *events)
{
	int err;

	*rig = (struct bench_rig){ .transport = transport, .events = *events };
	err = open_all(rig);
	if (err)
		messages__print("cannot set up %s, %s: %s%s", bench_rig__transport_name(transport),
				transport->setting, strerror(-err),
				err == -EPERM ? ": run as root, or with CAP_BPF and CAP_PERFMON"
					      : "");
	return err;
}

/* Uses the map of the first program's object. */
static int share_map(const struct bench_rig *rig, const struct bench_program *of, const char *name)
{
	struct bpf_map *first = bpf_object__find_map_by_name(rig->object, name);
	struct bpf_map *map = bpf_object__find_map_by_name(of->object, name);

	return first && map && bpf_map__fd(first) >= 0 ? bpf_map__reuse_fd(map, bpf_map__fd(first))
						       : 0;
}

static int open_further(struct bench_rig *rig, struct bench_program *of)
{
	static const char *const maps[] = { ".data.bench", "bench_perf", "bench_ring" };
	int err = open_object(rig, of);

	if (err)
		return err;
	choose_parts(rig, of);
	err = set_constants(rig, of);
	for (size_t i = 0; !err && i < sizeof(maps) / sizeof(*maps); i++)
		err = share_map(rig, of, maps[i]);
	if (!err && rig->channel)
		err = peat_channel__bind(rig->channel, of->object);
	return err ? err : bpf_object__load(of->object);
}

int bench_rig__add_program(struct bench_rig *rig)
{
	int err = -E2BIG;

	if (rig->program_count < BENCH_PROGRAMS_MAX)
		err = open_further(rig, &rig->programs[rig->program_count++]);
	if (err)
		messages__print("cannot add a program to %s, %s: %s",
				ways[rig->transport->way].name, rig->transport->setting,
				strerror(-err));
	return err;
}

void bench_rig__close(struct bench_rig *rig)
{
	const struct bench_reader *reader = bench_reader__find(rig->transport);

	bench_rig__detach(rig);
	if (reader)
		reader->close(rig);
	if (rig->control && rig->object)
		munmap((void *)rig->control, whole_pages(sizeof(*rig->control)));
	peat_channel__free(rig->channel);
	peat_table__free(rig->table);
	peat_where__free(rig->where);
	for (uint32_t i = 0; i < rig->program_count; i++)
		bpf_object__close(rig->programs[i].object);
	free(rig->latencies);
	*rig = (struct bench_rig){ .transport = rig->transport };
}

/* ---- running --------------------------------------------------------------------------------- */

static int attach_programs(struct bench_rig *rig)
{
	int err;

	for (uint32_t i = 0; i < rig->program_count; i++) {
		rig->programs[i].link = bpf_program__attach(rig->programs[i].program);
		if (rig->programs[i].link)
			continue;
		err = -errno;
		messages__print("cannot attach to the tracepoint sys_enter: %s", strerror(-err));
		bench_rig__detach(rig);
		return err;
	}
	return 0;
}

int bench_rig__attach(struct bench_rig *rig)
{
	const struct bench_reader *reader = bench_reader__find(rig->transport);
	int err = attach_programs(rig);

	return err || !reader || !reader->begin ? err : reader->begin(rig);
}

void bench_rig__detach(struct bench_rig *rig)
{
	const struct bench_reader *reader = bench_reader__find(rig->transport);

	for (uint32_t i = 0; i < rig->program_count; i++) {
		bpf_link__destroy(rig->programs[i].link);
		rig->programs[i].link = NULL;
	}
	if (reader && reader->end)
		reader->end(rig);
}

bool bench_rig__has_reader(const struct bench_rig *rig)
{
	return bench_reader__find(rig->transport) != NULL;
}

int bench_rig__read(struct bench_rig *rig)
{
	return bench_reader__find(rig->transport)->read(rig);
}

int bench_rig__finish(struct bench_rig *rig)
{
	return bench_reader__find(rig->transport)->finish(rig);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory that the kernel accounts for a map.  Linux 6.1 reports 0 for a BPF ring buffer. */
static uint64_t map_bytes(const struct bench_rig *rig, const char *name)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(rig->object, name);
	unsigned long long bytes = 0;
	char path[64], line[256];
	FILE *file;

	if (!map || bpf_map__fd(map) < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_map__fd(map));
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "memlock: %llu", &bytes) == 1)
			break;
	if (file)
		fclose(file);
	return bytes;
}

/* Size of all perf rings mapped by this process. */
static uint64_t perf_ring_bytes(void)
{
	unsigned long long from, to;
	uint64_t bytes = 0;
	char line[512];
	FILE *file = fopen("/proc/self/maps", "re");

	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, "[perf_event]") && sscanf(line, "%llx-%llx", &from, &to) == 2)
			bytes += to - from;
	if (file)
		fclose(file);
	return bytes;
}

uint64_t bench_rig__ring_bytes(const struct bench_rig *rig)
{
	uint64_t bytes;

	if (rig->transport->way == BENCH_PEAT || rig->transport->way == BENCH_PERF_BUFFER)
		return perf_ring_bytes();
	bytes = map_bytes(rig, "bench_ring");
	return bytes ? bytes : rig->transport->ring_bytes;
}

uint64_t bench_rig__stage_bytes(const struct bench_rig *rig)
{
	return map_bytes(rig, "peat_stage");
}
