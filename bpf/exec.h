/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* exec.h: the event of the exec probe. */
#ifndef EXEC_H
#define EXEC_H

struct exec {
	__u32 ppid;
	__u32 uid;
	__u32 args_bytes; /* of all arguments, each with its NUL */
	char filename[256];
	char args[2048]; /* as many of them as the event's size tells */
};

#endif /* EXEC_H */
