/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * runtimes.h: the names of containers and pods, from the files of their runtimes.  No daemon is
 * asked.
 *
 *	struct peat_runtime_names *names = peat_runtime_names__new();
 *	struct peat_reader_opts opts = { .sz = sizeof(opts), .identity = true,
 *					 .find_names = peat_runtime_names__find,
 *					 .find_names_arg = names };
 *
 *	podman, CRI-O	containers.json and volatile-containers.json, of root and of the users who
 *			have a directory in /home
 *	docker		config.v2.json of the container, in /var/lib/docker
 *	containerd	config.json of the container, in its state directory: /run/containerd, also
 *			of k3s and MicroK8s; names of Kubernetes and nerdctl
 *	Kubernetes	the names of the files in /var/log/containers, and of the directories in
 *			/var/log/pods; "k8s_web_web-0_default_..." of CRI-O and docker is "web"
 *
 * Users own some of these files: a user can give a container of his own any name, but not the
 * container of another user.  The files are limited to 16 MiB each.  libpeat-data has these
 * functions.
 */
#ifndef PEAT_RUNTIMES_H
#define PEAT_RUNTIMES_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

struct peat_identity;
struct peat_runtime_names;

/* NULL and ENOMEM on failure. */
PEAT_API struct peat_runtime_names *peat_runtime_names__new(void);

/* NULL: does nothing. */
PEAT_API void peat_runtime_names__free(struct peat_runtime_names *names);

/*
 * Sets container_name and pod_name of an identity, if a runtime has them: peat_reader_opts.
 * find_names.  `names` is a struct peat_runtime_names.
 */
PEAT_API void peat_runtime_names__find(void *names, struct peat_identity *identity);

PEAT_END_DECLS

#endif /* PEAT_RUNTIMES_H */
