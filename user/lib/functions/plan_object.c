// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/plan_object.c: the objects of plan.bpf.c and usdt.bpf.c, and their BTF. */
#include <bpf/btf.h>
#include <errno.h>
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "functions/plan_object.h"
#include "object/elf_image.h"

/* Compiled in.  Their symbols are global for the same reason as in probe.c. */
#define EMBED(name, file)                                                                          \
	__asm__(".pushsection .rodata\n"                                                           \
		".globl peat_" name "_object, peat_" name "_end\n"                                 \
		".hidden peat_" name "_object, peat_" name "_end\n"                                \
		".balign 16\n"                                                                     \
		"peat_" name "_object: .incbin \"" file "\"\n"                                     \
		"peat_" name "_end: .byte 0\n"                                                     \
		".popsection\n")

EMBED("plan", PLAN_OBJECT);
EMBED("usdt", USDT_OBJECT);
extern const unsigned char plan_object[] __asm__("peat_plan_object");
extern const unsigned char plan_end[] __asm__("peat_plan_end");
extern const unsigned char usdt_object[] __asm__("peat_usdt_object");
extern const unsigned char usdt_end[] __asm__("peat_usdt_end");

static const unsigned char *const objects[] = {
	[PLAN_OBJECT_FUNCTIONS] = plan_object,
	[PLAN_OBJECT_USDT] = usdt_object,
};

static const unsigned char *const ends[] = {
	[PLAN_OBJECT_FUNCTIONS] = plan_end,
	[PLAN_OBJECT_USDT] = usdt_end,
};

static size_t bytes_of(enum plan_object which)
{
	return (size_t)(ends[which] - objects[which]);
}

/* A copy of the file, in memory that may be changed, with `more` bytes behind it. */
struct copy {
	char *memory;
	Elf *elf;
	Elf_Scn *btf; /* the section .BTF */
};

static void close_copy(struct copy *copy)
{
	elf_end(copy->elf);
	free(copy->memory);
}

static int open_copy(struct copy *copy, enum plan_object which, size_t more)
{
	size_t bytes = bytes_of(which);

	*copy = (struct copy){ .memory = calloc(1, bytes + more) };
	if (!copy->memory)
		return -ENOMEM;
	memcpy(copy->memory, objects[which], bytes);
	elf_version(EV_CURRENT);
	copy->elf = elf_memory(copy->memory, bytes);
	copy->btf = elf_image__find_section(copy->elf, ".BTF");
	if (copy->btf)
		return 0;
	close_copy(copy);
	return -ENOMEM; /* the object is compiled in, so it is not damaged */
}

struct btf *plan_object__btf(enum plan_object which)
{
	struct elf_bytes bytes;
	struct btf *btf;
	struct copy copy;
	int err = open_copy(&copy, which, 0);

	if (err)
		return fail_null(err);
	bytes = elf_image__bytes(copy.btf);
	btf = btf__new(bytes.at, (uint32_t)bytes.count);
	err = -errno;
	close_copy(&copy);
	return btf ? btf : fail_null(err);
}

/* The headers of sections are a table in the file, which libelf does not change. */
static void move_section(const struct copy *copy, size_t at, size_t bytes)
{
	const Elf64_Ehdr *head = (const void *)copy->memory;
	Elf64_Shdr *headers = (void *)(copy->memory + head->e_shoff);
	Elf64_Shdr *header = &headers[elf_ndxscn(copy->btf)];

	header->sh_offset = at;
	header->sh_size = bytes;
}

static size_t align(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

void *plan_object__with_btf(enum plan_object which, const struct btf *btf, size_t *bytes)
{
	size_t at = align(bytes_of(which));
	uint32_t btf_bytes;
	const void *raw = btf__raw_data(btf, &btf_bytes);
	struct copy copy;
	int err = raw ? open_copy(&copy, which, at - bytes_of(which) + btf_bytes) : -ENOMEM;

	if (err)
		return fail_null(err);
	memcpy(copy.memory + at, raw, btf_bytes);
	move_section(&copy, at, btf_bytes);
	*bytes = at + btf_bytes;
	elf_end(copy.elf);
	return copy.memory;
}
