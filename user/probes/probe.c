// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * probe.c: the probes that are compiled in.  The Makefile writes probes.def: PROBE(name) for each
 * bpf/name.bpf.c.  The symbols are global: on arm64 the global offset table loses the offset of a
 * local symbol in its section.
 */
#include <string.h>

#include "probe.h"

#define PROBE(name)                                                                                \
	__asm__(".pushsection .rodata\n"                                                           \
		".globl probe_" #name "_object, probe_" #name "_end\n"                             \
		".hidden probe_" #name "_object, probe_" #name "_end\n"                            \
		".balign 16\n"                                                                     \
		"probe_" #name "_object: .incbin \"" PROBE_OBJECTS "/" #name ".bpf.o\"\n"          \
		"probe_" #name "_end: .byte 0\n"                                                   \
		".popsection\n");                                                                  \
	extern const unsigned char name##_object[] __asm__("probe_" #name "_object");              \
	extern const unsigned char name##_end[] __asm__("probe_" #name "_end");
#include <probes.def>
#undef PROBE

#define PROBE(name) { #name, name##_object, 0 },
static struct probe probes[] = {
#include <probes.def>
};
#undef PROBE

#define PROBE(name) name##_end,
static const unsigned char *const ends[] = {
#include <probes.def>
};
#undef PROBE

const struct probe *probe__at(size_t i)
{
	if (i >= sizeof(probes) / sizeof(*probes))
		return NULL;
	/* The difference of two symbols is not a constant expression in C. */
	probes[i].object_bytes = (size_t)(ends[i] - (const unsigned char *)probes[i].object);
	return &probes[i];
}

const struct probe *probe__find(const char *name)
{
	const struct probe *probe;

	for (size_t i = 0; (probe = probe__at(i)); i++)
		if (!strcmp(probe->name, name))
			return probe;
	return NULL;
}
