// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps.c: perf event arrays of other programs, as named by --map. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/run/event_filter.h"
#include "cli/run/maps.h"

static int add_open(struct peat_session *session, int map_fd, bool steal)
{
	int err = steal ? 0 : peat_map__check_unread(map_fd);

	if (err == -EBUSY || err == -EPERM)
		messages__print("use --steal to read it anyway");
	return err ? err : peat_session__add_map(session, map_fd);
}

static int add_one(struct peat_session *session, const char *which, bool steal)
{
	int map_fd = peat_map__open(which), err;

	if (map_fd < 0)
		return EXIT_FAILED;
	err = add_open(session, map_fd, steal);
	close(map_fd); /* the session has duplicated it */
	return err ? EXIT_FAILED : 0;
}

static int add_entry(struct peat_session *session, const char *directory, const char *name,
		     bool steal)
{
	char *path;
	int status;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return EXIT_FAILED;
	status = add_one(session, path, steal);
	free(path);
	return status;
}

/* A directory made by --pin, which has maps and links. */
static int add_directory(struct peat_session *session, const char *directory, bool steal)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	int status = 0;
	unsigned count = 0;

	if (!entries) {
		messages__print("cannot read %s: %m", directory);
		return EXIT_FAILED;
	}
	while (!status && (entry = readdir(entries))) {
		if (strncmp(entry->d_name, "map-", 4))
			continue;
		status = add_entry(session, directory, entry->d_name, steal);
		count++;
	}
	closedir(entries);
	if (status || count)
		return status;
	messages__print("%s has no file map-NAME: it was not made by --pin", directory);
	return EXIT_FAILED;
}

int maps__add(struct peat_session *session, const struct options *options)
{
	int status = 0;

	for (size_t i = 0; !status && i < options->sources.map_count; i++) {
		const char *which = options->sources.maps[i];
		struct stat file;

		if (strchr(which, '/') && !stat(which, &file) && S_ISDIR(file.st_mode))
			status = add_directory(session, which, options->sources.steal);
		else
			status = add_one(session, which, options->sources.steal);
	}
	return status;
}

int maps__check_options(const struct options *options)
{
	if (!options->sources.map_count)
		return 0;
	if (!options->filter.by_uid && !options->filter.cgroup && !options->filter.max_rate &&
	    !options->sources.pin && !event_filter__has_identity(options))
		return 0;
	messages__print("-u, --cgroup, --container, --pod, --unit, --max-rate and --pin cannot be "
			"used with --map: they apply to programs that peat loads");
	return EXIT_USAGE;
}
