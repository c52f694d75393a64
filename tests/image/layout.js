// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//
// usage: node layout.js DIRECTORY ARCHITECTURE
//
// Checks an unpacked image: the size and the digest of each blob, that no file is left over, and that docker's manifest
// names the same blobs.  Prints the path of the layer.
"use strict";

const assert = require("assert"), crypto = require("crypto"), fs = require("fs"), path = require("path");
const zlib = require("zlib");
const [dir, architecture] = process.argv.slice(2);
const seen = new Set(["oci-layout", "index.json", "manifest.json"]);

function sha256(bytes) {
	return "sha256:" + crypto.createHash("sha256").update(bytes).digest("hex");
}

function name(descriptor) {
	return "blobs/" + descriptor.digest.replace(":", "/");
}

function readJson(file) {
	return JSON.parse(fs.readFileSync(path.join(dir, file), "utf8"));
}

function readBlob(descriptor, type) {
	const bytes = fs.readFileSync(path.join(dir, name(descriptor)));

	assert.strictEqual(descriptor.mediaType, "application/vnd.oci.image." + type);
	assert.strictEqual(bytes.length, descriptor.size);
	assert.strictEqual(sha256(bytes), descriptor.digest);
	seen.add(name(descriptor));
	return bytes;
}

const index = readJson("index.json");
const manifest = JSON.parse(readBlob(index.manifests[0], "manifest.v1+json"));
const config = JSON.parse(readBlob(manifest.config, "config.v1+json"));
const layer = readBlob(manifest.layers[0], "layer.v1.tar+gzip");
const docker = readJson("manifest.json");

assert.deepStrictEqual(readJson("oci-layout"), { imageLayoutVersion: "1.0.0" });
assert.strictEqual(index.manifests.length, 1);
assert.strictEqual(manifest.layers.length, 1);
assert.deepStrictEqual(config.rootfs.diff_ids, [sha256(zlib.gunzipSync(layer))]);
assert.strictEqual(config.architecture, architecture);
assert.strictEqual(config.os, "linux");
assert.deepStrictEqual(config.config.Entrypoint, ["/usr/bin/peat"]);
assert.deepStrictEqual(docker, [{ Config: name(manifest.config),
	RepoTags: [index.manifests[0].annotations["org.opencontainers.image.ref.name"]], Layers: [name(manifest.layers[0])] }]);
for (const file of fs.readdirSync(dir, { recursive: true }))
	assert(seen.has(file) || fs.statSync(path.join(dir, file)).isDirectory(), file + " is left over");
console.log(name(manifest.layers[0]));
