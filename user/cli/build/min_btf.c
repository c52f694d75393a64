// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* min_btf.c: peat build --min-btf: the part of a kernel's BTF that objects need. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "cli/build/min_btf.h"
#include "cli/options/options.h"
#include "cli/base/private_dir.h"
#include "probe.h"
#include "cli/run/sources.h"
#include "cli/build/toolchain.h"
#include "cli/base/whole_file.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"
#define OWN_WORDS  5 /* before the objects */

/* In the private directory, beside the objects of probes. */
#define TYPES "types.btf"

struct work {
	const struct options *options;
	const char *source;
	char bpftool[PATH_MAX], types[PATH_MAX];
	struct private_dir directory;
	char paths[OPTIONS_NAMES][PATH_MAX]; /* of the objects of probes; "": a file */
};

/* ---- objects --------------------------------------------------------------------------------- */

static bool write_all(int fd, const struct probe *probe)
{
	const char *bytes = probe->object;
	size_t done = 0;
	ssize_t written = 1;

	while (written > 0 && done < probe->object_bytes) {
		written = write(fd, bytes + done, probe->object_bytes - done);
		done += written > 0 ? (size_t)written : 0;
	}
	return done == probe->object_bytes;
}

static int write_probe(const struct work *work, const char *name, const char *file)
{
	const struct probe *probe = sources__find_probe(name);
	bool is_written;
	int fd;

	if (!probe)
		return EXIT_USAGE;
	fd = private_dir__create(&work->directory, file);
	is_written = fd >= 0 && write_all(fd, probe);
	if (fd >= 0 && !close(fd) && is_written)
		return 0;
	messages__print("cannot write the object of %s: %m", name);
	return EXIT_FAILED;
}

static int write_objects(struct work *work)
{
	char file[32];
	int status = 0;

	for (size_t i = 0; !status && i < work->options->sources.name_count; i++) {
		const char *name = work->options->sources.names[i];

		if (sources__is_file(name))
			continue;
		snprintf(file, sizeof(file), "%zu.bpf.o", i);
		private_dir__path(&work->directory, file, work->paths[i]);
		status = write_probe(work, name, file);
	}
	return status;
}

/* ---- bpftool --------------------------------------------------------------------------------- */

static int run_bpftool(struct work *work)
{
	const struct options *options = work->options;
	const char *words[OWN_WORDS + OPTIONS_NAMES + 1] = { work->bpftool, "gen", "min_core_btf",
							     work->source, work->types };
	int status;

	private_dir__path(&work->directory, TYPES, work->types);
	for (size_t i = 0; i < options->sources.name_count; i++)
		words[OWN_WORDS + i] = *work->paths[i] ? work->paths[i] : options->sources.names[i];
	progress__begin(options->output.quiet);
	status = toolchain__run((char *const *)words, -1, "selecting types from", work->source);
	progress__end();
	if (!status)
		return 0;
	messages__print("cannot write %s: bpftool gen min_core_btf ended with status %d",
			options->output.path, status);
	return EXIT_FAILED;
}

static int copy_types(const struct work *work)
{
	const char *output = work->options->output.path;
	int fd = private_dir__open(&work->directory, TYPES), status;

	if (fd < 0) {
		messages__print("cannot write %s: bpftool wrote no types: %m", output);
		return EXIT_FAILED;
	}
	status = whole_file__write(output, fd);
	close(fd);
	return status;
}

static int make(struct work *work)
{
	int status = private_dir__make(&work->directory);

	if (status)
		return status;
	status = write_objects(work) ?: run_bpftool(work) ?: copy_types(work);
	private_dir__remove(&work->directory);
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

	if (!options->output.path) {
		messages__print("--min-btf needs -o FILE");
		return EXIT_USAGE;
	}
	work = calloc(1, sizeof(*work));
	if (!work) {
		messages__print("no memory");
		return EXIT_FAILED;
	}
	work->options = options;
	work->source = options->objects.btf ? options->objects.btf : KERNEL_BTF;
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
