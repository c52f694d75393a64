// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "peers.h"
int peer_records__measure(void)
{
	return 0;
}
