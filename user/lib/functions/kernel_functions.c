// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/kernel_functions.c: reads the kernel's lists of functions. */
#include <errno.h>
#include <fcntl.h>

#include "base/glob.h"
#include "functions/kernel_functions.h"
#include "sys/file_text.h"
#include "sys/tracefs.h"

struct texts {
	struct strbuf kallsyms, filter, filter_addrs, blacklist; /* no bytes: not read */
};

/* `fd`: of the file, or a negative errno. */
static int read_text(struct strbuf *text, int fd)
{
	int err = file_text__read(fd, SIZE_MAX, text);

	strbuf__char(text, '\0');
	if (!err && text->failed)
		err = -ENOMEM;
	if (err)
		strbuf__free(text);
	return err;
}

static int read_path(struct strbuf *text, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return read_text(text, fd < 0 ? -errno : fd);
}

/* 0 if the kernel has no such list, too. */
static int read_filter(struct texts *texts)
{
	int err =
		read_text(&texts->filter_addrs, tracefs__open("available_filter_functions_addrs"));

	if (err == -ENOENT)
		err = read_text(&texts->filter, tracefs__open("available_filter_functions"));
	return err == -ENOENT || err == -ENODEV ? 0 : err;
}

static int select_from(struct found_functions *found, const char *pattern,
		       const struct texts *texts)
{
	const struct kernel_function_lists lists = {
		.kallsyms = texts->kallsyms.bytes,
		.filter = texts->filter.bytes,
		.filter_addrs = texts->filter_addrs.bytes,
		.blacklist = texts->blacklist.bytes,
	};

	return kernel_functions__select(found, pattern, &lists);
}

/* A glob needs a list, an exact name none. */
static int read_lists(struct texts *texts, bool is_glob)
{
	int err = is_glob ? read_filter(texts) : 0, kallsyms_err;

	if (err)
		return err;
	kallsyms_err = read_path(&texts->kallsyms, "/proc/kallsyms");
	err = read_path(&texts->blacklist, "/sys/kernel/debug/kprobes/blacklist");
	if (kallsyms_err == -ENOMEM || err == -ENOMEM)
		return -ENOMEM;
	return is_glob && !texts->filter.bytes && !texts->filter_addrs.bytes ? kallsyms_err : 0;
}

static int find_in(struct found_functions *found, const char *pattern, struct texts *texts)
{
	bool is_glob = glob__is(pattern);
	int err = read_lists(texts, is_glob);

	if (!err)
		err = select_from(found, pattern, texts);
	if (err || is_glob || found->count == 1 || read_filter(texts))
		return err;
	/* Several functions have the name: keep those that ftrace can trace. */
	found_functions__free(found);
	return select_from(found, pattern, texts);
}

int kernel_functions__find(struct found_functions *found, const char *pattern)
{
	struct texts texts = { 0 };
	int err = find_in(found, pattern, &texts);

	strbuf__free(&texts.kallsyms);
	strbuf__free(&texts.filter);
	strbuf__free(&texts.filter_addrs);
	strbuf__free(&texts.blacklist);
	return err;
}
