// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/collector.c: loading channel/collect.bpf.c, and running it on the CPU of a slot. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "channel/collector.h"
#include "object/globals.h"
#include "base/errors.h"
#include "base/log.h"
#include "sys/caps.h"
#include "object/open.h"

struct loaded_collector {
	struct collector functions;
	struct bpf_object *object;
	int program_fd;
	unsigned char *collected; /* memory of the map peat_collected: u32 length, and the frame */
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

/* `functions` is the first member. */
static struct loaded_collector *loaded_of(const struct collector *collector)
{
	return (struct loaded_collector *)collector;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static int run(struct collector *collector, uint32_t index, uint64_t expected)
{
	uint64_t args[2] = { index % PEAT_SLOTS, expected };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args),
		    .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = index / PEAT_SLOTS);
	int program_fd = loaded_of(collector)->program_fd, err;

	if (program_fd < 0)
		return COLLECT_BUSY;
	err = bpf_prog_test_run_opts(program_fd, &opts);
	return err ? err : (int)opts.retval;
}

static const void *frame(const struct collector *collector, size_t *bytes)
{
	const struct loaded_collector *loaded = loaded_of(collector);
	uint32_t length;

	memcpy(&length, loaded->collected, sizeof(length));
	*bytes = length < loaded->frame_bytes_max ? length : loaded->frame_bytes_max;
	return loaded->collected + sizeof(length);
}

/* ---- loading --------------------------------------------------------------------------------- */

static int set_slot_bytes(struct bpf_object *object, size_t slot_bytes)
{
	uint64_t bytes = slot_bytes;

	return globals__set(object, "peat_slot_bytes", &bytes, sizeof(bytes));
}

/* The collector writes into no ring: it needs no maps of rings. */
static int set_maps(struct bpf_object *object, int stage_fd, size_t slot_bytes)
{
	struct bpf_map *ring = bpf_object__find_map_by_name(object, "peat_ring");
	struct bpf_map *stage = bpf_object__find_map_by_name(object, "peat_stage");
	struct bpf_map *collected = bpf_object__find_map_by_name(object, "peat_collected");
	struct bpf_map *sampled = bpf_object__find_map_by_name(object, "peat_sampled");
	int err = ring && sampled && stage && collected ? 0 : -EBADMSG;

	if (!err)
		err = bpf_map__set_autocreate(ring, false);
	if (!err)
		err = bpf_map__set_autocreate(sampled, false);
	if (!err)
		err = bpf_map__reuse_fd(stage, stage_fd);
	return err ? err : bpf_map__set_value_size(collected, (uint32_t)slot_bytes);
}

static int map_collected(struct loaded_collector *collector, size_t slot_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	int fd = bpf_object__find_map_fd_by_name(collector->object, "peat_collected");

	collector->mapped_bytes = (slot_bytes + page_bytes - 1) & ~(page_bytes - 1);
	collector->frame_bytes_max = slot_bytes - PEAT_SLOT_HEAD_BYTES + PEAT_FRAME_HEAD_BYTES;
	collector->collected = mmap(NULL, collector->mapped_bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (collector->collected != MAP_FAILED)
		return 0;
	collector->collected = NULL;
	return -errno;
}

static int load_collect_object(struct loaded_collector *collector, int stage_fd, size_t slot_bytes)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "peat_collect");
	int err;

	collector->object = open__mem(opts.object_name, collect_object,
				      (size_t)(collect_end - collect_object), &opts);
	if (!collector->object)
		return -errno;
	err = set_maps(collector->object, stage_fd, slot_bytes);
	if (!err)
		err = set_slot_bytes(collector->object, slot_bytes);
	if (!err)
		err = bpf_object__load(collector->object);
	if (err)
		return err;
	collector->program_fd = bpf_program__fd(
		bpf_object__find_program_by_name(collector->object, "peat_collect"));
	return map_collected(collector, slot_bytes);
}

/* Before Linux 5.10 the kernel refuses it: as invalid, or with an errno of its own. */
static void try_to_run(struct loaded_collector *collector)
{
	int result = run(&collector->functions, 0, UINT64_MAX);

	if (result == -EINVAL || result == -EOPNOTSUPP || result == -KERNELS_ENOTSUPP)
		collector->program_fd = -1;
}

int collector__new(struct collector **collector, int stage_fd, size_t slot_bytes)
{
	struct loaded_collector *loaded = calloc(1, sizeof(*loaded));
	int err;

	*collector = NULL;
	if (!loaded)
		return -ENOMEM;
	loaded->functions = (struct collector){ run, frame };
	err = load_collect_object(loaded, stage_fd, slot_bytes);
	if (!err) {
		try_to_run(loaded);
		*collector = &loaded->functions;
		return 0;
	}
	log__error("cannot load the program that collects staged events: %s%s%s", strerror(-err),
		   err == -EPERM ? ": " : "", err == -EPERM ? caps__explain() : "");
	collector__free(&loaded->functions);
	return err;
}

void collector__free(struct collector *collector)
{
	struct loaded_collector *loaded = loaded_of(collector);

	if (!collector)
		return;
	if (loaded->collected)
		munmap(loaded->collected, loaded->mapped_bytes);
	bpf_object__close(loaded->object);
	free(loaded);
}

bool collector__can_run(const struct collector *collector)
{
	return loaded_of(collector)->program_fd >= 0;
}
