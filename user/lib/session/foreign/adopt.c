// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/foreign/adopt.c: the channel of running programs, rebuilt from their maps and BTF. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/map.h>
#include <peat/wire.h>

#include "session/foreign/adopt.h"
#include "channel/channel.h"
#include "channel/collector.h"
#include "channel/stack_map.h"
#include "base/log.h"

/* The facts that the kernel reports about a program. */
struct program {
	uint32_t btf_id;
	uint32_t *maps;
	uint32_t map_count;
};

static int read_program(uint32_t id, struct program *program)
{
	struct bpf_prog_info info = { 0 };
	uint32_t bytes = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(id), err = 0;

	if (fd < 0)
		return -errno;
	if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
		err = -errno;
	program->map_count = info.nr_map_ids;
	program->maps = calloc(program->map_count + 1, sizeof(*program->maps));
	if (!program->maps)
		err = -ENOMEM;
	info = (struct bpf_prog_info){ .nr_map_ids = program->map_count,
				       .map_ids = (uintptr_t)program->maps };
	bytes = sizeof(info);
	if (!err && bpf_obj_get_info_by_fd(fd, &info, &bytes))
		err = -errno;
	program->btf_id = info.btf_id;
	close(fd);
	return err;
}

/* ---- the constants --------------------------------------------------------------------------- */

static uint64_t number_at(const unsigned char *memory, const struct btf_var_secinfo *variable)
{
	uint64_t number = 0;
	uint32_t word = 0;

	if (variable->size == sizeof(number)) {
		memcpy(&number, memory + variable->offset, sizeof(number));
		return number;
	}
	memcpy(&word, memory + variable->offset, sizeof(word));
	return word;
}

/* Reads a number of the section.  False: no number has that name. */
static bool find_number(const struct btf *btf, const struct btf_type *section,
			const unsigned char *memory, uint32_t bytes, const char *name,
			uint64_t *number)
{
	const struct btf_var_secinfo *variable = btf_var_secinfos(section);

	for (int i = 0; i < btf_vlen(section); i++, variable++) {
		const struct btf_type *type = btf__type_by_id(btf, variable->type);

		if (!type || strcmp(btf__name_by_offset(btf, type->name_off), name))
			continue;
		if ((variable->size != 4 && variable->size != 8) ||
		    variable->offset > bytes - variable->size)
			return false;
		*number = number_at(memory, variable);
		return true;
	}
	return false;
}

/* All objects of a channel have the same number, or cannot wake a reader. */
static void add_bells(struct peat_channel *channel, uint32_t bells)
{
	if (!bells || (channel->bells && channel->bells != bells))
		channel->has_silent = true;
	channel->bells = bells;
}

/* The stacks that the kernel samples for these programs, if channel->sampled_fd is found. */
static void read_stacks(struct peat_channel *channel, const struct btf *btf,
			const struct btf_type *section, const unsigned char *memory, uint32_t bytes)
{
	uint64_t kinds, depth, stack_memory;

	if (!find_number(btf, section, memory, bytes, "peat_stack_kinds", &kinds) ||
	    !find_number(btf, section, memory, bytes, "peat_stack_depth", &depth) ||
	    !find_number(btf, section, memory, bytes, "peat_stack_memory", &stack_memory))
		return;
	channel->sampled_stacks |= (uint32_t)kinds;
	channel->opts.stacks.depth = (uint32_t)depth;
	channel->opts.stacks.memory_bytes = (uint32_t)stack_memory;
}

/* Whether events have the user and the cgroup of their task. */
static bool has_owner(const struct btf *btf, const struct btf_type *section,
		      const unsigned char *memory, uint32_t bytes)
{
	uint64_t head;

	return find_number(btf, section, memory, bytes, "peat_head_bytes", &head) &&
	       head == PEAT_HEAD_WITH_OWNER;
}

