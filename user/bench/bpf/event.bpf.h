/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* event.bpf.h: the event that the workload select tests and counts, of 64 bytes. */
#ifndef BENCH_BPF_EVENT_BPF_H
#define BENCH_BPF_EVENT_BPF_H

struct bench_event {
	__u64 number; /* of the event, from 0 */
	__u64 delay;  /* 0 to 1023 */
	__u32 group;  /* one of 16 */
	__u16 port;   /* 443 */
	__u8 flag;    /* 1 */
	__u8 kind;
	char name[16]; /* "linux-unix-inix" */
	__u64 first, second, third;
};

volatile __u64 bench_number SEC(".bss.number") = 0;

#define BENCH_NAME_BEGIN 0x6e752d78756e696cULL /* "linux-un" */
#define BENCH_NAME_END	 0x0078696e692d7869ULL /* "ix-inix" */

static __always_inline __u64 bench_delay(__u64 number)
{
	return number & 1023;
}

static __always_inline __u32 bench_group(__u64 number)
{
	return number & 15;
}

static __always_inline void bench_fill_event(struct bench_event *event, __u64 number)
{
	event->number = number;
	event->delay = bench_delay(number);
	event->group = bench_group(number);
	event->port = 443;
	event->flag = 1;
	event->kind = 2;
	((__u64 *)event->name)[0] = BENCH_NAME_BEGIN;
	((__u64 *)event->name)[1] = BENCH_NAME_END;
	event->first = event->second = event->third = 5;
}

#endif /* BENCH_BPF_EVENT_BPF_H */
