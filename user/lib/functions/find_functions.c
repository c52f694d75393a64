// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/find_functions.c: finds what a source stands for, and explains if it finds nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "functions/find_functions.h"
#include "functions/kernel_functions.h"
#include "functions/tracepoints.h"
#include "functions/usdt_notes.h"
#include "functions/user_functions.h"
#include "sys/caps.h"

static int find_user(struct found_functions *found, const struct function_source *source,
		     const char *path)
{
	char name[32];

	if (source->pattern)
		return user_functions__find(found, path, source->pattern);
	if (user_functions__is_32_bit(path))
		return -EOPNOTSUPP;
	snprintf(name, sizeof(name), "0x%llx", (unsigned long long)source->offset);
	return found_functions__add(found, name, NULL, 0);
}

int find_functions__search(struct found_functions *found, const struct function_source *source,
			   const char *path)
{
	switch (source->kind) {
	case SOURCE_TRACEPOINT:
		return tracepoints__find(found, source->group, source->pattern);
	case SOURCE_KPROBE:
	case SOURCE_KRETPROBE:
		return kernel_functions__find(found, source->pattern);
	case SOURCE_UPROBE:
	case SOURCE_URETPROBE:
		return find_user(found, source, path);
	case SOURCE_USDT:
		return usdt_notes__find(found, path, source->group, source->pattern);
	case SOURCE_KINDS:
		break;
	}
	return -EOPNOTSUPP;
}

/* "kprobe:", "uprobe:FILE:" or "tracepoint:CATEGORY:".  Arguments may follow the name. */
static int place_bytes(const char *text)
{
	size_t bytes = strcspn(text, "(");

	while (bytes && text[bytes - 1] != ':')
		bytes--;
	return (int)bytes;
}

static int log_none(const struct found_functions *found, const struct function_source *source)
{
	static const char *const what_of[SOURCE_KINDS] = {
		[SOURCE_KPROBE] = "function",	    [SOURCE_KRETPROBE] = "function",
		[SOURCE_UPROBE] = "function",	    [SOURCE_URETPROBE] = "function",
		[SOURCE_TRACEPOINT] = "tracepoint", [SOURCE_USDT] = "USDT",
	};
	const char *what = what_of[source->kind];

	if (found->left_out == 1)
		log__error("%s: 1 function matches, and cannot be probed", source->text);
	else if (found->left_out)
		log__error("%s: %zu functions match, and none of them can be probed", source->text,
			   found->left_out);
	else if (*found->alike.best)
		log__error("%s: no such %s: did you mean \"%s\"?", source->text, what,
			   found->alike.best);
	else
		log__error("%s: no such %s: peat list '%.*s*' lists them", source->text, what,
			   place_bytes(source->text), source->text);
	return -ENOENT;
}

static int log_error(const struct found_functions *found, const struct function_source *source,
		     const char *path, int err)
{
	if (err == -ENOENT)
		return log_none(found, source);
	if (err == -ENODATA && source->kind == SOURCE_USDT)
		log__error("%s: %s has no USDT", source->text, path);
	else if (err == -ENODATA)
		log__error("%s: %s has no symbols of functions, it was stripped: an offset in the "
			   "file can be probed, such as 0x1234",
			   source->text, path);
	else if (err == -EOPNOTSUPP && path)
		log__error("%s: %s is a 32-bit file: only functions of 64-bit files can be probed",
			   source->text, path);
	else if (err == -ENOEXEC)
		log__error("%s: %s is no program or library: no ELF file, or an invalid one",
			   source->text, path);
	else if (err == -EPERM && !source->file)
		log__error("%s: this kernel does not tell its functions: it has no kprobes, or is "
			   "locked down; a name without *, ? and [ can be tried",
			   source->text);
	else if (err == -EACCES && source->kind == SOURCE_TRACEPOINT)
		log__error("%s: %s", source->text, caps__explain_tracefs());
	else if (err == -ENODEV && !source->file)
		log__error("%s: tracefs is not mounted: mount -t tracefs none /sys/kernel/tracing",
			   source->text);
	else
		log__error("%s: cannot find its functions: %s", source->text, strerror(-err));
	return err;
}

int find_functions__run(struct found_functions *found, const struct function_source *source,
			const char *path, uint32_t most)
{
	int err = find_functions__search(found, source, path);

	if (err)
		return log_error(found, source, path, err);
	if (found->count <= most)
		return 0;
	log__error("%s: %zu functions match, more than %u: choose fewer, or allow more "
		   "(peat_function_opts.most)",
		   source->text, found->count, most);
	return -E2BIG;
}
