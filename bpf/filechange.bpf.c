// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * filechange: files that are deleted, renamed, linked, made, truncated, or get other permissions,
 * owners and attributes.  One program runs when any system call returns, and first tests its
 * number.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "file_path.h"
#include "native_call.h"
#include "saved_registers.h"
#include "syscall_numbers.h"

#ifndef CALL_fchmodat2 /* Linux 6.6, the same number on all architectures */
#define CALL_fchmodat2 452
#endif

/* Values of fcntl.h. */
#define AT_FDCWD      -100
#define AT_REMOVEDIR  0x200
#define AT_EMPTY_PATH 0x1000

#define DIRECTORY_BYTES 256 /* of the directory where a relative path begins */
#define PATH_BYTES	PATH_ROOM(DIRECTORY_BYTES)
#define CHANGE_BYTES	56 /* struct change, which is kept behind path2 */

enum filechange_op {
	other,
	unlink,
	rmdir,
	mkdir,
	rename,
	link,
	symlink,
	chmod,
	truncate,
	chown,
	mknod,
	setxattr,
	removexattr,
};

struct filechange {
	enum filechange_op op;
	peat_errno_t result;
	__u32 mode PEAT_DOC("new permissions, in octal digits, of chmod, mkdir and mknod")
		PEAT_MINOR;
	peat_size_t bytes PEAT_DOC("new size, of truncate") PEAT_MINOR;
	char path[PATH_BYTES] PEAT_DOC("from the root of the process; the target of symlink");
	char path2[PATH_BYTES + CHANGE_BYTES] PEAT_DOC(
		"new name, of rename, link and symlink; the attribute");
	PEAT_STACKS;
} PEAT_DOC("files deleted, renamed, linked, made, truncated, and with other permissions or owners")
	PEAT_SUBJECT(files) PEAT_LIKE("filegone, filelife");

PEAT_OPTION(bool, failed, false, "only failures");