/* The constants that the loader set, in .rodata. */
static int read_constants(struct peat_channel *channel, struct bound_object *bound, int map_fd,
			  const struct bpf_map_info *info)
{
	const struct btf_type *section = btf__type_by_id(bound->btf, info->btf_value_type_id);
	uint64_t base, batch, with_time, plain_locks, bells;
	unsigned char *memory = calloc(1, info->value_size);
	uint32_t key = 0;
	int err = -EBADMSG;

	if (!memory)
		return -ENOMEM;
	if (!bpf_map_lookup_elem(map_fd, &key, memory) &&
	    find_number(bound->btf, section, memory, info->value_size, "peat_type_base", &base) &&
	    find_number(bound->btf, section, memory, info->value_size, "peat_batch_bytes",
			&batch) &&
	    find_number(bound->btf, section, memory, info->value_size, "peat_with_time",
			&with_time)) {
		bound->first_type = (uint32_t)base;
		channel->opts.batch_bytes = (uint32_t)batch;
		channel->opts.no_time = !with_time;
		err = 0;
		if (!find_number(bound->btf, section, memory, info->value_size, "peat_plain_locks",
				 &plain_locks))
			plain_locks = 0;
		if (plain_locks && !channel->collector)
			err = collector__new(&channel->collector, channel->stage_fd,
					     channel->slot_bytes);
		if (!find_number(bound->btf, section, memory, info->value_size, "peat_bells",
				 &bells))
			bells = 0;
		add_bells(channel, (uint32_t)bells);
		read_stacks(channel, bound->btf, section, memory, info->value_size);
		bound->has_owner = has_owner(bound->btf, section, memory, info->value_size);
	}
	free(memory);
	return err;
}

static bool is_section(const struct btf *btf, uint32_t type_id, const char *name)
{
	const struct btf_type *type = type_id ? btf__type_by_id(btf, type_id) : NULL;

	return type && btf_is_datasec(type) &&
	       !strcmp(btf__name_by_offset(btf, type->name_off), name);
}

/* ---- the maps -------------------------------------------------------------------------------- */

/* Stores the fd, or closes it if there is one already. */
static int keep_first(int *place, int fd)
{
	if (*place >= 0)
		close(fd);
	else
		*place = fd;
	return 0;
}

/* Owns the fd.  `bound`: NULL while only the stage is searched. */
static int read_map(struct peat_channel *channel, struct bound_object *bound, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	int err = 0;

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes)) {
		err = -errno;
	} else if (info.type == BPF_MAP_TYPE_ARRAY && info.map_flags & BPF_F_MMAPABLE &&
		   !strcmp(info.name, "peat_stage")) {
		if (!channel__slot_fits(info.value_size)) {
			close(fd);
			return -EBADMSG;
		}
		channel->slot_bytes = info.value_size;
		return keep_first(&channel->stage_fd, fd);
	} else if (bound && info.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
		   !strcmp(info.name, "peat_sampled")) {
		return keep_first(&channel->sampled_fd, fd);
	} else if (bound && stack_map__is(info.type, info.name)) {
		bound->stack_depth = info.value_size / 8;
		return keep_first(&bound->stacks_fd, fd);
	} else if (bound && is_section(bound->btf, info.btf_value_type_id, ".rodata")) {
		err = read_constants(channel, bound, fd, &info);
	}
	close(fd);
	return err;
}

static int read_maps(struct peat_channel *channel, struct bound_object *bound,
		     const struct program *program)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < program->map_count; i++) {
		int fd = bpf_map_get_fd_by_id(program->maps[i]);

		err = fd < 0 ? -errno : read_map(channel, bound, fd);
	}
	return err;
}

/* ---- objects --------------------------------------------------------------------------------- */

static bool is_known(const struct peat_channel *channel, uint32_t btf_id)
{
	for (size_t i = 0; i < channel->bound_count; i++)
		if (channel->bound[i].btf_id == btf_id)
			return true;
	return false;
}

/* All programs of an object have its BTF. */
static int add_object(struct peat_channel *channel, const struct program *program)
{
	struct bound_object bound = { .btf_id = program->btf_id, .stacks_fd = -1 };
	int err;

	bound.btf = btf__load_from_kernel_by_id(program->btf_id);
	if (!bound.btf)
		return -errno;
	err = read_maps(channel, &bound, program);
	if (!err)
		err = channel__add_bound(channel, &bound);
	if (err)
		channel__free_bound(&bound);
	return err;
}

