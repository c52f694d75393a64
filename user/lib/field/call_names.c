// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * field/call_names.c: constants of the kernel in arguments of system calls.
 *
 * Numbers instead of headers: the library prints the same wherever it is compiled.  They are those
 * of the kernel's include/uapi.  Names of a class are sorted by value.
 */
#include "field/call_names.h"

/* ---- files ----------------------------------------------------------------------------------- */

/* Without the two lowest bits, which are one number. */
#define OPEN_FLAGS_START                                                                           \
	{ 0100, "O_CREAT" }, { 0200, "O_EXCL" }, { 0400, "O_NOCTTY" }, { 01000, "O_TRUNC" },       \
		{ 02000, "O_APPEND" }, { 04000, "O_NONBLOCK" }, { 010000, "O_DSYNC" },             \
	{                                                                                          \
		020000, "O_ASYNC"                                                                  \
	}

static const struct peat_name open_names[] = {
	OPEN_FLAGS_START,	    { 040000, "O_DIRECT" },    { 0100000, "O_LARGEFILE" },
	{ 0200000, "O_DIRECTORY" }, { 0400000, "O_NOFOLLOW" }, { 01000000, "O_NOATIME" },
	{ 02000000, "O_CLOEXEC" },  { 04010000, "O_SYNC" },    { 010000000, "O_PATH" },
	{ 020200000, "O_TMPFILE" },
};

static const struct peat_name arm64_open_names[] = {
	OPEN_FLAGS_START,	    { 040000, "O_DIRECTORY" },	{ 0100000, "O_NOFOLLOW" },
	{ 0200000, "O_DIRECT" },    { 0400000, "O_LARGEFILE" }, { 01000000, "O_NOATIME" },
	{ 02000000, "O_CLOEXEC" },  { 04010000, "O_SYNC" },	{ 010000000, "O_PATH" },
	{ 020040000, "O_TMPFILE" },
};

static const struct peat_name dirfd_names[] = {
	{ (uint64_t)-100, "AT_FDCWD" },
};

static const struct peat_name access_names[] = {
	{ 0, "F_OK" },
	{ 1, "X_OK" },
	{ 2, "W_OK" },
	{ 4, "R_OK" },
};

#define AT_FLAGS_END                                                                               \
	{ 0x400, "AT_SYMLINK_FOLLOW" }, { 0x800, "AT_NO_AUTOMOUNT" }, { 0x1000, "AT_EMPTY_PATH" }, \
		{ 0x2000, "AT_STATX_FORCE_SYNC" }, { 0x4000, "AT_STATX_DONT_SYNC" },               \
	{                                                                                          \
		0x8000, "AT_RECURSIVE"                                                             \
	}

static const struct peat_name at_names[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW" },
	AT_FLAGS_END,
};

static const struct peat_name at_access_names[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW" },
	{ 0x200, "AT_EACCESS" },
	AT_FLAGS_END,
};

static const struct peat_name at_remove_names[] = {
	{ 0x200, "AT_REMOVEDIR" },
	AT_FLAGS_END,
};

static const struct peat_name fcntl_names[] = {
	{ 0, "F_DUPFD" },	   { 1, "F_GETFD" },
	{ 2, "F_SETFD" },	   { 3, "F_GETFL" },
	{ 4, "F_SETFL" },	   { 5, "F_GETLK" },
	{ 6, "F_SETLK" },	   { 7, "F_SETLKW" },
	{ 8, "F_SETOWN" },	   { 9, "F_GETOWN" },
	{ 10, "F_SETSIG" },	   { 11, "F_GETSIG" },
	{ 15, "F_SETOWN_EX" },	   { 16, "F_GETOWN_EX" },
	{ 36, "F_OFD_GETLK" },	   { 37, "F_OFD_SETLK" },
	{ 38, "F_OFD_SETLKW" },	   { 1024, "F_SETLEASE" },
	{ 1025, "F_GETLEASE" },	   { 1026, "F_NOTIFY" },
	{ 1027, "F_DUPFD_QUERY" }, { 1030, "F_DUPFD_CLOEXEC" },
	{ 1031, "F_SETPIPE_SZ" },  { 1032, "F_GETPIPE_SZ" },
	{ 1033, "F_ADD_SEALS" },   { 1034, "F_GET_SEALS" },
	{ 1035, "F_GET_RW_HINT" }, { 1036, "F_SET_RW_HINT" },
};

static const struct peat_name flock_names[] = {
	{ 1, "LOCK_SH" },
	{ 2, "LOCK_EX" },
	{ 4, "LOCK_NB" },
	{ 8, "LOCK_UN" },
};

