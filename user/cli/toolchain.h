/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TOOLCHAIN_H
#define TOOLCHAIN_H

#include <limits.h>
#include <stdbool.h>

/* What a BPF program is compiled with, found on this machine. */

/* $CLANG, or clang, or the newest clang-NN of the PATH.  False: it has complained. */
bool toolchain__find_clang(char path[static PATH_MAX]);

/*
 * The directory in which peat/peat.bpf.h is: $PEAT_INCLUDE, or that of the installation or the tree
 * that this program belongs to.  False: it has complained.
 */
bool toolchain__find_headers(char directory[static PATH_MAX]);

/* Where vmlinux.h is that has the few types which peat's own probes need, given those headers. */
bool toolchain__find_few_types(const char *headers, char directory[static PATH_MAX]);

/*
 * The directory with a vmlinux.h that has all types of the running kernel: made by bpftool, and
 * kept for the next time.  NULL, or why there is none.
 */
const char *toolchain__make_all_types(char directory[static PATH_MAX]);

/* This machine, as bpf_tracing.h calls it: "x86"; and in names of directories: "x86_64". */
const char *toolchain__arch(void);
const char *toolchain__machine(void);

/*
 * Runs a program until it ends, its output to `out_fd` unless that is -1; SIGINT, SIGTERM and
 * SIGHUP end it, and not this process.  Its exit status, 127: it cannot be run, or 128 and a
 * signal.
 */
int toolchain__run(char *const *argv, int out_fd);

bool toolchain__has_file(const char *directory, const char *name);

#endif /* TOOLCHAIN_H */
