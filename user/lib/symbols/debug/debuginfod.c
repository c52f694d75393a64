// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/debug/debuginfod.c: debug files from servers. */
#include <dlfcn.h>
#include <pthread.h>

#include "base/internal.h"
#include "symbols/debug/debuginfod.h"

#define LIBRARY "libdebuginfod.so.1"

struct client;

static struct {
	struct client *(*begin)(void);
	int (*find)(struct client *client, const unsigned char *id, int id_bytes, char **path);
	void (*end)(struct client *client);
} library;

/* Stays loaded: libcurl cannot be unloaded safely. */
static void load(void)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return;
	*(void **)&library.begin = dlsym(handle, "debuginfod_begin");
	*(void **)&library.find = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library.end = dlsym(handle, "debuginfod_end");
}

bool debuginfod__is_available(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return library.begin && library.find && library.end;
}

int debuginfod__find(const struct build_id *id, const char *path)
{
	struct client *client;
	int fd;

	if (!debuginfod__is_available())
		return -ENOTSUP;
	client = library.begin();
	if (!client)
		return -ENOMEM;
	fd = library.find(client, id->id, id->bytes, NULL);
	library.end(client);
	if (fd < 0)
		log__debug("%s: no debug information from a debuginfod server: %s", path,
			   strerror(-fd));
	return fd;
}
