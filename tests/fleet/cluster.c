// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cluster.c: starts and kills servers of NATS, cuts the network, and reads the stream by npm's
 * client. */
#include <sched.h>
#include <unistd.h>

#include "cluster.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/netns.h"

#ifdef HAVE_NATS

#include "live/agent/nats_servers.h"

_Static_assert(CLUSTER_SERVERS == NATS_SERVERS, "the same cluster");

#define NEAR_ADDRESS "10.77.0.1"
#define FAR_ADDRESS  "10.77.0.2"

static int near, far; /* network namespaces */

const char *cluster__lacks(void)
{
	static const char *const programs[] = { "node", "npm", "nats-server" };
	static char text[64];

	if (!peat_output__find("jetstream"))
		return "the output jetstream";
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (!command__exists(programs[i])) {
			snprintf(text, sizeof(text), "the program %s", programs[i]);
			return text;
		}
	return nats__has_modules() ? NULL : "the package nats of npm: no network?";
}

static void connect_namespaces(void)
{
	netns__enter();
	far = netns__current();
	netns__enter();
	near = netns__current();
	netns__add_veth(far);
	netns__set_veth_address(NEAR_ADDRESS);
	netns__switch(far);
	netns__set_veth_address(FAR_ADDRESS);
	netns__switch(near);
}

void cluster__start(void)
{
	connect_namespaces();
	nats_listen = "0.0.0.0";
	nats__start_cluster();
	nats__make_stream();
}

void cluster__stop(void)
{
	nats__stop_cluster();
}

void cluster__do_far(void (*function)(void))
{
	netns__switch(far);
	function();
	netns__switch(near);
}

/* The far end has a carrier no longer, and keeps its address and routes. */
void cluster__cut(void)
{
	netns__set_veth_up(false);
}

void cluster__mend(void)
{
	netns__set_veth_up(true);
}

int cluster__find_leader(void)
{
	return nats__find_leader();
}

void cluster__kill_server(unsigned number)
{
	nats__stop(number);
}

void cluster__start_server(unsigned number)
{
	nats__start(number, true, "");
}

uint64_t cluster__pending(const char *consumer)
{
	return nats__pending(consumer);
}

void cluster__read(const char *path)
{
	struct command node;

	command__run(&node, ALL_CAPS,
		     ARGV("node", "tests/live/agent/nats_reader.js", NATS_MODULES, NATS_ALL, "PEAT",
			  path));
	ck_assert_msg(!node.status, "%s", node.err_text);
	command__free(&node);
}

#else

const char *cluster__lacks(void)
{
	return "libnats";
}

void cluster__start(void)
{
}

void cluster__stop(void)
{
}

void cluster__do_far(void (*function)(void))
{
	function();
}

void cluster__cut(void)
{
}

void cluster__mend(void)
{
}

int cluster__find_leader(void)
{
	return -1;
}

void cluster__kill_server(unsigned number)
{
	(void)number;
}

void cluster__start_server(unsigned number)
{
	(void)number;
}

uint64_t cluster__pending(const char *consumer)
{
	(void)consumer;
	return 0;
}

void cluster__read(const char *path)
{
	(void)path;
}

#endif /* HAVE_NATS */
