// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* variables: an object that is opened and never loaded: global variables of many types. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

typedef __u64 peat_duration_t;
typedef __u64 peat_size_t;
typedef __u16 peat_port_t;
typedef __u32 peat_ipv4_t;
typedef __u8 peat_ipv6_t[16];
typedef __u8 peat_mac_t[6];

struct peat_endpoint {
	peat_ipv6_t address;
	peat_port_t port;
};

enum color { RED = 1, GREEN, BLUE = -7 };
enum access { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_EXECUTE = 4 };

struct limits {
	__u16 low, high;
};

struct args {
	int pid;
	bool all;
	__u32 small : 3, large : 13;
	__s32 slope : 4;
	struct limits limits[3];
	char name[8];
};

const volatile __u8 byte = 200;
const volatile __s8 tiny = -3;
const volatile __s16 offset = -1000;
const volatile __u32 number = 7;
const volatile __u64 huge = 1;
const volatile long long negative = -1;
const volatile bool loud;
const volatile enum color color = GREEN;
const volatile enum access access = ACCESS_READ;
const volatile peat_duration_t delay = 1000;
const volatile peat_size_t room;
const volatile peat_port_t port;
const volatile peat_ipv4_t address;
const volatile peat_ipv6_t long_address;
const volatile peat_mac_t card;
const volatile struct peat_endpoint peer;
const volatile char prefix[8] = "usr";
const volatile struct args args = { .pid = 5, .small = 5, .large = 100 };
const volatile double ratio = 0.5;
int counters[2][3];
__u8 key[4] = { 1, 2, 3, 4 };
__u64 peat_own;
static volatile int hidden = 4;
int split SEC(".data.split") = 9;

SEC("raw_tp/sys_enter") int variables(void *ctx)
{
	static volatile int inside;

	(void)ctx;
	inside += hidden;
	return number + split + inside;
}
