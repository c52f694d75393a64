// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* packets: programs on packets.  The tests load one at a time. */
#include "kinds.bpf.h"

KIND("tc", of_tc, true, 0)
KIND("xdp", of_xdp, true, 2)
KIND("cgroup_skb/egress", of_cgroup_skb, true, 1)
KIND("socket", of_socket_filter, true, -1)
