// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* foreign: does not use peat.bpf.h, writes to its own arrays; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define ARRAY(name)                                                                                \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);                                       \
		__uint(key_size, sizeof(__u32));                                                   \
		__uint(value_size, sizeof(__u32));                                                 \
	} name SEC(".maps")

/* Maps: see the programs with these names. */
ARRAY(plain);
ARRAY(mapped);
ARRAY(unnamed);
ARRAY(twins);
ARRAY(mixed);
ARRAY(computed);
ARRAY(called);
ARRAY(looped);
ARRAY(hoisted);
ARRAY(begun);
ARRAY(swapped);
ARRAY(either);
ARRAY(odd);
ARRAY(untouched);
ARRAY(followed);
ARRAY(snapped);

enum color { RED, GREEN = 5, NEGATIVE = -2 };
enum access { MAY_SEE = 1, MAY_USE = 2, MAY_KEEP = 4 };
typedef __u64 peat_duration_t;

struct spot {
	__u32 line;
	__u16 column;
};

/* Members of all kinds. */
struct kept {
	__u64 wide;
	__s64 negative;
	__s8 small;
	_Bool yes;
	char letter;
	unsigned char byte;
	enum color color;
	enum access access;
	__u32 low : 3, middle : 11;
	int high : 5;
	void *pointer;
	const struct kept *volatile next;
	int (*function)(int);
	peat_duration_t duration;
	__be16 port;
	__be32 address;
	struct spot from;
	struct spot path[2][3];
	union {
		__u32 number;
		__u8 bytes[4];
	};
	struct {
		__u16 first, second;
	};
	union {
		__u64 key;
		struct spot spot;
	} named;
	unsigned __int128 huge;
	double real;
	char name[20];
	__u8 raw[9];
	__u64 addresses[3];
	char rest[];
} __attribute__((btf_decl_tag("peat:doc:kept in a map")));

/* All sizes differ, except of the twins. */
struct local {
	__u32 pid;
	enum color color;
	char comm[16];
};
typedef struct {
	char name[12];
} unnamed_t;
struct twin_one {
	__u64 a, b, c, d, e;
};
struct twin_two {
	char text[40];
};
struct wrapped {
	__u64 a, b, c, d, e, f, g;
};
typedef union inner {
	__u32 number;
	__u8 bytes[4];
} inner_t;

/* The idiom of Go programs: the values are the events. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(value, struct twin_two);
} valued SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kept);
} store SEC(".maps");

volatile __u32 amount, other;

SEC("raw_tp/a") int write_plain(void *ctx)
{
	struct local local = { .pid = amount };

	bpf_perf_event_output(ctx, &plain, BPF_F_CURRENT_CPU, &local, sizeof(local));
	return bpf_perf_event_output(ctx, &plain, 0, &local, sizeof(local));
}

SEC("raw_tp/b") int write_mapped(void *ctx)
{
	__u32 key = 0;
	struct kept *kept = bpf_map_lookup_elem(&store, &key);

	return kept ? bpf_perf_event_output(ctx, &mapped, 0, kept, sizeof(*kept)) : 0;
}

SEC("raw_tp/c") int write_unnamed(void *ctx)
{
	unnamed_t event = { "x" };

	return bpf_perf_event_output(ctx, &unnamed, 0, &event, sizeof(event));
}

SEC("raw_tp/d") int write_twins(void *ctx)
{
	struct twin_one one = { .a = amount };
	struct twin_two two = { "x" };

	bpf_perf_event_output(ctx, &twins, 0, &one, sizeof(one));
	return bpf_perf_event_output(ctx, &twins, 0, &two, sizeof(two));
}

SEC("raw_tp/m") int write_valued(void *ctx)
{
	struct twin_one one = { .a = amount };

	return bpf_perf_event_output(ctx, &valued, 0, &one, sizeof(one));
}

SEC("raw_tp/e") int write_mixed(void *ctx)
{
	struct local local = { .pid = amount };
	unnamed_t event = { "x" };

	bpf_perf_event_output(ctx, &mixed, 0, &local, sizeof(local));
	return bpf_perf_event_output(ctx, &mixed, 0, &event, sizeof(event));
}

SEC("raw_tp/f") int write_computed(void *ctx)
{
	struct local local = { .pid = amount };

	return bpf_perf_event_output(ctx, &computed, 0, &local, amount & 15);
}

static __attribute__((noinline)) int wrap(void *ctx)
{
	struct wrapped event = { .a = amount };

	return bpf_perf_event_output(ctx, &called, 0, &event, sizeof(event));
}

SEC("raw_tp/g") int write_called(void *ctx)
{
	return wrap(ctx) + 1;
}

/* The third output has another size than the first. */
SEC("raw_tp/h") int write_looped(void *ctx)
{
	asm volatile("r6 = 3; r7 = 24; r8 = 24;"
		     "1: r1 = r10; r2 = %[map] ll; r3 = 0; r4 = r10; r4 += -40; r5 = r7; call 25;"
		     "r7 = r8; r8 = 40; r6 += -1; if r6 != 0 goto 1b;" ::[map] "i"(&looped)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "memory");
	return 0;
}

