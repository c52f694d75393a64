// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/socket_names.c: constants of sockets; the meaning of some depends on a family or a level.
 */
#include "field/call_names.h"

/* ---- classes --------------------------------------------------------------------------------- */

static const struct peat_name family_names[] = {
	{ 0, "AF_UNSPEC" },	{ 1, "AF_UNIX" },      { 2, "AF_INET" },     { 3, "AF_AX25" },
	{ 4, "AF_IPX" },	{ 5, "AF_APPLETALK" }, { 10, "AF_INET6" },   { 15, "AF_KEY" },
	{ 16, "AF_NETLINK" },	{ 17, "AF_PACKET" },   { 21, "AF_RDS" },     { 24, "AF_PPPOX" },
	{ 27, "AF_IB" },	{ 28, "AF_MPLS" },     { 29, "AF_CAN" },     { 30, "AF_TIPC" },
	{ 31, "AF_BLUETOOTH" }, { 32, "AF_IUCV" },     { 38, "AF_ALG" },     { 39, "AF_NFC" },
	{ 40, "AF_VSOCK" },	{ 41, "AF_KCM" },      { 42, "AF_QIPCRTR" }, { 43, "AF_SMC" },
	{ 44, "AF_XDP" },	{ 45, "AF_MCTP" },
};

static const struct peat_name socket_type_names[] = {
	{ 1, "SOCK_STREAM" },	 { 2, "SOCK_DGRAM" }, { 3, "SOCK_RAW" },     { 4, "SOCK_RDM" },
	{ 5, "SOCK_SEQPACKET" }, { 6, "SOCK_DCCP" },  { 10, "SOCK_PACKET" },
};

static const struct peat_name socket_flag_names[] = {
	{ 04000, "SOCK_NONBLOCK" },
	{ 02000000, "SOCK_CLOEXEC" },
};

static const struct peat_name level_names[] = {
	{ 0, "SOL_IP" },	{ 1, "SOL_SOCKET" },  { 6, "SOL_TCP" },	  { 17, "SOL_UDP" },
	{ 41, "SOL_IPV6" },	{ 58, "SOL_ICMPV6" }, { 255, "SOL_RAW" }, { 263, "SOL_PACKET" },
	{ 270, "SOL_NETLINK" }, { 279, "SOL_ALG" },   { 282, "SOL_TLS" }, { 283, "SOL_XDP" },
	{ 284, "SOL_MPTCP" },
};

static const struct peat_name message_names[] = {
	{ 0x1, "MSG_OOB" },
	{ 0x2, "MSG_PEEK" },
	{ 0x4, "MSG_DONTROUTE" },
	{ 0x8, "MSG_CTRUNC" },
	{ 0x20, "MSG_TRUNC" },
	{ 0x40, "MSG_DONTWAIT" },
	{ 0x80, "MSG_EOR" },
	{ 0x100, "MSG_WAITALL" },
	{ 0x200, "MSG_FIN" },
	{ 0x800, "MSG_CONFIRM" },
	{ 0x2000, "MSG_ERRQUEUE" },
	{ 0x4000, "MSG_NOSIGNAL" },
	{ 0x8000, "MSG_MORE" },
	{ 0x10000, "MSG_WAITFORONE" },
	{ 0x4000000, "MSG_ZEROCOPY" },
	{ 0x20000000, "MSG_FASTOPEN" },
	{ 0x40000000, "MSG_CMSG_CLOEXEC" },
};

static const struct peat_name shutdown_names[] = {
	{ 0, "SHUT_RD" },
	{ 1, "SHUT_WR" },
	{ 2, "SHUT_RDWR" },
};

static const struct peat_field classes[CALL_CLASS_COUNT] = {
	[CALL_FAMILY] = CALL_ENUM(family_names),
	[CALL_SOCKET_TYPE] = CALL_ENUM(socket_type_names),
	[CALL_SOCKET_LEVEL] = CALL_ENUM(level_names),
	[CALL_MESSAGE] = CALL_FLAGS(message_names),
	[CALL_SHUTDOWN] = CALL_ENUM(shutdown_names),
	[CALL_SOCKET_FLAGS] = CALL_FLAGS(socket_flag_names),
};

const struct peat_field call_names__socket_flags = CALL_FLAGS(socket_flag_names);

