/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/call_table.h: the arguments of each system call, and the class of each.
 *
 * The table is the same on all machines: a recording is printed by the names of its calls.
 */
#ifndef PEAT_FIELD_CALL_TABLE_H
#define PEAT_FIELD_CALL_TABLE_H

#include <stdint.h>

#define CALL_ARGUMENTS_MAX 6

/* Each class of argument.  call_names.c has the names of most. */
#define CALL_CLASSES(X)                                                                            \
	/* numbers */                                                                              \
	X(INT)                                                                                     \
	X(UINT)                                                                                    \
	X(LONG)                                                                                    \
	X(SIZE)                                                                                    \
	X(HEX32)                                                                                   \
	X(HEX)                                                                                     \
	X(ADDRESS)                                                                                 \
	X(MODE)                                                                                    \
	X(SIGNAL)                                                                                  \
	/* memory of the process, which the program reads */                                       \
	X(TEXT)                                                                                    \
	X(SOCKET_ADDRESS)                                                                          \
	/* numbers whose meaning depends on another argument */                                    \
	X(OPEN_MODE)                                                                               \
	X(FCNTL_ARG)                                                                               \
	X(PROTOCOL)                                                                                \
	X(SOCKET_OPTION)                                                                           \
	/* names, with more than these */                                                          \
	X(DIRFD)                                                                                   \
	X(OPEN)                                                                                    \
	X(CLONE)                                                                                   \
	X(FUTEX)                                                                                   \
	X(SOCKET_TYPE)                                                                             \
	X(IPC_FLAGS)                                                                               \
	/* names */                                                                                \
	X(ACCESS)                                                                                  \
	X(AT)                                                                                      \
	X(AT_ACCESS)                                                                               \
	X(AT_REMOVE)                                                                               \
	X(BPF)                                                                                     \
	X(CLOCK)                                                                                   \
	X(EPOLL)                                                                                   \
	X(EPOLL_OP)                                                                                \
	X(EVENTFD)                                                                                 \
	X(FADVISE)                                                                                 \
	X(FALLOCATE)                                                                               \
	X(FAMILY)                                                                                  \
	X(FCNTL)                                                                                   \
	X(FLOCK)                                                                                   \
	X(ID_TYPE)                                                                                 \
	X(INOTIFY)                                                                                 \
	X(INOTIFY_MASK)                                                                            \
	X(IOCTL)                                                                                   \
	X(IPC)                                                                                     \
	X(ITIMER)                                                                                  \
	X(KEYCTL)                                                                                  \
	X(MADVISE)                                                                                 \
	X(MAP)                                                                                     \
	X(MASK_HOW)                                                                                \
	X(MEMBARRIER)                                                                              \
	X(MEMFD)                                                                                   \
	X(MESSAGE)                                                                                 \
	X(MLOCK)                                                                                   \
	X(MLOCKALL)                                                                                \
	X(MOUNT)                                                                                   \
	X(MREMAP)                                                                                  \
	X(MSYNC)                                                                                   \
	X(PERF)                                                                                    \
	X(POLICY)                                                                                  \
	X(PRCTL)                                                                                   \
	X(PRIORITY)                                                                                \
	X(PROT)                                                                                    \
	X(PTRACE)                                                                                  \
	X(RANDOM)                                                                                  \
	X(RENAME)                                                                                  \
	X(RESOURCE)                                                                                \
	X(SECCOMP)                                                                                 \
	X(SEEK)                                                                                    \
	X(SHUTDOWN)                                                                                \
	X(SIGNALFD)                                                                                \
	X(SOCKET_FLAGS)                                                                            \
	X(SOCKET_LEVEL)                                                                            \
	X(SPLICE)                                                                                  \
	X(STATX)                                                                                   \
	X(SYNC_RANGE)                                                                              \
	X(TIMER)                                                                                   \
	X(TIMERFD)                                                                                 \
	X(UMOUNT)                                                                                  \
	X(URING_ENTER)                                                                             \
	X(USAGE)                                                                                   \
	X(WAIT)                                                                                    \
	X(XATTR)

#define CALL_CLASS_(name) CALL_##name,
enum call_class { CALL_CLASSES(CALL_CLASS_) CALL_CLASS_COUNT };

/* Some calls have another order of arguments, and O_DIRECT and others another bit. */
enum call_machine { CALL_X86_64, CALL_ARM64, CALL_S390X };

struct call_argument {
	char name[17];
	uint8_t class; /* enum call_class */
};

struct call {
	char name[25];
	uint8_t count;
	struct call_argument arguments[CALL_ARGUMENTS_MAX];
};

/* Finds a call by its name in <asm/unistd.h>: "openat".  NULL: not in the table. */
const struct call *call_table__find(const char *name, enum call_machine machine);

/* All calls, sorted by name. */
const struct call *call_table__all(uint32_t *count);

#endif /* PEAT_FIELD_CALL_TABLE_H */