static const struct peat_name seek_names[] = {
	{ 0, "SEEK_SET" },  { 1, "SEEK_CUR" },	{ 2, "SEEK_END" },
	{ 3, "SEEK_DATA" }, { 4, "SEEK_HOLE" },
};

static const struct peat_name rename_names[] = {
	{ 1, "RENAME_NOREPLACE" },
	{ 2, "RENAME_EXCHANGE" },
	{ 4, "RENAME_WHITEOUT" },
};

static const struct peat_name fallocate_names[] = {
	{ 0x01, "FALLOC_FL_KEEP_SIZE" },      { 0x02, "FALLOC_FL_PUNCH_HOLE" },
	{ 0x08, "FALLOC_FL_COLLAPSE_RANGE" }, { 0x10, "FALLOC_FL_ZERO_RANGE" },
	{ 0x20, "FALLOC_FL_INSERT_RANGE" },   { 0x40, "FALLOC_FL_UNSHARE_RANGE" },
};

static const struct peat_name fadvise_names[] = {
	{ 0, "POSIX_FADV_NORMAL" },   { 1, "POSIX_FADV_RANDOM" },   { 2, "POSIX_FADV_SEQUENTIAL" },
	{ 3, "POSIX_FADV_WILLNEED" }, { 4, "POSIX_FADV_DONTNEED" }, { 5, "POSIX_FADV_NOREUSE" },
};

static const struct peat_name statx_names[] = {
	{ 0x001, "STATX_TYPE" },
	{ 0x002, "STATX_MODE" },
	{ 0x004, "STATX_NLINK" },
	{ 0x008, "STATX_UID" },
	{ 0x010, "STATX_GID" },
	{ 0x020, "STATX_ATIME" },
	{ 0x040, "STATX_MTIME" },
	{ 0x080, "STATX_CTIME" },
	{ 0x100, "STATX_INO" },
	{ 0x200, "STATX_SIZE" },
	{ 0x400, "STATX_BLOCKS" },
	{ 0x7ff, "STATX_BASIC_STATS" },
	{ 0x800, "STATX_BTIME" },
	{ 0xfff, "STATX_ALL" },
	{ 0x1000, "STATX_MNT_ID" },
	{ 0x2000, "STATX_DIOALIGN" },
	{ 0x4000, "STATX_MNT_ID_UNIQUE" },
	{ 0x8000, "STATX_SUBVOL" },
};

static const struct peat_name sync_range_names[] = {
	{ 1, "SYNC_FILE_RANGE_WAIT_BEFORE" },
	{ 2, "SYNC_FILE_RANGE_WRITE" },
	{ 4, "SYNC_FILE_RANGE_WAIT_AFTER" },
};

static const struct peat_name splice_names[] = {
	{ 1, "SPLICE_F_MOVE" },
	{ 2, "SPLICE_F_NONBLOCK" },
	{ 4, "SPLICE_F_MORE" },
	{ 8, "SPLICE_F_GIFT" },
};

static const struct peat_name xattr_names[] = {
	{ 1, "XATTR_CREATE" },
	{ 2, "XATTR_REPLACE" },
};

static const struct peat_name mount_names[] = {
	{ 0x1, "MS_RDONLY" },
	{ 0x2, "MS_NOSUID" },
	{ 0x4, "MS_NODEV" },
	{ 0x8, "MS_NOEXEC" },
	{ 0x10, "MS_SYNCHRONOUS" },
	{ 0x20, "MS_REMOUNT" },
	{ 0x40, "MS_MANDLOCK" },
	{ 0x80, "MS_DIRSYNC" },
	{ 0x100, "MS_NOSYMFOLLOW" },
	{ 0x400, "MS_NOATIME" },
	{ 0x800, "MS_NODIRATIME" },
	{ 0x1000, "MS_BIND" },
	{ 0x2000, "MS_MOVE" },
	{ 0x4000, "MS_REC" },
	{ 0x8000, "MS_SILENT" },
	{ 0x10000, "MS_POSIXACL" },
	{ 0x20000, "MS_UNBINDABLE" },
	{ 0x40000, "MS_PRIVATE" },
	{ 0x80000, "MS_SLAVE" },
	{ 0x100000, "MS_SHARED" },
	{ 0x200000, "MS_RELATIME" },
	{ 0x800000, "MS_I_VERSION" },
	{ 0x1000000, "MS_STRICTATIME" },
	{ 0x2000000, "MS_LAZYTIME" },
};

static const struct peat_name umount_names[] = {
	{ 1, "MNT_FORCE" },
	{ 2, "MNT_DETACH" },
	{ 4, "MNT_EXPIRE" },
	{ 8, "UMOUNT_NOFOLLOW" },
};