const struct peat_field *socket_names__of(enum call_class class)
{
	return &classes[class];
}

/* ---- protocols ------------------------------------------------------------------------------- */

static const struct peat_name ip_protocol_names[] = {
	{ 0, "IPPROTO_IP" },	  { 1, "IPPROTO_ICMP" },    { 2, "IPPROTO_IGMP" },
	{ 6, "IPPROTO_TCP" },	  { 17, "IPPROTO_UDP" },    { 33, "IPPROTO_DCCP" },
	{ 47, "IPPROTO_GRE" },	  { 50, "IPPROTO_ESP" },    { 51, "IPPROTO_AH" },
	{ 58, "IPPROTO_ICMPV6" }, { 132, "IPPROTO_SCTP" },  { 136, "IPPROTO_UDPLITE" },
	{ 255, "IPPROTO_RAW" },	  { 262, "IPPROTO_MPTCP" },
};

static const struct peat_name netlink_names[] = {
	{ 0, "NETLINK_ROUTE" },	      { 2, "NETLINK_USERSOCK" },
	{ 4, "NETLINK_SOCK_DIAG" },   { 6, "NETLINK_XFRM" },
	{ 7, "NETLINK_SELINUX" },     { 9, "NETLINK_AUDIT" },
	{ 10, "NETLINK_FIB_LOOKUP" }, { 11, "NETLINK_CONNECTOR" },
	{ 12, "NETLINK_NETFILTER" },  { 15, "NETLINK_KOBJECT_UEVENT" },
	{ 16, "NETLINK_GENERIC" },    { 21, "NETLINK_CRYPTO" },
};

const struct peat_field *call_names__protocols(uint32_t family)
{
	static const struct peat_field of_ip = CALL_ENUM(ip_protocol_names);
	static const struct peat_field of_netlink = CALL_ENUM(netlink_names);

	switch (family) {
	case 2:	 /* AF_INET */
	case 10: /* AF_INET6 */
		return &of_ip;
	case 16: /* AF_NETLINK */
		return &of_netlink;
	}
	return call_names__of(CALL_INT, CALL_X86_64);
}

/* ---- options --------------------------------------------------------------------------------- */

static const struct peat_name socket_option_names[] = {
	{ 1, "SO_DEBUG" },	   { 2, "SO_REUSEADDR" },      { 3, "SO_TYPE" },
	{ 4, "SO_ERROR" },	   { 5, "SO_DONTROUTE" },      { 6, "SO_BROADCAST" },
	{ 7, "SO_SNDBUF" },	   { 8, "SO_RCVBUF" },	       { 9, "SO_KEEPALIVE" },
	{ 10, "SO_OOBINLINE" },	   { 11, "SO_NO_CHECK" },      { 12, "SO_PRIORITY" },
	{ 13, "SO_LINGER" },	   { 14, "SO_BSDCOMPAT" },     { 15, "SO_REUSEPORT" },
	{ 16, "SO_PASSCRED" },	   { 17, "SO_PEERCRED" },      { 18, "SO_RCVLOWAT" },
	{ 19, "SO_SNDLOWAT" },	   { 20, "SO_RCVTIMEO" },      { 21, "SO_SNDTIMEO" },
	{ 25, "SO_BINDTODEVICE" }, { 26, "SO_ATTACH_FILTER" }, { 27, "SO_DETACH_FILTER" },
	{ 28, "SO_PEERNAME" },	   { 29, "SO_TIMESTAMP" },     { 30, "SO_ACCEPTCONN" },
	{ 31, "SO_PEERSEC" },	   { 32, "SO_SNDBUFFORCE" },   { 33, "SO_RCVBUFFORCE" },
	{ 34, "SO_PASSSEC" },	   { 35, "SO_TIMESTAMPNS" },   { 36, "SO_MARK" },
	{ 37, "SO_TIMESTAMPING" }, { 38, "SO_PROTOCOL" },      { 39, "SO_DOMAIN" },
	{ 40, "SO_RXQ_OVFL" },	   { 42, "SO_PEEK_OFF" },      { 46, "SO_BUSY_POLL" },
	{ 49, "SO_INCOMING_CPU" }, { 50, "SO_ATTACH_BPF" },    { 56, "SO_INCOMING_NAPI_ID" },
	{ 57, "SO_COOKIE" },	   { 59, "SO_PEERGROUPS" },    { 60, "SO_ZEROCOPY" },
	{ 61, "SO_TXTIME" },	   { 76, "SO_PASSPIDFD" },     { 77, "SO_PEERPIDFD" },
};

