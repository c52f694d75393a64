// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_identity.c: paths of cgroups, in the forms that other projects' tests and issues have.  The
 * ids are made up.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/identity.h>

#include "unit/suite.h"

#define ID    "b4d6d161c62525d726fa394b27df30e14f8ea5646313ada576b390de70cfc8cc"
#define OUTER "c1146e7ccca9ab4436abd69923c07d097b37b762ed21cc3f24584c2f84e77c57"
#define POD   "f6f2d169-f2ae-4afa-95ed-06ff2ed6b288"
#define POD_  "f6f2d169_f2ae_4afa_95ed_06ff2ed6b288"
#define POD0  "f6f2d169f2ae4afa95ed06ff2ed6b288"
#define SLICE "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" POD_ ".slice"

static const struct {
	const char *path, *runtime, *container, *pod, *unit;
} forms[] = {
	{ "/docker/" ID, "docker", ID, "", "" },
	{ "/system.slice/docker-" ID ".scope", "docker", ID, "", "" },
	{ "/system.slice/docker-" ID ".scope/init", "docker", ID, "", "" },
	{ "/actions_job/" ID, "docker", ID, "", "" },
	{ "/default/" ID, NULL, ID, "", "" }, /* containerd: /NAMESPACE/ID */
	{ "/k8s.io/" ID, NULL, ID, "", "" },
	{ "/kubepods/besteffort/pod" POD "/" ID, NULL, ID, POD, "" },
	{ "/kubepods/pod" POD "/" ID "/kube-proxy", NULL, ID, POD, "" },
	{ "/kubepods/burstable/pod" POD0 "/" ID, NULL, ID, POD, "" },
	{ "/kubepods/besteffort/pod" POD "/crio-" ID, "cri-o", ID, POD, "" },
	{ SLICE "/cri-containerd-" ID ".scope", "containerd", ID, POD, "" },
	{ SLICE "/crio-" ID ".scope", "cri-o", ID, POD, "" },
	{ SLICE "/crio-" ID ".scope/container", "cri-o", ID, POD, "" },
	{ SLICE "/crio-conmon-" ID ".scope", NULL, "", POD, "crio-conmon-" ID ".scope" },
	{ SLICE "/docker-" ID ".scope", "docker", ID, POD, "" },
	{ "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/"
	  "kubelet-kubepods-besteffort-pod" POD_ ".slice/cri-containerd-" ID ".scope",
	  "containerd", ID, POD, "" },
	{ "/system.slice/containerd.service/kubepods-besteffort-pod" POD_
	  ".slice:cri-containerd:" ID,
	  "containerd", ID, POD, "containerd.service" },
	{ "/docker/" OUTER SLICE "/cri-containerd-" ID ".scope", "containerd", ID, POD, "" },
	{ "/system.slice/docker-" OUTER ".scope/kubepods/besteffort/pod" POD "/" ID, NULL, ID, POD,
	  "" },
	{ "/machine.slice/libpod-" ID ".scope", "podman", ID, "", "" },
	{ "/machine.slice/libpod-" ID ".scope/container", "podman", ID, "", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope/container",
	  "podman", ID, "", "user@1000.service" },
	{ "/libpod_parent/libpod-" ID, "podman", ID, "", "" },
	{ "/libpod_parent/conmon", NULL, "", "", "" },
	{ "/system.slice/web.service/libpod-payload-" ID, "podman", ID, "", "web.service" },
	{ "/lxc/mysql-primary-db", "lxc", "mysql-primary-db", "", "" },
	{ "/lxc.payload.first/system.slice/ssh.service", "lxc", "first", "", "" },
	{ "/machine.slice/machine-deb\\x2dtest.scope/payload", "nspawn", "deb-test", "", "" },
	{ "/ecs/55091c13-b8cf-4801-b527-f4601742204d/432624d2150b349fe35ba397284dea78-1061577964",
	  NULL, "432624d2150b349fe35ba397284dea78-1061577964", "", "" },
	{ "/system.slice/garden.service/garden/6f265890-5165-7fab-6b52-18d1", NULL,
	  "6f265890-5165-7fab-6b52-18d1", "", "garden.service" },
	{ "/system.slice/ssh.service", NULL, "", "", "ssh.service" },
	{ "/system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyS0.service", NULL, "", "",
	  "serial-getty@ttyS0.service" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.gnome.Terminal.slice/"
	  "vte-spawn-868f9513-eee8-457d-8e36-1b37ae8ae622.scope",
	  NULL, "", "", "vte-spawn-868f9513-eee8-457d-8e36-1b37ae8ae622.scope" },
	{ "/user.slice/user-501.slice/session-3.scope", NULL, "", "", "session-3.scope" },
	{ "/", NULL, "", "", "" },
	{ "", NULL, "", "", "" },
	{ "/system.slice/docker-" ID ".scope (deleted)", "docker", ID, "", "" },
	{ "/../../kubepods/pod" POD "/" ID, NULL, ID, POD, "" },
	/* k3s and microk8s: containerd without systemd's cgroup driver */
	{ "/kubepods-besteffort-pod" POD_ ".slice:cri-containerd:" ID, "containerd", ID, POD, "" },
	{ "/system.slice/k3s.service/kubepods-besteffort-pod" POD_ ".slice:crio:" ID, "cri-o", ID,
	  POD, "k3s.service" },
	/* kind */
	{ "/docker/" OUTER "/kubelet/kubepods/burstable/pod" POD "/" ID, NULL, ID, POD, "" },
	{ "/docker/" OUTER "/init.scope", "docker", OUTER, "", "" },
	/* docker in a pod */
	{ "/kubepods/pod" POD "/" OUTER "/docker/" ID, "docker", ID, POD, "" },
	{ "/ecstasks.slice/ecstasks-432624d2150b349fe35ba397284dea78.slice/docker-" ID ".scope",
	  "docker", ID, "", "" },
	/* pods of podman */
	{ "/machine.slice/machine-libpod_pod_" OUTER ".slice/libpod-" ID ".scope", "podman", ID,
	  OUTER, "" },
	{ "/libpod_parent/" OUTER "/libpod-" ID, "podman", ID, OUTER, "" },
	{ "/libpod_parent/" OUTER "/conmon", NULL, "", OUTER, "" },
	{ "/machine.slice/libpod-conmon-" ID ".scope", NULL, "", "", "libpod-conmon-" ID ".scope" },
	{ "/lxc.payload/first/init.scope", "lxc", "first", "", "" },
	{ "/lxc/101/ns/system.slice/cron.service", "lxc", "101", "", "" },
	{ "/lxc.monitor.first", NULL, "", "", "" },
	{ "/lxc.payload./a.service", NULL, "", "", "a.service" },
	{ "/lxc.payload.a/system.slice/docker-" ID ".scope", "docker", ID, "", "" },
	{ "/machine.slice/systemd-nspawn@deb-test.service/payload/init.scope", "nspawn", "deb-test",
	  "", "systemd-nspawn@deb-test.service" },
	{ "/machine.slice/systemd-nspawn@deb.service/supervisor", NULL, "", "",
	  "systemd-nspawn@deb.service" },
	{ "/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/emulator", NULL, "", "",
	  "machine-qemu\\x2d1\\x2dvm.scope" },
	{ "/machine.slice/machine-qemu\\x2dx.scope", "nspawn", "qemu-x", "", "" },
	{ "/machine.slice/machine-a\\x00\\xzz\\x2.scope", "nspawn", "a\\x00\\xzz\\x2", "", "" },
	{ "/system.slice/dev-disk\\x2dby.service", NULL, "", "", "dev-disk\\x2dby.service" },
	{ "/system.slice/_cpu.service", NULL, "", "", "cpu.service" },
	/* alike, and no container */
	{ "/docker/" ID "0", NULL, "", "", "" },
	{ "/system.slice/docker-" ID ".slice", NULL, "", "", "" },
	{ "/kubepods/podruntime/kubelet", NULL, "", "", "" },
	{ "/kubepods/pod" POD0 "0", NULL, "", "", "" },
	{ "/podruntime/runtime", NULL, "", "", "" },
	{ "/system.slice/podman.service", NULL, "", "", "podman.service" },
	{ "/garden/6f265890-5165-7fab-6b52-18d1-00", NULL, "", "", "" },
	{ "/x/432624d2150b349fe35ba397284dea78-", NULL, "", "", "" },
	{ "/.service/.scope", NULL, "", "", "" },
};

