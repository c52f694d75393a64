// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring/stack_opts.c: the stacks that users request, and how the kernel samples them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "record/sample_regs.h"
#include "ring/stack_opts.h"

#define DEPTH_FALLBACK 127u  /* the kernel's default */
#define DEPTH_LIMIT    1024u /* both stacks of an event fit into a slot */
#define DEFAULT_MEMORY 8192u

#define MAX_STACK "/proc/sys/kernel/perf_event_max_stack"

static uint32_t read_max_stack(void)
{
	int fd = open(MAX_STACK, O_RDONLY | O_CLOEXEC);
	char text[16] = "";
	ssize_t count = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	return count > 0 ? (uint32_t)strtoul(text, NULL, 10) : DEPTH_FALLBACK;
}

uint32_t stack_opts__max_depth(void)
{
	uint32_t depth = read_max_stack();

	return depth < DEPTH_LIMIT ? depth : DEPTH_LIMIT;
}

static int check_depth(uint32_t depth, const char *what)
{
	uint32_t most = stack_opts__max_depth();

	if (depth <= most)
		return 0;
	log__error("%s: stacks.depth is %u: this kernel stores at most %u addresses: use fewer%s",
		   what, depth, most,
		   most < DEPTH_LIMIT ? ", or raise kernel.perf_event_max_stack" : "");
	return -EINVAL;
}

static int check_memory(uint32_t bytes, const char *what)
{
	if (bytes <= PEAT_STACK_MEMORY_MAX && bytes % 8 == 0)
		return 0;
	log__error("%s: stacks.memory_bytes is %u: use at most %u bytes, a multiple of 8", what,
		   bytes, PEAT_STACK_MEMORY_MAX);
	return -EINVAL;
}

int stack_opts__set_defaults(struct peat_stack_request *opts, const char *what)
{
	uint32_t most;
	int err;

	if (opts->kinds & ~STACK_OPTS_KINDS && opts->kinds != PEAT_STACK_NONE) {
		log__error("%s: stacks.kinds is %#x: use PEAT_STACK_KERNEL, _USER and _DWARF, or "
			   "_NONE",
			   what, opts->kinds);
		return -EINVAL;
	}
	if (opts->reserved) {
		log__error("%s: stacks.reserved is not 0: set it to 0", what);
		return -EINVAL;
	}
	err = check_depth(opts->depth, what);
	if (!err)
		err = check_memory(opts->memory_bytes, what);
	if (err)
		return err;
	most = stack_opts__max_depth();
	if (!opts->depth)
		opts->depth = most < DEPTH_FALLBACK ? most : DEPTH_FALLBACK;
	if (!opts->memory_bytes)
		opts->memory_bytes = DEFAULT_MEMORY;
	return 0;
}

static uint64_t sample_type(const struct peat_stack_request *opts)
{
	uint64_t type = 0;

	if (opts->kinds & (PEAT_STACK_KERNEL | PEAT_STACK_USER))
		type |= PEAT_SAMPLE_CALLCHAIN;
	if (opts->kinds & PEAT_STACK_DWARF)
		type |= PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER;
	return type;
}

void stack_opts__set_attr(const struct peat_stack_request *opts, struct perf_event_attr *attr)
{
	bool kernel = opts->kinds & PEAT_STACK_KERNEL, user = opts->kinds & PEAT_STACK_USER;
	uint32_t depth = opts->depth * (kernel + user);

	attr->sample_type |= sample_type(opts);
	if (kernel || user) {
		attr->exclude_callchain_kernel = !kernel;
		attr->exclude_callchain_user = !user;
		if (depth < read_max_stack())
			attr->sample_max_stack = (uint16_t)depth;
	}
	if (opts->kinds & PEAT_STACK_DWARF) {
		attr->sample_regs_user = SAMPLE_REGS_USER;
		attr->sample_stack_user = opts->memory_bytes;
	}
}

void stack_opts__set_layout(const struct peat_stack_request *opts, struct peat_layout *layout)
{
	layout->sample_type |= sample_type(opts);
	if (opts->kinds & PEAT_STACK_DWARF)
		layout->regs_user = SAMPLE_REGS_USER;
}
