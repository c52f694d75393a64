/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pcapng/link_type.h: the link-layer type (LINKTYPE_) of packets.  Pure. */
#ifndef PEAT_PCAPNG_LINK_TYPE_H
#define PEAT_PCAPNG_LINK_TYPE_H

#include <stddef.h>
#include <stdint.h>

#define LINK_UNKNOWN UINT16_MAX

/*
 * The type of packets that tc and XDP see on an interface with this hardware type (ARPHRD_*, as in
 * /sys/class/net/NAME/type); LINK_UNKNOWN: the packet decides.
 */
uint16_t link_type__of_hardware(uint16_t hardware);

/*
 * The type by the first `captured` bytes of a packet of `bytes` bytes: IP without a link-layer
 * header if an IP header has exactly the length of the packet, otherwise Ethernet.
 */
uint16_t link_type__of_packet(const void *data, uint32_t captured, uint32_t bytes);

#endif /* PEAT_PCAPNG_LINK_TYPE_H */
