// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/channel.c: the maps that BPF objects share, and the constants of their programs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/binding.h>
#include <peat/wire.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "channel/cgroup_filter.h"
#include "channel/channel.h"
#include "channel/collector.h"
#include "channel/program_stacks.h"
#include "channel/select.h"
#include "channel/sent_names.h"
#include "channel/sent_owner.h"
#include "channel/task_helpers.h"
#include "object/globals.h"
#include "object/kernel_atomics.h"
#include "object/map_memory.h"
#include "object/preload.h"
#include "ring/stack_opts.h"
#include "schema/event_types.h"
#include "sys/caps.h"
#include "sys/cpus.h"
#include "sys/file_room.h"

#define SLOT_BYTES_MIN 4096u
/* A frame has at most 65,516 bytes: beyond that the kernel's record size wraps (6.1 to 6.18). */
#define SLOT_BYTES_MAX 65408u

/* An event's head with ids: the most bytes before a payload, and before these its owner. */
#define HEAD_BYTES 16u

/* ---- making ---------------------------------------------------------------------------------- */

bool channel__slot_fits(uint32_t slot_bytes)
{
	return slot_bytes >= SLOT_BYTES_MIN && slot_bytes <= SLOT_BYTES_MAX && !(slot_bytes % 64);
}

int channel__check_opts(const struct peat_channel_opts *opts)
{
	if (opts->slot_bytes && !channel__slot_fits(opts->slot_bytes)) {
		log__error("peat_channel_opts: slot_bytes is %u: use %u to %u, a multiple of 64",
			   opts->slot_bytes, SLOT_BYTES_MIN, SLOT_BYTES_MAX);
		return -EINVAL;
	}
	if (opts->batch_bytes > SLOT_BYTES_MAX - PEAT_SLOT_HEAD_BYTES) {
		log__error("peat_channel_opts: batch_bytes is %u: use at most %u",
			   opts->batch_bytes, SLOT_BYTES_MAX - PEAT_SLOT_HEAD_BYTES);
		return -EINVAL;
	}
	if (opts->batch_bytes && opts->unstaged) {
		log__error("peat_channel_opts: batch_bytes is %u and unstaged is set: a channel "
			   "writes batches or single events",
			   opts->batch_bytes);
		return -EINVAL;
	}
	return OPTS_CHECK_RESERVED(opts, "peat_channel_opts");
}

static int read_possible_cpus(uint32_t *limit)
{
	struct cpus cpus;
	int err = cpus__read(&cpus, "possible");

	if (err) {
		log__error("cannot read /sys/devices/system/cpu/possible: %s", strerror(-err));
		return err;
	}
	*limit = cpus.limit;
	cpus__free(&cpus);
	return 0;
}

struct peat_channel *peat_channel__new(const struct peat_channel_opts *callers_opts)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct peat_channel *channel;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_channel_opts");

	if (!err)
		err = channel__check_opts(&opts);
	if (!err)
		err = stack_opts__set_defaults(&opts.stacks, "peat_channel_opts");
	if (err)
		return fail_null(err);
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return fail_null(-ENOMEM);
	channel->opts = opts;
	if (!opts.batch_bytes && !opts.unstaged)
		channel->opts.batch_bytes = program_stacks__room(&opts) ? PROGRAM_STACKS_BATCH_BYTES
									: PEAT_DEFAULT_BATCH_BYTES;
	channel->ring_fd = channel->stage_fd = channel->sampled_fd = channel->cells.fd = -1;
	channel->left_out_fd = -1;
	err = read_possible_cpus(&channel->cpus);
	if (err) {
		peat_channel__free(channel);
		return fail_null(err);
	}
	return channel;
}

void channel__free_bound(struct bound_object *bound)
{
	channel__free_schemas(bound);
	btf__free(bound->btf);
	if (bound->stacks_fd >= 0)
		close(bound->stacks_fd);
}

