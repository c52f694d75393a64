// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* exec.c: a line for each program started. */
#include <stdbool.h>
#include <string.h>
#include <linux/types.h>

#include <peat/schema.h>

#include "probe.h"

/* As bpf/exec.bpf.c has it. */
struct exec {
	__u32 ppid;
	__u32 uid;
	__u32 args_bytes;
	char filename[256];
	char args[2048];
};

#define FILENAME_COLUMNS 28

static void print_head(FILE *out)
{
	fprintf(out, "%7s %7s %6s  %-*s  %s", "PID", "PPID", "UID", FILENAME_COLUMNS, "FILENAME",
		"ARGS");
}

static void print_field(FILE *out, enum peat_field_kind kind, const char *bytes, size_t count,
			int columns)
{
	const struct peat_field field = { .name = "", .kind = kind, .span = 1 };
	static char text[4 * (sizeof(struct exec) + 1)];

	peat_field__text(&field, bytes, (uint32_t)count, text, sizeof(text));
	fprintf(out, "%-*s", columns, text);
}

static void print_filename(FILE *out, const char *filename, size_t bytes)
{
	print_field(out, PEAT_FIELD_STRING, filename, bytes, FILENAME_COLUMNS);
	fputc(' ', out);
}

static void print_args(FILE *out, const struct exec *e, size_t held)
{
	fputc(' ', out);
	print_field(out, PEAT_FIELD_STRINGS, e->args, held, 0);
	if (held < e->args_bytes)
		fprintf(out, " ... (%zu more bytes)", e->args_bytes - held);
}

static void print(FILE *out, const struct peat_event *event)
{
	const struct exec *e = event->data;

	if (event->size < offsetof(struct exec, args)) {
		fprintf(out, "(an event of %u bytes, shorter than an exec)", event->size);
		return;
	}
	fprintf(out, "%7u %7u %6u  ", event->pid, e->ppid, e->uid);
	print_filename(out, e->filename, sizeof(e->filename));
	print_args(out, e, event->size - offsetof(struct exec, args));
}

const struct probe_view exec_view = {
	.summary = "programs started, with their arguments",
	.print_head = print_head,
	.print = print,
};
