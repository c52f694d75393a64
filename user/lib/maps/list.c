// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * maps/list.c: the perf event arrays or the tables of a machine, or one map, with pins, processes
 * and programs.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/map.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "maps/flags.h"
#include "maps/hooks.h"
#include "maps/list.h"
#include "maps/map_file.h"
#include "maps/type_text.h"
#include "schema/table_types.h"
#include "sys/caps.h"

/* A peat_map and the memory that it points to. */
struct array {
	struct peat_map map;
	char **pins;
	struct peat_map_holder *holders;
	struct peat_map_program *programs;
	char flag_names[MAP_FLAGS_BYTES];
	char *key_type, *value_type;
};

struct peat_maps {
	struct array *arrays;
	uint32_t count;
	struct hooks hooks;
};

static struct array *find_array(const struct peat_maps *maps, uint32_t id)
{
	for (uint32_t i = 0; i < maps->count; i++)
		if (maps->arrays[i].map.id == id)
			return &maps->arrays[i];
	return NULL;
}

/* ---- maps ------------------------------------------------------------------------------------ */

static int add_map(struct peat_maps *maps, const struct bpf_map_info *info)
{
	struct array *array;

	if (!ARRAY_RESERVE_NEXT(maps->arrays, maps->count))
		return -ENOMEM;
	array = &maps->arrays[maps->count++];
	*array = (struct array){
		.map = { .id = info->id, .slots = info->max_entries, .flags = info->map_flags }
	};
	flags__text(info->map_flags, array->flag_names);
	memcpy(array->map.name, info->name, sizeof(array->map.name));
	array->map.type = libbpf_bpf_map_type_str((enum bpf_map_type)info->type) ?: "unknown";
	array->map.key_bytes = info->key_size;
	array->map.value_bytes = info->value_size;
	return 0;
}

static int add_perf_array(struct peat_maps *maps, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes) || info.type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		return 0;
	return add_map(maps, &info);
}

/* Adds the names of the map's types, if it has BTF and this process may read it. */
static int add_typed_map(struct peat_maps *maps, const struct bpf_map_info *info,
			 const struct btf *btf)
{
	const struct btf_type *value = btf__type_by_id(btf, info->btf_value_type_id);
	struct array *array;
	int err;

	if (value && btf_is_datasec(value)) /* global variables */
		return 0;
	err = add_map(maps, info);
	if (err || !info->btf_key_type_id)
		return err;
	array = &maps->arrays[maps->count - 1];
	array->key_type = type_text__new(btf, info->btf_key_type_id);
	array->value_type = type_text__new(btf, info->btf_value_type_id);
	return array->key_type && array->value_type ? 0 : -ENOMEM;
}

static int add_table(struct peat_maps *maps, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	struct btf *btf;
	bool is_per_cpu;
	int err;

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes) || !table_types__has(info.type, &is_per_cpu))
		return 0;
	btf = info.btf_id ? btf__load_from_kernel_by_id(info.btf_id) : NULL;
	err = btf ? add_typed_map(maps, &info, btf) : add_map(maps, &info);
	btf__free(btf);
	return err;
}

static int add_fd(struct peat_maps *maps, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &bytes) ? -errno : add_map(maps, &info);
}

/* Calls `add` with each map of the machine. */
static int read_maps(struct peat_maps *maps, int (*add)(struct peat_maps *maps, int fd))
{
	uint32_t id = 0;
	int err = 0;

	while (!err && !bpf_map_get_next_id(id, &id)) {
		int fd = bpf_map_get_fd_by_id(id);

		if (fd < 0 && errno != ENOENT)
			return -errno;
		if (fd < 0)
			continue; /* freed meanwhile */
		err = add(maps, fd);
		close(fd);
	}
	return err || errno == ENOENT ? err : -errno;
}

/* ---- pins ------------------------------------------------------------------------------------ */

