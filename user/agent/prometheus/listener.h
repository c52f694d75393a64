/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/listener.h: a socket that listens. */
#ifndef PEAT_PROMETHEUS_LISTENER_H
#define PEAT_PROMETHEUS_LISTENER_H

#include "prometheus/address.h"

struct listener {
	int fd; /* does not block */
	/* The file of a Unix socket; its path is empty: none. */
	struct sockaddr_un local;
	dev_t dev;
	ino_t ino;
};

/*
 * Listens.  A Unix socket has the mode 0660, and replaces a socket that no process listens on.
 * 0; a negative errno, and the reason as a text in `why`.
 */
int listener__open(struct listener *listener, const struct address *address, const char **why);

/* The address as of an URL, with the port that the kernel has chosen: "127.0.0.1:9464". */
void listener__name(const struct listener *listener, char *text, size_t room);

/* Removes the file of a Unix socket, unless another one has its name by now. */
void listener__remove(const struct listener *listener);

#endif /* PEAT_PROMETHEUS_LISTENER_H */