static const struct peat_name inotify_mask_names[] = {
	{ 0x1, "IN_ACCESS" },
	{ 0x2, "IN_MODIFY" },
	{ 0x4, "IN_ATTRIB" },
	{ 0x8, "IN_CLOSE_WRITE" },
	{ 0x10, "IN_CLOSE_NOWRITE" },
	{ 0x20, "IN_OPEN" },
	{ 0x40, "IN_MOVED_FROM" },
	{ 0x80, "IN_MOVED_TO" },
	{ 0x100, "IN_CREATE" },
	{ 0x200, "IN_DELETE" },
	{ 0x400, "IN_DELETE_SELF" },
	{ 0x800, "IN_MOVE_SELF" },
	{ 0xfff, "IN_ALL_EVENTS" },
	{ 0x1000000, "IN_ONLYDIR" },
	{ 0x2000000, "IN_DONT_FOLLOW" },
	{ 0x4000000, "IN_EXCL_UNLINK" },
	{ 0x10000000, "IN_MASK_CREATE" },
	{ 0x20000000, "IN_MASK_ADD" },
	{ 0x80000000, "IN_ONESHOT" },
};

/* Each interface has own names for the same two flags of open(2). */
#define FD_FLAGS(prefix)                                                                           \
	{                                                                                          \
		{ 04000, prefix "NONBLOCK" }, { 02000000, prefix "CLOEXEC" },                      \
	}

static const struct peat_name inotify_names[] = FD_FLAGS("IN_");
static const struct peat_name signalfd_names[] = FD_FLAGS("SFD_");
static const struct peat_name timerfd_names[] = FD_FLAGS("TFD_");

static const struct peat_name eventfd_names[] = {
	{ 1, "EFD_SEMAPHORE" },
	{ 04000, "EFD_NONBLOCK" },
	{ 02000000, "EFD_CLOEXEC" },
};

static const struct peat_name epoll_names[] = {
	{ 02000000, "EPOLL_CLOEXEC" },
};

static const struct peat_name epoll_op_names[] = {
	{ 1, "EPOLL_CTL_ADD" },
	{ 2, "EPOLL_CTL_DEL" },
	{ 3, "EPOLL_CTL_MOD" },
};

static const struct peat_name memfd_names[] = {
	{ 0x1, "MFD_CLOEXEC" },	    { 0x2, "MFD_ALLOW_SEALING" }, { 0x4, "MFD_HUGETLB" },
	{ 0x8, "MFD_NOEXEC_SEAL" }, { 0x10, "MFD_EXEC" },
};

static const struct peat_name uring_enter_names[] = {
	{ 0x1, "IORING_ENTER_GETEVENTS" },	  { 0x2, "IORING_ENTER_SQ_WAKEUP" },
	{ 0x4, "IORING_ENTER_SQ_WAIT" },	  { 0x8, "IORING_ENTER_EXT_ARG" },
	{ 0x10, "IORING_ENTER_REGISTERED_RING" },
};

/* ---- memory ---------------------------------------------------------------------------------- */

static const struct peat_name prot_names[] = {
	{ 0, "PROT_NONE" },
	{ 1, "PROT_READ" },
	{ 2, "PROT_WRITE" },
	{ 4, "PROT_EXEC" },
	{ 8, "PROT_SEM" },
	{ 0x1000000, "PROT_GROWSDOWN" },
	{ 0x2000000, "PROT_GROWSUP" },
};

static const struct peat_name map_names[] = {
	{ 0x1, "MAP_SHARED" },		{ 0x2, "MAP_PRIVATE" },
	{ 0x3, "MAP_SHARED_VALIDATE" }, { 0x8, "MAP_DROPPABLE" },
	{ 0x10, "MAP_FIXED" },		{ 0x20, "MAP_ANONYMOUS" },
	{ 0x40, "MAP_32BIT" },		{ 0x100, "MAP_GROWSDOWN" },
	{ 0x800, "MAP_DENYWRITE" },	{ 0x1000, "MAP_EXECUTABLE" },
	{ 0x2000, "MAP_LOCKED" },	{ 0x4000, "MAP_NORESERVE" },
	{ 0x8000, "MAP_POPULATE" },	{ 0x10000, "MAP_NONBLOCK" },
	{ 0x20000, "MAP_STACK" },	{ 0x40000, "MAP_HUGETLB" },
	{ 0x80000, "MAP_SYNC" },	{ 0x100000, "MAP_FIXED_NOREPLACE" },
};

