/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kinds.bpf.h: a struct with fields of all kinds; include it after peat.bpf.h. */
#ifndef TESTS_SUPPORT_WHERE_KINDS_BPF_H
#define TESTS_SUPPORT_WHERE_KINDS_BPF_H

enum color { RED = 1, GREEN, BLUE = -7 };
enum mode { MODE_NONE, MODE_READ = 1, MODE_WRITE = 2, MODE_BOTH = 3, MODE_SYNC = 64 };

struct place {
	__u16 line;
	__u8 column : 3, depth : 5;
	char file[6];
};

struct kinds {
	__u64 wide;
	__s64 wide_signed;
	__u32 number;
	__s32 number_signed;
	__u16 half;
	__s16 half_signed;
	__u8 tiny;
	__s8 tiny_signed;
	bool truth;
	__u8 few : 3, some : 5;
	__s32 slope : 5, tilt : 20;
	__u32 address_of PEAT_AS(hex);
	float single;
	double real;
	enum color color;
	enum mode mode PEAT_AS(flags);
	char name[8];
	__u32 text_len;
	char text[16] PEAT_LEN(text_len);
	char words[12] PEAT_AS(strings);
	__u8 key[5] PEAT_AS(bytes);
	__u32 from PEAT_AS(ipv4);
	__u8 to[16] PEAT_AS(ipv6);
	__u8 card[6] PEAT_AS(mac);
	__u16 port PEAT_AS(port);
	__s32 error PEAT_AS(errno);
	__s32 sig PEAT_AS(signal);
	__u64 delay PEAT_AS(duration);
	__u32 room PEAT_AS(size);
	__u64 function PEAT_AS(kaddr);
	struct place at;
	struct place stack[3];
	__s16 counts[4];
	struct peat_endpoint peer;
	__u8 has_maybe : 1, has_word : 3, has_origin : 1, has_chance : 1;
	__s32 maybe PEAT_PRESENT(has_maybe);
	char word[8] PEAT_PRESENT(has_word);
	__u32 origin PEAT_AS(ipv4) PEAT_PRESENT(has_origin);
	float chance PEAT_PRESENT(has_chance);
	__u32 rest_len;
	__u8 rest[40] PEAT_LEN(rest_len);
};

#endif /* TESTS_SUPPORT_WHERE_KINDS_BPF_H */