/* The size of the first output is an argument. */
static __attribute__((naked, noinline, used)) int begin_again(void)
{
	asm volatile("1: r2 = %[map] ll; r3 = 0; r4 = r10; r4 += -40; call 25; r5 = 24;"
		     "if r0 != 0 goto 1b; exit;" ::[map] "i"(&begun));
}

/* The map and the size are moved through a branch and a loop, in other registers. */
SEC("raw_tp/i") int write_hoisted(void *ctx)
{
	asm volatile("r6 = 0; r7 = %[map] ll; r8 = 24; r9 = 3;"
		     "if r6 > 7 goto 1f; r9 = 1;"
		     "1: r9 += -1; if r9 != 0 goto 1b;"
		     "r1 = r6; r2 = r7; r3 = 0; r4 = r10; r4 += -24; w5 = w8; call 25;" ::[map] "i"(
			     &hoisted)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "memory");
	return 0;
}

/* The register with the size is changed, loaded, and clobbered by a call. */
SEC("raw_tp/j") int write_swapped(void *ctx)
{
	asm volatile("r6 = %0; r5 = 24; r5 += 16; r1 = r6; r2 = %[map] ll; r3 = 0; r4 = r10;"
		     "r4 += -40; call 25;"
		     "r5 = 24; r5 = *(u64 *)(r10 - 8); r2 = %[map] ll; call 25;"
		     "r5 = 24; call 5; r2 = %[map] ll; call 25;" ::"r"(ctx),
		     [map] "i"(&swapped)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "memory");
	return 0;
}

/* Another helper. */
SEC("skb") int write_either(void *ctx)
{
	struct local local = { .pid = amount };

	bpf_skb_output(ctx, &either, 0, &local, sizeof(local));
	return bpf_xdp_output(ctx, &either, 0, &local, sizeof(local));
}

SEC("raw_tp/l") int write_odd(void *ctx)
{
	inner_t inner = { .number = amount };

	return bpf_perf_event_output(ctx, &odd, 0, &inner, 3);
}

/* The kernel appends bytes of the packet: a computed number, and a constant one. */
SEC("tc") int write_followed(void *ctx)
{
	struct local local = { .pid = amount };

	return bpf_perf_event_output(ctx, &followed, (__u64)amount << 32 | BPF_F_CURRENT_CPU,
				     &local, sizeof(local));
}

SEC("xdp") int write_snapped(void *ctx)
{
	struct local local = { .pid = amount };

	return bpf_xdp_output(ctx, &snapped, 64ULL << 32 | BPF_F_CURRENT_CPU, &local,
			      sizeof(local));
}

char LICENSE[] SEC("license") = "GPL";
