// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pcapng/interface_list.c: finds the interface of a packet, with its name and link type. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/escape.h"
#include "event/recorded.h"
#include "pcapng/interface_list.h"
#include "pcapng/link_type.h"
#include "sys/interfaces.h"

static uint16_t guess_link(const struct packet_view *packet)
{
	return link_type__of_packet(packet->data, packet->captured, packet->bytes);
}

static bool matches(const struct listed_interface *listed, const struct packet_view *packet)
{
	if (listed->ifindex != packet->ifindex)
		return false;
	if (packet->link != LINK_UNKNOWN)
		return packet->link == listed->link;
	return !listed->is_guessed || !packet->captured || guess_link(packet) == listed->link;
}

/* ---- new interfaces -------------------------------------------------------------------------- */

static bool describe(const struct peat_event *event, uint32_t ifindex, struct interface *interface)
{
	const struct peat_recorded *recorded = event->recorded;

	if (recorded)
		return interfaces__find(recorded->interfaces, recorded->interfaces_bytes, ifindex,
					interface);
	return !interfaces__read(ifindex, interface);
}

/* Names in recordings are not trusted. */
static void set_name(struct listed_interface *listed, const char *name)
{
	struct strbuf text = { 0 };

	escape__text(&text, name, strlen(name), 0);
	snprintf(listed->name, sizeof(listed->name), "%.*s", (int)text.count,
		 text.count ? text.bytes : "");
	strbuf__free(&text);
}

static void init_interface(struct listed_interface *listed, const struct peat_event *event,
			   const struct packet_view *packet)
{
	struct interface interface;
	bool is_known = describe(event, packet->ifindex, &interface);

	*listed = (struct listed_interface){ .ifindex = packet->ifindex, .link = packet->link };
	if (packet->link == LINK_UPPER_PDU)
		set_name(listed, "plaintext");
	else if (is_known)
		set_name(listed, interface.name);
	if (!*listed->name)
		snprintf(listed->name, sizeof(listed->name), "ifindex %u", packet->ifindex);
	if (listed->link == LINK_UNKNOWN && is_known)
		listed->link = link_type__of_hardware(interface.hardware);
	if (listed->link != LINK_UNKNOWN)
		return;
	listed->link = guess_link(packet);
	listed->is_guessed = true;
}

int64_t interface_list__find(struct interface_list *list, const struct peat_event *event,
			     const struct packet_view *packet)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (matches(&list->at[i], packet))
			return i;
	if (!ARRAY_RESERVE(list->at, list->count, list->room))
		return -ENOMEM;
	init_interface(&list->at[list->count], event, packet);
	return list->count++;
}

void interface_list__free(struct interface_list *list)
{
	free(list->at);
	*list = (struct interface_list){ 0 };
}
