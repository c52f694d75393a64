// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/self.c: counters of the calling thread, one at a time. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/fork_mark.h"
#include "base/log.h"
#include "counters/counter.h"
#include "counters/group_read.h"
#include "counters/self.h"

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int self__map(int fd, uint32_t pages, struct part *part)
{
	size_t bytes = pages * page_bytes();
	void *page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED) {
		int err = -errno;

		log__debug("cannot map a counter: %s", strerror(-err));
		return err;
	}
	part->page = page;
	part->page_bytes = bytes;
	return 0;
}

void self__unmap(struct part *part)
{
	if (part->page)
		munmap(part->page, part->page_bytes);
	part->page = NULL;
}

static int check(const struct peat_counters *counters, uint32_t event)
{
	int err = fork_mark__check(counters->mark, "the counters");

	if (err)
		return err;
	if (!counters->is_self) {
		log__error("peat_counters__read_self: set peat_counters_opts.self");
		return -EINVAL;
	}
	return event < counters->events.count ? 0 : -EINVAL;
}

/*
 * The page of a disabled event does not say that its time stands still, and another thread would
 * read the counter of its own CPU.
 */
static bool read_page(const struct peat_counters *counters, struct part *part)
{
	return part->page && counters->is_enabled &&
	       pthread_equal(counters->owner, pthread_self()) &&
	       self_page__read(part->page, &self_page__clock, &part->now);
}

int peat_counters__read_self(struct peat_counters *counters, uint32_t event,
			     struct peat_counter_value *value)
{
	int err = check(counters, event);
	struct part *part;

	if (err)
		return fail(err);
	part = counters->at[event].parts;
	if (part->fd >= 0 && !read_page(counters, part))
		err = group_read__event(counters, event, 0);
	return err ? fail(err) : peat_counters__value(counters, event, value);
}
