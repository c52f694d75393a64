// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* kinds_of_fields: opened, never loaded: events of all kinds, tables, and
 * options. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#define AS(word)     __attribute__((btf_decl_tag("peat:as:" #word)))
#define DOC(text)    __attribute__((btf_decl_tag("peat:doc:" text)))
#define OPTION(text) __attribute__((btf_decl_tag("peat:option:" text)))

typedef __u64 peat_duration_t;

enum mode { MODE_OFF, MODE_ON, MODE_WEIRD = -1 };
enum access { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_EXECUTE = 4 };

struct place {
	__u32 line;
	__u16 column;
};

struct kinds {
	__u32 pid;
	__s16 delta DOC("how far");
	bool done;
	char letter;
	enum mode mode;
	enum access access;
	__u8 address[4] AS(ipv4);
	__u32 network AS(ipv4);
	__u16 port AS(port);
	__u8 small : 3, middle : 5;
	void *pointer;
	__u64 addresses[3] AS(kaddr);
	peat_duration_t duration;
	struct place from;
	struct place path[2];
	union {
		__u32 number;
		__u8 bytes[4];
	};
	__s32 result AS(errno);
	__u64 key[2][2];
	char name[20];
	char args[] AS(strings);
} DOC("one of each");

struct small {
	__u32 a;
};

const volatile peat_duration_t min_time OPTION("only what takes as long") = 1500;
const volatile bool loud OPTION("say more") = true;
const volatile __s32 offset OPTION("from here") = -5;
const volatile char prefix[8] OPTION("what names begin with") = "usr";
const volatile __u32 mask OPTION("bits of it") AS(hex) = 0xff00;
const volatile __u32 no_option = 7;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 16);
	__type(key, enum mode);
	__type(value, peat_size_t);
} by_mode SEC(".maps") PEAT_TABLE("how many of each mode");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64[40]);
} delays SEC(".maps") PEAT_HIST(ns);

SEC("raw_tp/sys_enter") int first(void *ctx)
{
	struct kinds *event = peat_reserve_bytes(ctx, struct kinds, sizeof(struct kinds) + 64);

	if (!event)
		return 0;
	event->pid = no_option + offset + mask + loud + min_time + prefix[0];
	return peat_submit(ctx, event);
}

__attribute__((btf_decl_tag("peat:optional"))) SEC("raw_tp/sys_exit") int second(void *ctx)
{
	struct small *event = peat_reserve(ctx, struct small);

	if (!event)
		return 0;
	event->a = 1;
	return peat_submit(ctx, event);
}

SEC("raw_tp/sched_switch") int third(void *ctx)
{
	struct kinds *event = peat_reserve(ctx, struct kinds);

	return event ? peat_discard(ctx, event) : 0;
}