START_TEST(test_parses_forms_of_runtimes)
{
	struct peat_identity identity = { .sz = sizeof(identity) };

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const char *path = forms[i].path;

		ck_assert_int_eq(peat_identity__parse(path, &identity), 0);
		if (forms[i].runtime)
			ck_assert_msg(identity.runtime &&
					      !strcmp(identity.runtime, forms[i].runtime),
				      "%s: %s", path, identity.runtime);
		else
			ck_assert_msg(!identity.runtime, "%s: %s", path, identity.runtime);
		ck_assert_msg(!strcmp(identity.container, forms[i].container), "%s: %s", path,
			      identity.container);
		ck_assert_msg(!strcmp(identity.pod, forms[i].pod), "%s: %s", path, identity.pod);
		ck_assert_msg(!strcmp(identity.unit, forms[i].unit), "%s: %s", path, identity.unit);
	}
}
END_TEST

START_TEST(test_keeps_longest_names)
{
	struct peat_identity identity = { .sz = sizeof(identity) };
	char path[600] = "/lxc/", name[256] = "";

	memset(name, 'a', 255);
	strcat(path, name);
	ck_assert_int_eq(peat_identity__parse(path, &identity), 0);
	ck_assert_str_eq(identity.container, name);
	memcpy(name + 247, ".service", 8);
	snprintf(path, sizeof(path), "/%s", name);
	ck_assert_int_eq(peat_identity__parse(path, &identity), 0);
	ck_assert_str_eq(identity.unit, name);
	/* No cgroup has a longer name. */
	snprintf(path, sizeof(path), "/a.scope/a%s/b", name);
	ck_assert_int_eq(peat_identity__parse(path, &identity), 0);
	ck_assert_str_eq(identity.unit, "a.scope");
}
END_TEST

START_TEST(test_fills_structs_of_older_callers)
{
	struct peat_identity identity = { .sz = offsetof(struct peat_identity, pod) };

	strcpy(identity.pod, "kept");
	ck_assert_int_eq(peat_identity__parse("/docker/" ID, &identity), 0);
	ck_assert_str_eq(identity.container, ID);
	ck_assert_str_eq(identity.pod, "kept");
	identity.sz = 0;
	ck_assert_int_eq(peat_identity__parse("/", &identity), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_forms_of_runtimes);
	tcase_add_test(tests, test_keeps_longest_names);
	tcase_add_test(tests, test_fills_structs_of_older_callers);
}