/* The same path comes twice if a file system is mounted over another. */
static bool has_pin(const struct array *array, const char *path)
{
	for (uint32_t i = 0; i < array->map.pin_count; i++)
		if (!strcmp(array->pins[i], path))
			return true;
	return false;
}

static int add_pin(void *context, const char *path, const struct map_file *file)
{
	struct array *array = find_array(context, file->id);
	char *pin;

	if (!array || has_pin(array, path))
		return 0;
	if (!ARRAY_RESERVE_NEXT(array->pins, array->map.pin_count))
		return -ENOMEM;
	pin = strdup(path);
	array->pins[array->map.pin_count++] = pin;
	return pin ? 0 : -ENOMEM;
}

/* ---- processes ------------------------------------------------------------------------------- */

static void read_comm(const char *pid, char *comm, int bytes)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	file = fopen(path, "re");
	if (!file || !fgets(comm, bytes, file))
		*comm = 0;
	comm[strcspn(comm, "\n")] = 0;
	if (file)
		fclose(file);
}

static int add_holder(struct peat_maps *maps, const char *pid, const char *fd)
{
	uint32_t number = (uint32_t)strtoul(pid, NULL, 10);
	struct peat_map_holder *holder;
	struct map_file file;
	struct array *array;

	/* Not this process itself; its perf events are read, as they show attach points. */
	if (number == (uint32_t)getpid() || !map_file__read(&file, pid, fd))
		return 0;
	array = find_array(maps, file.id);
	if (!array ||
	    (array->map.holder_count && array->holders[array->map.holder_count - 1].pid == number))
		return 0;
	if (!ARRAY_RESERVE_NEXT(array->holders, array->map.holder_count))
		return -ENOMEM;
	holder = &array->holders[array->map.holder_count++];
	holder->pid = number;
	read_comm(pid, holder->comm, sizeof(holder->comm));
	return 0;
}

static int read_fd(struct peat_maps *maps, const char *pid, int directory, const char *fd)
{
	char target[64];
	ssize_t bytes = readlinkat(directory, fd, target, sizeof(target) - 1);

	if (bytes < 0)
		return 0;
	target[bytes] = 0;
	if (map_file__is_link(target))
		return add_holder(maps, pid, fd);
	if (strstr(target, "[perf_event]"))
		return hooks__read_event(&maps->hooks, (uint32_t)strtoul(pid, NULL, 10),
					 (uint32_t)strtoul(fd, NULL, 10));
	return 0;
}

static int read_process(struct peat_maps *maps, const char *pid)
{
	struct dirent *entry;
	char path[64];
	int err = 0;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	fds = opendir(path);
	while (fds && !err && (entry = readdir(fds)))
		err = read_fd(maps, pid, dirfd(fds), entry->d_name);
	if (fds)
		closedir(fds);
	return err;
}

static int read_processes(struct peat_maps *maps)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int err = 0;

	if (!proc)
		return -errno;
	while (!err && (entry = readdir(proc)))
		if (*entry->d_name >= '1' && *entry->d_name <= '9')
			err = read_process(maps, entry->d_name);
	closedir(proc);
	return err;
}

/* ---- programs -------------------------------------------------------------------------------- */

static int add_map_program(struct peat_maps *maps, struct array *array,
			   const struct bpf_prog_info *info)
{
	struct peat_map_program *program;

	if (!ARRAY_RESERVE_NEXT(array->programs, array->map.program_count))
		return -ENOMEM;
	program = &array->programs[array->map.program_count++];
	program->id = info->id;
	memcpy(program->name, info->name, sizeof(program->name));
	program->type = libbpf_bpf_prog_type_str((enum bpf_prog_type)info->type) ?: "unknown";
	program->attached = hooks__text(&maps->hooks, info);
	return program->attached ? 0 : -ENOMEM;
}

