// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* collector.c: the program of collect.bpf.c, loaded and run where the slot is. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "channel/collector.h"
#include "object/globals.h"
#include "base/internal.h"
#include "object/libbpf_log.h"

struct collector {
	struct bpf_object *object;
	int program_fd;
	unsigned char *taken; /* the map's memory: u32 bytes, and the frame */
	size_t mapped_bytes, frame_bytes_max;
};

/* Compiled in.  Its symbols are global for the same reason as in probe.c. */
__asm__(".pushsection .rodata\n"
	".globl peat_collect_object, peat_collect_end\n"
	".hidden peat_collect_object, peat_collect_end\n"
	".balign 16\n"
	"peat_collect_object: .incbin \"" COLLECT_OBJECT "\"\n"
	"peat_collect_end: .byte 0\n"
	".popsection\n");
extern const unsigned char collect_object[] __asm__("peat_collect_object");
extern const unsigned char collect_end[] __asm__("peat_collect_end");

/* bpf_preempt_disable() is from 6.10.  A kernel of a lower number that has it goes without. */
static bool is_new_enough(void)
{
	unsigned major = 0, minor = 0;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return false;
	return major > 6 || (major == 6 && minor >= 10);
}

/* ---- loading --------------------------------------------------------------------------------- */

static int tell(struct bpf_object *object, size_t slot_bytes)
{
	uint64_t bytes = slot_bytes;
	uint32_t yes = 1;
	int err = globals__set(object, "peat_slot_bytes", &bytes, sizeof(bytes));

	return err ? err : globals__set(object, "peat_local_locks", &yes, sizeof(yes));
}

/* It writes nothing into rings. */
static int choose_maps(struct bpf_object *object, int stage_fd, size_t slot_bytes)
{
	struct bpf_map *ring = bpf_object__find_map_by_name(object, "peat_ring");
	struct bpf_map *stage = bpf_object__find_map_by_name(object, "peat_stage");
	struct bpf_map *taken = bpf_object__find_map_by_name(object, "peat_taken");
	int err = ring && stage && taken ? 0 : -EBADMSG;

	if (!err)
		err = bpf_map__set_autocreate(ring, false);
	if (!err)
		err = bpf_map__reuse_fd(stage, stage_fd);
	return err ? err : bpf_map__set_value_size(taken, (uint32_t)slot_bytes);
}

static int map_taken(struct collector *collector, size_t slot_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	int fd = bpf_object__find_map_fd_by_name(collector->object, "peat_taken");

	collector->mapped_bytes = (slot_bytes + page_bytes - 1) & ~(page_bytes - 1);
	collector->frame_bytes_max = slot_bytes - PEAT_SLOT_HEAD_BYTES + PEAT_FRAME_HEAD_BYTES;
	collector->taken = mmap(NULL, collector->mapped_bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (collector->taken != MAP_FAILED)
		return 0;
	collector->taken = NULL;
	return -errno;
}

static int load(struct collector *collector, int stage_fd, size_t slot_bytes)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "peat_collect");
	int err;

	collector->object =
		bpf_object__open_mem(collect_object, (size_t)(collect_end - collect_object), &opts);
	if (!collector->object)
		return -errno;
	err = choose_maps(collector->object, stage_fd, slot_bytes);
	if (!err)
		err = tell(collector->object, slot_bytes);
	if (!err)
		err = bpf_object__load(collector->object);
	if (err)
		return err;
	collector->program_fd = bpf_program__fd(
		bpf_object__find_program_by_name(collector->object, "peat_collect"));
	return map_taken(collector, slot_bytes);
}

int collector__new(struct collector **collector, int stage_fd, size_t slot_bytes)
{
	int err;

	*collector = NULL;
	if (!is_new_enough())
		return -EOPNOTSUPP;
	*collector = calloc(1, sizeof(**collector));
	if (!*collector)
		return -ENOMEM;
	err = load(*collector, stage_fd, slot_bytes);
	if (!err)
		return 0;
	collector__free(*collector);
	*collector = NULL;
	return err;
}

void collector__free(struct collector *collector)
{
	if (!collector)
		return;
	if (collector->taken)
		munmap(collector->taken, collector->mapped_bytes);
	bpf_object__close(collector->object);
	free(collector);
}

/* ---- taking ---------------------------------------------------------------------------------- */

int collector__take(struct collector *collector, uint32_t index, uint64_t expected)
{
	uint64_t args[2] = { index % PEAT_SLOTS, expected };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args),
		    .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = index / PEAT_SLOTS);
	int err = bpf_prog_test_run_opts(collector->program_fd, &opts);

	return err ? err : (int)opts.retval;
}

/* No slot has sent so many events, so whatever it has is not next. */
bool collector__is_offline(struct collector *collector, uint32_t index)
{
	return collector__take(collector, index, UINT64_MAX) == -ENXIO;
}

const void *collector__frame(const struct collector *collector, size_t *bytes)
{
	uint32_t taken;

	memcpy(&taken, collector->taken, sizeof(taken));
	*bytes = taken < collector->frame_bytes_max ? taken : collector->frame_bytes_max;
	return collector->taken + sizeof(taken);
}
