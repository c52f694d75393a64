// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//
// usage: node otlp_server.js MODULES DIR [CERT KEY PORT]
//
// Decodes what an OTLP exporter sends, by protobufjs and OpenTelemetry's .proto files of MODULES (node_modules), and
// prints a line of JSON for each request; before them, "port N".  Bodies are left in DIR: logs.bin, metrics.bin.
"use strict";

const fs = require("fs"), path = require("path"), zlib = require("zlib");
const [modules, dir, cert, key, port] = process.argv.slice(2);
const protobuf = require(path.join(modules, "protobufjs"));
const protos = path.join(modules, "@opentelemetry/otlp-grpc-exporter-base/build/protos");
const root = new protobuf.Root();

root.resolvePath = (origin, target) => path.join(protos, target);
root.loadSync(["logs", "metrics"].map(
	(signal) => `opentelemetry/proto/collector/${signal}/v1/${signal}_service.proto`));

const types = {
	"/v1/logs": root.lookupType("opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest"),
	"/v1/metrics": root.lookupType("opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest"),
};

function answer(request, response, bytes) {
	const gzip = request.headers["content-encoding"] === "gzip";
	const body = gzip ? zlib.gunzipSync(bytes) : bytes, type = types[request.url];
	const message = type.toObject(type.decode(body), { longs: String, enums: String, bytes: String });

	fs.writeFileSync(path.join(dir, path.basename(request.url) + ".bin"), body);
	console.log(JSON.stringify({ url: request.url, gzip, type: request.headers["content-type"],
		token: request.headers["x-token"], message }));
	response.writeHead(200, { "Content-Type": "application/x-protobuf" });
	response.end();
}

function listen(request, response) {
	const parts = [];

	request.on("data", (part) => parts.push(part));
	request.on("end", () => answer(request, response, Buffer.concat(parts)));
}

const server = cert
	? require("https").createServer({ cert: fs.readFileSync(cert), key: fs.readFileSync(key) }, listen)
	: require("http").createServer(listen);

server.listen(Number(port || 0), "127.0.0.1", () => console.log("port " + server.address().port));
