// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object.c: BPF objects of the tests, and their parts by name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <check.h>

#include "object/core_btf.h"
#include "object/globals.h"
#include "object/kernel_atomics.h"
#include "object/open.h"
#include "sys/event_fd.h"
#include "object.h"

static int warnings_only(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

/*
 * Objects are loaded without the kernel's types where a session does that, too: an emulated machine
 * takes longer to read those than for all the rest.  Otherwise they are in the file PEAT_BTF, as
 * for peat itself, if that is set.
 */
static struct opened {
	const struct bpf_object *object; /* not loaded yet; NULL: free */
	struct core_btf btf;
} opened[8];

static struct opened *find_opened(const struct bpf_object *object)
{
	for (size_t i = 0; i < sizeof(opened) / sizeof(*opened); i++)
		if (opened[i].object == object)
			return &opened[i];
	return NULL;
}

const struct object_file *object__twin(const struct object_file *file)
{
	return file->plain && kernel_atomics__are_missing() ? file->plain : file;
}

void object__write(const struct object_file *embedded, const char *path)
{
	const struct object_file *file = object__twin(embedded);
	FILE *out = fopen(path, "we");

	ck_assert_msg(out, "%s: %s", path, strerror(errno));
	ck_assert_uint_eq(fwrite(file->bytes, *file->count, 1, out), 1);
	ck_assert_int_eq(fclose(out), 0);
}

struct bpf_object *object__open(const struct object_file *embedded)
{
	const struct object_file *file = object__twin(embedded);
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = embedded->name);
	struct opened *place = find_opened(NULL);
	struct bpf_object *object;

	libbpf_set_print(warnings_only);
	if (place) {
		core_btf__choose(&place->btf, file->bytes, *file->count, NULL);
		place->btf.given = getenv("PEAT_BTF");
		opts.btf_custom_path = core_btf__path(&place->btf);
	}
	object = open__mem(file->name, file->bytes, *file->count, &opts);
	ck_assert_msg(object, "opening %s.bpf.o: %s", file->name, strerror(errno));
	if (place)
		place->object = object;
	return object;
}

void object__load(struct bpf_object *object)
{
	struct opened *place = find_opened(object);
	int err = bpf_object__load(object);

	ck_assert_msg(!err, "loading %s.bpf.o: %s", bpf_object__name(object), strerror(-err));
	if (!place)
		return;
	core_btf__close(&place->btf);
	place->object = NULL;
}

static struct bpf_program *find_program(const struct bpf_object *object, const char *name)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, name);

	ck_assert_msg(program, "%s.bpf.o has no program %s", bpf_object__name(object), name);
	return program;
}

struct bpf_link *object__attach(struct bpf_object *object, const char *program)
{
	struct bpf_link *link = bpf_program__attach(find_program(object, program));

	ck_assert_msg(link, "attaching %s of %s.bpf.o: %s", program, bpf_object__name(object),
		      strerror(errno));
	return link;
}

struct bpf_link *object__attach_clock(struct bpf_object *object, const char *program, uint32_t cpu,
				      uint64_t hertz)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = hertz,
	};
	int fd = event_fd__open(&attr, cpu);
	struct bpf_link *link;

	ck_assert_msg(fd >= 0, "cpu-clock of CPU %u: %s", cpu, strerror(-fd));
	link = bpf_program__attach_perf_event(find_program(object, program), fd);
	ck_assert_msg(link, "attaching %s of %s.bpf.o: %s", program, bpf_object__name(object),
		      strerror(errno));
	return link;
}

void *object__variable(struct bpf_object *object, const char *name, size_t bytes)
{
	size_t found_bytes;
	void *variable = globals__find(object, name, &found_bytes);

	ck_assert_msg(variable, "variable %s of %s.bpf.o: %s", name, bpf_object__name(object),
		      strerror(errno));
	ck_assert_msg(found_bytes == bytes, "variable %s of %s.bpf.o has %zu bytes, not %zu", name,
		      bpf_object__name(object), found_bytes, bytes);
	return variable;
}

int object__map_fd(const struct bpf_object *object, const char *map)
{
	int fd = bpf_object__find_map_fd_by_name(object, map);

	ck_assert_msg(fd >= 0, "%s.bpf.o has no map %s", bpf_object__name(object), map);
	return fd;
}

int object__program_fd(const struct bpf_object *object, const char *program)
{
	return bpf_program__fd(find_program(object, program));
}

uint64_t object__misses(const struct bpf_object *object, const char *program)
{
	struct bpf_prog_info info = { 0 };
	uint32_t info_bytes = sizeof(info);
	int fd = object__program_fd(object, program);

	ck_assert_int_eq(bpf_obj_get_info_by_fd(fd, &info, &info_bytes), 0);
	return info.recursion_misses;
}
