// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/debug/debuginfod.c: debug files from servers. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "symbols/debug/debuginfod.h"

#define LIBRARY "libdebuginfod.so.1"

struct client;

static struct {
	struct client *(*begin)(void);
	void (*set_progress)(struct client *client, int (*progress)(struct client *, long, long));
	int (*find)(struct client *client, const unsigned char *id, int id_bytes, char **path);
	void (*end)(struct client *client);
} library;

#ifdef PEAT_STATIC
#define ABSENCE "a static executable cannot load libdebuginfod.so.1: use the shared one"

static void load_debuginfod(void)
{
}
#else
#define ABSENCE LIBRARY " cannot be loaded: install the package libdebuginfod1"

/* Stays loaded: libcurl cannot be unloaded safely. */
static void load_debuginfod(void)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return;
	*(void **)&library.begin = dlsym(handle, "debuginfod_begin");
	*(void **)&library.set_progress = dlsym(handle, "debuginfod_set_progressfn");
	*(void **)&library.find = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library.end = dlsym(handle, "debuginfod_end");
}
#endif

const char *debuginfod__absence(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_debuginfod);
	if (library.begin && library.set_progress && library.find && library.end)
		return NULL;
	return ABSENCE;
}

static _Thread_local bool is_too_large; /* the file that this thread downloads */

/* The bytes so far, or the number of calls before; the size that the server announced, or 0. */
static int check_progress(struct client *client, long done, long size)
{
	(void)client;
	is_too_large = done > BUDGET_DOWNLOAD_BYTES || size > BUDGET_DOWNLOAD_BYTES;
	return is_too_large;
}

int debuginfod__find(const struct build_id *id, const char *path)
{
	struct client *client;
	int fd;

	if (debuginfod__absence())
		return -ENOTSUP;
	client = library.begin();
	if (!client)
		return -ENOMEM;
	is_too_large = false;
	library.set_progress(client, check_progress);
	fd = library.find(client, id->id, id->bytes, NULL);
	library.end(client);
	if (fd < 0 && is_too_large)
		fd = -EFBIG;
	if (fd < 0)
		log__debug("%s: no debug information from a debuginfod server: %s", path,
			   strerror(-fd));
	return fd;
}
