// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* guess.c: which type the events of a map are of. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/schema.h>

#include "object/infer/candidates.h"
#include "base/escape.h"
#include "object/infer/event_type.h"
#include "base/internal.h"
#include "object/infer/output_sizes.h"

struct guesser {
	const struct btf *btf; /* the object's; NULL: it has none */
	int fd;
	Elf *elf;
	struct debug_info *info; /* NULL: it has none */
	bool knows_kernel;	 /* the next two are read when they are needed first */
	struct btf *kernel;	 /* NULL: it does not tell */
	struct kernel_types kernel_types;
};

/* ---- opening --------------------------------------------------------------------------------- */

static struct guesser *new_guesser(const struct bpf_object *object)
{
	struct guesser *guesser = calloc(1, sizeof(*guesser));

	if (!guesser)
		return fail_null(-ENOMEM);
	guesser->btf = bpf_object__btf(object);
	guesser->fd = -1;
	elf_version(EV_CURRENT);
	return guesser;
}

static struct guesser *read_elf(struct guesser *guesser, Elf *elf)
{
	int err;

	guesser->elf = elf;
	err = elf && elf_kind(elf) == ELF_K_ELF ? 0 : -EBADMSG;
	if (!err)
		err = debug_info__open(&guesser->info, elf);
	if (!err || err == -ENODATA)
		return guesser;
	guesser__free(guesser);
	return fail_null(err);
}

struct guesser *guesser__open(const struct bpf_object *object, const char *path)
{
	struct guesser *guesser = new_guesser(object);
	int err;

	if (!guesser)
		return NULL;
	guesser->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (guesser->fd >= 0)
		return read_elf(guesser, elf_begin(guesser->fd, ELF_C_READ, NULL));
	err = -errno;
	guesser__free(guesser);
	return fail_null(err);
}

/* libelf does not write to what it is to read. */
struct guesser *guesser__open_mem(const struct bpf_object *object, const void *elf, size_t bytes)
{
	struct guesser *guesser = new_guesser(object);

	return guesser ? read_elf(guesser, elf_memory((char *)(uintptr_t)elf, bytes)) : NULL;
}

void guesser__free(struct guesser *guesser)
{
	if (!guesser)
		return;
	debug_info__free(guesser->info);
	elf_end(guesser->elf);
	if (guesser->fd >= 0)
		close(guesser->fd);
	kernel_types__free(&guesser->kernel_types);
	btf__free(guesser->kernel);
	free(guesser);
}

