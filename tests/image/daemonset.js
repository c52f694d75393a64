// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//
// usage: node daemonset.js MODULES FILE [LINE | BUNDLE CGROUP DIRECTORY [ARGUMENT...]]
//
// Checks FILE, objects of Kubernetes as YAML, by the packages "yaml" and "kubernetes-models" of MODULES (node_modules),
// which has the schemas of Kubernetes' API: types, required members, and members that the schema lacks.  LINE is
// "spec: ..." of peat doctor, whose members the pod has to have.  Else writes BUNDLE/config.json, by which runc runs the
// container of the DaemonSet, with other arguments if there are any; folders of the node are in DIRECTORY.
"use strict";

const assert = require("assert"), fs = require("fs"), path = require("path"), url = require("url");
const bundle = require("./bundle.js");
const [modules, file, ...rest] = process.argv.slice(2);
const yaml = require(path.resolve(modules, "yaml"));
const objects = yaml.parseAllDocuments(fs.readFileSync(file, "utf8")).map((document) => {
	assert.deepStrictEqual(document.errors, []);
	return document.toJS();
});
const daemonSet = objects.find((object) => object.kind === "DaemonSet");
const pod = daemonSet.spec.template.spec;
const container = pod.containers[0];

// The schemas allow any member.  Their code reads each member that they have.
function watch(value, at, unread) {
	if (typeof value !== "object" || value === null)
		return value;
	for (const key of Object.keys(value))
		unread.add(at + "/" + key);
	return new Proxy(value, { get(target, key) {
		unread.delete(at + "/" + String(key));
		return typeof key === "symbol" || !Object.hasOwn(target, key) || key === "length" ? target[key]
			: watch(target[key], at + "/" + key, unread);
	} });
}

async function check(object) {
	const group = object.apiVersion.includes("/") ? object.apiVersion : "v1";
	const id = "IoK8sApi" + (group === "v1" ? "CoreV1" : "AppsV1") + object.kind;
	const schema = path.resolve(modules, "kubernetes-models/_schemas", id + ".js");
	const { validate } = await import(url.pathToFileURL(schema));
	const unread = new Set();
	const isValid = validate(watch(object, "", unread));

	assert(isValid, object.kind + ": " + JSON.stringify(validate.errors));
	assert.deepStrictEqual([...unread], [], object.kind + ": unknown members");
}

// Each member of `part` is in `whole`, also of elements of arrays.
function contains(whole, part, at) {
	if (Array.isArray(part))
		part.forEach((element) => assert(whole.some((other) => holds(other, element)), at + " lacks " + JSON.stringify(element)));
	else if (typeof part === "object")
		Object.keys(part).forEach((key) => contains(whole[key], part[key], at + "." + key));
	else
		assert.strictEqual(whole, part, at);
}

function holds(whole, part) {
	try {
		contains(whole, part, "");
		return true;
	} catch {
		return false;
	}
}

// ---- a node ---------------------------------------------------------------------------------------

function makeFolder(dir, name) {
	const folder = path.join(dir, name);

	fs.mkdirSync(folder, { recursive: true });
	return folder;
}

// Folders of the kernel are those of this machine, others are below `dir`.
function source(volume, dir) {
	if (volume.hostPath)
		return volume.hostPath.path.startsWith("/sys/") ? volume.hostPath.path : makeFolder(dir, volume.hostPath.path);
	const folder = makeFolder(dir, volume.name);
	const map = volume.configMap && objects.find((object) => object.kind === "ConfigMap");

	for (const [name, text] of Object.entries(map ? map.data : {}))
		fs.writeFileSync(path.join(folder, name), text);
	return folder;
}

function writeBundle(to, cgroup, dir, ...args) {
	const volumes = Object.fromEntries(pod.volumes.map((volume) => [volume.name, source(volume, dir)]));
	const context = container.securityContext;

	assert.deepStrictEqual(context.capabilities.drop, ["ALL"]);
	bundle.write(to, cgroup, { args: args.length ? args : container.args, caps: context.capabilities.add,
		hostPid: pod.hostPID, hostNetwork: true, isReadOnly: context.readOnlyRootFilesystem,
		seccomp: context.seccompProfile.type.toLowerCase(),
		mounts: container.volumeMounts.map((mount) => bundle.bind(volumes[mount.name], mount.mountPath, mount.readOnly)) });
}

async function main() {
	if (rest.length > 1)
		return writeBundle(...rest);
	for (const object of objects)
		await check(object);
	if (rest.length)
		contains(pod, yaml.parse(rest[0]).spec, "spec");
}

main();
