// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pcapng/link_type.c: finds the link-layer type of packets. */
#include <stdbool.h>
#include <net/if_arp.h>

#include "pcapng/blocks.h"
#include "pcapng/link_type.h"

#define IPV4_BYTES 20 /* the shortest header */
#define IPV6_BYTES 40

/* Constants of newer kernels than the headers of libc. */
#ifndef ARPHRD_IP6GRE
#define ARPHRD_IP6GRE 823
#endif
#ifndef ARPHRD_RAWIP
#define ARPHRD_RAWIP 519
#endif
#ifndef ARPHRD_NONE
#define ARPHRD_NONE 0xfffe
#endif

uint16_t link_type__of_hardware(uint16_t hardware)
{
	switch (hardware) {
	case ARPHRD_ETHER:
	case ARPHRD_LOOPBACK:
		return LINK_ETHERNET;
	case ARPHRD_NONE: /* tun, WireGuard */
	case ARPHRD_RAWIP:
	case ARPHRD_PPP: /* its header is added below tc */
	case ARPHRD_TUNNEL:
	case ARPHRD_TUNNEL6:
	case ARPHRD_SIT:
	case ARPHRD_IPGRE:
	case ARPHRD_IP6GRE:
		return LINK_RAW_IP;
	case ARPHRD_IEEE80211:
		return LINK_80211;
	case ARPHRD_IEEE80211_PRISM:
		return LINK_PRISM;
	case ARPHRD_IEEE80211_RADIOTAP:
		return LINK_RADIOTAP;
	default:
		return LINK_UNKNOWN;
	}
}

static uint32_t read_u16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static bool is_ipv4(const uint8_t *data, uint32_t captured, uint32_t bytes)
{
	return captured >= IPV4_BYTES && data[0] >> 4 == 4 && (data[0] & 15) >= 5 &&
	       read_u16(data + 2) == bytes;
}

static bool is_ipv6(const uint8_t *data, uint32_t captured, uint32_t bytes)
{
	return captured >= IPV6_BYTES && data[0] >> 4 == 6 &&
	       read_u16(data + 4) + IPV6_BYTES == bytes;
}

uint16_t link_type__of_packet(const void *data, uint32_t captured, uint32_t bytes)
{
	return is_ipv4(data, captured, bytes) || is_ipv6(data, captured, bytes) ? LINK_RAW_IP
										: LINK_ETHERNET;
}
