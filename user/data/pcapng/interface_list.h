/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pcapng/interface_list.h: the interfaces of a pcapng file, in the order of their packets. */
#ifndef PEAT_PCAPNG_INTERFACE_LIST_H
#define PEAT_PCAPNG_INTERFACE_LIST_H

#include <peat/reader.h>

#include "pcapng/packet_view.h"

/* An interface has one link type, so packets of another type need a second entry. */
struct listed_interface {
	char name[64]; /* UTF-8 */
	uint32_t ifindex;
	uint16_t link;
	bool is_guessed; /* the link type, from the first packet */
	uint64_t packets;
};

struct interface_list {
	struct listed_interface *at;
	uint32_t count, room;
};

/*
 * Returns the number of the packet's interface.  If it is new, it is the last of the list now, with
 * the name and type that this machine, or the recording, has for it.  Or -ENOMEM.
 */
int64_t interface_list__find(struct interface_list *list, const struct peat_event *event,
			     const struct packet_view *packet);

void interface_list__free(struct interface_list *list);

#endif /* PEAT_PCAPNG_INTERFACE_LIST_H */