static const struct peat_name madvise_names[] = {
	{ 0, "MADV_NORMAL" },	       { 1, "MADV_RANDOM" },
	{ 2, "MADV_SEQUENTIAL" },      { 3, "MADV_WILLNEED" },
	{ 4, "MADV_DONTNEED" },	       { 8, "MADV_FREE" },
	{ 9, "MADV_REMOVE" },	       { 10, "MADV_DONTFORK" },
	{ 11, "MADV_DOFORK" },	       { 12, "MADV_MERGEABLE" },
	{ 13, "MADV_UNMERGEABLE" },    { 14, "MADV_HUGEPAGE" },
	{ 15, "MADV_NOHUGEPAGE" },     { 16, "MADV_DONTDUMP" },
	{ 17, "MADV_DODUMP" },	       { 18, "MADV_WIPEONFORK" },
	{ 19, "MADV_KEEPONFORK" },     { 20, "MADV_COLD" },
	{ 21, "MADV_PAGEOUT" },	       { 22, "MADV_POPULATE_READ" },
	{ 23, "MADV_POPULATE_WRITE" }, { 24, "MADV_DONTNEED_LOCKED" },
	{ 25, "MADV_COLLAPSE" },       { 100, "MADV_HWPOISON" },
	{ 101, "MADV_SOFT_OFFLINE" },  { 102, "MADV_GUARD_INSTALL" },
	{ 103, "MADV_GUARD_REMOVE" },
};

static const struct peat_name mremap_names[] = {
	{ 1, "MREMAP_MAYMOVE" },
	{ 2, "MREMAP_FIXED" },
	{ 4, "MREMAP_DONTUNMAP" },
};

static const struct peat_name msync_names[] = {
	{ 1, "MS_ASYNC" },
	{ 2, "MS_INVALIDATE" },
	{ 4, "MS_SYNC" },
};

static const struct peat_name mlock_names[] = {
	{ 1, "MLOCK_ONFAULT" },
};

static const struct peat_name mlockall_names[] = {
	{ 1, "MCL_CURRENT" },
	{ 2, "MCL_FUTURE" },
	{ 4, "MCL_ONFAULT" },
};

static const struct peat_name ipc_names[] = {
	{ 0, "IPC_RMID" }, { 1, "IPC_SET" }, { 2, "IPC_STAT" }, { 3, "IPC_INFO" },
	{ 11, "GETPID" },  { 12, "GETVAL" }, { 13, "GETALL" },	{ 14, "GETNCNT" },
	{ 15, "GETZCNT" }, { 16, "SETVAL" }, { 17, "SETALL" },
};

static const struct peat_name ipc_flag_names[] = {
	{ 01000, "IPC_CREAT" },
	{ 02000, "IPC_EXCL" },
	{ 04000, "IPC_NOWAIT" },
};

/* ---- tasks ----------------------------------------------------------------------------------- */

/* Without the lowest eight bits, which are a signal. */
static const struct peat_name clone_names[] = {
	{ 0x100, "CLONE_VM" },
	{ 0x200, "CLONE_FS" },
	{ 0x400, "CLONE_FILES" },
	{ 0x800, "CLONE_SIGHAND" },
	{ 0x1000, "CLONE_PIDFD" },
	{ 0x2000, "CLONE_PTRACE" },
	{ 0x4000, "CLONE_VFORK" },
	{ 0x8000, "CLONE_PARENT" },
	{ 0x10000, "CLONE_THREAD" },
	{ 0x20000, "CLONE_NEWNS" },
	{ 0x40000, "CLONE_SYSVSEM" },
	{ 0x80000, "CLONE_SETTLS" },
	{ 0x100000, "CLONE_PARENT_SETTID" },
	{ 0x200000, "CLONE_CHILD_CLEARTID" },
	{ 0x400000, "CLONE_DETACHED" },
	{ 0x800000, "CLONE_UNTRACED" },
	{ 0x1000000, "CLONE_CHILD_SETTID" },
	{ 0x2000000, "CLONE_NEWCGROUP" },
	{ 0x4000000, "CLONE_NEWUTS" },
	{ 0x8000000, "CLONE_NEWIPC" },
	{ 0x10000000, "CLONE_NEWUSER" },
	{ 0x20000000, "CLONE_NEWPID" },
	{ 0x40000000, "CLONE_NEWNET" },
	{ 0x80000000, "CLONE_IO" },
};

