// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object_check.c: checks BPF objects in a child. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/base/messages.h"
#include "cli/run/no_kernel.h"
#include "cli/run/object_check.h"

#define CPU_SECONDS 10
#define MEMORY_GIB  2

enum { PASSED, NO_MEMORY };

struct checked {
	const char *path;
	const void *bytes;
	size_t count;
};

#define REMEDY "the file is damaged or no BPF object"

/* ---- the child ------------------------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW_MEMORY 1 /* of terabytes */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif

/* A limit that cannot be set is that of the caller, and lower. */
static void limit(__rlimit_resource_t resource, rlim_t value)
{
	const struct rlimit limit = { value, value };

	setrlimit(resource, &limit);
}

static void limit_child(void)
{
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, CPU_SECONDS);
#ifndef HAS_SHADOW_MEMORY
	limit(RLIMIT_AS, (rlim_t)MEMORY_GIB << 30);
#endif
	peat_set_print(NULL);
}

static int try_to_open(const struct checked *object)
{
	struct peat_object *opened = peat_object__open(object->bytes, object->count, object->path);
	int status = !opened && errno == ENOMEM ? NO_MEMORY : PASSED;

	peat_object__free(opened);
	return status;
}

/*
 * The maps of a channel are made by peat_session__add(), and end with the child.  The start ends
 * after the objects are loaded, since the kernel has none of their programs.
 */
static int try_to_load(const struct checked *object)
{
	struct peat_session *session = peat_session__new(NULL);

	if (session && !peat_session__add(session, object->path, object->bytes, object->count) &&
	    no_kernel__begin())
		peat_session__start(session, NULL);
	return PASSED;
}

/* ---------------------------------------------------------------------------------------------- */

/* Without a kernel, loading may also take long for a reason that the object does not have. */
static bool report_signal(const struct checked *object, const char *verb, int number)
{
	bool is_late = number == SIGXCPU || number == SIGKILL;

	if (is_late && !strcmp(verb, "load"))
		return true;
	if (is_late)
		messages__print("cannot %s %s: libbpf needs more than %d s: " REMEDY, verb,
				object->path, CPU_SECONDS);
	else
		messages__print("cannot %s %s: libbpf crashed (%s): " REMEDY, verb, object->path,
				strsignal(number));
	return false;
}

static bool report_no_memory(const struct checked *object, const char *verb)
{
	messages__print("cannot %s %s: %s (limit: %d GiB): " REMEDY, verb, object->path,
			strerror(ENOMEM), MEMORY_GIB);
	return false;
}

/* If the kernel refuses a child, the object is not checked. */
static bool check(const struct checked *object, const char *verb,
		  int (*try)(const struct checked *object))
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		limit_child();
		_exit(try(object));
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return report_signal(object, verb, WTERMSIG(status));
	return WEXITSTATUS(status) == NO_MEMORY ? report_no_memory(object, verb) : true;
}

bool object_check__opens(const char *path, const void *bytes, size_t count)
{
	const struct checked object = { path, bytes, count };

	return check(&object, "open", try_to_open);
}

bool object_check__loads(const char *path, const void *bytes, size_t count)
{
	const struct checked object = { path, bytes, count };

	return check(&object, "load", try_to_load);
}
