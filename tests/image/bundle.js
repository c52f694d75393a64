// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//
// usage: node bundle.js BUNDLE CGROUP FLAGS ARGUMENT...
//
// Writes BUNDLE/config.json, by which runc runs peat with the arguments in a container as docker makes it with FLAGS, the
// options of "docker run", and no other capability.  Without seccomp=unconfined, a filter refuses what older profiles of
// docker and podman refuse.  Also the module that writes it for daemonset.js.
"use strict";

const fs = require("fs"), path = require("path"), util = require("util");

const refusal = { defaultAction: "SCMP_ACT_ALLOW",
	syscalls: [{ names: ["bpf", "perf_event_open"], action: "SCMP_ACT_ERRNO", errnoRet: 1 }] };

const ownMounts = [
	{ destination: "/proc", type: "proc", source: "proc" },
	{ destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755"] },
	{ destination: "/sys", type: "sysfs", source: "sysfs", options: ["nosuid", "noexec", "nodev", "ro"] },
	{ destination: "/sys/fs/cgroup", type: "cgroup", source: "cgroup", options: ["ro"] },
];

// A mount replaces one of the runtime's own at the same place.
function allMounts(mounts) {
	const places = new Set(mounts.map((mount) => mount.destination));

	return [...ownMounts.filter((mount) => !places.has(mount.destination)), ...mounts];
}

function bind(source, destination, isReadOnly) {
	return { destination, type: "bind", source, options: ["rbind", isReadOnly ? "ro" : "rw"] };
}

// container: args, caps ("BPF"), mounts, hostPid, hostCgroups, hostNetwork, isReadOnly, seccomp ("unconfined").
function write(bundle, cgroup, container) {
	const caps = container.caps.map((cap) => "CAP_" + cap);
	const namespaces = ["mount", "ipc", "uts"];

	if (!container.hostPid)
		namespaces.push("pid");
	if (!container.hostCgroups)
		namespaces.push("cgroup");
	if (!container.hostNetwork)
		namespaces.push("network");
	fs.writeFileSync(path.join(bundle, "config.json"), JSON.stringify({
		ociVersion: "1.0.2",
		root: { path: "rootfs", readonly: container.isReadOnly },
		process: { user: { uid: 0, gid: 0 }, cwd: "/", env: ["PATH=/usr/bin"], noNewPrivileges: true,
			args: ["/usr/bin/peat", ...container.args],
			capabilities: { bounding: caps, permitted: caps, effective: caps } },
		mounts: allMounts(container.mounts),
		linux: { cgroupsPath: cgroup, namespaces: namespaces.map((type) => ({ type })),
			...(container.seccomp === "unconfined" ? {} : { seccomp: refusal }) },
	}));
}

const options = {
	"cap-add": { type: "string", multiple: true, default: [] },
	"security-opt": { type: "string", default: "" },
	pid: { type: "string", default: "" },
	cgroupns: { type: "string", default: "" },
	network: { type: "string", default: "" },
	volume: { type: "string", short: "v", multiple: true, default: [] },
};

function fromFlags(flags, args) {
	const { values } = util.parseArgs({ args: flags.trim().split(/\s+/), options });
	const mounts = values.volume.map((volume) => volume.split(":"));

	return { args, isReadOnly: false, caps: values["cap-add"], hostPid: values.pid === "host",
		hostCgroups: values.cgroupns === "host", hostNetwork: values.network === "host",
		seccomp: values["security-opt"].replace("seccomp=", ""),
		mounts: mounts.map(([source, destination, mode]) => bind(source, destination, mode === "ro")) };
}

if (require.main === module) {
	const [bundle, cgroup, flags, ...args] = process.argv.slice(2);

	write(bundle, cgroup, fromFlags(flags, args));
}
module.exports = { bind, write };
