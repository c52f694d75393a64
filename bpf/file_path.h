/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * file_path.h: finds the open file of a file descriptor, and the path of a file or directory.
 *
 * bpf_d_path() is only for programs of fentry and LSM.
 */
#ifndef FILE_PATH_H
#define FILE_PATH_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#define NAME_BYTES 256 /* of one component, with its NUL */

/* Components of a path, and mounts that it crosses.  A deeper path begins with "...". */
#define PATH_DEPTH 48

/* Room for a path of at most `bytes` bytes with its NUL: the verifier needs the rest. */
#define PATH_ROOM(bytes) ((bytes) + NAME_BYTES)

/* ---- files ----------------------------------------------------------------------------------- */

enum bpf_func_id___file {
	BPF_FUNC_get_current_task_btf___file = 158,
};

/* The open file of a file descriptor of the running task.  NULL: not open. */
static __always_inline struct file *find_file(__u32 fd)
{
	struct file **files, *file = 0;
	struct fdtable *table;
	__u32 count;

	/* Linux before 5.11 has no typed pointer to the running task. */
	if (peat_no_btf || !bpf_core_enum_value_exists(enum bpf_func_id___file,
						       BPF_FUNC_get_current_task_btf___file)) {
		table = BPF_CORE_READ((struct task_struct *)bpf_get_current_task(), files, fdt);
		count = BPF_CORE_READ(table, max_fds);
		files = BPF_CORE_READ(table, fd);
	} else {
		table = bpf_get_current_task_btf()->files->fdt;
		count = table->max_fds;
		files = table->fd;
	}
	if (fd >= count)
		return 0;
	bpf_probe_read_kernel(&file, sizeof(file), files + fd);
	return file;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* A step on the way from a file up to the root of its task. */
struct place {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

static __always_inline struct place read_place(const struct path *path)
{
	struct place place = { BPF_CORE_READ(path, mnt), BPF_CORE_READ(path, dentry) };

	return place;
}

/* From the root of a mount to its mount point.  False: no file system is mounted above it. */
static __always_inline bool leave_mount(struct place *place)
{
	struct vfsmount *mnt = place->mnt;
	struct mount *mount = (void *)mnt - bpf_core_field_offset(struct mount, mnt);
	struct mount *parent = BPF_CORE_READ(mount, mnt_parent);

	if (!parent || parent == mount)
		return false;
	place->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
	place->mnt = (void *)parent + bpf_core_field_offset(struct mount, mnt);
	return true;
}

/*
 * Verifiers before Linux 5.12 lose the bounds of numbers that were on the stack.  So they are
 * bounded where they are used, and the compiler must not conclude that they are already.
 */
#define BOUND(number, max)                                                                         \
	({                                                                                         \
		barrier_var(number);                                                               \
		(number) &= (max)-1;                                                               \
	})

static __always_inline void put(char *to, __u64 at, __u64 max, char byte)
{
	BOUND(at, max);
	to[at] = byte;
}

/* A file without a name, such as a pipe, has no path. */
static __always_inline __u64 prepend_root(char *to, __u64 at, __u64 max)
{
	if (at < max - 1)
		return at;
	to[max - 2] = '/';
	return max - 2;
}

/*
 * Copies a component before the path so far, which begins at `at`, with the slash between them if
 * the component has a parent.  Returns where the path begins now, or `at` if it does not fit.
 */
static __always_inline __u64 prepend_name(char *to, __u64 at, __u64 max, struct dentry *dentry,
					  bool has_parent)
{
	const unsigned char *name = BPF_CORE_READ(dentry, d_name.name);
	__u64 length = BPF_CORE_READ(dentry, d_name.len);

	if (length > NAME_BYTES - 1 || at < length + sizeof("...")) /* which has room for a slash */
		return at;
	at -= length;
	BOUND(at, max);
	BOUND(length, NAME_BYTES);
	bpf_probe_read_kernel(to + at, length, name);
	if (!has_parent || !at)
		return at;
	put(to, --at, max, '/');
	return at;
}

static __always_inline __u64 prepend_dots(char *to, __u64 at, __u64 max)
{
	if (at < 3)
		return at;
	for (int i = 0; i < 3; i++)
		put(to, --at, max, '.');
	return at;
}

/*
 * Writes the path so that it ends at to[max - 1], its NUL.  Returns where it begins.  The way ends
 * at the task's root, at the root of a file system that is not mounted, or at a file that has no
 * parent, such as a pipe.
 */
static __always_inline __u64 prepend_path(char *to, __u64 max, struct place at_file,
					  struct place root)
{
	struct place place = at_file;
	struct dentry *dentry, *parent;
	struct vfsmount *mnt;
	__u64 at = max - 1, before;

	to[max - 1] = '\0';
	for (int i = 0; i < PATH_DEPTH; i++) {
		BOUND(at, max); /* each step begins alike for the verifier: it walks on once */
		dentry = place.dentry;
		mnt = place.mnt;
		if (dentry == root.dentry && mnt == root.mnt)
			return prepend_root(to, at, max);
		if (dentry == BPF_CORE_READ(mnt, mnt_root)) {
			if (!leave_mount(&place))
				return prepend_root(to, at, max);
			continue;
		}
		parent = BPF_CORE_READ(dentry, d_parent);
		before = at;
		at = prepend_name(to, at, max, dentry, parent != dentry);
		if (parent == dentry)
			return at;
		if (at == before)
			break;
		place.dentry = parent;
	}
	return prepend_dots(to, at, max);
}

/*
 * Writes the path of `path`, a pointer to a kernel's struct path, as the running task sees it: from
 * its root directory.  `to` has PATH_ROOM(max) bytes; max is a constant, a power of two.  If the
 * path is longer, it is cut at the front, and begins with "...".  Returns its length.  0: the file
 * has no name, or the kernel refuses to read it.
 */
static __always_inline __u64 write_path(char *to, __u64 max, const struct path *path)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct fs_struct *fs = BPF_CORE_READ(task, fs);
	__u64 at, length;

	at = prepend_path(to, max, read_place(path),
			  read_place(__builtin_preserve_access_index(&fs->root)));
	length = max - 1 - at;
	BOUND(length, max);
	/* To lower addresses, in ascending order: each byte is read before it is overwritten. */
	if (!bpf_probe_read_kernel(to, length + 1, to + at))
		return length;
	to[0] = '\0';
	return 0;
}

static __always_inline __u64 write_file_path(char *to, __u64 max, const struct file *file)
{
	return write_path(to, max, __builtin_preserve_access_index(&file->f_path));
}

#endif /* FILE_PATH_H */