static const struct peat_name tcp_option_names[] = {
	{ 1, "TCP_NODELAY" },	     { 2, "TCP_MAXSEG" },
	{ 3, "TCP_CORK" },	     { 4, "TCP_KEEPIDLE" },
	{ 5, "TCP_KEEPINTVL" },	     { 6, "TCP_KEEPCNT" },
	{ 7, "TCP_SYNCNT" },	     { 8, "TCP_LINGER2" },
	{ 9, "TCP_DEFER_ACCEPT" },   { 10, "TCP_WINDOW_CLAMP" },
	{ 11, "TCP_INFO" },	     { 12, "TCP_QUICKACK" },
	{ 13, "TCP_CONGESTION" },    { 14, "TCP_MD5SIG" },
	{ 18, "TCP_USER_TIMEOUT" },  { 19, "TCP_REPAIR" },
	{ 23, "TCP_FASTOPEN" },	     { 24, "TCP_TIMESTAMP" },
	{ 25, "TCP_NOTSENT_LOWAT" }, { 30, "TCP_FASTOPEN_CONNECT" },
	{ 31, "TCP_ULP" },
};

static const struct peat_name ip_option_names[] = {
	{ 1, "IP_TOS" },
	{ 2, "IP_TTL" },
	{ 3, "IP_HDRINCL" },
	{ 4, "IP_OPTIONS" },
	{ 8, "IP_PKTINFO" },
	{ 10, "IP_MTU_DISCOVER" },
	{ 11, "IP_RECVERR" },
	{ 12, "IP_RECVTTL" },
	{ 13, "IP_RECVTOS" },
	{ 14, "IP_MTU" },
	{ 15, "IP_FREEBIND" },
	{ 19, "IP_TRANSPARENT" },
	{ 24, "IP_BIND_ADDRESS_NO_PORT" },
	{ 32, "IP_MULTICAST_IF" },
	{ 33, "IP_MULTICAST_TTL" },
	{ 34, "IP_MULTICAST_LOOP" },
	{ 35, "IP_ADD_MEMBERSHIP" },
	{ 36, "IP_DROP_MEMBERSHIP" },
	{ 64, "IPT_SO_SET_REPLACE" },
};

static const struct peat_name ipv6_option_names[] = {
	{ 1, "IPV6_ADDRFORM" },
	{ 16, "IPV6_UNICAST_HOPS" },
	{ 17, "IPV6_MULTICAST_IF" },
	{ 18, "IPV6_MULTICAST_HOPS" },
	{ 19, "IPV6_MULTICAST_LOOP" },
	{ 20, "IPV6_ADD_MEMBERSHIP" },
	{ 21, "IPV6_DROP_MEMBERSHIP" },
	{ 23, "IPV6_MTU_DISCOVER" },
	{ 24, "IPV6_MTU" },
	{ 25, "IPV6_RECVERR" },
	{ 26, "IPV6_V6ONLY" },
	{ 49, "IPV6_RECVPKTINFO" },
	{ 51, "IPV6_RECVHOPLIMIT" },
	{ 66, "IPV6_RECVTCLASS" },
	{ 67, "IPV6_TCLASS" },
};

const struct peat_field *call_names__socket_options(uint32_t level)
{
	static const struct peat_field of_socket = CALL_ENUM(socket_option_names);
	static const struct peat_field of_tcp = CALL_ENUM(tcp_option_names);
	static const struct peat_field of_ip = CALL_ENUM(ip_option_names);
	static const struct peat_field of_ipv6 = CALL_ENUM(ipv6_option_names);

	switch (level) {
	case 0: /* SOL_IP */
		return &of_ip;
	case 1: /* SOL_SOCKET */
		return &of_socket;
	case 6: /* SOL_TCP */
		return &of_tcp;
	case 41: /* SOL_IPV6 */
		return &of_ipv6;
	}
	return call_names__of(CALL_INT, CALL_X86_64);
}
