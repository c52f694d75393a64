// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* operations_memory.c: pages and allocations. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

#define PAGES 1024

static char *pages;
static size_t next_page;

static bool map_pages(void)
{
	size_t bytes = PAGES * (size_t)getpagesize();

	pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	next_page = 0;
	/* Huge pages would make one fault of 512. */
	return pages != MAP_FAILED && !madvise(pages, bytes, MADV_NOHUGEPAGE);
}

/* Drops the pages when all have been touched. */
static void touch_page(void)
{
	size_t page = (size_t)getpagesize();

	if (next_page == PAGES && madvise(pages, PAGES * page, MADV_DONTNEED))
		abort();
	next_page %= PAGES;
	*(volatile char *)(pages + next_page++ * page) = 1;
}

static void unmap_pages(void)
{
	munmap(pages, PAGES * (size_t)getpagesize());
}

const struct gallery_operation gallery_fault = { "touch a new page", map_pages, touch_page,
						 unmap_pages };

static void allocate(void)
{
	/* The compiler may leave out an allocation that nothing uses. */
	void *volatile memory = malloc(64);

	free(memory);
}

const struct gallery_operation gallery_malloc = { "malloc(64) and free()", NULL, allocate, NULL };
