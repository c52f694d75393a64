// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/foreign_file.c: opens a file whose path another user may have chosen. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "sys/foreign_file.h"

/* openat2() fails with EAGAIN if a directory is renamed anywhere while it follows "..". */
#define ATTEMPTS 8

/* ---- checks ---------------------------------------------------------------------------------- */

/*
 * File systems whose files are interfaces of the kernel: opening or reading one can act.  Numbers
 * without a name are not in linux/magic.h.
 */
static const uint32_t interfaces[] = {
	PROC_SUPER_MAGIC,     SYSFS_MAGIC,	     TRACEFS_MAGIC,	   DEBUGFS_MAGIC,
	SECURITYFS_MAGIC,     SELINUX_MAGIC,	     SMACK_MAGIC,	   AAFS_MAGIC,
	CGROUP_SUPER_MAGIC,   CGROUP2_SUPER_MAGIC,   RDTGROUP_SUPER_MAGIC, BPF_FS_MAGIC,
	BINFMTFS_MAGIC,	      PSTOREFS_MAGIC,	     EFIVARFS_MAGIC,	   XENFS_SUPER_MAGIC,
	OPENPROM_SUPER_MAGIC, USBDEVICE_SUPER_MAGIC, BINDERFS_SUPER_MAGIC, DEVPTS_SUPER_MAGIC,
	AUTOFS_SUPER_MAGIC,   FUTEXFS_SUPER_MAGIC,   PIPEFS_MAGIC,	   SOCKFS_MAGIC,
	NSFS_MAGIC,	      ANON_INODE_FS_MAGIC,   BDEVFS_MAGIC,	   DAXFS_MAGIC,
	MTD_INODE_FS_MAGIC,   DMA_BUF_MAGIC,	     DEVMEM_MAGIC,	   SECRETMEM_MAGIC,
	0x62656570, /* configfs */
	0x65735543, /* fusectl */
	0x19800202, /* mqueue */
	0x67596969, /* rpc_pipefs */
	0x6e667364, /* nfsd */
	0x50494446, /* pidfs */
	0x0a647361, /* functionfs, of USB gadgets */
	0xaee71ee7, /* gadgetfs */
	0x76a9f425, /* ocfs2_dlmfs */
	0x23c9b64e, /* spufs */
	0x00687970, /* s390_hypfs */
};

static bool is_interface(uint32_t type)
{
	for (size_t i = 0; i < sizeof(interfaces) / sizeof(*interfaces); i++)
		if (interfaces[i] == type)
			return true;
	return false;
}

/* `fd` was opened with O_PATH. */
static int check(int fd, struct stat *found)
{
	struct statfs system;

	if (fstat(fd, found))
		return -errno;
	if (!S_ISREG(found->st_mode))
		return -ENOTSUP;
	if (fstatfs(fd, &system))
		return -errno;
	return is_interface((uint32_t)system.f_type) ? -ENOTSUP : 0;
}

static int reopen(int fd)
{
	char path[32];
	int opened;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	return opened < 0 ? -errno : opened;
}

/* Closes `fd`, which O_PATH has opened, or returns it if it is an error. */
static int open_checked(int fd, struct stat *found)
{
	struct stat own;
	int opened;

	if (fd < 0)
		return fd;
	opened = check(fd, found ? found : &own);
	if (!opened)
		opened = reopen(fd);
	close(fd);
	return opened;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static int open_path(int directory, const char *path, int flags)
{
	int fd = openat(directory, path, O_PATH | O_CLOEXEC | flags);

	return fd < 0 ? -errno : fd;
}

static int resolve(int directory, const char *path, int flags, uint64_t rule)
{
	const struct open_how how = { .flags = O_PATH | O_CLOEXEC | (unsigned)flags,
				      .resolve = RESOLVE_NO_MAGICLINKS | rule };
	long fd = -1;

	for (int i = 0; i < ATTEMPTS; i++) {
		fd = syscall(SYS_openat2, directory, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return fd < 0 ? -errno : (int)fd;
}

static bool is_missing(int err)
{
	return err == -ENOSYS || err == -EPERM;
}

/* The next name of a path.  False: there is none, or it is ".." or too long. */
static bool next_name(const char **path, char name[NAME_MAX + 1])
{
	const char *at = *path + strspn(*path, "/");
	size_t bytes = strcspn(at, "/");

	if (!bytes || bytes > NAME_MAX)
		return false;
	memcpy(name, at, bytes);
	name[bytes] = '\0';
	*path = at + bytes;
	return strcmp(name, "..") != 0;
}

/* The path without links and "..".  O_PATH opens a link at its end, which is no regular file. */
static int walk(int root, const char *path)
{
	char name[NAME_MAX + 1];
	int fd = open_path(root, ".", O_DIRECTORY), next;

	while (fd >= 0 && path[strspn(path, "/")]) {
		next = next_name(&path, name)
			       ? open_path(fd, name, O_NOFOLLOW | (*path ? O_DIRECTORY : 0))
			       : -ENOENT;
		close(fd);
		fd = next;
	}
	return fd;
}

static int find_in_root(const char *root, const char *path, int flags)
{
	int directory = open_path(AT_FDCWD, root, O_DIRECTORY), fd;

	if (directory < 0)
		return directory;
	fd = resolve(directory, path, flags, RESOLVE_IN_ROOT);
	if (is_missing(fd))
		fd = walk(directory, path);
	close(directory);
	return fd;
}

static int find_file(int directory, const char *path, int flags)
{
	int fd = resolve(directory, path, flags, 0);

	return is_missing(fd) ? open_path(directory, path, flags) : fd;
}

/* ---------------------------------------------------------------------------------------------- */

int foreign_file__open(const char *root, const char *path, enum foreign_links links,
		       struct stat *found)
{
	int flags = links == FOREIGN_NO_LINK ? O_NOFOLLOW : 0, fd;

	if (root)
		fd = find_in_root(root, path, flags);
	else if (links == FOREIGN_PROC_LINKS)
		fd = open_path(AT_FDCWD, path, 0);
	else
		fd = find_file(AT_FDCWD, path, flags);
	return open_checked(fd, found);
}

int foreign_file__open_at(int directory, const char *path, struct stat *found)
{
	return open_checked(find_file(directory, path, 0), found);
}

/* Has no name in a header. */
#define ZFS_MAGIC 0x2fc12fc1

bool foreign_file__is_local(int fd)
{
	static const uint32_t types[] = {
		EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,   BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC,
		TMPFS_MAGIC,	  F2FS_SUPER_MAGIC,  SQUASHFS_MAGIC,	EROFS_SUPER_MAGIC_V1,
		RAMFS_MAGIC,	  ISOFS_SUPER_MAGIC, ZFS_MAGIC,
	};
	struct statfs system;

	if (fstatfs(fd, &system))
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((uint32_t)system.f_type == types[i])
			return true;
	return false;
}
