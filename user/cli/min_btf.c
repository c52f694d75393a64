// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* min_btf.c: peat build --min-btf: the part of a kernel's BTF that objects need. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "messages.h"
#include "min_btf.h"
#include "options.h"
#include "partial.h"
#include "probe.h"
#include "sources.h"
#include "toolchain.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"
#define OWN_WORDS  5 /* before the objects */

struct work {
	const struct options *options;
	const char *source;
	char bpftool[PATH_MAX], partial[PATH_MAX];
	char directory[PATH_MAX - 32];	     /* of the objects of probes */
	char paths[OPTIONS_NAMES][PATH_MAX]; /* of the objects; "": none yet */
};

/* ---- objects --------------------------------------------------------------------------------- */

static int write_probe(const char *name, const char *path)
{
	const struct probe *probe = sources__find_probe(name);
	FILE *file = probe ? fopen(path, "we") : NULL;
	size_t written;

	if (!probe)
		return EXIT_USAGE;
	written = file ? fwrite(probe->object, 1, probe->object_bytes, file) : 0;
	if (file && !fclose(file) && written == probe->object_bytes)
		return 0;
	messages__print("cannot write the object of %s to %s: %m", name, path);
	return EXIT_FAILED;
}

static int write_objects(struct work *work)
{
	int status = 0;

	for (size_t i = 0; !status && i < work->options->name_count; i++) {
		const char *name = work->options->names[i];

		if (sources__is_file(name))
			continue;
		snprintf(work->paths[i], PATH_MAX, "%s/%zu.bpf.o", work->directory, i);
		status = write_probe(name, work->paths[i]);
	}
	return status;
}

static void remove_objects(const struct work *work)
{
	for (size_t i = 0; i < work->options->name_count; i++)
		if (*work->paths[i])
			unlink(work->paths[i]);
	rmdir(work->directory);
}

/* ---- bpftool --------------------------------------------------------------------------------- */

static int run_bpftool(struct work *work)
{
	const struct options *options = work->options;
	const char *words[OWN_WORDS + OPTIONS_NAMES + 1] = { work->bpftool, "gen", "min_core_btf",
							     work->source, work->partial };
	int status;

	for (size_t i = 0; i < options->name_count; i++)
		words[OWN_WORDS + i] = *work->paths[i] ? work->paths[i] : options->names[i];
	status = toolchain__run((char *const *)words, -1);
	if (!status)
		return 0;
	messages__print("cannot write %s: bpftool gen min_core_btf ended with status %d",
			options->output, status);
	return EXIT_FAILED;
}

static int write_partial(struct work *work)
{
	int status = partial__open(work->partial, work->options->output);

	if (status)
		return status;
	status = run_bpftool(work);
	if (!status)
		status = partial__keep(work->partial, work->options->output);
	if (status)
		unlink(work->partial);
	return status;
}

static int make(struct work *work)
{
	const char *parent = getenv("TMPDIR");
	int status;

	snprintf(work->directory, sizeof(work->directory), "%s/peat-min-btf-XXXXXX",
		 parent && *parent ? parent : "/tmp");
	if (!mkdtemp(work->directory)) {
		messages__print("cannot make the directory %s: %m", work->directory);
		return EXIT_FAILED;
	}
	status = write_objects(work);
	if (!status)
		status = write_partial(work);
	remove_objects(work);
	return status;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int check_source(const char *source)
{
	if (!access(source, R_OK))
		return 0;
	if (!strcmp(source, KERNEL_BTF))
		messages__print("this kernel has no BTF (" KERNEL_BTF "): give a file with the "
				"types of a kernel by --btf");
	else
		messages__print("cannot read %s: %m", source);
	return EXIT_FAILED;
}

int min_btf__write(const struct options *options)
{
	struct work *work;
	int status;

	if (!options->output) {
		messages__print("--min-btf needs -o FILE");
		return EXIT_USAGE;
	}
	work = calloc(1, sizeof(*work));
	if (!work) {
		messages__print("no memory");
		return EXIT_FAILED;
	}
	work->options = options;
	work->source = options->btf ? options->btf : KERNEL_BTF;
	status = check_source(work->source);
	if (!status && !toolchain__find_bpftool(work->bpftool)) {
		messages__print("bpftool not found: install the package bpftool");
		status = EXIT_FAILED;
	}
	if (!status)
		status = make(work);
	free(work);
	return status;
}
