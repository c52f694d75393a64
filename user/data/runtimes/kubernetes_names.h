/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* runtimes/kubernetes_names.h: the names that the kubelet gives containers, pods and their logs. */
#ifndef PEAT_RUNTIMES_KUBERNETES_NAMES_H
#define PEAT_RUNTIMES_KUBERNETES_NAMES_H

#include <stdbool.h>

struct peat_identity;

/*
 * Splits a container_name of CRI-O or docker: "k8s_web_web-0_default_UID_0" is the container "web"
 * of the pod "default/web-0".  Pure.
 */
void kubernetes_names__split(struct peat_identity *identity);

/*
 * Sets the names by the name of a log in /var/log/containers, "web-0_default_web-ID.log".  False:
 * it is another container's.  Pure.
 */
bool kubernetes_names__parse_log(const char *log, struct peat_identity *identity);

/*
 * Sets pod_name by the name of a directory in /var/log/pods, "default_web-0_UID".  False: it is
 * another pod's.  Pure.
 */
bool kubernetes_names__parse_pod(const char *folder, struct peat_identity *identity);

/* Looks in /var/log/containers and /var/log/pods for names that are missing. */
void kubernetes_names__find(struct peat_identity *identity);

#endif /* PEAT_RUNTIMES_KUBERNETES_NAMES_H */
