// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* build.c: peat build: compiles a BPF program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/base/words.h"
#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "cli/build/min_btf.h"
#include "cli/options/options.h"
#include "cli/base/private_dir.h"
#include "cli/base/shell_word.h"
#include "cli/base/terminal_text.h"
#include "cli/build/toolchain.h"
#include "cli/base/whole_file.h"

#define WORDS 512

/* In the private directory. */
#define OBJECT "object.o"

struct build {
	const struct options *options;
	char *const *own; /* options for clang */
	int own_count;
	const char *source;
	char object[PATH_MAX];
	struct private_dir directory; /* clang writes the object here */
	char clang[PATH_MAX], headers[PATH_MAX], types[PATH_MAX], libc[PATH_MAX];
	const char *why_few; /* why types of the running kernel are missing; NULL: they are not */
};

/* ---- source and object ----------------------------------------------------------------------- */

static int check_source(const char *source)
{
	struct stat file;

	if (!words__end_with(source, ".c")) {
		messages__print("%s is not a C file: its name has to end with .bpf.c or .c",
				source);
		return EXIT_USAGE;
	}
	if (!stat(source, &file) && !S_ISDIR(file.st_mode) && !access(source, R_OK))
		return 0;
	messages__print("cannot read %s: %m", source);
	return EXIT_FAILED;
}

static bool are_same(const char *one, const char *other)
{
	struct stat file, other_file;

	return !stat(one, &file) && !stat(other, &other_file) && file.st_dev == other_file.st_dev &&
	       file.st_ino == other_file.st_ino;
}

/* The object has the name of -o, or that of the source with .o. */
static int name_object(struct build *build)
{
	const char *output = build->options->output.path;
	struct stat file;
	int bytes;

	if (output)
		bytes = snprintf(build->object, sizeof(build->object), "%s", output);
	else
		bytes = snprintf(build->object, sizeof(build->object), "%.*so",
				 (int)strlen(build->source) - 1, build->source);
	if (bytes >= (int)sizeof(build->object)) {
		messages__print("cannot write the object: its name is too long");
		return EXIT_FAILED;
	}
	if (are_same(build->object, build->source)) {
		messages__print("cannot write to %s: it is the source", build->object);
		return EXIT_USAGE;
	}
	if (stat(build->object, &file) || !S_ISDIR(file.st_mode))
		return 0;
	messages__print("cannot write to %s: it is a directory", build->object);
	return EXIT_FAILED;
}

/* ---- tools and headers ----------------------------------------------------------------------- */

static const char *directory_of(const char *path, char directory[static PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (slash)
		snprintf(directory, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path),
			 path);
	else
		strcpy(directory, ".");
	return directory;
}

/* The user's own vmlinux.h comes first: in a directory of -I, or beside the source. */
static bool find_own_types(struct build *build)
{
	char own[PATH_MAX];

	for (size_t i = 0; i < build->options->objects.includes.count; i++)
		if (toolchain__has_file(build->options->objects.includes.at[i], "vmlinux.h"))
			return true;
	if (!toolchain__has_file(directory_of(build->source, own), "vmlinux.h"))
		return false;
	strcpy(build->types, own);
	return true;
}

/* All types of the running kernel if possible, else the few that peat brings along. */
static void find_types(struct build *build)
{
	if (find_own_types(build))
		return;
	progress__begin(build->options->output.quiet);
	build->why_few = toolchain__make_all_types(build->types);
	progress__end();
	if (build->why_few && !toolchain__find_few_types(build->headers, build->types))
		build->types[0] = '\0';
}

static int find_tools(struct build *build)
{
	struct stat directory;

	if (!toolchain__find_clang(build->clang) || !toolchain__find_headers(build->headers))
		return EXIT_FAILED;
	/* linux/bpf.h includes asm/types.h, which is in a directory that clang skips for BPF. */
	snprintf(build->libc, sizeof(build->libc), "/usr/include/%s-linux-gnu",
		 toolchain__machine());
	if (stat(build->libc, &directory))
		build->libc[0] = '\0';
	find_types(build);
	return 0;
}

/* ---- clang ----------------------------------------------------------------------------------- */

/* The option for messages that a terminal gets through a pipe.  The user's own options win. */
static const char *choose_color(void)
{
	const char *type = getenv("TERM"), *no_color = getenv("NO_COLOR");

	return progress__is_on() && type && !(no_color && *no_color) ? "-fcolor-diagnostics" : NULL;
}

/*
 * Writes the command line that compiles to `object`, with the option `color` unless it is NULL.
 * `text` is memory for its words.
 */
