// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* exec.c: a line for each program started. */
#include <stdbool.h>
#include <string.h>
#include <linux/types.h>

#include "escape.h"
#include "probe.h"

#define FILENAME_COLUMNS 28

/* As bpf/exec.bpf.c has it. */
struct exec {
	__u32 ppid;
	__u32 uid;
	__u32 args_bytes;
	char filename[256];
	char args[2048];
};

static void print_head(FILE *out)
{
	fprintf(out, "%7s %7s %6s  %-*s  %s", "PID", "PPID", "UID", FILENAME_COLUMNS, "FILENAME",
		"ARGS");
}

static void print_filename(FILE *out, const char *filename, size_t bytes)
{
	size_t columns = escape__print(out, filename, strnlen(filename, bytes), 0);

	for (; columns < FILENAME_COLUMNS; columns++)
		fputc(' ', out);
}

/* As a shell would take it: quoted when it is empty or has blanks or quotes. */
static void print_arg(FILE *out, const char *arg, size_t bytes)
{
	bool quoted = !bytes || memchr(arg, ' ', bytes) || memchr(arg, '"', bytes);

	if (quoted)
		fputc('"', out);
	escape__print(out, arg, bytes, quoted ? '"' : 0);
	if (quoted)
		fputc('"', out);
}

static void print_args(FILE *out, const struct exec *e, size_t held)
{
	for (size_t at = 0; at < held;) {
		size_t bytes = strnlen(e->args + at, held - at);

		fputc(' ', out);
		print_arg(out, e->args + at, bytes);
		at += bytes + 1;
	}
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
	fputc(' ', out);
	print_args(out, e, event->size - offsetof(struct exec, args));
}

const struct probe_view exec_view = {
	.summary = "programs started, with their arguments",
	.print_head = print_head,
	.print = print,
};
