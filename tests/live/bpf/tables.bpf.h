/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tables.bpf.h: keys and values of the maps of tables.bpf.c. */
#ifndef TESTS_LIVE_BPF_TABLES_H
#define TESTS_LIVE_BPF_TABLES_H

#define TABLES_ARRAY 8 /* numbers */

struct tables_key {
	__u32 pid, number;
};

struct tables_value {
	__u64 count;
	__u64 max;
	char comm[16];
};

struct tables_hist {
	__u32 slots[27];
	__u32 unused;
};

#endif /* TESTS_LIVE_BPF_TABLES_H */
