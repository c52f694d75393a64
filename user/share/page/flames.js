// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * flames.js: the flame graph of the events in the described span: a box per function, as wide as
 * its share, above its caller, or below it.
 */
"use strict";
const Flames = (() => {
	const ROW = 18, LEFT = 12, FONT = "12px ui-monospace, monospace", TEXT_MIN = 24;
	const MATCH = "#f7f"; // as in flamegraph.css
	const canvas = document.getElementById("flames");
	const context = canvas.getContext("2d");
	const bar = document.getElementById("flame-bar");
	const options = { type: -1, weight: "events", inverted: false, reversed: false };
	let root = null, zoomed = null, focus = null, rows = 1, placed = [], width = 0, height = 0;
	let isStale = true;

	// ---- colours ----------------------------------------------------------------------------

	// As stacks/box_colour.c: a hue per kind, shades by the name.
	const SHADES = [
		[[214, 214, 214], [0, 0, 0]], // task
		[[242, 140, 90], [13, 85, 50]], // user
		[[205, 165, 235], [30, 45, 20]], // inlined
		[[130, 180, 235], [60, 45, 20]], // kernel
		[[130, 205, 130], [60, 40, 60]], // BPF
		[[200, 200, 170], [30, 30, 30]],
	];
	const encoder = new TextEncoder();
	const colours = [];

	function colourOf(frame) {
		if (frame < 0)
			return "rgb(214,214,214)";
		return colours[frame] ??= (() => {
			const [name, , kind] = Data.tables.frames[frame];
			const [least, more] = SHADES[kind];
			let hash = 0x811c9dc5;

			for (const byte of encoder.encode(name))
				hash = Math.imul(hash ^ byte, 0x01000193);
			const shade = hash >>> 24;
			return `rgb(${least.map((it, i) => Math.floor(it + more[i] * shade / 255))})`;
		})();
	}

	// ---- boxes ------------------------------------------------------------------------------

	const makeBox = (frame, parent) => ({
		frame, parent, total: 0, start: 0, depth: parent ? parent.depth + 1 : 0,
		children: new Map(), inner: [],
	});

	function child(box, frame) {
		let found = box.children.get(frame);

		if (!found)
			box.children.set(frame, found = makeBox(frame, box));
		return found;
	}

	// What each node of the stacks counts by itself, of the events in the span.
	function countNodes() {
		const { node, type, time, start, isSlice } = Data.events;
		const counts = new Float64Array(Data.stacks.count);
		const [from, to] = View.eventsIn(View.described());

		for (let i = from; i < to; i++) {
			if (!node[i] || View.state.hidden.has(type[i]))
				continue;
			if (options.type >= 0 && type[i] !== options.type)
				continue;
			counts[node[i]] += options.weight === "events" ? 1 : isSlice[i] ? time[i] - start[i] : 0;
		}
		return counts;
	}

	function pathOf(node) {
		const path = [];

		for (; node; node = Data.stacks.parent[node])
			path.push(Data.stacks.frame[node]);
		return options.reversed ? path : path.reverse();
	}

	const nameOf = (box) => box.frame < 0 ? "all" : Data.tables.frames[box.frame][0];

	function arrange(box, start) {
		box.start = start;
		rows = Math.max(rows, box.depth + 1);
		box.inner = Array.from(box.children.values())
			.sort((a, b) => nameOf(a) < nameOf(b) ? -1 : 1);
		for (const inner of box.inner)
			start += arrange(inner, start).total;
		return box;
	}

	function build() {
		const counts = countNodes();

		root = makeBox(-1, null);
		rows = 1;
		counts.forEach((count, node) => {
			if (!count)
				return;
			let box = root;
			root.total += count;
			for (const frame of pathOf(node)) {
				box = child(box, frame);
				box.total += count;
			}
		});
		arrange(root, 0);
		zoomed = root;
		focus = null;
		isStale = false;
	}

	// ---- drawing ----------------------------------------------------------------------------

	const isOuter = (box) => box !== zoomed && box.depth < zoomed.depth;

	function yOf(box) {
		return options.inverted ? box.depth * ROW : height - (box.depth + 1) * ROW;
	}

	function cut(text, room) {
		const most = Math.floor(room / 7.25);

		return text.length <= most ? text : most < 3 ? "" : text.slice(0, most - 1) + "…";
	}

	function place(box, scale) {
		const outer = isOuter(box);
		const x = LEFT + (outer ? 0 : (box.start - zoomed.start) * scale);
		const w = outer ? width - 2 * LEFT : box.total * scale;

		if (w < 0.3)
			return;
		placed.push({ box, x, w, y: yOf(box), outer });
		if (outer)
			place(box.inner.find((it) => zoomed.start >= it.start &&
				zoomed.start + zoomed.total <= it.start + it.total && isAbove(it)), scale);
		else
			box.inner.forEach((inner) => place(inner, scale));
	}

	function isAbove(box) {
		let at = zoomed;

		while (at && at !== box)
			at = at.parent;
		return Boolean(at);
	}

	function matches(box) {
		const { search } = View.state;

		if (!search || box.frame < 0)
			return false;
		const [name, module] = Data.tables.frames[box.frame];
		return search.test(name) || Boolean(module && search.test(module));
	}

	function drawBox({ box, x, w, y, outer }) {
		const found = matches(box);

		context.globalAlpha = outer ? 0.6 : 1;
		context.fillStyle = found ? MATCH : colourOf(box.frame);
		context.fillRect(x, y, Math.max(w - 0.5, 0.5), ROW - 1);
		if (box === focus) {
			context.strokeStyle = View.colours.text;
			context.strokeRect(x + 0.5, y + 0.5, Math.max(w - 1.5, 1), ROW - 2);
		}
		if (w > TEXT_MIN) {
			context.fillStyle = "#111";
			context.fillText(cut(nameOf(box), w - 6), x + 3, y + 13);
		}
		context.globalAlpha = 1;
	}

	function draw() {
		const ratio = window.devicePixelRatio || 1;
		const room = canvas.parentNode.clientHeight - bar.offsetHeight;

		if (!document.getElementById("panel-flames").classList.contains("shown"))
			return;
		if (isStale)
			build();
		width = canvas.parentNode.clientWidth;
		height = Math.max(rows * ROW + 8, room);
		canvas.style.height = `${height}px`;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.font = FONT;
		placed = [];
		if (root.total)
			place(root, (width - 2 * LEFT) / zoomed.total);
		placed.forEach(drawBox);
		if (!root.total) {
			context.fillStyle = View.colours.faint;
			context.font = "13px system-ui, sans-serif";
			context.fillText("no event in this span has a stack", LEFT, 24);
		}
		showShare();
	}

	// The part of the shown boxes with a match somewhere in their stack.
	function matched(box, isFound) {
		const found = isFound || matches(box);

		if (found)
			return box.total;
		return box.inner.reduce((sum, inner) => sum + matched(inner, false), 0);
	}

	const amount = (value) => options.weight === "events"
		? `${View.number(value)} ${value === 1 ? "event" : "events"}` : View.duration(value);

	function showShare() {
		const output = bar.querySelector("output");

		output.textContent = amount(zoomed.total) + (View.state.search && root.total
			? `, ${View.percent(matched(zoomed, false), zoomed.total)} matched` : "");
		bar.querySelector("button").hidden = zoomed === root;
	}

	// ---- controls ---------------------------------------------------------------------------

	function make(name, properties, ...children) {
		const made = Object.assign(document.createElement(name), properties);

		made.append(...children);
		return made;
	}

	function choice(label, list, use) {
		const select = make("select", {},
			...list.map(([value, textContent]) => make("option", { value, textContent })));

		select.addEventListener("change", () => { use(select.value); refresh(); });
		return make("label", {}, label, select);
	}

	function box(label, name) {
		const input = make("input", { type: "checkbox" });

		input.addEventListener("change", () => { options[name] = input.checked; refresh(); });
		return make("label", {}, input, label);
	}

	function makeBar() {
		const { types } = Data.tables, { node, type, isSlice } = Data.events;
		const withStacks = new Set(), withTimes = new Set();

		for (let i = 0; i < node.length; i++)
			if (node[i]) {
				withStacks.add(type[i]);
				if (isSlice[i])
					withTimes.add(type[i]);
			}
		if (withStacks.size > 1)
			bar.append(choice("Stacks of", [[-1, "all types"], ...Array.from(withStacks)
				.map((i) => [i, types[i].name])], (value) => { options.type = Number(value); }));
		if (withTimes.size)
			bar.append(choice("by", [["events", "number"], ["time", "duration"]],
				(value) => { options.weight = value; }));
		bar.append(box("icicle", "inverted"), box("callers of each function", "reversed"));
		const reset = make("button", { textContent: "Reset zoom", hidden: true });
		reset.addEventListener("click", () => { zoomed = root; draw(); });
		bar.append(reset, make("output", {}));
		return withStacks.size > 0;
	}

	// ---- mouse and keys ---------------------------------------------------------------------

	const boxAt = (event) => placed.findLast(({ x, y, w }) => event.offsetY >= y &&
		event.offsetY < y + ROW && event.offsetX >= x && event.offsetX < x + Math.max(w, 1))?.box;

	function textsOf(found) {
		const [, module, kind] = found.frame < 0 ? [] : Data.tables.frames[found.frame];
		const place = kind === 0 ? "task" : module ?? (kind === 3 ? "[kernel]" : "");

		return [nameOf(found), place + (kind === 2 ? ", inlined" : ""),
			`${amount(found.total)}, ${View.percent(found.total, root.total)}`].filter((it) => it);
	}

	function hover(event) {
		const found = boxAt(event);

		canvas.style.cursor = found ? "pointer" : "default";
		if (found)
			Tooltip.showText(textsOf(found), event.clientX, event.clientY);
		else
			Tooltip.close();
	}

	const widest = (found) => found.inner.reduce((best, it) =>
		best && best.total >= it.total ? best : it, null);
	const beside = (found, step) => found.parent?.inner[found.parent.inner.indexOf(found) + step];
	const inward = (found) => widest(found), outward = (found) => found.parent;
	const moves = {
		ArrowUp: (found) => (options.inverted ? outward : inward)(found),
		ArrowDown: (found) => (options.inverted ? inward : outward)(found),
		ArrowLeft: (found) => beside(found, -1),
		ArrowRight: (found) => beside(found, 1),
	};

	// True: the key was used.
	function press(event) {
		if (document.activeElement !== canvas || !root)
			return false;
		if (event.key in moves) {
			focus = (focus ? moves[event.key](focus) : zoomed) ?? focus;
			const at = placed.find((it) => it.box === focus), frame = canvas.getBoundingClientRect();
			draw();
			if (at)
				Tooltip.showText(textsOf(focus), frame.x + at.x, frame.y + at.y + 4);
		} else if (event.key === "Enter" && focus) {
			zoomed = focus;
			draw();
		} else if (event.key === "Escape" && zoomed !== root) {
			zoomed = root;
			draw();
		} else {
			return false;
		}
		return true;
	}

	function refresh() {
		isStale = true;
		draw();
		toRoot();
	}

	// The outermost functions are at the bottom, unless it is an icicle.
	function toRoot() {
		canvas.parentNode.scrollTop = options.inverted ? 0 : canvas.parentNode.scrollHeight;
	}

	function begin() {
		const has = makeBar();

		canvas.addEventListener("pointermove", hover);
		canvas.addEventListener("pointerleave", () => Tooltip.close());
		canvas.addEventListener("click", (event) => {
			const found = boxAt(event);

			if (found) {
				zoomed = focus = found;
				draw();
			}
		});
		View.on("search", draw);
		View.on("colours", draw);
		return has;
	}

	return {
		begin, refresh, draw, press, toRoot, options,
		get placed() { return placed; },
		get root() { return root; },
	};
})();
