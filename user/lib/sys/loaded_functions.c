// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/loaded_functions.c: asks the kernel for the code of BPF programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "sys/loaded_functions.h"

/* A program has at most 256 functions (BPF_MAX_SUBPROGS). */
#define FUNCTIONS_MAX 256

struct program {
	struct bpf_prog_info info;
	uint64_t addresses[FUNCTIONS_MAX];
	uint32_t bytes[FUNCTIONS_MAX];
	uint8_t tags[FUNCTIONS_MAX][BPF_TAG_SIZE];
	struct bpf_func_info types[FUNCTIONS_MAX];
	struct btf *btf; /* NULL: unknown */
};

/* The kernel counts what it has, and stores as much as there is room for. */
static void ask(struct program *program, int fd)
{
	uint32_t bytes = sizeof(program->info);

	program->info = (struct bpf_prog_info){
		.nr_jited_ksyms = FUNCTIONS_MAX,
		.jited_ksyms = (uintptr_t)program->addresses,
		.nr_jited_func_lens = FUNCTIONS_MAX,
		.jited_func_lens = (uintptr_t)program->bytes,
		.nr_prog_tags = FUNCTIONS_MAX,
		.prog_tags = (uintptr_t)program->tags,
		.func_info_rec_size = sizeof(*program->types),
		.nr_func_info = FUNCTIONS_MAX,
		.func_info = (uintptr_t)program->types,
	};
	if (bpf_obj_get_info_by_fd(fd, &program->info, &bytes))
		program->info.nr_jited_ksyms = 0;
	program->btf = program->info.nr_jited_ksyms && program->info.btf_id
			       ? btf__load_from_kernel_by_id(program->info.btf_id)
			       : NULL;
}

/* Programs without types of functions have one name, up to 15 characters of the main one. */
static const char *name_of(const struct program *program, uint32_t function)
{
	const struct btf_type *type =
		program->btf && function < program->info.nr_func_info
			? btf__type_by_id(program->btf, program->types[function].type_id)
			: NULL;
	const char *name = type ? btf__name_by_offset(program->btf, type->name_off) : NULL;

	return name ?: program->info.name;
}

/* bpf_get_prog_name() of kernel/bpf/core.c, with the program's own tag for its first function. */
static void write_name(char *text, size_t room, const struct program *program, uint32_t function)
{
	const uint8_t *tag =
		function < program->info.nr_prog_tags ? program->tags[function] : program->info.tag;
	const char *name = name_of(program, function);
	int length = snprintf(text, room, "bpf_prog_");

	for (int i = 0; i < BPF_TAG_SIZE; i++)
		length += snprintf(text + length, room - (size_t)length, "%02x", tag[i]);
	if (*name)
		snprintf(text + length, room - (size_t)length, "_%s", name);
}

static void use_functions(const struct program *program,
			  void (*use)(void *arg, const struct loaded_function *function), void *arg)
{
	uint32_t count = program->info.nr_jited_ksyms;
	char name[512]; /* KSYM_NAME_LEN */

	if (count > program->info.nr_jited_func_lens)
		count = program->info.nr_jited_func_lens;
	for (uint32_t i = 0; i < count && i < FUNCTIONS_MAX; i++) {
		const struct loaded_function function = { program->addresses[i], program->bytes[i],
							  name };

		if (!function.address)
			continue;
		write_name(name, sizeof(name), program, i);
		use(arg, &function);
	}
}

int loaded_functions__each(void (*use)(void *arg, const struct loaded_function *function),
			   void *arg)
{
	struct program *program = malloc(sizeof(*program));
	uint32_t id = 0;
	int err;

	if (!program)
		return -ENOMEM;
	while (!(err = bpf_prog_get_next_id(id, &id))) {
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd < 0)
			continue; /* it is gone */
		ask(program, fd);
		use_functions(program, use, arg);
		btf__free(program->btf);
		close(fd);
	}
	free(program);
	return err == -ENOENT ? 0 : err; /* ENOENT: there is no newer one */
}
