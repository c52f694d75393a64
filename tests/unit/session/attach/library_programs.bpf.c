// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* library_programs: programs of libraries, declared right and wrong; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define LIBRARY(option)	 __attribute__((btf_decl_tag("peat:library:" #option)))
#define ONE_PROCESS	 __attribute__((btf_decl_tag("peat:one_process")))
#define LONGEST		 255 /* bytes of a text, without its NUL */
#define LONG_TEXT	 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
#define TIMES_FOUR(text) text "x" text "x" text "x" text

const volatile char library[128] = "libnone.so";
const volatile char empty[128] = "";
const volatile char path[128] = "/no/such/libnone.so";
const volatile char longest[LONGEST + 1] = TIMES_FOUR(LONG_TEXT);
const volatile char too_long[LONGEST + 1] = TIMES_FOUR(LONG_TEXT) "x"; /* without a NUL */

#define PROGRAM(section, name)                                                                     \
	SEC(section) int name(void *ctx)                                                           \
	{                                                                                          \
		return 0;                                                                          \
	}                                                                                          \
	extern int name(void *ctx)

#define FUNCTION "uprobe/libother.so:function"

LIBRARY(library) PROGRAM(FUNCTION, on_library);
LIBRARY(empty) PROGRAM(FUNCTION, on_section);
LIBRARY(path) PROGRAM(FUNCTION, on_path);
LIBRARY(longest) PROGRAM(FUNCTION, on_longest);
LIBRARY(too_long) PROGRAM(FUNCTION, on_too_long);
LIBRARY(nothing) PROGRAM(FUNCTION, on_no_option);
LIBRARY(library) PROGRAM("uprobe/libother.so", on_wrong_section);
ONE_PROCESS LIBRARY(library) PROGRAM(FUNCTION, on_one_process);
PROGRAM(FUNCTION, on_untagged);

char LICENSE[] SEC("license") = "GPL";