static int match_program(struct peat_maps *maps, const struct bpf_prog_info *info,
			 const uint32_t *ids)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < info->nr_map_ids; i++) {
		struct array *array = find_array(maps, ids[i]);

		if (array)
			err = add_map_program(maps, array, info);
	}
	return err;
}

/* Queries twice: for the number of maps that the program uses, and for their ids. */
static int read_program_maps(struct peat_maps *maps, int fd)
{
	struct bpf_prog_info info = { 0 };
	uint32_t bytes = sizeof(info), count;
	uint32_t *ids;
	int err = 0;

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes) || !info.nr_map_ids)
		return 0;
	count = info.nr_map_ids;
	ids = calloc(count, sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	bytes = sizeof(info);
	info = (struct bpf_prog_info){ .nr_map_ids = count, .map_ids = (uintptr_t)ids };
	if (!bpf_obj_get_info_by_fd(fd, &info, &bytes) && info.nr_map_ids <= count)
		err = match_program(maps, &info, ids);
	free(ids);
	return err;
}

static int read_programs(struct peat_maps *maps)
{
	uint32_t id = 0;
	int err = 0;

	while (!err && !bpf_prog_get_next_id(id, &id)) {
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd < 0)
			continue;
		err = read_program_maps(maps, fd);
		close(fd);
	}
	return err;
}

/* ---------------------------------------------------------------------------------------------- */

/* Reads pins, processes and programs of all maps in the list. */
static int read_users(struct peat_maps *maps)
{
	int err = map_file__each_pin(add_pin, maps);

	if (!err)
		err = read_processes(maps);
	if (!err)
		err = hooks__read_links(&maps->hooks);
	if (!err)
		err = read_programs(maps);
	for (uint32_t i = 0; i < maps->count; i++) {
		struct array *array = &maps->arrays[i];

		array->map.pins = (const char *const *)array->pins;
		array->map.holders = array->holders;
		array->map.programs = array->programs;
		array->map.flag_names = array->flag_names;
		array->map.key_type = array->key_type;
		array->map.value_type = array->value_type;
	}
	return err;
}

static struct peat_maps *new_list(int (*add)(struct peat_maps *maps, int fd))
{
	struct peat_maps *maps = calloc(1, sizeof(*maps));
	int err = maps ? read_maps(maps, add) : -ENOMEM;

	if (!err && maps->count)
		err = read_users(maps);
	if (!err)
		return maps;
	log__error("cannot list the BPF maps of this machine: %s%s%s", strerror(-err),
		   err == -EPERM ? ": " : "", err == -EPERM ? caps__explain_map_ids() : "");
	peat_maps__free(maps);
	return fail_null(err);
}

struct peat_maps *peat_maps__new(void)
{
	return new_list(add_perf_array);
}

struct peat_maps *peat_maps__new_tables(void)
{
	return new_list(add_table);
}

struct peat_maps *maps__new_of(int map_fd)
{
	struct peat_maps *maps = calloc(1, sizeof(*maps));
	int err = maps ? add_fd(maps, map_fd) : -ENOMEM;

	if (!err)
		err = read_users(maps);
	if (!err)
		return maps;
	peat_maps__free(maps);
	return fail_null(err);
}

const struct peat_map *peat_maps__at(const struct peat_maps *maps, uint32_t i)
{
	return i < maps->count ? &maps->arrays[i].map : NULL;
}

static void free_array(struct array *array)
{
	for (uint32_t i = 0; i < array->map.pin_count; i++)
		free(array->pins[i]);
	for (uint32_t i = 0; i < array->map.program_count; i++)
		free((char *)array->programs[i].attached);
	free(array->pins);
	free(array->holders);
	free(array->programs);
	free(array->key_type);
	free(array->value_type);
}

void peat_maps__free(struct peat_maps *maps)
{
	if (!maps)
		return;
	for (uint32_t i = 0; i < maps->count; i++)
		free_array(&maps->arrays[i]);
	free(maps->arrays);
	hooks__free(&maps->hooks);
	free(maps);
}
