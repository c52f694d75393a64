/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* select.bpf.h: an event with fields of many kinds, whose bytes the test chooses. */
#ifndef SELECT_BPF_H
#define SELECT_BPF_H

#ifndef __bpf__
#define PEAT_AS(word)
typedef unsigned char peat_ipv6_t[16], peat_mac_t[6];
typedef unsigned short peat_port_t;
typedef unsigned int peat_ipv4_t, peat_signal_t;
typedef int peat_errno_t;
typedef unsigned long long peat_duration_t, peat_size_t;
#endif

enum color { RED, GREEN = 5, BLUE = -3 };
enum mode { READ = 1, WRITE = 2, CREATE = 64 };

struct select_inner {
	short a;
	unsigned char b;
	char label[5];
};

struct selected {
	unsigned char tiny;
	signed char small;
	unsigned short u16;
	short s16;
	peat_port_t port;
	unsigned int u32;
	int s32;
	unsigned long long u64;
	long long s64;
	enum color color;
	unsigned int mode PEAT_AS(flags);
	peat_ipv4_t from;
	peat_errno_t error;
	peat_signal_t signal;
	unsigned int low : 3, middle : 7, high : 22;
	peat_ipv6_t to;
	peat_mac_t mac;
	char name[10];
	char text[20];
	struct select_inner inner;
	unsigned char list[4];
	peat_duration_t delay;
	peat_size_t memory;
	double ratio;
	char last[24]; /* programs send it up to its NUL */
};

/* Key and number of a table. */
struct keyed {
	unsigned int key;
	int signed_number;
	char name[16];
	unsigned long long number;
};

struct other {
	unsigned long long unrelated;
};

#endif /* SELECT_BPF_H */
