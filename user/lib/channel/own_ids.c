// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/own_ids.c: loads channel/own_ids.bpf.c, and reads its map. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "channel/own_ids.h"
#include "event/task_names.h"
#include "object/core_btf.h"
#include "object/libbpf_log.h"
#include "object/map_memory.h"
#include "object/open.h"
#include "sys/pid_namespace.h"

struct own_ids_map {
	struct bpf_object *object;
	struct bpf_link *fork;
	int fd; /* negative: the program does not run */
};

/* Compiled in.  Its symbols are global for the same reason as in probe.c. */
__asm__(".pushsection .rodata\n"
	".globl peat_own_ids_object, peat_own_ids_end\n"
	".hidden peat_own_ids_object, peat_own_ids_end\n"
	".balign 16\n"
	"peat_own_ids_object: .incbin \"" OWN_IDS_OBJECT "\"\n"
	"peat_own_ids_end: .byte 0\n"
	".popsection\n");
extern const unsigned char own_ids_object[] __asm__("peat_own_ids_object");
extern const unsigned char own_ids_end[] __asm__("peat_own_ids_end");

#define OBJECT_BYTES ((size_t)(own_ids_end - own_ids_object))

static int load(struct own_ids_map *map)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "peat_own_ids");
	struct core_btf btf;
	int err;

	core_btf__choose(&btf, own_ids_object, OBJECT_BYTES, NULL);
	opts.btf_custom_path = core_btf__path(&btf);
	map->object = open__mem(opts.object_name, own_ids_object, OBJECT_BYTES, &opts);
	err = map->object ? bpf_object__load(map->object) : -errno;
	core_btf__close(&btf);
	return err;
}

static int attach(struct own_ids_map *map)
{
	map->fork = bpf_program__attach_raw_tracepoint(
		bpf_object__find_program_by_name(map->object, "peat_note_fork"),
		"sched_process_fork");
	return map->fork ? 0 : -errno;
}

/* Runs the iterator.  If it fails, /proc has the tasks that exist. */
static void note_tasks(const struct own_ids_map *map)
{
	struct bpf_link *link = bpf_program__attach_iter(
		bpf_object__find_program_by_name(map->object, "peat_note_task"), NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	ssize_t bytes = -1;
	char nothing[1];

	do
		bytes = fd < 0 ? -1 : read(fd, nothing, sizeof(nothing));
	while (bytes < 0 && errno == EAGAIN && fd >= 0);
	if (bytes)
		log__debug("own ids of tasks that exist: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
}

static int start(struct own_ids_map *map)
{
	struct load_failure failure = { 0 };
	int err;

	map_memory__raise_limit();
	libbpf_log__watch(&failure);
	err = load(map);
	libbpf_log__watch(NULL);
	return err ? err : attach(map);
}

/* The id may be another task's if this one has ended. */
static bool find(void *arg, uint32_t tid, bool has_ended, struct own_ids *ids)
{
	const struct own_ids_map *map = arg;

	if (map->fd >= 0 && !bpf_map_lookup_elem(map->fd, &tid, ids))
		return true;
	return !has_ended && pid_namespace__own_ids(tid, ids);
}

int own_ids__follow(struct own_ids_map **map, struct tasks *tasks)
{
	int err;

	if (!pid_namespace__is_initial())
		return 0;
	*map = calloc(1, sizeof(**map));
	if (!*map)
		return -ENOMEM;
	(*map)->fd = -1;
	err = start(*map);
	if (err) {
		log__info("nspid of tasks that end before their events are read is unknown: no "
			  "program can note it: %s",
			  strerror(-err));
	} else {
		note_tasks(*map);
		(*map)->fd = bpf_object__find_map_fd_by_name((*map)->object, "peat_own_ids");
	}
	tasks__follow_ids(tasks, find, *map);
	return 0;
}

void own_ids__close(struct own_ids_map *map)
{
	if (!map)
		return;
	bpf_link__destroy(map->fork);
	bpf_object__close(map->object);
	free(map);
}