static void make_command(const struct build *build, char **words, const char *object,
			 const char *color, char text[static 64])
{
	static const char *const always[] = { "-O2", "-g", "-Wall", "-target", "bpf", "-mcpu=v3" };
	const struct options *options = build->options;

	*words++ = (char *)build->clang;
	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
		*words++ = (char *)always[i];
	if (color)
		*words++ = (char *)color;
	snprintf(text, 64, "-D__TARGET_ARCH_%s", toolchain__arch());
	*words++ = text;
	for (size_t i = 0; i < options->objects.includes.count; i++) {
		*words++ = (char *)"-I";
		*words++ = (char *)options->objects.includes.at[i];
	}
	if (*build->types) {
		*words++ = (char *)"-isystem";
		*words++ = (char *)build->types;
	}
	*words++ = (char *)"-isystem";
	*words++ = (char *)build->headers;
	if (*build->libc) {
		*words++ = (char *)"-idirafter";
		*words++ = (char *)build->libc;
	}
	for (int i = 0; i < build->own_count; i++)
		*words++ = build->own[i];
	*words++ = (char *)"-c";
	*words++ = (char *)build->source;
	*words++ = (char *)"-o";
	*words++ = (char *)object;
	*words = NULL;
}

static void print_line(char *const *words)
{
	for (; *words; words++) {
		shell_word__print(stderr, *words);
		fputc(words[1] ? ' ' : '\n', stderr);
	}
}

static void explain_failure(const struct build *build, int status)
{
	if (build->why_few && *build->types)
		messages__print(
			"only the few kernel types of %s/vmlinux.h were found, not all those of "
			"the running kernel: %s",
			build->types, build->why_few);
	else if (build->why_few)
		messages__print("vmlinux.h with the kernel's types not found: %s", build->why_few);
	if (access("/usr/include/bpf/bpf_helpers.h", R_OK))
		messages__print("bpf/bpf_helpers.h not found in /usr/include: install the package "
				"libbpf-dev");
	messages__print("cannot build %s: clang ended with %s %d", build->object,
			status > 128 ? "signal" : "status", status > 128 ? status - 128 : status);
}

static int compile(const struct build *build)
{
	char *words[WORDS], text[64], path[PATH_MAX];
	int status;

	make_command(build, words, build->object, NULL, text);
	print_line(words);
	private_dir__path(&build->directory, OBJECT, path);
	progress__begin(build->options->output.quiet);
	make_command(build, words, path, choose_color(), text);
	status = toolchain__run(words, -1, "compiling", build->source);
	progress__end();
	if (!status)
		return 0;
	explain_failure(build, status);
	return EXIT_FAILED;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static void print_next(const char *object)
{
	char path[PATH_MAX + 2];

	snprintf(path, sizeof(path), "%s%s", strchr(object, '/') ? "" : "./", object);
	terminal_text__print(stderr, "peat: built %s; run it with: peat trace ", object);
	shell_word__print(stderr, path);
	fputc('\n', stderr);
}

static int copy_object(const struct build *build)
{
	int fd = private_dir__open(&build->directory, OBJECT), status;

	if (fd < 0) {
		messages__print("cannot build %s: clang wrote no object: %m", build->object);
		return EXIT_FAILED;
	}
	status = whole_file__write(build->object, fd);
	close(fd);
	return status;
}

static int make_object(struct build *build)
{
	int status = private_dir__make(&build->directory);

	if (status)
		return status;
	status = compile(build) ?: copy_object(build);
	private_dir__remove(&build->directory);
	if (!status)
		print_next(build->object);
	return status;
}

static int build_one(struct build *build)
{
	const struct options *options = build->options;
	int status;

	if (options->objects.min_btf && !build->own)
		return min_btf__write(options);
	if (options->objects.min_btf || options->objects.btf) {
		messages__print(options->objects.btf
					? "--btf needs --min-btf: it has the types to select "
					  "from"
					: "--min-btf has no options for clang after --");
		return EXIT_USAGE;
	}
	if (options->sources.name_count != 1) {
		messages__print("cannot build %zu files: give one; options for clang follow --",
				options->sources.name_count);
		return EXIT_USAGE;
	}
	if (build->own_count > WORDS - 2 * OPTIONS_NAMES - 32) {
		messages__print("too many options for clang: %d", build->own_count);
		return EXIT_USAGE;
	}
	build->source = options->sources.names[0];
	status = check_source(build->source);
	if (!status)
		status = name_object(build);
	if (!status)
		status = find_tools(build);
	return status ? status : make_object(build);
}

static const char doc[] =
	"Compiles a BPF program for peat trace, with or without peat.bpf.h.  With --min-btf: "
	"writes the types of the kernel that probes and objects need, for peat trace --btf on a "
	"kernel without BTF.\v"
	"Options after -- are passed to clang.  vmlinux.h is searched in the directories of -I and "
	"next to FILE; else one with all types of the running kernel is made.  CLANG in the "
	"environment is the path of clang.";

int build_main(int argc, char **argv)
{
	struct options options;
	struct build build = { .options = &options };

	messages__set_verbosity(0);
	build.own = options__cut_command(&argc, argv);
	while (build.own && build.own[build.own_count])
		build.own_count++;
	options__parse(&options, VERB_BUILD, "FILE.bpf.c [-- CLANG_OPTION...]\n--min-btf SOURCE...",
		       doc, argc, argv);
	return build_one(&build);
}
