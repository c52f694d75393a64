/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/uprobe_target.h: functions of user space that sections name. */
#ifndef PEAT_SESSION_ATTACH_UPROBE_TARGET_H
#define PEAT_SESSION_ATTACH_UPROBE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UPROBE_NAME_BYTES 256

struct uprobe_target {
	char file[UPROBE_NAME_BYTES];
	char function[UPROBE_NAME_BYTES];
	uint64_t offset; /* in the function */
	bool is_return;
};

/*
 * Parses "uprobe/FILE:FUNCTION", "uprobe/FILE:FUNCTION+0x10", "uretprobe/FILE:FUNCTION", and the
 * same with "uprobe.s" and "uretprobe.s".  False: it is another section.
 */
bool uprobe_target__parse(struct uprobe_target *target, const char *section);

/*
 * Finds a file as libbpf does: a name without a slash is a library in LD_LIBRARY_PATH or in the
 * directories of this machine, or else a program in PATH, or else any version of a library: "libc".
 * 0, -ENOENT, or another negative errno.
 */
int uprobe_target__find_file(const char *name, char *path, size_t room);

#endif /* PEAT_SESSION_ATTACH_UPROBE_TARGET_H */
