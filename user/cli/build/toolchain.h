/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TOOLCHAIN_H
#define TOOLCHAIN_H

#include <limits.h>
#include <stdbool.h>

/* toolchain.h: clang, headers and kernel types on this machine, for peat build. */

/* $CLANG, or clang, or the newest clang-NN of the PATH.  False: error, which has been printed. */
bool toolchain__find_clang(char path[static PATH_MAX]);

/* bpftool of the PATH or of a directory for system programs.  False: not found; not printed. */
bool toolchain__find_bpftool(char path[static PATH_MAX]);

/*
 * The directory of peat/peat.bpf.h: $PEAT_INCLUDE, or that of the installation or source tree of
 * this program.  False: error, which has been printed.
 */
bool toolchain__find_headers(char directory[static PATH_MAX]);

/* The directory of the vmlinux.h with the few types of peat's own probes, next to the headers. */
bool toolchain__find_few_types(const char *headers, char directory[static PATH_MAX]);

/*
 * The directory of a vmlinux.h with all types of the running kernel, made by bpftool and cached.
 * Reports progress.  NULL, or the reason for a failure.
 */
const char *toolchain__make_all_types(char directory[static PATH_MAX]);

/* This machine's name in bpf_tracing.h, "x86", and in names of directories, "x86_64". */
const char *toolchain__arch(void);
const char *toolchain__machine(void);

/*
 * Runs a program until it ends, with its output to `out_fd` unless that is -1.  SIGINT, SIGTERM and
 * SIGHUP end the program, not this process.  Returns its exit status; 127: it cannot be run; 128
 * plus the number of the signal that ended it.
 *
 * After progress__begin(), `verb` and `name` are reported until the program writes to the terminal,
 * through a pipe.
 */
int toolchain__run(char *const *argv, int out_fd, const char *verb, const char *name);

bool toolchain__has_file(const char *directory, const char *name);

#endif /* TOOLCHAIN_H */
