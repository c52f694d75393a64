// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/limits.c: checks the limits of files and of memory. */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "machine/check.h"
#include "machine/own_event.h"
#include "ring/ring.h"
#include "ring/sizing.h"
#include "sys/caps.h"
#include "sys/file_room.h"

/* Two perf events for each CPU, and the maps, programs and links of a few probes. */
#define FILES_OF_CPU	2
#define FILES_OF_PROBES 64

static unsigned online_cpus(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (unsigned)count : 1;
}

static void check_files(struct check *check, int unused)
{
	unsigned files = FILES_OF_CPU * online_cpus() + FILES_OF_PROBES;

	(void)unused;
	if (file_room__has(files))
		check__pass(check, "room for %u files", files);
	else
		check__fail(check, PEAT_CHECK_MISSING,
			    FILE_ROOM_REMEDY ", LimitNOFILE= of a unit, the ulimit nofile of a "
					     "container",
			    "no room for %u files, two for each CPU and those of programs", files);
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* The default memory of all rings. */
static uint64_t wanted_bytes(uint64_t page)
{
	uint64_t ram = (uint64_t)sysconf(_SC_PHYS_PAGES) * page;

	return sizing__ring_bytes(sizing__default_bytes(online_cpus(), ram), 1, page);
}

/* Maps a ring as large as all rings together; the event is closed.  0 or a negative errno. */
static int try_ring(uint64_t bytes)
{
	struct ring ring = { 0 };
	int fd = own_event__open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY), err = fd;

	ring__clear(&ring);
	if (fd >= 0)
		err = ring__map(&ring, 0, fd, 0, bytes);
	if (fd >= 0 && err)
		close(fd);
	else if (!err)
		ring__close(&ring);
	return err;
}

static bool is_too_large(int err)
{
	return err == -ENOMEM || err == -EPERM || err == -ENOBUFS;
}

static void check_rings(struct check *check, int unused)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), wanted = wanted_bytes(page),
		 bytes = wanted;
	int err = try_ring(bytes);

	(void)unused;
	while (is_too_large(err) && bytes > page)
		err = try_ring(bytes /= 2);
	if (err)
		check__fail(check, PEAT_CHECK_MISSING,
			    is_too_large(err) ? caps__explain_memlock() : caps__explain_counters(),
			    "no ring can be mapped: %s", strerror(-err));
	else if (bytes < wanted)
		check__fail(check, PEAT_CHECK_LIMITED, caps__explain_memlock(),
			    "%llu KiB for rings instead of %llu KiB: bursts of events lose more",
			    (unsigned long long)bytes >> 10, (unsigned long long)wanted >> 10);
	else
		check__pass(check, "%llu KiB for rings", (unsigned long long)bytes >> 10);
}

const struct check_row limits__rows[] = {
	{ "RLIMIT_NOFILE", check_files, 0 },
	{ "RLIMIT_MEMLOCK", check_rings, 0 },
	{ 0 },
};