void peat_channel__free(struct peat_channel *channel)
{
	if (!channel)
		return;
	adopted_rings__remove(&channel->adopted);
	if (channel->ring_fd >= 0)
		close(channel->ring_fd);
	if (channel->stage_fd >= 0)
		close(channel->stage_fd);
	if (channel->sampled_fd >= 0)
		close(channel->sampled_fd);
	if (channel->left_out_fd >= 0)
		close(channel->left_out_fd);
	for (size_t i = 0; i < channel->bound_count; i++)
		channel__free_bound(&channel->bound[i]);
	free(channel->bound);
	collector__free(channel->collector);
	cells__close(&channel->cells);
	map_counters__free(&channel->counters);
	free(channel->running);
	free(channel);
}

/* ---- the maps -------------------------------------------------------------------------------- */

static uint32_t max_bytes(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Smallest slot with room for a batch and for the largest event. */
static uint32_t slot_bytes_needed(const struct peat_channel *channel, uint32_t largest)
{
	uint32_t data = max_bytes(channel->opts.batch_bytes, largest + HEAD_BYTES);

	return (PEAT_SLOT_HEAD_BYTES + data + 63) & ~63u;
}

/* Events without stacks of objects that are bound later, at least. */
#define LATER_EVENT_BYTES 4096u

/*
 * With stacks, a batch and an event more, so that a program writes full batches; and the room for
 * stacks, which objects that are bound later may need.
 */
static uint32_t slot_bytes_wanted(const struct peat_channel *channel, uint32_t largest)
{
	uint32_t room = program_stacks__room(&channel->opts),
		 needed = slot_bytes_needed(channel, largest);
	uint32_t event, wanted;

	if (!room)
		return max_bytes(PEAT_DEFAULT_SLOT_BYTES, needed);
	event = max_bytes(largest, LATER_EVENT_BYTES + room) + HEAD_BYTES;
	wanted = PEAT_SLOT_HEAD_BYTES + channel->opts.batch_bytes + event;
	wanted = (wanted + 63) & ~63u;
	return max_bytes(needed, wanted < SLOT_BYTES_MAX ? wanted : SLOT_BYTES_MAX);
}

static int create_maps(struct peat_channel *channel, uint32_t largest)
{
	LIBBPF_OPTS(bpf_map_create_opts, stage_opts, .map_flags = BPF_F_MMAPABLE);
	int err;

	channel->slot_bytes = channel->opts.slot_bytes;
	if (!channel->slot_bytes)
		channel->slot_bytes = max_bytes(slot_bytes_wanted(channel, largest),
						sent_names__slot_bytes(channel, largest));
	map_memory__raise_limit();
	/* An element per CPU for its ring, and one for its bell. */
	channel->ring_fd = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_ring", 4, 4,
					  channel->cpus * 2, NULL);
	channel->bells = channel->cpus;
	if (channel->ring_fd >= 0)
		channel->stage_fd =
			bpf_map_create(BPF_MAP_TYPE_ARRAY, "peat_stage", 4, channel->slot_bytes,
				       channel->cpus * PEAT_SLOTS, &stage_opts);
	if (channel->stage_fd >= 0)
		return 0;
	err = -errno;
	if (err == -EINVAL) {
		log__error("channels need Linux 5.5 or newer, which has BPF arrays that can be "
			   "mapped: only perf event arrays can be read here, raw");
		return -EOPNOTSUPP;
	}
	log__error("cannot create the channel's maps: %s%s%s", strerror(-err),
		   err == -EPERM ? ": " : "", err == -EPERM ? caps__explain() : "");
	return err;
}

static int check_event_fits(struct peat_channel *channel, const char *name, uint32_t largest)
{
	uint32_t needed = slot_bytes_needed(channel, largest);

	if (largest > SLOT_BYTES_MAX - PEAT_SLOT_HEAD_BYTES - HEAD_BYTES) {
		log__error("%s has an event of %u bytes: the maximum is %u", name, largest,
			   SLOT_BYTES_MAX - PEAT_SLOT_HEAD_BYTES - HEAD_BYTES);
		return -E2BIG;
	}
	if (channel->slot_bytes && needed > channel->slot_bytes) {
		log__error("%s has an event of %u bytes: the channel's slots are too small: create "
			   "it with slot_bytes %u",
			   name, largest, needed);
		return -E2BIG;
	}
	return 0;
}

/*
 * libbpf gives the map its name in the kernel.  It creates maps without names if it cannot load the
 * program that tries whether the kernel has names, also for lack of memory.
 */
