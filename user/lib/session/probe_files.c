// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/probe_files.c: peat's own probes, which are installed as objects, added by name. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/session.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/suggestion.h"

#define PROBES	"share/peat/probes"
#define LIBRARY "libpeat.so"
#define SUFFIX	".bpf.o"

struct search {
	const char *name;
	char path[PATH_MAX]; /* of the object that was found */
	struct suggestion suggestion;
};

/* Compares the names of the probes of a directory. */
static void suggest(struct search *search, const char *dir)
{
	DIR *opened = opendir(dir);
	struct dirent *entry;

	while (opened && (entry = readdir(opened))) {
		char *suffix = strstr(entry->d_name, SUFFIX);

		if (!suffix || suffix[strlen(SUFFIX)])
			continue;
		*suffix = '\0';
		suggestion__try(&search->suggestion, entry->d_name);
	}
	if (opened)
		closedir(opened);
}

static bool look_in(struct search *search, const char *dir)
{
	int length = snprintf(search->path, PATH_MAX, "%s/%s" SUFFIX, dir, search->name);

	if (length > 0 && length < PATH_MAX && !access(search->path, F_OK))
		return true;
	suggest(search, dir);
	return false;
}

static bool look_below(struct search *search, const char *prefix)
{
	char dir[PATH_MAX];
	int length = snprintf(dir, PATH_MAX, "%s/" PROBES, prefix);

	return length > 0 && length < PATH_MAX && look_in(search, dir);
}

/* The directory of a shared library is PREFIX/lib, or PREFIX/lib/TRIPLET. */
static bool look_beside_library(struct search *search)
{
	static const char *const up[] = { "..", "../.." };
	char prefix[PATH_MAX];
	const char *file;
	Dl_info info;
	int length;

	if (!dladdr((const void *)peat_session__add_probe, &info) || info.dli_fname[0] != '/')
		return false;
	file = strrchr(info.dli_fname, '/') + 1;
	if (strncmp(file, LIBRARY, strlen(LIBRARY)))
		return false;
	for (size_t i = 0; i < 2; i++) {
		length = snprintf(prefix, PATH_MAX, "%.*s%s", (int)(file - info.dli_fname),
				  info.dli_fname, up[i]);
		if (length < PATH_MAX && look_below(search, prefix))
			return true;
	}
	return false;
}

static bool find(struct search *search)
{
	const char *chosen = secure_getenv("PEAT_PROBES");

	if (chosen)
		return look_in(search, chosen);
	return look_beside_library(search) || look_below(search, "/usr/local") ||
	       look_below(search, "/usr");
}

int peat_session__add_probe(struct peat_session *session, const char *name)
{
	struct search search = { .name = name, .suggestion.wanted = name };
	char text[192];

	if (*name && !strchr(name, '/') && find(&search))
		return peat_session__add_file(session, search.path);
	log__error("there is no probe '%s'%slook for the objects of peat's probes in " PROBES
		   " of the prefix of libpeat, or set PEAT_PROBES to their directory",
		   name, suggestion__text(&search.suggestion, text));
	return fail(-ENOENT);
}
