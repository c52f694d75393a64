// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * browse.js: uses a page as a person does, in chromium.
 *
 *	node browse.js PAGE CHECK [WIDTH HEIGHT [light|dark]]
 *
 * CHECK is a file that exports a function of a browser: evaluate(), wheel(), drag(), click(),
 * press(), shot().  Each check(what, holds, detail) prints a line "passed" or "FAILED"; a script's
 * error is a line "FAILED".  chromium is driven by the DevTools protocol through a pipe.
 */
"use strict";
const { spawn } = require("node:child_process");
const { writeFileSync, mkdtempSync, rmSync } = require("node:fs");
const { join, resolve } = require("node:path");
const { tmpdir } = require("node:os");

const [pagePath, checkPath, width = "1280", height = "800", scheme = "light"] =
	process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), "browse-"));

// Without a network: each request to one fails.
const browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu",
	"--disable-extensions", "--no-first-run", "--proxy-server=127.0.0.1:9", "--hide-scrollbars",
	"--remote-debugging-pipe", `--user-data-dir=${home}`, `--window-size=${width},${height}`,
	"about:blank"],
	{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: { ...process.env, HOME: home } });

// ---- the protocol --------------------------------------------------------------------------

const [to, from] = [browser.stdio[3], browser.stdio[4]];
const waiting = new Map(), listeners = [];
let last = 0, session, rest = Buffer.alloc(0);

function send(method, params = {}) {
	const id = ++last;

	to.write(JSON.stringify({ id, method, params, sessionId: session }) + "\0");
	return new Promise((done, fail) => waiting.set(id, { done, fail, method }));
}

function receive(message) {
	const waiter = waiting.get(message.id);

	waiting.delete(message.id);
	if (waiter && message.error)
		waiter.fail(new Error(`${waiter.method}: ${message.error.message}`));
	else if (waiter)
		waiter.done(message.result);
	else
		listeners.forEach((listener) => listener(message));
}

from.on("data", (part) => {
	let end;

	rest = Buffer.concat([rest, part]);
	while ((end = rest.indexOf(0)) >= 0) {
		receive(JSON.parse(rest.subarray(0, end).toString()));
		rest = rest.subarray(end + 1);
	}
});

// ---- what a person does --------------------------------------------------------------------

const failures = [];

function check(what, holds, detail = "") {
	console.log(`${holds ? "passed" : "FAILED"}: ${what}${holds ? "" : `: ${detail}`}`);
	if (!holds)
		failures.push(what);
}

// The value of an expression in the page, after its promise.
async function evaluate(expression) {
	const { result, exceptionDetails } = await send("Runtime.evaluate",
		{ expression, awaitPromise: true, returnByValue: true });

	if (exceptionDetails)
		throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
	return result.value;
}

// Until the page has drawn what changed.
const settle = () => evaluate("new Promise((done) => setTimeout(() => " +
	"requestAnimationFrame(() => requestAnimationFrame(() => done())), 150))");

const mouse = (type, x, y, more = {}) =>
	send("Input.dispatchMouseEvent", { type, x, y, button: "none", ...more });

async function move(x, y) {
	await mouse("mouseMoved", x, y);
	await settle();
}

async function wheel(x, y, deltaY) {
	await mouse("mouseWheel", x, y, { deltaX: 0, deltaY });
	await settle();
}

async function drag(x, y, toX, toY, modifiers = 0) {
	const held = { button: "left", buttons: 1, clickCount: 1, modifiers };

	await mouse("mousePressed", x, y, held);
	for (let i = 1; i <= 4; i++)
		await mouse("mouseMoved", x + (toX - x) * i / 4, y + (toY - y) * i / 4, held);
	await mouse("mouseReleased", toX, toY, held);
	await settle();
}

const click = (x, y) => drag(x, y, x, y);

async function press(key, modifiers = 0) {
	const code = { Enter: 13, Escape: 27 }[key];
	const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;

	await send("Input.dispatchKeyEvent",
		{ type: "keyDown", key, text, modifiers, windowsVirtualKeyCode: code });
	await send("Input.dispatchKeyEvent",
		{ type: "keyUp", key, modifiers, windowsVirtualKeyCode: code });
	await settle();
}

async function type(text) {
	await send("Input.insertText", { text });
	await settle();
}

async function shot(path) {
	const { data } = await send("Page.captureScreenshot", { format: "png" });

	writeFileSync(path, Buffer.from(data, "base64"));
}

async function setScheme(value) {
	await send("Emulation.setEmulatedMedia",
		{ features: [{ name: "prefers-color-scheme", value }] });
	await settle();
}

// ---- the run -------------------------------------------------------------------------------

async function open() {
	const { targetInfos } = await send("Target.getTargets");
	const { targetId } = targetInfos.find((target) => target.type === "page");

	({ sessionId: session } = await send("Target.attachToTarget", { targetId, flatten: true }));
	await send("Page.enable");
	if (process.env.THREAD_TICKS)
		await send("Performance.enable", { timeDomain: "threadTicks" });
	await send("Runtime.enable");
	await send("Network.enable");
	await send("Log.enable");
	await send("Emulation.setDeviceMetricsOverride", {
		width: Number(width), height: Number(height), deviceScaleFactor: 1, mobile: false,
	});
	await send("Emulation.setEmulatedMedia",
		{ features: [{ name: "prefers-color-scheme", value: scheme }] });
	const loaded = new Promise((done) => listeners.push(({ method }) =>
		method === "Page.loadEventFired" && done()));
	await send("Page.navigate", { url: `file://${resolve(pagePath)}` });
	await loaded;
}

async function run() {
	const errors = [], requests = [];

	listeners.push(({ method, params }) => {
		if (method === "Runtime.exceptionThrown")
			errors.push(params.exceptionDetails.exception?.description ??
				params.exceptionDetails.text);
		else if (method === "Log.entryAdded" && params.entry.level === "error")
			errors.push(params.entry.text);
		else if (method === "Network.requestWillBeSent" &&
			!/^(data|about|file|blob):/.test(params.request.url))
			requests.push(params.request.url);
	});
	await open();
	await require(resolve(checkPath))({
		send, check, evaluate, settle, move, wheel, drag, click, press, type, shot, setScheme,
		width: Number(width), height: Number(height),
	});
	check("no script failed", errors.length === 0, errors.join("; "));
	check("nothing was requested", requests.length === 0, requests.join(" "));
}

async function main() {
	try {
		await run();
	} catch (error) {
		check("the check ran to its end", false, error.stack);
	}
	const ended = new Promise((done) => browser.on("exit", done));
	session = undefined;
	send("Browser.close").catch(() => {});
	await ended;
	rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	process.exitCode = failures.length ? 1 : 0;
}

main();
