// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_damaged_objects.c: damaged files of BPF objects, which make libbpf crash or need much
 * memory.  tests/objects has more of them.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(motley)
EMBED_OBJECT(refusals)
EMBED_OBJECT(tables)

#define PEAT command__peat()

/* A copy of an object, and the file that it is written to. */
struct copy {
	unsigned char *bytes;
	size_t count;
	char path[64];
};

/*
 * peat reports a crash of libbpf by the signal, so AddressSanitizer must not handle signals.
 */
static void copy_object(struct copy *copy, const struct object_file *object)
{
	setenv("ASAN_OPTIONS", "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0", 1);
	copy->count = *object->count;
	copy->bytes = malloc(copy->count);
	ck_assert_ptr_nonnull(copy->bytes);
	memcpy(copy->bytes, object->bytes, copy->count);
	snprintf(copy->path, sizeof(copy->path), "/tmp/peat-damaged-%d.bpf.o", (int)getpid());
}

static void free_copy(struct copy *copy)
{
	free(copy->bytes);
	unlink(copy->path);
}

static void write_copy(const struct copy *copy, size_t count)
{
	FILE *file = fopen(copy->path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(copy->bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
}

/* ---- random damage --------------------------------------------------------------------------- */

/* A damaged object may still be readable; otherwise peat prints a single line. */
static void check_list(const struct copy *copy, size_t count)
{
	const char *line_end;
	struct command peat;

	write_copy(copy, count);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "list", copy->path));
	line_end = strchr(peat.err_text, '\n');
	if (peat.status != 0 &&
	    (peat.status != 1 || !line_end || line_end != strrchr(peat.err_text, '\n')))
		ck_abort_msg("%s: status %d: %s", copy->path, peat.status, peat.err_text);
	command__free(&peat);
}

START_TEST(test_random_damage)
{
	uint32_t times = amount__at_most("PEAT_TEST_PROCESSES", 200);
	uint64_t random = 88172645463325252;
	struct copy copy;

	copy_object(&copy, &motley_object);
	for (uint32_t i = 0; i < times; i++)
		check_list(&copy, copy.count * i / times);
	for (uint32_t i = 0; i < times; i++) {
		for (int flips = 0; flips < 20; flips++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			copy.bytes[random % copy.count] = (unsigned char)(random >> 32);
		}
		check_list(&copy, copy.count);
		memcpy(copy.bytes, motley_object.bytes, copy.count);
	}
	for (size_t i = 0; i < copy.count; i++) { /* random bytes only */
		random = random * 6364136223846793005 + 1442695040888963407;
		copy.bytes[i] = (unsigned char)(random >> 56);
	}
	check_list(&copy, copy.count);
	free_copy(&copy);
}
END_TEST

/* ---- damage of one kind ---------------------------------------------------------------------- */

static void expect_failure(const struct copy *copy, const char *const *argv, const char *words)
{
	struct command peat;

	write_copy(copy, copy->count);
	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == 1, "status %d: %s", peat.status, peat.err_text);
	ck_assert_msg(strstr(peat.err_text, copy->path) && strstr(peat.err_text, words),
		      "'%s' does not say '%s'", peat.err_text, words);
	command__free(&peat);
}

/* The type of this BTF in the copy. */
static struct btf_type *find_in_copy(const struct copy *copy, const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const unsigned char *raw;
	unsigned char *found;
	uint32_t count;

	ck_assert_ptr_nonnull(type);
	raw = btf__raw_data(btf, &count);
	found = memmem(copy->bytes, copy->count, raw, sizeof(struct btf_header));
	ck_assert_ptr_nonnull(found);
	return (void *)(found + ((const unsigned char *)type - raw));
}

/* The struct's members in the copy; all have types that do not exist. */
static void damage_members(struct copy *copy, const char *name)
{
	struct bpf_object *object = bpf_object__open_mem(copy->bytes, copy->count, NULL);
	const struct btf *btf = object ? bpf_object__btf(object) : NULL;
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	struct btf_type *type = find_in_copy(copy, btf, (uint32_t)id);

	for (uint32_t i = 0; i < btf_vlen(type); i++)
		btf_members(type)[i].type = INT32_MAX;
	bpf_object__close(object);
}

/* The first tag in the copy has no text. */
static void damage_tag(struct copy *copy)
{
	struct bpf_object *object = bpf_object__open_mem(copy->bytes, copy->count, NULL);
	const struct btf *btf = object ? bpf_object__btf(object) : NULL;
	uint32_t id = 1;

	while (id < btf__type_cnt(btf) && !btf_is_decl_tag(btf__type_by_id(btf, id)))
		id++;
	find_in_copy(copy, btf, id)->name_off = INT32_MAX;
	bpf_object__close(object);
}

/* libbpf before 1.3 opens such an object, and peat says why it does not. */
START_TEST(test_tag_without_text)
{
	struct copy copy;

	copy_object(&copy, &tables_object);
	damage_tag(&copy);
	check_list(&copy, copy.count);
	free_copy(&copy);
}
END_TEST

/* libbpf 1.1 crashes when it relocates a program, after it has opened the object. */
START_TEST(test_crash_of_relocation)
{
	struct copy copy;

	copy_object(&copy, &refusals_object);
	damage_members(&copy, "task_struct");
	expect_failure(&copy, ARGV(PEAT, "trace", "-d", "1ms", copy.path), "cannot");
	expect_failure(&copy, ARGV(PEAT, "count", "--best-effort", "-d", "1ms", copy.path),
		       "cannot");
	free_copy(&copy);
}
END_TEST

static void enlarge_bss(struct copy *copy, uint64_t bytes)
{
	Elf64_Ehdr *header = (void *)copy->bytes;
	Elf64_Shdr *sections = (void *)(copy->bytes + header->e_shoff);

	for (unsigned i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_NOBITS)
			sections[i].sh_size = bytes;
}

/* The address sanitizer reserves more memory than any limit. */
START_TEST(test_large_variables)
{
	struct copy copy;

#ifdef __SANITIZE_ADDRESS__
	skip("no limit of memory with the address sanitizer");
#endif
	copy_object(&copy, &motley_object);
	enlarge_bss(&copy, UINT64_C(3) << 30);
	expect_failure(&copy, ARGV(PEAT, "list", copy.path), "limit: 2 GiB");
	expect_failure(&copy, ARGV(PEAT, "trace", "-d", "1ms", copy.path), "limit: 2 GiB");
	free_copy(&copy);
}
END_TEST

static Suite *damaged_objects_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("damaged_objects", 120, &tests);

	tcase_add_test(tests, test_random_damage);
	tcase_add_test(tests, test_tag_without_text);
	tcase_add_test(tests, test_crash_of_relocation);
	tcase_add_test(tests, test_large_variables);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { damaged_objects_suite };

	return harness__main(argc, argv, suites, 1);
}
