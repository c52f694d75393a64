// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* objects.c: the benchmark's BPF objects.  The symbols are global for the reason in probe.c. */
#include "objects.h"

#define OBJECT(name)                                                                               \
	__asm__(".pushsection .rodata\n"                                                           \
		".globl bench_object_" #name ", bench_object_" #name "_end\n"                      \
		".hidden bench_object_" #name ", bench_object_" #name "_end\n"                     \
		".balign 16\n"                                                                     \
		"bench_object_" #name ": .incbin \"" BENCH_OBJECTS "/" #name ".bpf.o\"\n"          \
		"bench_object_" #name "_end: .byte 0\n"                                            \
		".popsection\n");                                                                  \
	extern const unsigned char name##_object[] __asm__("bench_object_" #name);                 \
	extern const unsigned char name##_end[] __asm__("bench_object_" #name "_end");             \
	const struct bench_object bench_##name = { "bench_" #name, name##_object, name##_end };

OBJECT(libbpf)
OBJECT(channel)
OBJECT(stage_ringbuf)
OBJECT(select)
OBJECT(by_hand)