static int check_name(const struct bpf_object *object, const char *name, const struct bpf_map *map)
{
	if (bpf_object__find_map_by_name(object, name) == map)
		return 0;
	log__error(
		"%s cannot use the channel's map %s: libbpf created it without a name: try again",
		bpf_object__name(object), name);
	return -ENOTSUP;
}

static int reuse_map(struct bpf_object *object, const char *name, int fd)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, name);
	int err = map ? bpf_map__reuse_fd(map, fd) : -EINVAL;

	if (!map)
		log__error("%s has no map %s: does it include peat.bpf.h?",
			   bpf_object__name(object), name);
	else if (err)
		log__error("%s cannot use the channel's map %s: %s%s", bpf_object__name(object),
			   name, strerror(-err), file_room__remedy(err));
	return err ? err : check_name(object, name, map);
}

/* The array of events whose stacks the kernel samples, if programs of the object have any. */
static int add_sampled(struct peat_channel *channel, struct bpf_object *object)
{
	uint32_t kinds = program_stacks__sampled_kinds(&channel->opts, object);

	if (!kinds)
		return 0;
	if (channel->sampled_fd < 0)
		channel->sampled_fd = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_sampled",
						     4, 4, channel->cpus, NULL);
	if (channel->sampled_fd < 0) {
		log__error("cannot create the array of sampled stacks: %s", strerror(errno));
		return -errno;
	}
	channel->sampled_stacks |= kinds;
	return reuse_map(object, "peat_sampled", channel->sampled_fd);
}

/* Maps that are created only if another map was put in their place before. */
static int omit_unused_maps(struct bpf_object *object)
{
	static const char *const names[] = { "peat_cgroup", "peat_descendants", "peat_tables",
					     "peat_sampled", "peat_left_out" };
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(names) / sizeof(*names); i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(object, names[i]);

		if (map && bpf_map__fd(map) < 0)
			err = bpf_map__set_autocreate(map, false);
	}
	return err;
}

/* ---- constants of the programs --------------------------------------------------------------- */

static int set_channel_constant(struct bpf_object *object, const char *name, uint64_t value,
				size_t bytes)
{
	uint32_t word = (uint32_t)value;
	int err = globals__set(object, name, bytes == 4 ? (void *)&word : (void *)&value, bytes);

	if (err)
		log__error("%s: cannot set %s: %s", bpf_object__name(object), name, strerror(-err));
	return err;
}

/* Whether stores become visible in program order, on every machine of this architecture. */
static bool stores_are_ordered(void)
{
#if defined(__x86_64__) || defined(__s390x__)
	return true;
#else
	return false;
#endif
}

/* Set in the ELF file by object/plain_locks.c. */
static bool has_plain_locks(struct bpf_object *object)
{
	size_t bytes;
	const uint32_t *is_plain = globals__find(object, "peat_plain_locks", &bytes);

	return is_plain && bytes == sizeof(*is_plain) && *is_plain;
}

/*
 * Programs with plain locks: no other CPU may lock their slots, so the reader collects on the CPU.
 * The kernel is the same for all objects, so the first one decides.
 */
static int load_collector(struct peat_channel *channel, struct bpf_object *object)
{
	int err;

	collector__free(channel->collector); /* that of an object that could not be bound */
	channel->collector = NULL;
	if (!has_plain_locks(object))
		return 0;
	log__info("slots are locked by plain stores, and collected on their CPUs: this kernel has "
		  "no atomic operations that return a value");
	err = collector__new(&channel->collector, channel->stage_fd, channel->slot_bytes);
	if (err || collector__can_run(channel->collector))
		return err;
	log__info("each event is written to its ring at once: staged events could not be collected "
		  "by this kernel (Linux 5.10)");
	channel->opts.batch_bytes = 0;
	return 0;
}

/*
 * Makes the object's programs wake a reader that sleeps.  Objects compiled with an older peat.bpf.h
 * cannot; nor do programs with plain locks, whose slots only their own CPU could arm.
 */
static int set_bells(struct peat_channel *channel, struct bpf_object *object)
{
	uint32_t bells = channel->collector ? 0 : channel->bells;
	size_t bytes;

	if (!bells || !globals__find(object, "peat_bells", &bytes))
		channel->has_silent = true;
	else
		return set_channel_constant(object, "peat_bells", bells, 4);
	return 0;
}