static const struct peat_name futex_names[] = {
	{ 0, "FUTEX_WAIT" },
	{ 1, "FUTEX_WAKE" },
	{ 2, "FUTEX_FD" },
	{ 3, "FUTEX_REQUEUE" },
	{ 4, "FUTEX_CMP_REQUEUE" },
	{ 5, "FUTEX_WAKE_OP" },
	{ 6, "FUTEX_LOCK_PI" },
	{ 7, "FUTEX_UNLOCK_PI" },
	{ 8, "FUTEX_TRYLOCK_PI" },
	{ 9, "FUTEX_WAIT_BITSET" },
	{ 10, "FUTEX_WAKE_BITSET" },
	{ 11, "FUTEX_WAIT_REQUEUE_PI" },
	{ 12, "FUTEX_CMP_REQUEUE_PI" },
	{ 13, "FUTEX_LOCK_PI2" },
};

static const struct peat_name futex_flag_names[] = {
	{ 128, "FUTEX_PRIVATE_FLAG" },
	{ 256, "FUTEX_CLOCK_REALTIME" },
};

static const struct peat_name wait_names[] = {
	{ 0x1, "WNOHANG" },	  { 0x2, "WUNTRACED" },	      { 0x4, "WEXITED" },
	{ 0x8, "WCONTINUED" },	  { 0x1000000, "WNOWAIT" },   { 0x20000000, "__WNOTHREAD" },
	{ 0x40000000, "__WALL" }, { 0x80000000, "__WCLONE" },
};

static const struct peat_name id_type_names[] = {
	{ 0, "P_ALL" },
	{ 1, "P_PID" },
	{ 2, "P_PGID" },
	{ 3, "P_PIDFD" },
};

static const struct peat_name mask_how_names[] = {
	{ 0, "SIG_BLOCK" },
	{ 1, "SIG_UNBLOCK" },
	{ 2, "SIG_SETMASK" },
};

static const struct peat_name policy_names[] = {
	{ 0, "SCHED_OTHER" }, { 1, "SCHED_FIFO" },     { 2, "SCHED_RR" },  { 3, "SCHED_BATCH" },
	{ 5, "SCHED_IDLE" },  { 6, "SCHED_DEADLINE" }, { 7, "SCHED_EXT" },
};

static const struct peat_name priority_names[] = {
	{ 0, "PRIO_PROCESS" },
	{ 1, "PRIO_PGRP" },
	{ 2, "PRIO_USER" },
};

static const struct peat_name usage_names[] = {
	{ 0, "RUSAGE_SELF" },
	{ 1, "RUSAGE_THREAD" },
	{ (uint64_t)-1, "RUSAGE_CHILDREN" },
};

static const struct peat_name resource_names[] = {
	{ 0, "RLIMIT_CPU" },	   { 1, "RLIMIT_FSIZE" },  { 2, "RLIMIT_DATA" },
	{ 3, "RLIMIT_STACK" },	   { 4, "RLIMIT_CORE" },   { 5, "RLIMIT_RSS" },
	{ 6, "RLIMIT_NPROC" },	   { 7, "RLIMIT_NOFILE" }, { 8, "RLIMIT_MEMLOCK" },
	{ 9, "RLIMIT_AS" },	   { 10, "RLIMIT_LOCKS" }, { 11, "RLIMIT_SIGPENDING" },
	{ 12, "RLIMIT_MSGQUEUE" }, { 13, "RLIMIT_NICE" },  { 14, "RLIMIT_RTPRIO" },
	{ 15, "RLIMIT_RTTIME" },
};

static const struct peat_name prctl_names[] = {
	{ 1, "PR_SET_PDEATHSIG" },
	{ 2, "PR_GET_PDEATHSIG" },
	{ 3, "PR_GET_DUMPABLE" },
	{ 4, "PR_SET_DUMPABLE" },
	{ 7, "PR_GET_KEEPCAPS" },
	{ 8, "PR_SET_KEEPCAPS" },
	{ 15, "PR_SET_NAME" },
	{ 16, "PR_GET_NAME" },
	{ 21, "PR_GET_SECCOMP" },
	{ 22, "PR_SET_SECCOMP" },
	{ 23, "PR_CAPBSET_READ" },
	{ 24, "PR_CAPBSET_DROP" },
	{ 27, "PR_GET_SECUREBITS" },
	{ 28, "PR_SET_SECUREBITS" },
	{ 29, "PR_SET_TIMERSLACK" },
	{ 30, "PR_GET_TIMERSLACK" },
	{ 35, "PR_SET_MM" },
	{ 36, "PR_SET_CHILD_SUBREAPER" },
	{ 37, "PR_GET_CHILD_SUBREAPER" },
	{ 38, "PR_SET_NO_NEW_PRIVS" },
	{ 39, "PR_GET_NO_NEW_PRIVS" },
	{ 41, "PR_SET_THP_DISABLE" },
	{ 42, "PR_GET_THP_DISABLE" },
	{ 47, "PR_CAP_AMBIENT" },
	{ 52, "PR_GET_SPECULATION_CTRL" },
	{ 53, "PR_SET_SPECULATION_CTRL" },
	{ 59, "PR_SET_SYSCALL_USER_DISPATCH" },
	{ 62, "PR_SCHED_CORE" },
	{ 65, "PR_SET_MDWE" },
	{ 67, "PR_SET_MEMORY_MERGE" },
	{ 0x53564d41, "PR_SET_VMA" },
	{ 0x59616d61, "PR_SET_PTRACER" },
};