static __always_inline enum filechange_op op_of(__u64 number)
{
	switch (number) {
#ifdef CALL_unlink /* arm64 has only the variants with the descriptor of a directory */
	case CALL_unlink:
		return unlink;
	case CALL_rmdir:
		return rmdir;
	case CALL_mkdir:
		return mkdir;
	case CALL_rename:
		return rename;
	case CALL_link:
		return link;
	case CALL_symlink:
		return symlink;
	case CALL_chmod:
		return chmod;
	case CALL_chown:
	case CALL_lchown:
		return chown;
	case CALL_mknod:
		return mknod;
#endif
	case CALL_unlinkat: /* or rmdir */
		return unlink;
	case CALL_mkdirat:
		return mkdir;
	case CALL_renameat:
	case CALL_renameat2:
		return rename;
	case CALL_linkat:
		return link;
	case CALL_symlinkat:
		return symlink;
	case CALL_fchmod:
	case CALL_fchmodat:
	case CALL_fchmodat2:
		return chmod;
	case CALL_truncate:
	case CALL_ftruncate:
		return truncate;
	case CALL_fchown:
	case CALL_fchownat:
		return chown;
	case CALL_mknodat:
		return mknod;
	case CALL_setxattr:
	case CALL_lsetxattr:
	case CALL_fsetxattr:
		return setxattr;
	case CALL_removexattr:
	case CALL_lremovexattr:
	case CALL_fremovexattr:
		return removexattr;
	}
	return other;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* A path as passed to a system call. */
struct name {
	__u64 text; /* an address of the program; 0: the file of `fd` itself */
	int fd;	    /* of the directory where a relative path begins */
};

struct change {
	enum filechange_op op;
	struct name from, to;
	bool has_to;
	__u32 mode;
	__u64 bytes;
};

static __always_inline void set_name(struct name *name, int fd, __u64 text)
{
	name->fd = fd;
	name->text = text;
}

/* The calls that take paths alone, which begin in the current directory. */
static __always_inline bool read_plain(struct change *change, __u64 number, const __u64 *args)
{
	switch (number) {
#ifdef CALL_unlink
	case CALL_rename:
	case CALL_link:
	case CALL_symlink:
		set_name(&change->to, AT_FDCWD, args[1]);
		change->has_to = true;
		break;
	case CALL_mkdir:
	case CALL_chmod:
	case CALL_mknod:
		change->mode = args[1];
		break;
	case CALL_unlink:
	case CALL_rmdir:
	case CALL_chown:
	case CALL_lchown:
		break;
#endif
	case CALL_setxattr:
	case CALL_lsetxattr:
	case CALL_removexattr:
	case CALL_lremovexattr:
		change->to.text = args[1];
		break;
	case CALL_truncate:
		change->bytes = args[1];
		break;
	default:
		return false;
	}
	set_name(&change->from, AT_FDCWD, args[0]);
	return true;
}

/* With AT_EMPTY_PATH, an empty path is the file of the descriptor itself. */
static __always_inline bool is_empty(__u64 text, __u64 flags)
{
	char first;

	return flags & AT_EMPTY_PATH &&
	       !bpf_probe_read_user(&first, sizeof(first), (const void *)text) && !first;
}

/* The calls whose first argument is a file descriptor. */
static __always_inline void read_with_fd(struct change *change, __u64 number, const __u64 *args)
{
	__u64 flags = 0;

	set_name(&change->from, args[0], args[1]);
	switch (number) {
	case CALL_unlinkat:
		if (args[2] & AT_REMOVEDIR)
			change->op = rmdir;
		break;
	case CALL_linkat:
		flags = args[4];
		/* fall through */
	case CALL_renameat:
	case CALL_renameat2:
		set_name(&change->to, args[2], args[3]);
		change->has_to = true;
		break;
	case CALL_fchmodat2:
		flags = args[3];
		/* fall through */
	case CALL_mkdirat:
	case CALL_mknodat:
	case CALL_fchmodat:
		change->mode = args[2];
		break;
	case CALL_fchownat:
		flags = args[4];
		break;
	case CALL_fchmod:
		change->from.text = 0;
		change->mode = args[1];
		break;
	case CALL_ftruncate:
		change->from.text = 0;
		change->bytes = args[1];
		break;
	case CALL_fsetxattr:
	case CALL_fremovexattr:
		change->to.text = args[1];
		/* fall through */
	case CALL_fchown:
		change->from.text = 0;
		break;
	}
	if (is_empty(change->from.text, flags))
		change->from.text = 0;
}

static __always_inline void read_arguments(struct change *change, __u64 number,
					   struct pt_regs *regs)
{
	const __u64 args[5] = {
		PT_REGS_PARM1_CORE_SYSCALL(regs), PT_REGS_PARM2_CORE_SYSCALL(regs),
		PT_REGS_PARM3_CORE_SYSCALL(regs), PT_REGS_PARM4_CORE_SYSCALL(regs),
		PT_REGS_PARM5_CORE_SYSCALL(regs),
	};

	if (read_plain(change, number, args))
		return;
	if (number == CALL_symlinkat) {
		set_name(&change->from, AT_FDCWD, args[0]);
		set_name(&change->to, args[1], args[2]);
		change->has_to = true;
		return;
	}
	read_with_fd(change, number, args);
}

/* 0755 is 755, so that it reads as such. */
static __always_inline __u32 octal_digits(__u32 mode)
{
	return (mode >> 9 & 7) * 1000 + (mode >> 6 & 7) * 100 + (mode >> 3 & 7) * 10 + (mode & 7);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* NULL: the descriptor is not open. */
static __always_inline const struct path *directory_of(int fd)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct fs_struct *fs;
	struct file *file;

	if (fd == AT_FDCWD) {
		fs = BPF_CORE_READ(task, fs);
		return __builtin_preserve_access_index(&fs->pwd);
	}
	file = find_file(fd);
	return file ? __builtin_preserve_access_index(&file->f_path) : 0;
}

/* Copies a path of the program.  Returns its length. */
static __always_inline __u64 copy_text(char *to, __u32 room, __u64 text)
{
	long bytes = bpf_probe_read_user_str(to, room, (const void *)text);

	if (bytes > 0)
		return bytes - 1;
	to[0] = '\0';
	return 0;
}

/*
 * Writes a path, a relative one with the directory where it begins.  The kernel has read it by now,
 * so its page is present.  `to` has PATH_BYTES.  Returns its length.
 */
static __noinline __u64 write_name(char *to, const volatile struct name *name)
{
	const struct path *directory;
	__u64 length = 0;

	if (name->text)
		length = copy_text(to, PATH_BYTES, name->text);
	if (length ? to[0] == '/' : name->text)
		return length;
	directory = directory_of(name->fd);
	if (!directory)
		return length;
	length = write_path(to, DIRECTORY_BYTES, directory);
	if (!name->text)
		return length;
	if (!length) /* no path could be read */
		return copy_text(to, PATH_BYTES, name->text);
	if (length > 1) /* the root has its slash */
		put(to, length++, PATH_BYTES, '/');
	BOUND(length, DIRECTORY_BYTES * 2);
	if (length > DIRECTORY_BYTES)
		return 0;
	return length + copy_text(to + length, PATH_BYTES - DIRECTORY_BYTES, name->text);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/*
 * Copies the change behind path2, into memory of a map, which the verifier knows nothing about.  On
 * the stack it knows what each call has stored, and walks through all that follows once for each:
 * 527,000 instructions instead of 129,000 (Linux 6.18).
 */
static __always_inline const volatile struct change *keep_in_event(struct filechange *e,
								   const struct change *change)
{
	struct change *kept = (void *)&e->path2[PATH_BYTES];

	_Static_assert(sizeof(*kept) == CHANGE_BYTES, "the room of a change");
	*kept = *change;
	return kept;
}

static __always_inline int emit(unsigned long long *ctx, const struct change *of_call, long result)
{
	struct filechange *e = peat_reserve_stacks(ctx, struct filechange);
	const volatile struct change *change;
	__u64 length = 0;

	if (!e)
		return 0;
	change = keep_in_event(e, of_call);
	e->op = change->op;
	e->result = result;
	e->mode = octal_digits(change->mode);
	e->bytes = change->bytes;
	e->path[0] = e->path2[0] = '\0';
	if (change->op == symlink)
		copy_text(e->path, sizeof(e->path), change->from.text);
	else
		write_name(e->path, &change->from);
	if (change->has_to)
		length = write_name(e->path2, &change->to);
	else if (change->to.text) /* the name of an attribute */
		length = copy_text(e->path2, PATH_BYTES, change->to.text);
	return peat_submit_stacks_bytes(ctx, e,
					__builtin_offsetof(struct filechange, path2) + length + 1);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_return, struct pt_regs *regs, long result)
{
	__u64 number = saved_number(regs);
	struct change change = { .op = op_of(number) };

	if (change.op == other || (failed && result >= 0))
		return 0;
	if (!is_native_call((struct task_struct *)bpf_get_current_task()))
		return 0;
	read_arguments(&change, number, regs);
	return emit(ctx, &change, result);
}