/* Before Linux 5.18, XDP programs copy packets in another way.  Optional as peat_bells. */
static int set_xdp_helpers(struct bpf_object *object)
{
	struct bpf_program *program;
	size_t bytes;

	if (!globals__find(object, "peat_xdp_helpers", &bytes))
		return 0;
	bpf_object__for_each_program(program, object)
	{
		if (bpf_program__type(program) == BPF_PROG_TYPE_XDP)
			return set_channel_constant(object, "peat_xdp_helpers",
						    libbpf_probe_bpf_helper(BPF_PROG_TYPE_XDP,
									    BPF_FUNC_xdp_load_bytes,
									    NULL) != 0,
						    4);
	}
	return 0;
}

/* Objects compiled with an older peat.bpf.h lack them. */
static int set_machine_constants(struct bpf_object *object)
{
	const struct {
		const char *name;
		uint64_t value;
	} constants[] = {
		{ "peat_page_bytes", (uint64_t)sysconf(_SC_PAGESIZE) },
		{ "peat_loader_pid", (uint64_t)getpid() },
	};
	size_t bytes;
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(constants) / sizeof(*constants); i++)
		if (globals__find(object, constants[i].name, &bytes))
			err = set_channel_constant(object, constants[i].name, constants[i].value,
						   4);
	return err;
}

static int set_head_bytes(struct bpf_object *object, bool ids, bool owner)
{
	size_t bytes;

	if (!globals__find(object, "peat_head_bytes", &bytes)) /* an older peat.bpf.h */
		return set_channel_constant(object, "peat_with_ids", ids, 4);
	return set_channel_constant(object, "peat_head_bytes",
				    owner ? PEAT_HEAD_WITH_OWNER
				    : ids ? PEAT_HEAD_WITH_IDS
					  : PEAT_HEAD_ALONE,
				    8);
}

static int set_channel_constants(struct peat_channel *channel, struct bpf_object *object,
				 bool with_owner)
{
	const struct peat_channel_opts *opts = &channel->opts;
	bool ids = !opts->no_ids && task_helpers__have(object, BPF_FUNC_get_current_pid_tgid);
	uint32_t owner_bytes = with_owner ? sizeof(struct peat_event_owner) : 0;
	int err = set_channel_constant(object, "peat_slot_bytes", channel->slot_bytes - owner_bytes,
				       8);

	if (!opts->no_ids && !ids)
		log__info("%s: events have no process and thread ids: programs of its type cannot "
			  "read them on this kernel",
			  bpf_object__name(object));
	if (!err)
		err = set_channel_constant(object, "peat_batch_bytes", opts->batch_bytes, 8);
	if (!err)
		err = set_channel_constant(object, "peat_type_base", channel->next_type, 8);
	if (!err)
		err = set_channel_constant(object, "peat_max_rate", opts->max_rate, 8);
	if (!err)
		err = set_channel_constant(object, "peat_with_time", !opts->no_time, 4);
	if (!err)
		err = set_head_bytes(object, ids, with_owner);
	if (!err)
		err = set_channel_constant(object, "peat_ordered_stores", stores_are_ordered(), 4);
	if (!err)
		err = set_xdp_helpers(object);
	if (!err)
		err = set_machine_constants(object);
	if (!err)
		err = program_stacks__set_constants(opts, object);
	return err ? err : set_bells(channel, object);
}

/* ---- binding --------------------------------------------------------------------------------- */

const struct btf *channel__btf(const struct bound_object *bound)
{
	return bound->object ? bpf_object__btf(bound->object) : bound->btf;
}

int channel__add_bound(struct peat_channel *channel, const struct bound_object *of)
{
	uint32_t types = btf__type_cnt(channel__btf(of));
	struct peat_schema **schemas;
	struct bound_object *bound;

	if (!ARRAY_RESERVE_NEXT(channel->bound, channel->bound_count))
		return -ENOMEM;
	schemas = calloc(types, sizeof(struct peat_schema *));
	if (!schemas)
		return -ENOMEM;
	bound = &channel->bound[channel->bound_count++];
	*bound = *of;
	bound->types = types;
	bound->schemas = schemas;
	channel->next_type = bound->first_type + types;
	return 0;
}