static int add_program(struct peat_channel *channel, uint32_t id)
{
	struct program program = { 0 };
	int err = read_program(id, &program);

	if (!err && channel->stage_fd < 0)
		err = read_maps(channel, NULL, &program);
	if (!err && channel->stage_fd >= 0 && program.btf_id && !is_known(channel, program.btf_id))
		err = add_object(channel, &program);
	free(program.maps);
	return err == -ENOENT ? 0 : err; /* it ended meanwhile */
}

static int check_holders(const struct peat_map *map)
{
	if (!map->holder_count)
		return 0;
	log__error("map '%s' (id %u) has a reader: process %u (%s): a channel has one reader at a "
		   "time: end that process first; the next reader gets the events staged by then",
		   map->name, map->id, map->holders[0].pid, map->holders[0].comm);
	return -EBUSY;
}

static int check_own_reader(struct peat_channel *channel, const struct peat_map *map)
{
	int err = adopted_rings__add(&channel->adopted, map->id);

	if (err)
		log__error(
			"map '%s' (id %u) has a reader in this process: a channel has one reader "
			"at a time: free that session first",
			map->name, map->id);
	return err;
}

/* For the runs of them that the kernel skips. */
static int keep_ids(struct peat_channel *channel, const struct peat_map *map)
{
	channel->running = calloc(map->program_count + 1, sizeof(*channel->running));
	if (!channel->running)
		return -ENOMEM;
	for (uint32_t i = 0; i < map->program_count; i++)
		channel->running[channel->running_count++] = map->programs[i].id;
	return 0;
}

static int adopt(struct peat_channel *channel, const struct peat_map *map)
{
	int err = keep_ids(channel, map);

	for (uint32_t i = 0; !err && i < map->program_count; i++)
		err = add_program(channel, map->programs[i].id);
	if (!err && channel->stage_fd >= 0)
		return check_holders(map) ?: check_own_reader(channel, map);
	if (err)
		log__error("cannot read the programs that write to map '%s' (id %u): %s", map->name,
			   map->id, strerror(-err));
	return err;
}

static const struct peat_map *find_map_by_id(const struct peat_maps *maps, uint32_t id)
{
	const struct peat_map *map;

	for (uint32_t i = 0; (map = peat_maps__at(maps, i)); i++)
		if (map->id == id)
			return map;
	return NULL;
}

static int adopt_id(struct peat_channel *channel, uint32_t id)
{
	struct peat_maps *maps = peat_maps__new();
	const struct peat_map *map = maps ? find_map_by_id(maps, id) : NULL;
	int err = maps ? 0 : -errno;

	if (map)
		err = adopt(channel, map);
	peat_maps__free(maps);
	return err;
}

/*
 * The number of CPUs of the channel.  Since programs ring bells, the map of rings has two elements
 * per CPU, and its stage says so.
 */
static uint32_t count_cpus(const struct peat_channel *channel, uint32_t ring_elements)
{
	struct bpf_map_info stage = { 0 };
	uint32_t bytes = sizeof(stage);

	if (channel->stage_fd >= 0 && !bpf_obj_get_info_by_fd(channel->stage_fd, &stage, &bytes) &&
	    ring_elements == stage.max_entries / PEAT_SLOTS * 2)
		return ring_elements / 2;
	return ring_elements;
}

int adopt__channel(int ring_fd, struct peat_channel **adopted)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	struct peat_channel *channel;
	int err;

	*adopted = NULL;
	if (bpf_obj_get_info_by_fd(ring_fd, &info, &bytes))
		return -errno;
	if (strcmp(info.name, "peat_ring"))
		return 0;
	channel = peat_channel__new(NULL);
	if (!channel)
		return -errno;
	err = adopt_id(channel, info.id);
	channel->cpus = count_cpus(channel, info.max_entries);
	if (channel->bells != channel->cpus)
		channel->has_silent = true;
	if (!err && channel->stage_fd >= 0)
		channel->ring_fd = fcntl(ring_fd, F_DUPFD_CLOEXEC, 0);
	if (channel->ring_fd >= 0) {
		*adopted = channel;
		return 1;
	}
	peat_channel__free(channel);
	return err;
}
