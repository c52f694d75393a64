// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/tracefs.c: files of tracefs, whether it is mounted or not. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/mount.h>

#include "sys/tracefs.h"

/* The file descriptor of the root directory, or a negative errno; -ENOENT: it is not mounted. */
static int open_mounted(void)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int err = -ENOENT;

	for (size_t i = 0; err == -ENOENT && i < sizeof(roots) / sizeof(*roots); i++) {
		int root = open(roots[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (root < 0) {
			err = -errno;
			continue;
		}
		if (!faccessat(root, "events", F_OK, AT_EACCESS))
			return root;
		err = -errno;
		close(root);
	}
	return err;
}

/* The negative errno to return if a process cannot mount: EPERM without CAP_SYS_ADMIN, or from a
 * seccomp filter; ENOSYS before Linux 5.2. */
static int mount_error(int error)
{
	return error == EPERM || error == EACCES || error == ENOSYS ? -ENODEV : -error;
}

/*
 * A mount outside of every mount namespace: without a mount point, visible to this process alone,
 * gone when its file descriptor is closed.  It sets no options, so those of a tracefs mounted
 * elsewhere stay.  System calls by number: glibc has functions for them since 2.36.
 */
static int open_own(void)
{
	int context = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), root, err = 0;

	if (context < 0)
		return mount_error(errno);
	if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		err = mount_error(errno);
	root = err ? err : (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY);
	if (!err && root < 0)
		root = mount_error(errno);
	close(context);
	return root;
}

static int kept_root = -1;

int tracefs__keep(void)
{
	int root = open_mounted();

	if (root >= 0) {
		close(root);
		return 0;
	}
	if (root == -ENOENT && kept_root >= 0)
		return 0;
	if (root == -ENOENT)
		root = open_own();
	if (root < 0)
		return root;
	kept_root = root;
	return 0;
}

static int open_unmounted(void)
{
	int root;

	if (kept_root < 0)
		return open_own();
	root = fcntl(kept_root, F_DUPFD_CLOEXEC, 0);
	return root < 0 ? -errno : root;
}

int tracefs__open(const char *path)
{
	int root = open_mounted(), fd;

	if (root == -ENOENT)
		root = open_unmounted();
	if (root < 0)
		return root;
	fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	close(root);
	return fd;
}

/* To the end: files of tracefs have no size. */
static int read_all(struct strbuf *text, int fd)
{
	const size_t step = 65536;
	ssize_t bytes = 1;

	while (bytes > 0) {
		char *at = strbuf__room(text, step);

		if (!at)
			return -ENOMEM;
		bytes = read(fd, at, step);
		if (bytes > 0)
			text->count += (size_t)bytes;
	}
	if (bytes < 0)
		return -errno;
	strbuf__char(text, '\0');
	text->count -= !text->failed;
	return text->failed ? -ENOMEM : 0;
}

int tracefs__read(struct strbuf *text, const char *path)
{
	int fd = tracefs__open(path), err;

	if (fd < 0)
		return fd;
	err = read_all(text, fd);
	close(fd);
	return err;
}

bool tracefs__has(const char *path)
{
	int fd = tracefs__open(path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool tracefs__has_kprobes(void)
{
	return !access("/sys/bus/event_source/devices/kprobe/type", R_OK) ||
	       tracefs__has("kprobe_events");
}

static int parse_id(const char *text)
{
	char *end;
	unsigned long id;

	errno = 0;
	id = strtoul(text, &end, 10);
	return errno || end == text || (*end && *end != '\n') || id > INT_MAX ? -EBADMSG : (int)id;
}

int tracefs__read_id(const char *name)
{
	const char *slash = strchr(name, '/');
	char path[256], text[24];
	ssize_t bytes;
	int fd;

	if (!slash || slash == name || !slash[1] || strchr(slash + 1, '/') ||
	    snprintf(path, sizeof(path), "events/%s/id", name) >= (int)sizeof(path))
		return -EINVAL;
	fd = tracefs__open(path);
	if (fd < 0)
		return fd;
	bytes = read(fd, text, sizeof(text) - 1);
	if (bytes < 0)
		bytes = -errno;
	close(fd);
	if (bytes < 0)
		return (int)bytes;
	text[bytes] = '\0';
	return parse_id(text);
}
