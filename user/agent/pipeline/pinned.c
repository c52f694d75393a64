// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/pinned.c: opens sessions of programs that a former agent has pinned. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/functions.h>
#include <peat/map.h>
#include <peat/peat.h>

#include "base/errors.h"
#include "base/log.h"
#include "config/config.h"
#include "pipeline/pinned.h"
#include "pipeline/pins.h"

/* ---- settings -------------------------------------------------------------------------------- */

/* FNV-1a: the same in each process. */
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* An object file that was compiled again is another one. */
static uint64_t add_file(uint64_t hash, const char *path)
{
	struct stat file;

	if (stat(path, &file))
		return hash;
	hash = add_bytes(hash, &file.st_mtim, sizeof(file.st_mtim));
	return add_bytes(hash, &file.st_size, sizeof(file.st_size));
}

static uint64_t add_source(uint64_t hash, const char *text,
			   bool (*find_probe)(const char *name, const void **object, size_t *bytes))
{
	char *name = strndup(text, strcspn(text, ","));
	const void *object;
	size_t bytes;

	if (!name || peat_functions__are(name))
		; /* its programs depend on the text alone */
	else if (strchr(name, '/'))
		hash = add_file(hash, name);
	else if (find_probe && find_probe(name, &object, &bytes))
		hash = add_bytes(hash, object, bytes);
	free(name);
	return hash;
}

uint64_t pinned__hash(const struct config_pipeline *config,
		      bool (*find_probe)(const char *name, const void **object, size_t *bytes))
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = add_bytes(hash, PEAT_VERSION, strlen(PEAT_VERSION));
	hash = add_bytes(hash, config->text, strlen(config->text));
	for (size_t i = 0; i < config->sources.count; i++)
		hash = add_source(hash, config->sources.at[i], find_probe);
	return hash;
}

/* ---- sessions -------------------------------------------------------------------------------- */

static int add_ring(struct peat_session *session, const char *directory)
{
	char *path = pins__ring(directory);
	int fd = path ? peat_map__open(path) : -ENOMEM;
	int err = fd < 0 ? fd : peat_session__add_map(session, fd);

	free(path);
	if (fd >= 0)
		close(fd);
	if (!err && !peat_session__channel(session)) {
		log__error("no program uses the map of rings at %s", directory);
		err = -ENOENT;
	}
	return err;
}

struct peat_session *pinned__open(const char *directory, const struct peat_session_opts *opts)
{
	struct peat_session *session = peat_session__new(opts);
	int err = session ? add_ring(session, directory) : -errno;

	if (!err)
		return session;
	peat_session__free(session);
	return fail_null(err);
}

int pinned__count(const char *directory, struct peat_ledger *ledger)
{
	const struct peat_reader_opts opts = { .sz = sizeof(opts), .since_load = true };
	struct peat_session *session = pinned__open(directory, NULL);
	int err = session ? peat_session__start(session, &opts) : -errno;

	ledger->sz = sizeof(*ledger);
	err = err ?: peat_reader__ledger(peat_session__reader(session), PEAT_ALL_CPUS, ledger);
	peat_session__free(session);
	return err;
}
