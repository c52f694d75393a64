/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nats_server.h: a server of NATS with JetStream, in the test's network namespace, and a publisher.
 * A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_AGENT_NATS_SERVER_H
#define TESTS_SUPPORT_AGENT_NATS_SERVER_H

#include <arpa/inet.h>
#include <nats/nats.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/scratch.h"

/* `make tools` unpacks it there. */
#define NATS_SERVER_PROGRAM "build/tools/usr/sbin/nats-server"
#define NATS_SERVER_URL	    "nats://127.0.0.1:4222"

struct nats_server {
	struct command command;
	natsConnection *nats; /* of the publisher */
	jsCtx *context;
};

static inline bool nats_server__exists(void)
{
	return !access(NATS_SERVER_PROGRAM, X_OK);
}

/* After that, the test is alone on its loopback. */
#define need_nats_server()                                                                         \
	do {                                                                                       \
		if (!nats_server__exists())                                                        \
			skip("no nats-server on this machine"); /* make tools unpacks it */        \
		netns__enter();                                                                    \
	} while (0)

static inline void nats_server__wait(const struct nats_server *server)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
					     .sin_port = htons(4222) };
	bool listens = false;

	while (!listens) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		ck_assert(command__is_running(&server->command));
		listens = !connect(fd, (const struct sockaddr *)&address, sizeof(address));
		close(fd);
		usleep(10000);
	}
}

/* Also again, with the messages of before; `config`: more of its configuration. */
static inline void nats_server__start_with(struct nats_server *server, const char *config)
{
	char path[128], store[128];
	const char *const argv[] = { NATS_SERVER_PROGRAM,
				     "-a",
				     "127.0.0.1",
				     "-p",
				     "4222",
				     "-js",
				     "-sd",
				     store,
				     "-c",
				     path,
				     NULL };

	snprintf(path, sizeof(path), "%s/nats.conf", scratch__dir());
	snprintf(store, sizeof(store), "%s/jetstream", scratch__dir());
	unlink(path);
	close(scratch__file("nats.conf", config));
	command__start(&server->command, ALL_CAPS, argv);
	nats_server__wait(server);
}

static inline void nats_server__start(struct nats_server *server)
{
	nats_server__start_with(server, "");
}

/* `options` NULL: none are needed. */
static inline void nats_server__connect(struct nats_server *server, natsOptions *options)
{
	if (options)
		ck_assert_int_eq(natsConnection_Connect(&server->nats, options), NATS_OK);
	else
		ck_assert_int_eq(natsConnection_ConnectTo(&server->nats, NATS_SERVER_URL), NATS_OK);
	ck_assert_int_eq(natsConnection_JetStream(&server->context, server->nats, NULL), NATS_OK);
}

static inline void nats_server__add_stream(const struct nats_server *server)
{
	const char *subjects[] = { "peat.>" };
	jsStreamConfig config;

	jsStreamConfig_Init(&config);
	config.Name = "PEAT";
	config.Subjects = subjects;
	config.SubjectsLen = 1;
	ck_assert_int_eq(js_AddStream(NULL, server->context, &config, NULL, NULL), NATS_OK);
}

/* A server with the stream PEAT and a publisher. */
static inline void nats_server__begin(struct nats_server *server)
{
	nats_server__start(server);
	nats_server__connect(server, NULL);
	nats_server__add_stream(server);
}

static inline void nats_server__publish(const struct nats_server *server, const char *subject,
					const void *bytes, size_t count)
{
	ck_assert_int_eq(js_Publish(NULL, server->context, subject, bytes, (int)count, NULL, NULL),
			 NATS_OK);
}

/* The only one, as the server does a minute after it last heard of its receiver. */
static inline void nats_server__remove_consumer(const struct nats_server *server)
{
	jsConsumerNamesList *names = NULL;

	ck_assert_int_eq(js_ConsumerNames(&names, server->context, "PEAT", NULL, NULL), NATS_OK);
	ck_assert_int_eq(names->Count, 1);
	ck_assert_int_eq(js_DeleteConsumer(server->context, "PEAT", names->List[0], NULL, NULL),
			 NATS_OK);
	jsConsumerNamesList_Destroy(names);
}

static inline void nats_server__stop(struct nats_server *server)
{
	kill(server->command.pid, SIGTERM);
	command__finish(&server->command);
	command__free(&server->command);
}

static inline void nats_server__end(struct nats_server *server)
{
	jsCtx_Destroy(server->context);
	natsConnection_Destroy(server->nats);
	nats_server__stop(server);
}

#endif /* TESTS_SUPPORT_AGENT_NATS_SERVER_H */