static const struct peat_name ptrace_names[] = {
	{ 0, "PTRACE_TRACEME" },
	{ 1, "PTRACE_PEEKTEXT" },
	{ 2, "PTRACE_PEEKDATA" },
	{ 3, "PTRACE_PEEKUSER" },
	{ 4, "PTRACE_POKETEXT" },
	{ 5, "PTRACE_POKEDATA" },
	{ 6, "PTRACE_POKEUSER" },
	{ 7, "PTRACE_CONT" },
	{ 8, "PTRACE_KILL" },
	{ 9, "PTRACE_SINGLESTEP" },
	{ 16, "PTRACE_ATTACH" },
	{ 17, "PTRACE_DETACH" },
	{ 24, "PTRACE_SYSCALL" },
	{ 0x4200, "PTRACE_SETOPTIONS" },
	{ 0x4201, "PTRACE_GETEVENTMSG" },
	{ 0x4202, "PTRACE_GETSIGINFO" },
	{ 0x4203, "PTRACE_SETSIGINFO" },
	{ 0x4204, "PTRACE_GETREGSET" },
	{ 0x4205, "PTRACE_SETREGSET" },
	{ 0x4206, "PTRACE_SEIZE" },
	{ 0x4207, "PTRACE_INTERRUPT" },
	{ 0x4208, "PTRACE_LISTEN" },
	{ 0x4209, "PTRACE_PEEKSIGINFO" },
};

static const struct peat_name seccomp_names[] = {
	{ 0, "SECCOMP_SET_MODE_STRICT" },
	{ 1, "SECCOMP_SET_MODE_FILTER" },
	{ 2, "SECCOMP_GET_ACTION_AVAIL" },
	{ 3, "SECCOMP_GET_NOTIF_SIZES" },
};

