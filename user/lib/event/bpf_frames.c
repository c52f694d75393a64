// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * event/bpf_frames.c: the frames at the top of a stack that a BPF program took.
 *
 * Linux 5.10:	bpf_prog_X bpf_prog_X bpf_trace_run2 CALLER
 * 6.1, 7.2:	bpf_prog_X bpf_trace_run2 CALLER
 * 6.18:	bpf_prog_X bpf_trace_run2 __bpf_trace_sys_enter __traceiter_sys_enter CALLER
 * tracepoints:	perf_syscall_enter __traceiter_sys_enter CALLER
 * packets:	bpf_skb_event_output bpf_prog_X cls_bpf_classify ...
 * without JIT:	___bpf_prog_run __bpf_prog_run64 bpf_trace_run2 CALLER
 *
 * Programs have names only if net.core.bpf_jit_kallsyms is set.  Without, the frame of a program
 * has no name, or the name of its neighbor in memory.
 */
#include <string.h>

#include "base/text.h"
#include "event/stack.h"
#include "event/bpf_frames.h"
#include "sys/kallsyms.h"

enum frame_class {
	FRAME_OTHER,
	FRAME_PROGRAM,
	FRAME_TRACEPOINT, /* between a tracepoint and its programs */
	FRAME_RUNNER,	  /* calls programs: all frames before it are theirs */
	FRAME_OUTPUT	  /* a helper that programs call: the next frame is a program's */
};

static enum frame_class class_of(const char *name)
{
	static const struct {
		const char *start;
		enum frame_class class;
	} starts[] = {
		{ "bpf_prog_", FRAME_PROGRAM },	      { "__bpf_trace_", FRAME_TRACEPOINT },
		{ "__bpf_prog_run", FRAME_PROGRAM },  { "___bpf_prog_run", FRAME_PROGRAM },
		{ "__traceiter_", FRAME_TRACEPOINT }, { "bpf_trampoline_", FRAME_RUNNER },
		{ "bpf_trace_run", FRAME_RUNNER },    { "__bpf_trace_run", FRAME_RUNNER },
		{ "trace_call_bpf", FRAME_RUNNER },   { "perf_syscall_", FRAME_RUNNER },
		{ "perf_trace_", FRAME_RUNNER },
	};

	if (!name)
		return FRAME_OTHER;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (begins_with(name, starts[i].start))
			return starts[i].class;
	name += strspn(name, "_");
	return begins_with(name, "bpf_") && strstr(name, "event_output") ? FRAME_OUTPUT
									 : FRAME_OTHER;
}

/* A program and its functions, and the helper that took the stack, before the frame that runs it.
 */
#define BEFORE_RUNNER_MAX 5

/* The frames up to the last one that calls, or is called by, a program. */
static uint32_t find_last(const enum frame_class *classes, uint32_t count)
{
	uint32_t top = 0;

	for (uint32_t i = 0; i < count && i < BEFORE_RUNNER_MAX; i++)
		if (classes[i] == FRAME_RUNNER || classes[i] == FRAME_OUTPUT)
			top = i + 1;
	return top;
}

static uint32_t count_classes(const enum frame_class *classes, uint32_t count)
{
	uint32_t top = find_last(classes, count);

	if (top && top < count && classes[top - 1] == FRAME_OUTPUT && classes[top] == FRAME_OTHER)
		top++; /* a program without a name */
	while (top < count && classes[top] != FRAME_OTHER)
		top++;
	return top;
}

uint32_t bpf_frames__count_names(const char *const *names, uint32_t count)
{
	enum frame_class classes[BPF_FRAMES_MAX];

	if (count > BPF_FRAMES_MAX)
		count = BPF_FRAMES_MAX;
	for (uint32_t i = 0; i < count; i++)
		classes[i] = class_of(names[i]);
	return count_classes(classes, count);
}

/* Code is aligned to some bytes only, and call sites differ in their low bits. */
static const char *find_name(struct bpf_frames *machinery, uint64_t address)
{
	size_t at = (address ^ address >> 8) % BPF_FRAMES_ENTRIES;
	uint64_t offset;

	if (machinery->names[at].address != address) {
		machinery->names[at].address = address;
		machinery->names[at].name = kallsyms__name(address, SYMBOLS_ALL, &offset);
	}
	return machinery->names[at].name;
}

uint32_t bpf_frames__count(struct bpf_frames *machinery, const struct peat_event *event,
			   const struct peat_address *addresses, uint32_t count)
{
	const char *names[BPF_FRAMES_MAX];
	uint32_t kernel = 0;

	if (!stack__begins_with_program(event))
		return 0;
	while (kernel < count && kernel < BPF_FRAMES_MAX &&
	       addresses[kernel].space == PEAT_SPACE_KERNEL) {
		names[kernel] = find_name(machinery, addresses[kernel].address);
		kernel++;
	}
	return bpf_frames__count_names(names, kernel);
}
