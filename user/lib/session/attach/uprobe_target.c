// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/uprobe_target.c: parses sections of uprobes, and finds their files. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "session/attach/uprobe_target.h"
#include "sys/libraries.h"

/* ---- sections -------------------------------------------------------------------------------- */

/* `name` is zeroes. */
static bool copy_name(char *name, const char *text, size_t bytes)
{
	if (!bytes || bytes >= UPROBE_NAME_BYTES)
		return false;
	memcpy(name, text, bytes);
	return true;
}

/* "", "+16" or "+0x10" */
static bool parse_offset(struct uprobe_target *target, const char *text)
{
	char *end;

	if (!*text)
		return true;
	if (target->is_return || !isdigit((unsigned char)text[1]))
		return false;
	errno = 0;
	target->offset = strtoull(text + 1, &end, 0);
	return !*end && !errno;
}

/* "FILE:FUNCTION+OFFSET" */
static bool parse_place(struct uprobe_target *target, const char *text)
{
	const char *colon = strrchr(text, ':'), *function, *end;

	if (!colon)
		return false;
	function = colon + 1;
	end = function + strcspn(function, "+");
	return copy_name(target->file, text, (size_t)(colon - text)) &&
	       copy_name(target->function, function, (size_t)(end - function)) &&
	       parse_offset(target, end);
}

bool uprobe_target__parse(struct uprobe_target *target, const char *section)
{
	static const char *const kinds[] = { "uprobe/", "uprobe.s/", "uretprobe/", "uretprobe.s/" };

	*target = (struct uprobe_target){ .is_return = begins_with(section, "uretprobe") };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (begins_with(section, kinds[i]))
			return parse_place(target, section + strlen(kinds[i]));
	return false;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Directories are separated by colons.  NULL is allowed. */
static int find_in(const char *directories, const char *name, char *path, size_t room)
{
	for (const char *at = directories; at && *at;) {
		size_t bytes = strcspn(at, ":");

		if (bytes && (size_t)snprintf(path, room, "%.*s/%s", (int)bytes, at, name) < room &&
		    !access(path, R_OK))
			return 0;
		at += bytes + (at[bytes] == ':');
	}
	return -ENOENT;
}

static int find_library(const char *name, char *path, size_t room)
{
	struct libraries found;
	int err = libraries__find(&found, name, 0);

	if (err)
		return err;
	err = (size_t)snprintf(path, room, "%s", found.paths[0]) < room ? 0 : -ENAMETOOLONG;
	libraries__free(&found);
	return err;
}

/* "libc" */
static int find_by_stem(const char *name, char *path, size_t room)
{
	char library[UPROBE_NAME_BYTES];

	if (!begins_with(name, "lib") ||
	    (size_t)snprintf(library, sizeof(library), "%s.so", name) >= sizeof(library))
		return -ENOENT;
	return find_library(library, path, room);
}

int uprobe_target__find_file(const char *name, char *path, size_t room)
{
	int err;

	if (strchr(name, '/'))
		return find_library(name, path, room); /* the path itself */
	if (libraries__is_library_name(name))
		return find_in(getenv("LD_LIBRARY_PATH"), name, path, room)
			       ? find_library(name, path, room)
			       : 0;
	err = find_in(getenv("PATH"), name, path, room);
	if (err)
		err = find_in("/usr/bin:/usr/sbin", name, path, room);
	return err ? find_by_stem(name, path, room) : 0;
}
