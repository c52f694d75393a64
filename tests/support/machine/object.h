/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object.h: BPF objects of the tests, compiled into them, and their parts by name.
 *
 *	EMBED_OBJECT(burst)
 *
 *	object = object__open(&burst_object);
 *	*(volatile uint32_t *)object__variable(object, "only_pid", 4) = getpid();
 *	object__load(object);
 *	counts = object__variable(object, "counts", sizeof(*counts) * CPUS);
 *	link = object__attach(object, "burst");
 *	...
 *	bpf_link__destroy(link);
 *	bpf_object__close(object);
 *
 * No skeleton: bpftool generates none for an object of the other byte order.
 *
 * Whatever fails here fails the running test, and says what it was.
 */
#ifndef TESTS_SUPPORT_MACHINE_OBJECT_H
#define TESTS_SUPPORT_MACHINE_OBJECT_H

#include <stddef.h>
#include <stdint.h>
#include <bpf/libbpf.h>

struct object_file {
	const char *name;
	const void *bytes;
	const size_t *count;		 /* of bytes */
	const struct object_file *plain; /* for kernels before Linux 5.12; NULL: the same */
};

/*
 * Defines `const struct object_file NAME_object`: the object of NAME.bpf.c beside the test.  For
 * the top of a test.  The symbols are weak, as two files may embed the same object, and not local:
 * see user/probes/probe.c.
 */
#define EMBED_OBJECT(name) EMBED_OBJECT_(name, NULL)

/* The same for an object with atomic operations that return a value, and NAME_plain.bpf.c without.
 */
#define EMBED_TWINS(name)                                                                          \
	EMBED_OBJECT(name##_plain)                                                                 \
	EMBED_OBJECT_(name, &name##_plain_object)

#define EMBED_OBJECT_(name, plain)                                                                 \
	__asm__(".pushsection .rodata\n"                                                           \
		".weak embedded_" #name "_bytes, embedded_" #name "_count\n"                       \
		".hidden embedded_" #name "_bytes, embedded_" #name "_count\n"                     \
		".balign 16\n"                                                                     \
		"embedded_" #name "_bytes:\n"                                                      \
		"1: .incbin \"" TEST_OBJECTS "/" #name ".bpf.o\"\n"                                \
		"2: .balign 16\n"                                                                  \
		"embedded_" #name "_count: .quad 2b - 1b\n"                                        \
		".popsection\n");                                                                  \
	extern const unsigned char name##_bytes[] __asm__("embedded_" #name "_bytes");             \
	extern const size_t name##_count __asm__("embedded_" #name "_count");                      \
	static const struct object_file name##_object = { #name, name##_bytes, &name##_count,      \
							  plain };

/* The object, or its twin if this kernel needs that. */
const struct object_file *object__twin(const struct object_file *file);

/* Writes the object or its twin to a file. */
void object__write(const struct object_file *file, const char *path);

/* The object or its twin, opened, and libbpf told to keep quiet but for its warnings. */
struct bpf_object *object__open(const struct object_file *file);

void object__load(struct bpf_object *object);

/* Attaches one program the way its section says. */
struct bpf_link *object__attach(struct bpf_object *object, const char *program);

/* Attaches a program of a perf event to the cpu-clock of one CPU, `hertz` times a second. */
struct bpf_link *object__attach_clock(struct bpf_object *object, const char *program, uint32_t cpu,
				      uint64_t hertz);

/*
 * Memory of the global variable `name`, which has `bytes` bytes.  Before the load it holds the
 * initial value; asked for after the load, it is the variable itself, as the programs see it: use
 * it through a pointer to volatile.  A constant can be set before the load only.
 */
void *object__variable(struct bpf_object *object, const char *name, size_t bytes);

int object__map_fd(const struct bpf_object *object, const char *map);
int object__program_fd(const struct bpf_object *object, const char *program);

/*
 * Times the kernel left the program out, as it ran on that CPU already: where programs can be
 * preempted (Linux 7.2), one of another task may be in the middle of it.
 */
uint64_t object__misses(const struct bpf_object *object, const char *program);

#endif /* TESTS_SUPPORT_MACHINE_OBJECT_H */
