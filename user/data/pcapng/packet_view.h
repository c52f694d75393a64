/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pcapng/packet_view.h: events that are packets, by the names of their members (peat/pcapng.h). */
#ifndef PEAT_PCAPNG_PACKET_VIEW_H
#define PEAT_PCAPNG_PACKET_VIEW_H

#include <peat/reader.h>

#include "pcapng/blocks.h"

/* The members of an event type. */
struct packet_members {
	const struct peat_schema *schema;
	const struct peat_field *data, *bytes;
	const struct peat_field *ifindex;	   /* NULL: `data` is plaintext of a connection */
	const struct peat_field *direction, *link; /* NULL: none */
	uint64_t inbound, outbound;		   /* values of `direction` */
};

/* True: events of this type are packets. */
bool packet_members__find(struct packet_members *members, const struct peat_schema *schema);

/* A packet in an event; valid as long as the event and the scratch memory. */
struct packet_view {
	const void *data;
	uint32_t captured, bytes;
	uint32_t ifindex;
	enum block_direction direction;
	uint16_t link; /* or LINK_UNKNOWN */
};

/*
 * Reads the packet of an event, `bytes` bytes at `data`.  Recordings have the packet's bytes as
 * hexadecimal digits: they are decoded into `scratch`.  Plaintext is there after its tags, with the
 * link type LINK_UPPER_PDU.  scratch->failed: there was no memory.  False: the event ends before
 * its `bytes` or `ifindex`.
 */
bool packet_view__read(struct packet_view *packet, const struct packet_members *members,
		       const void *data, uint32_t bytes, struct strbuf *scratch);

#endif /* PEAT_PCAPNG_PACKET_VIEW_H */