/* Of a kernel that does not tell its types, all are the object's. */
static int learn_kernel(struct guesser *guesser)
{
	if (guesser->knows_kernel)
		return 0;
	guesser->knows_kernel = true;
	guesser->kernel = btf__load_vmlinux_btf();
	return kernel_types__read(&guesser->kernel_types, guesser->kernel);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void add_bytes(struct out *out, uint32_t bytes)
{
	out__text(out, " of ");
	out__unsigned(out, bytes);
	out__text(out, bytes == 1 ? " byte" : " bytes");
}

static int finish(struct out *out, char **text)
{
	out__char(out, '\0');
	if (out->failed) {
		out__free(out);
		return -ENOMEM;
	}
	*text = out->bytes;
	return 0;
}

/* ---- by name --------------------------------------------------------------------------------- */

static int read_own(struct guesser *guesser, uint32_t bytes, struct candidates *list)
{
	int err = candidates__read(list, guesser->btf, guesser->info);

	if (err)
		return err;
	if (bytes)
		candidates__keep_size(list, bytes);
	err = list->count ? learn_kernel(guesser) : 0;
	if (!err)
		candidates__keep_own(list, &guesser->kernel_types);
	return err;
}

static int explain_absence(struct guesser *guesser, const char *map, const char *name)
{
	struct candidates list = { 0 };
	struct out out = { 0 };
	char *names = NULL;
	int err = read_own(guesser, 0, &list);

	if (!err)
		candidates__name(&list, &out);
	if (!err)
		err = finish(&out, &names);
	if (!err)
		log__error("%s: the object has no struct '%s'%s%s", map, name,
			   *names ? "; it has " : ", nor any other of its own", names);
	free(names);
	candidates__free(&list);
	return err ? err : -ENOENT;
}

/* The BTF's come first, and of those structs. */
static int take_named(struct guesser *guesser, const char *map, const char *callers_name,
		      struct guess *guess)
{
	const char *name = candidates__name_of(callers_name);
	struct candidates list = { 0 };
	int err = candidates__read_named(&list, guesser->btf, guesser->info, name);

	if (!err && !list.count)
		err = explain_absence(guesser, map, name);
	if (!err) {
		guess->schema = candidates__schema(guesser->btf, guesser->info, list.at);
		guess->why = strdup("named");
		err = guess->schema ? 0 : -errno;
		if (err)
			log__error("%s: '%s' is no type for events", map, name);
		else if (!guess->why)
			err = -ENOMEM;
	}
	candidates__free(&list);
	return err;
}

/* ---- by size --------------------------------------------------------------------------------- */

/* 0: there are several sizes, or it does not show. */
static uint32_t size_of(const struct outputs *outputs)
{
	return outputs->is_computed || outputs->least != outputs->most ? 0 : outputs->least;
}

static bool has_several(const struct outputs *outputs)
{
	return !outputs->is_computed && outputs->least != outputs->most;
}

static void say_several(const struct outputs *outputs, struct out *out)
{
	out__text(out, "events of different sizes, from ");
	out__unsigned(out, outputs->least);
	out__text(out, " to ");
	out__unsigned(out, outputs->most);
	out__text(out, " bytes");
}

static void say_candidates(const struct candidates *list, uint32_t bytes, bool is_shown,
			   struct out *out)
{
	if (!list->count)
		out__text(out, "no struct");
	else if (list->count == 1)
		out__text(out, "the only struct");
	else
		out__unsigned(out, list->count);
	if (list->count > 1)
		out__text(out, " structs");
	if (bytes)
		add_bytes(out, bytes);
	out__text(out, list->count > 1 ? ": " : " that the object defines");
	if (list->count > 1)
		candidates__name(list, out);
	else if (list->count && !is_shown)
		out__text(out, ", but it is no type for events");
}

/* Bytes will do, where the types make no sense. */
static int choose(struct guesser *guesser, uint32_t bytes, struct guess *guess, struct out *out)
{
	struct candidates list = { 0 };
	int err = read_own(guesser, bytes, &list);

	if (!err && list.count == 1) {
		guess->schema = candidates__schema(guesser->btf, guesser->info, list.at);
		err = guess->schema || errno != ENOMEM ? 0 : -ENOMEM;
	}
	if (!err)
		say_candidates(&list, bytes, guess->schema, out);
	candidates__free(&list);
	if (!err || err == -ENOMEM)
		return err;
	out__text(out, "the object's types make no sense");
	return 0;
}

static int find_out(struct guesser *guesser, const char *map, struct guess *guess)
{
	struct outputs outputs;
	struct out out = { 0 };
	int err = outputs__read(guesser->elf, map, &outputs);

	if (err == -ENOMEM)
		return err;
	if (err) {
		out__text(&out, "the object's code makes no sense");
		err = 0;
	} else if (has_several(&outputs)) {
		say_several(&outputs, &out);
	} else {
		err = choose(guesser, size_of(&outputs), guess, &out);
	}
	if (!err)
		return finish(&out, &guess->why);
	out__free(&out);
	return err;
}

int guess__map(struct guesser *guesser, const char *map, const char *name, struct guess *guess)
{
	int err;

	*guess = (struct guess){ 0 };
	err = name ? take_named(guesser, map, name, guess) : find_out(guesser, map, guess);
	if (err)
		guess__free(guess);
	return err ? fail(err) : 0;
}

void guess__free(struct guess *guess)
{
	peat_schema__free(guess->schema);
	free(guess->why);
	*guess = (struct guess){ 0 };
}
