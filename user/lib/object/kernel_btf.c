// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/kernel_btf.c: finds the BTF of the running kernel. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/btf.h>

#include "base/log.h"
#include "object/kernel_btf.h"
#include "sys/kernel_id.h"

/* An empty file hides it in some containers. */
bool kernel_btf__is_missing(void)
{
	struct stat found;

	return access(KERNEL_BTF, R_OK) || stat(KERNEL_BTF, &found) || !found.st_size;
}

/* ---- a file ---------------------------------------------------------------------------------- */

static int check_order(const struct btf *btf, const char *path)
{
	bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	if ((btf__endianness(btf) == BTF_BIG_ENDIAN) == is_big)
		return 0;
	log__error("%s is BTF of a machine with the other byte order", path);
	return -EBADMSG;
}

static int check_file(const char *path)
{
	struct btf *btf;
	int err;

	if (access(path, R_OK)) {
		err = -errno;
		log__error("cannot read the BTF file %s: %m", path);
		return err;
	}
	btf = btf__parse(path, NULL);
	if (!btf && errno == ENOMEM)
		return -ENOMEM;
	if (!btf) {
		log__error("%s has no valid BTF: use a copy of " KERNEL_BTF " from the same "
			   "kernel, a part of it made by peat build --min-btf, or the kernel's "
			   "vmlinux with a section .BTF",
			   path);
		return -EBADMSG;
	}
	err = check_order(btf, path);
	btf__free(btf);
	return err;
}

/* ---- a directory ----------------------------------------------------------------------------- */

static char *name_by_release(const char *directory)
{
	struct utsname kernel = { .release = "" };
	char *path = NULL;

	uname(&kernel);
	return asprintf(&path, "%s/%s.btf", directory, kernel.release) < 0 ? NULL : path;
}

/* If the build id is unknown, the name that no file has. */
static char *name_by_id(const char *directory)
{
	const uint8_t *id = kernel_id__running();
	char text[2 * KERNEL_ID_BYTES + 1] = "BUILD-ID", *path = NULL;

	for (size_t i = 0; id && i < KERNEL_ID_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return asprintf(&path, "%s/%s.btf", directory, text) < 0 ? NULL : path;
}

static int find_in_directory(const char *directory, char **path)
{
	char *by_release = name_by_release(directory), *by_id = name_by_id(directory);
	int err = by_release && by_id ? 0 : -ENOMEM;

	if (!err && !access(by_release, F_OK)) {
		*path = by_release;
		by_release = NULL;
	} else if (!err && !access(by_id, F_OK)) {
		*path = by_id;
		by_id = NULL;
	} else if (!err) {
		log__error("the directory %s has no BTF for this kernel: neither %s nor %s exists",
			   directory, by_release, by_id);
		err = -ENOENT;
	}
	free(by_release);
	free(by_id);
	return err;
}

int kernel_btf__find(const char *given, char **path)
{
	struct stat found;
	int err;

	*path = NULL;
	if (!stat(given, &found) && S_ISDIR(found.st_mode)) {
		err = find_in_directory(given, path);
	} else {
		*path = strdup(given);
		err = *path ? 0 : -ENOMEM;
	}
	if (!err)
		err = check_file(*path);
	if (!err)
		return 0;
	free(*path);
	*path = NULL;
	return err;
}