static const struct peat_name membarrier_names[] = {
	{ 0, "MEMBARRIER_CMD_QUERY" },
	{ 1, "MEMBARRIER_CMD_GLOBAL" },
	{ 2, "MEMBARRIER_CMD_GLOBAL_EXPEDITED" },
	{ 4, "MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED" },
	{ 8, "MEMBARRIER_CMD_PRIVATE_EXPEDITED" },
	{ 16, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED" },
};

static const struct peat_name keyctl_names[] = {
	{ 0, "KEYCTL_GET_KEYRING_ID" }, { 1, "KEYCTL_JOIN_SESSION_KEYRING" },
	{ 2, "KEYCTL_UPDATE" },		{ 3, "KEYCTL_REVOKE" },
	{ 4, "KEYCTL_CHOWN" },		{ 5, "KEYCTL_SETPERM" },
	{ 6, "KEYCTL_DESCRIBE" },	{ 7, "KEYCTL_CLEAR" },
	{ 8, "KEYCTL_LINK" },		{ 9, "KEYCTL_UNLINK" },
	{ 10, "KEYCTL_SEARCH" },	{ 11, "KEYCTL_READ" },
};

static const struct peat_name bpf_names[] = {
	{ 0, "BPF_MAP_CREATE" },
	{ 1, "BPF_MAP_LOOKUP_ELEM" },
	{ 2, "BPF_MAP_UPDATE_ELEM" },
	{ 3, "BPF_MAP_DELETE_ELEM" },
	{ 4, "BPF_MAP_GET_NEXT_KEY" },
	{ 5, "BPF_PROG_LOAD" },
	{ 6, "BPF_OBJ_PIN" },
	{ 7, "BPF_OBJ_GET" },
	{ 8, "BPF_PROG_ATTACH" },
	{ 9, "BPF_PROG_DETACH" },
	{ 10, "BPF_PROG_TEST_RUN" },
	{ 11, "BPF_PROG_GET_NEXT_ID" },
	{ 12, "BPF_MAP_GET_NEXT_ID" },
	{ 13, "BPF_PROG_GET_FD_BY_ID" },
	{ 14, "BPF_MAP_GET_FD_BY_ID" },
	{ 15, "BPF_OBJ_GET_INFO_BY_FD" },
	{ 16, "BPF_PROG_QUERY" },
	{ 17, "BPF_RAW_TRACEPOINT_OPEN" },
	{ 18, "BPF_BTF_LOAD" },
	{ 19, "BPF_BTF_GET_FD_BY_ID" },
	{ 20, "BPF_TASK_FD_QUERY" },
	{ 21, "BPF_MAP_LOOKUP_AND_DELETE_ELEM" },
	{ 22, "BPF_MAP_FREEZE" },
	{ 23, "BPF_BTF_GET_NEXT_ID" },
	{ 24, "BPF_MAP_LOOKUP_BATCH" },
	{ 25, "BPF_MAP_LOOKUP_AND_DELETE_BATCH" },
	{ 26, "BPF_MAP_UPDATE_BATCH" },
	{ 27, "BPF_MAP_DELETE_BATCH" },
	{ 28, "BPF_LINK_CREATE" },
	{ 29, "BPF_LINK_UPDATE" },
	{ 30, "BPF_LINK_GET_FD_BY_ID" },
	{ 31, "BPF_LINK_GET_NEXT_ID" },
	{ 32, "BPF_ENABLE_STATS" },
	{ 33, "BPF_ITER_CREATE" },
	{ 34, "BPF_LINK_DETACH" },
	{ 35, "BPF_PROG_BIND_MAP" },
	{ 36, "BPF_TOKEN_CREATE" },
};

static const struct peat_name perf_names[] = {
	{ 1, "PERF_FLAG_FD_NO_GROUP" },
	{ 2, "PERF_FLAG_FD_OUTPUT" },
	{ 4, "PERF_FLAG_PID_CGROUP" },
	{ 8, "PERF_FLAG_FD_CLOEXEC" },
};

static const struct peat_name random_names[] = {
	{ 1, "GRND_NONBLOCK" },
	{ 2, "GRND_RANDOM" },
	{ 4, "GRND_INSECURE" },
};

/* ---- time ------------------------------------------------------------------------------------ */

static const struct peat_name clock_names[] = {
	{ 0, "CLOCK_REALTIME" },
	{ 1, "CLOCK_MONOTONIC" },
	{ 2, "CLOCK_PROCESS_CPUTIME_ID" },
	{ 3, "CLOCK_THREAD_CPUTIME_ID" },
	{ 4, "CLOCK_MONOTONIC_RAW" },
	{ 5, "CLOCK_REALTIME_COARSE" },
	{ 6, "CLOCK_MONOTONIC_COARSE" },
	{ 7, "CLOCK_BOOTTIME" },
	{ 8, "CLOCK_REALTIME_ALARM" },
	{ 9, "CLOCK_BOOTTIME_ALARM" },
	{ 11, "CLOCK_TAI" },
};

static const struct peat_name itimer_names[] = {
	{ 0, "ITIMER_REAL" },
	{ 1, "ITIMER_VIRTUAL" },
	{ 2, "ITIMER_PROF" },
};

static const struct peat_name timer_names[] = {
	{ 1, "TIMER_ABSTIME" },
};

/* ---- classes --------------------------------------------------------------------------------- */

static const struct peat_field classes[CALL_CLASS_COUNT] = {
	[CALL_INT] = CALL_NUMBER(SIGNED, 4, true),
	[CALL_UINT] = CALL_NUMBER(UNSIGNED, 4, false),
	[CALL_LONG] = CALL_NUMBER(SIGNED, 8, true),
	[CALL_SIZE] = CALL_NUMBER(UNSIGNED, 8, false),
	[CALL_HEX32] = CALL_NUMBER(HEX, 4, false),
	[CALL_HEX] = CALL_NUMBER(HEX, 8, false),
	[CALL_ADDRESS] = CALL_NUMBER(HEX, 8, false),
	[CALL_MODE] = CALL_NUMBER(UNSIGNED, 4, false),
	[CALL_SIGNAL] = CALL_NUMBER(SIGNAL, 4, true),
	[CALL_TEXT] = CALL_NUMBER(HEX, 8, false),
	[CALL_SOCKET_ADDRESS] = CALL_NUMBER(HEX, 8, false),
	[CALL_OPEN_MODE] = CALL_NUMBER(UNSIGNED, 4, false),
	[CALL_FCNTL_ARG] = CALL_NUMBER(HEX, 8, false),
	[CALL_PROTOCOL] = CALL_NUMBER(SIGNED, 4, true),
	[CALL_SOCKET_OPTION] = CALL_NUMBER(SIGNED, 4, true),
	[CALL_DIRFD] = CALL_ENUM(dirfd_names),
	[CALL_OPEN] = CALL_FLAGS(open_names),
	[CALL_CLONE] = CALL_FLAGS(clone_names),
	[CALL_FUTEX] = CALL_ENUM(futex_names),
	[CALL_IPC_FLAGS] = CALL_NUMBER(UNSIGNED, 4, false),
	[CALL_ACCESS] = CALL_FLAGS(access_names),
	[CALL_AT] = CALL_FLAGS(at_names),
	[CALL_AT_ACCESS] = CALL_FLAGS(at_access_names),
	[CALL_AT_REMOVE] = CALL_FLAGS(at_remove_names),
	[CALL_BPF] = CALL_ENUM(bpf_names),
	[CALL_CLOCK] = CALL_ENUM(clock_names),
	[CALL_EPOLL] = CALL_FLAGS(epoll_names),
	[CALL_EPOLL_OP] = CALL_ENUM(epoll_op_names),
	[CALL_EVENTFD] = CALL_FLAGS(eventfd_names),
	[CALL_FADVISE] = CALL_ENUM(fadvise_names),
	[CALL_FALLOCATE] = CALL_FLAGS(fallocate_names),
	[CALL_FCNTL] = CALL_ENUM(fcntl_names),
	[CALL_FLOCK] = CALL_FLAGS(flock_names),
	[CALL_ID_TYPE] = CALL_ENUM(id_type_names),
	[CALL_INOTIFY] = CALL_FLAGS(inotify_names),
	[CALL_INOTIFY_MASK] = CALL_FLAGS(inotify_mask_names),
	[CALL_IOCTL] = CALL_NUMBER(HEX, 4, false),
	[CALL_IPC] = CALL_ENUM(ipc_names),
	[CALL_ITIMER] = CALL_ENUM(itimer_names),
	[CALL_KEYCTL] = CALL_ENUM(keyctl_names),
	[CALL_MADVISE] = CALL_ENUM(madvise_names),
	[CALL_MAP] = CALL_FLAGS(map_names),
	[CALL_MASK_HOW] = CALL_ENUM(mask_how_names),
	[CALL_MEMBARRIER] = CALL_ENUM(membarrier_names),
	[CALL_MEMFD] = CALL_FLAGS(memfd_names),
	[CALL_MLOCK] = CALL_FLAGS(mlock_names),
	[CALL_MLOCKALL] = CALL_FLAGS(mlockall_names),
	[CALL_MOUNT] = CALL_FLAGS(mount_names),
	[CALL_MREMAP] = CALL_FLAGS(mremap_names),
	[CALL_MSYNC] = CALL_FLAGS(msync_names),
	[CALL_PERF] = CALL_FLAGS(perf_names),
	[CALL_POLICY] = CALL_ENUM(policy_names),
	[CALL_PRCTL] = CALL_ENUM(prctl_names),
	[CALL_PRIORITY] = CALL_ENUM(priority_names),
	[CALL_PROT] = CALL_FLAGS(prot_names),
	[CALL_PTRACE] = CALL_ENUM(ptrace_names),
	[CALL_RANDOM] = CALL_FLAGS(random_names),
	[CALL_RENAME] = CALL_FLAGS(rename_names),
	[CALL_RESOURCE] = CALL_ENUM(resource_names),
	[CALL_SECCOMP] = CALL_ENUM(seccomp_names),
	[CALL_SEEK] = CALL_ENUM(seek_names),
	[CALL_SIGNALFD] = CALL_FLAGS(signalfd_names),
	[CALL_SPLICE] = CALL_FLAGS(splice_names),
	[CALL_STATX] = CALL_FLAGS(statx_names),
	[CALL_SYNC_RANGE] = CALL_FLAGS(sync_range_names),
	[CALL_TIMER] = CALL_FLAGS(timer_names),
	[CALL_TIMERFD] = CALL_FLAGS(timerfd_names),
	[CALL_UMOUNT] = CALL_FLAGS(umount_names),
	[CALL_URING_ENTER] = CALL_FLAGS(uring_enter_names),
	[CALL_USAGE] = CALL_ENUM(usage_names),
	[CALL_WAIT] = CALL_FLAGS(wait_names),
	[CALL_XATTR] = CALL_FLAGS(xattr_names),
};

static const struct peat_field arm64_open = CALL_FLAGS(arm64_open_names);

const struct peat_field call_names__futex_flags = CALL_FLAGS(futex_flag_names);
const struct peat_field call_names__ipc_flags = CALL_FLAGS(ipc_flag_names);

const struct peat_field *call_names__of(enum call_class class, enum call_machine machine)
{
	const struct peat_field *field = &classes[class];

	if (class == CALL_OPEN && machine == CALL_ARM64)
		return &arm64_open;
	return field->name ? field : socket_names__of(class);
}
