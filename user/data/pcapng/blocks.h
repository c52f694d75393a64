/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pcapng/blocks.h: encodes the blocks of a pcapng file (draft-ietf-opsawg-pcapng).  Pure.
 *
 * Each function appends a block to the buffer, whose memory failure is in out->failed.  The byte
 * order is little-endian on every machine: call blocks__begin() first.
 */
#ifndef PEAT_PCAPNG_BLOCKS_H
#define PEAT_PCAPNG_BLOCKS_H

#include "base/strbuf.h"

/* LINKTYPE_ numbers. */
enum {
	LINK_ETHERNET = 1,
	LINK_RAW_IP = 101,
	LINK_80211 = 105,
	LINK_PRISM = 119,
	LINK_RADIOTAP = 127,
	LINK_UPPER_PDU = 252 /* see pcapng/exported_pdu.h */
};

enum block_direction { BLOCK_UNKNOWN, BLOCK_INBOUND, BLOCK_OUTBOUND };

/* Text is UTF-8; NULL: none.  Text beyond 65,535 bytes is cut. */
struct block_section {
	const char *hardware, *os, *application;
};

struct block_interface {
	const char *name;
	uint16_t link;
	uint32_t snap; /* the most bytes of a packet; 0: no limit */
};

#define BLOCK_COMMENTS 2

struct block_packet {
	uint32_t interface; /* its number in the file, from 0 */
	uint64_t time_ns;   /* since 1970 */
	const void *data;
	uint32_t captured; /* bytes of `data` */
	uint32_t bytes;	   /* of the packet */
	enum block_direction direction;
	const char *comments[BLOCK_COMMENTS]; /* NULL: none */
};

struct block_statistics {
	uint32_t interface;
	uint64_t time_ns;
	uint64_t received;
	uint64_t dropped; /* if is_exact */
	bool is_exact;
	const char *comment;
};

/* Prepares an empty buffer. */
void blocks__begin(struct strbuf *out);

void blocks__section(struct strbuf *out, const struct block_section *section);
void blocks__interface(struct strbuf *out, const struct block_interface *interface);
void blocks__packet(struct strbuf *out, const struct block_packet *packet);
void blocks__statistics(struct strbuf *out, const struct block_statistics *statistics);

#endif /* PEAT_PCAPNG_BLOCKS_H */