/*
 * The verifier refuses perf event arrays to sleepable programs (Linux 6.1 to 7.3), with a message
 * of its own.  Such a program would also hold its slot while it sleeps.  Programs with PEAT_PRELOAD
 * emit nothing.
 */
static int refuse_sleepable(struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (!bpf_program__autoload(program) || !preload__is_sleepable(program) ||
		    preload__accepts(object, program))
			continue;
		log__error("%s: program %s is sleepable: sleepable programs cannot use perf event "
			   "arrays",
			   bpf_object__name(object), bpf_program__name(program));
		return -EINVAL;
	}
	return 0;
}

/* Otherwise the verifier would refuse every program, with obscure messages. */
static int check_locks(struct bpf_object *object)
{
	if (has_plain_locks(object) || !kernel_atomics__are_missing())
		return 0;
	log__error("%s: open it by peat_channel__open(), or call peat_object__prepare() before: "
		   "this kernel has no atomic operations that return a value (Linux 5.12)",
		   bpf_object__name(object));
	return -EOPNOTSUPP;
}

static int check_object(const struct peat_channel *channel, struct bpf_object *object,
			uint32_t *largest)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "peat_stage");
	const struct btf *btf = bpf_object__btf(object);
	const char *name = bpf_object__name(object);

	if (!map || !btf) {
		log__error("%s does not include peat.bpf.h, or was compiled without -g", name);
		return -EINVAL;
	}
	if (bpf_map__fd(map) >= 0) {
		log__error("%s is loaded already: bind it between open and load", name);
		return -EINVAL;
	}
	if (btf__type_cnt(btf) > PEAT_EVENT_TYPE - channel->next_type) {
		log__error("%s has %u types, too many for the channel's %u type numbers", name,
			   btf__type_cnt(btf), PEAT_EVENT_TYPE);
		return -ENOSPC;
	}
	if (!event_types__largest(btf, program_stacks__room_of(&channel->opts, object), largest))
		return 0;
	log__error("%s: a variable peat_note_N is no event type: peat.bpf.h did not define it",
		   name);
	return -EBADMSG;
}

static int add_object(struct peat_channel *channel, struct bpf_object *object, bool has_owner)
{
	struct bound_object bound = { .object = object,
				      .first_type = channel->next_type,
				      .stacks_fd = -1,
				      .has_owner = has_owner };
	int err = channel__add_bound(channel, &bound);

	if (err)
		return err;
	err = select__set(channel, &channel->bound[channel->bound_count - 1]);
	if (!err)
		err = map_counters__add(&channel->counters, object, bpf_object__name(object));
	if (!err)
		return 0;
	channel__free_bound(&channel->bound[--channel->bound_count]);
	channel->next_type = bound.first_type;
	return err;
}

static int bind_object(struct peat_channel *channel, struct bpf_object *object)
{
	bool has_owner = false;
	uint32_t largest;
	int err = check_object(channel, object, &largest);

	if (!err)
		has_owner = sent_owner__is_needed(channel, object);
	if (has_owner)
		largest += sizeof(struct peat_event_owner);
	if (!err)
		err = refuse_sleepable(object);
	if (!err)
		err = check_event_fits(channel, bpf_object__name(object), largest);
	if (!err && channel->stage_fd < 0)
		err = create_maps(channel, largest);
	if (!err)
		err = check_locks(object);
	if (!err)
		err = check_event_fits(channel, bpf_object__name(object), largest);
	if (!err)
		err = reuse_map(object, "peat_ring", channel->ring_fd);
	if (!err)
		err = reuse_map(object, "peat_stage", channel->stage_fd);
	if (!err)
		err = add_sampled(channel, object);
	if (!err && !channel->bound_count)
		err = load_collector(channel, object);
	if (!err)
		err = set_channel_constants(channel, object, has_owner);
	if (!err && has_owner)
		err = cgroup_filter__set(channel, object);
	if (!err)
		err = add_object(channel, object, has_owner);
	return err ? err : omit_unused_maps(object);
}

int peat_channel__bind(struct peat_channel *channel, struct bpf_object *object)
{
	int err = bind_object(channel, object);

	return err ? fail(err) : 0;
}
