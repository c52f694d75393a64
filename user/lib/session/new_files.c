// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/new_files.c: follows files that appear, by the records of their mappings. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "live/source.h"
#include "session/attach/used_files.h"
#include "session/new_files.h"
#include "session/parts/session.h"
#include "sys/cpus.h"
#include "sys/proc_maps.h"

/* For each CPU: a record has some 150 bytes, and a new process five of them. */
#define RING_BYTES (64u << 10)

/* With fewer, no ring was full: the path in a record has at most 4 KiB. */
#define RECORDS_OF_A_FULL_RING (RING_BYTES / 4 / PATH_MAX)

/* The reader of the records. */
struct new_files {
	struct peat_reader *reader;
	uint64_t lost; /* records, as far as known */
};

/* ---- records --------------------------------------------------------------------------------- */

/* Processes with a chosen name or ancestor are looked at when they get them. */
static void use_mapping(struct peat_session *session, const struct peat_mmap *mmap)
{
	const struct proc_map map = { .start = mmap->addr,
				      .end = mmap->addr + mmap->len,
				      .inode = mmap->ino,
				      .major = mmap->maj,
				      .minor = mmap->min,
				      .is_executable = true,
				      .path = mmap->filename };

	if (map.path[0] == '/' && peat_session__descends(session, mmap->pid))
		used_files__see(session, mmap->pid, &map);
}

static void use_name(struct peat_session *session, const struct peat_comm *comm)
{
	if (session->opts.comm && !strcmp(comm->comm, session->opts.comm) &&
	    peat_session__descends(session, comm->pid))
		used_files__see_process(session, comm->pid);
}

static void use_record(struct peat_session *session, const struct peat_record *record)
{
	if (record->type == PEAT_RECORD_MMAP2)
		use_mapping(session, &record->mmap);
	else if (record->type == PEAT_RECORD_COMM)
		use_name(session, &record->comm);
}

/* The files of lost records are found in /proc. */
static void replace_lost(struct peat_session *session)
{
	struct new_files *files = session->new_files;
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (peat_reader__stats(files->reader, &stats) || stats.side_band_lost == files->lost)
		return;
	files->lost = stats.side_band_lost;
	used_files__see_all(session);
}

static void read_records(void *arg)
{
	struct peat_session *session = arg;
	struct peat_reader *reader = session->new_files->reader;
	const struct peat_event *event;
	unsigned records = 0;

	if (peat_reader__wait(reader, 0) <= 0)
		return;
	for (; peat_reader__next(reader, &event) > 0; records++)
		if (event->record)
			use_record(session, event->record);
	if (records >= RECORDS_OF_A_FULL_RING)
		replace_lost(session);
}

/* ---- opening --------------------------------------------------------------------------------- */

static uint64_t memory_bytes(void)
{
	struct cpus cpus;
	uint64_t bytes;

	if (cpus__read(&cpus, "online"))
		return 0;
	bytes = (uint64_t)cpus__count(&cpus) * RING_BYTES;
	cpus__free(&cpus);
	return bytes;
}

static struct peat_reader *open_reader(const struct peat_session *session)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.side_band = PEAT_SIDE_BAND_MMAP | (session->opts.comm ? PEAT_SIDE_BAND_COMM : 0);
	opts.memory_bytes = memory_bytes();
	opts.immediate = true;
	return peat_reader__new_side_band(&opts);
}

/* Files of processes that run already are traced in any case. */
static int warn_missing(struct peat_session *session, int err)
{
	log__warn("libraries and programs that appear from now on are not traced: cannot read the "
		  "kernel's records of mappings: %s",
		  strerror(-err));
	peat_reader__free(session->new_files->reader);
	free(session->new_files);
	session->new_files = NULL;
	return err == -ENOMEM ? err : 0;
}

static int follow(struct peat_session *session)
{
	struct new_files *files = calloc(1, sizeof(*files));
	int err;

	if (!files)
		return -ENOMEM;
	session->new_files = files;
	files->reader = open_reader(session);
	if (!files->reader)
		return warn_missing(session, -errno);
	err = live_source__also_read(session->reader, peat_reader__fd(files->reader), read_records,
				     session);
	return err ? warn_missing(session, err) : 0;
}

int new_files__open(struct peat_session *session)
{
	int err = used_files__open(session);

	if (err || !used_files__follow_processes(session))
		return err;
	return follow(session) ?: used_files__scan(session);
}

void new_files__close(struct peat_session *session)
{
	if (session->new_files) {
		if (session->reader)
			live_source__also_read(session->reader, -1, NULL, NULL);
		peat_reader__free(session->new_files->reader);
	}
	free(session->new_files);
	session->new_files = NULL;
	used_files__free(session);
}
