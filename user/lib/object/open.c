// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/open.c: prepares the ELF file of an object for this kernel, and opens it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include <peat/object_file.h>

#include "base/errors.h"
#include "base/log.h"
#include "object/kernel_atomics.h"
#include "object/kernel_btf.h"
#include "object/kernel_enums.h"
#include "object/libbpf_log.h"
#include "object/open.h"
#include "object/own_stacks.h"
#include "object/plain_locks.h"
#include "object/raw_tracepoints.h"

/* ---- preparing ------------------------------------------------------------------------------- */

static int explain_object_error(const char *name, int err, const struct source_line *refused)
{
	struct utsname kernel = { .release = "?" };

	uname(&kernel);
	if (err == -EOPNOTSUPP && refused->file) {
		log__error("%s: %s:%u has an atomic operation that needs Linux 5.12 or newer "
			   "(this is %s): only additions without a result work here",
			   name, refused->file, refused->line, kernel.release);
		return err;
	}
	if (err == -EOPNOTSUPP)
		log__error("%s has no line information, which channels need before Linux 5.12 "
			   "(this is %s): compile it with clang -g",
			   name, kernel.release);
	else
		log__error("%s was compiled with a peat.bpf.h that needs Linux 5.12 or newer (this "
			   "is %s): compile it with the present one",
			   name, kernel.release);
	return -EINVAL;
}

/* Programs that preempt each other would both find the lock free. */
static int refuse_realtime(const char *name)
{
	log__error("%s: on real-time kernels, channels need Linux 5.12 or newer: BPF programs on a "
		   "CPU preempt each other, and older kernels have no atomic operation that locks",
		   name);
	return -EOPNOTSUPP;
}

/*
 * In place.  The kernel has no atomic operations that return a value.  The log has the reason of an
 * error, but of -EBADMSG.
 */
static int use_plain_locks(const char *name, void *elf, size_t bytes)
{
	struct source_line refused = { 0 };
	int ret = plain_locks__use(elf, bytes, &refused);

	if (ret < 0)
		return ret == -EBADMSG ? ret : explain_object_error(name, ret, &refused);
	if (ret > 0 && kernel_atomics__is_realtime())
		return refuse_realtime(name);
	if (ret > 0)
		log__debug("%s: %d atomic operations of peat.bpf.h replaced", name, ret);
	return 0;
}

/* In place.  -EBADMSG, which is not logged; -ENOMEM. */
static int use_raw_tracepoints(const char *name, void *elf, size_t bytes)
{
	int ret = raw_tracepoints__use(elf, bytes);

	if (ret > 0)
		log__info("%s: programs of tp_btf are loaded as raw_tp, as this kernel has no BTF "
			  "(they can read its memory only by BPF_CORE_READ() or PEAT_READ()): %d",
			  name, ret);
	return ret < 0 ? ret : 0;
}

static int prepare(const char *name, void *elf, size_t bytes)
{
	int err = kernel_atomics__are_missing() ? use_plain_locks(name, elf, bytes) : 0;

	if (!err && kernel_btf__is_missing())
		err = use_raw_tracepoints(name, elf, bytes);
	return err;
}

/* Replaces the copy.  1: it has changed; 0, -EBADMSG, -ENOMEM. */
static int keep_own_stacks(const char *name, void **elf, size_t *bytes)
{
/* Only these machines have private stacks. */
#if defined(__x86_64__) || defined(__aarch64__)
	size_t grown_bytes;
	void *grown;
	int ret = own_stacks__use(*elf, *bytes, &grown, &grown_bytes);

	if (ret <= 0)
		return ret;
	log__debug("%s: programs of uprobes that keep the stacks of their tasks: %d", name, ret);
	free(*elf);
	*elf = grown;
	*bytes = grown_bytes;
	return 1;
#else
	(void)name, (void)elf, (void)bytes;
	return 0;
#endif
}

static bool needs_preparing(void)
{
	return kernel_btf__is_missing() || kernel_atomics__are_missing();
}

void *open__prepare(const char *name, const void *bytes, size_t *count, int *err)
{
	void *copy = malloc(*count ? *count : 1);
	int ret = copy ? 0 : -ENOMEM;

	if (!ret) {
		memcpy(copy, bytes, *count);
		ret = prepare(name, copy, *count);
	}
	if (!ret)
		ret = keep_own_stacks(name, &copy, count);
	*err = ret < 0 && ret != -EBADMSG ? ret : 0; /* libbpf has a better message for that */
	if (ret > 0 || (!ret && needs_preparing()))
		return copy;
	free(copy);
	return NULL;
}

int peat_object__prepare(void *elf, size_t bytes)
{
	int err = prepare("the object", elf, bytes);

	if (err == -EBADMSG)
		log__error("the object cannot be prepared: it is no ELF file of BPF programs");
	return err ? fail(err) : 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* `object` NULL: it was not opened, and errno has the reason. */
static struct bpf_object *finish_object(struct bpf_object *object,
					const struct bpf_object_open_opts *opts)
{
	const char *btf = opts && opts->sz > offsetof(struct bpf_object_open_opts, btf_custom_path)
				  ? opts->btf_custom_path
				  : NULL;
	int err = object ? kernel_enums__use(object, btf) : 0;

	if (!err)
		return object;
	bpf_object__close(object);
	return fail_null(err);
}

struct bpf_object *open__mem(const char *name, const void *bytes, size_t count,
			     const struct bpf_object_open_opts *opts)
{
	struct bpf_object *object;
	int err;
	void *copy = open__prepare(name, bytes, &count, &err);

	if (err)
		return fail_null(err);
	object = libbpf_log__open_mem(name, copy ? copy : bytes, count, opts);
	err = errno;
	free(copy); /* libbpf has its own copies */
	errno = err;
	return finish_object(object, opts);
}

void *open__read(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = -1;
	struct stat stat;
	void *memory = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &stat))
		memory = malloc((size_t)stat.st_size + 1);
	if (memory)
		count = read(fd, memory, (size_t)stat.st_size);
	close(fd);
	if (count >= 0 && count == stat.st_size) {
		*bytes = (size_t)count;
		return memory;
	}
	if (count >= 0)
		errno = EIO; /* it became shorter */
	free(memory);
	return NULL;
}

void open__name_object(char name[OPEN_NAME_ROOM], const char *path)
{
	const char *base = strrchr(path, '/');
	size_t length;

	base = base ? base + 1 : path;
	length = strcspn(base, ".");
	length = length < OPEN_NAME_ROOM ? length : OPEN_NAME_ROOM - 1;
	memcpy(name, base, length);
	name[length] = '\0';
}

/* The caller may have been compiled with another version of libbpf. */
static void copy_opts(struct bpf_object_open_opts *to, const struct bpf_object_open_opts *from)
{
	if (from)
		memcpy(to, from, from->sz < sizeof(*to) ? from->sz : sizeof(*to));
	to->sz = sizeof(*to);
}

struct bpf_object *open__file(const char *path, const struct bpf_object_open_opts *opts)
{
	LIBBPF_OPTS(bpf_object_open_opts, named);
	struct bpf_object *object;
	char name[OPEN_NAME_ROOM];
	size_t count;
	void *bytes;
	int err;

	bytes = open__read(path, &count);
	if (!bytes) /* for the message */
		return finish_object(libbpf_log__open_file(path, opts), opts);
	copy_opts(&named, opts);
	if (!named.object_name) {
		open__name_object(name, path);
		named.object_name = name;
	}
	object = open__mem(path, bytes, count, &named);
	err = errno;
	free(bytes);
	errno = err;
	return object;
}
