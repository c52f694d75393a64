// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * flamegraph.js: search and zoom in a flame graph.  flamegraph.c writes the boxes, and embeds this
 * script.
 *
 * Each box is a group with a title of three lines (name, file, count), a rect and a text.  data-x
 * and data-w are its start and its width in samples, or in units of the weight.  A box comes after
 * its parent, which is below it.
 */
"use strict";
(() => {
	const SVG = "http://www.w3.org/2000/svg";
	const XHTML = "http://www.w3.org/1999/xhtml";
	const MARGIN = 10; // left and right of all boxes
	const INDENT = 3; // of the text in a box
	const CHARACTERS_MIN = 3;
	const TOP = 76; // above the boxes
	const BOTTOM = 26; // below them
	const CONTROLS_WIDTH = 460;

	const svg = document.currentScript.closest("svg");
	const byId = (id) => svg.querySelector("#" + id);
	const status = byId("status");
	const nothing = status.textContent;
	const isInverted = "inverted" in svg.dataset; // callers are above

	// ---- boxes -----------------------------------------------------------------------------

	function readBox(group) {
		const [title, rect, text] = group.children;
		const [name, file, count] = title.textContent.split("\n");
		const box = {
			group, rect, text, name, file, count,
			start: Number(group.dataset.x),
			width: Number(group.dataset.w),
			y: Number(rect.getAttribute("y")) * (isInverted ? -1 : 1), // less: farther from "all"
			parent: null,
			children: [],
			matches: false,
		};

		group.box = box;
		group.setAttribute("tabindex", "-1");
		return box;
	}

	function linkParents(boxes) {
		const path = [];

		for (const box of boxes) {
			while (path.length && path[path.length - 1].y <= box.y)
				path.pop();
			if (path.length) {
				box.parent = path[path.length - 1];
				box.parent.children.push(box);
			}
			path.push(box);
		}
	}

	const boxes = Array.from(byId("frames").children, readBox);
	if (!boxes.length)
		return;
	linkParents(boxes);
	boxes[0].group.setAttribute("tabindex", "0");

	// ---- layout ----------------------------------------------------------------------------

	let zoomed = boxes[0]; // this box has the whole width

	function measureCharacter() {
		const probe = document.createElementNS(SVG, "text");

		probe.textContent = "M".repeat(100);
		byId("frames").parentNode.append(probe);
		const width = probe.getComputedTextLength() / 100;
		probe.remove();
		return width || 7.2;
	}

	const characterWidth = measureCharacter();

	function cut(name, characters) {
		if (characters < CHARACTERS_MIN)
			return "";
		if (name.length <= characters)
			return name;
		const all = Array.from(name);
		return all.length <= characters ? name : all.slice(0, characters - 1).join("") + "…";
	}

	// Characters other than ASCII may be wider.
	function fitText(box, width) {
		let characters = Math.floor((width - 2 * INDENT) / characterWidth);

		box.text.textContent = cut(box.name, characters);
		if (/^[ -~]*$/.test(box.name))
			return;
		while (box.text.textContent && box.text.getComputedTextLength() > width - 2 * INDENT)
			box.text.textContent = cut(box.name, --characters);
	}

	function isOuter(box) {
		return box.y > zoomed.y && box.start <= zoomed.start &&
			box.start + box.width >= zoomed.start + zoomed.width;
	}

	function isInner(box) {
		return box.y <= zoomed.y && box.start >= zoomed.start &&
			box.start + box.width <= zoomed.start + zoomed.width;
	}

	function place(box, pixels) {
		const outer = isOuter(box);
		const shown = outer || isInner(box);

		box.group.classList.toggle("outer", outer);
		box.group.classList.toggle("hidden", !shown);
		if (!shown)
			return;
		const scale = pixels / zoomed.width;
		const x = outer ? 0 : (box.start - zoomed.start) * scale;
		const width = outer ? pixels : box.width * scale;
		box.rect.setAttribute("x", (MARGIN + x).toFixed(2));
		box.rect.setAttribute("width", width.toFixed(2));
		box.text.setAttribute("x", (MARGIN + x + INDENT).toFixed(2));
		fitText(box, width);
	}

	function layout() {
		const width = Math.max(svg.getBoundingClientRect().width, 4 * MARGIN);

		for (const box of boxes)
			place(box, width - 2 * MARGIN);
	}

	function zoom(box) {
		zoomed = box;
		reset.hidden = box === boxes[0];
		layout();
		showShare();
		noteView();
	}

	// ---- search ----------------------------------------------------------------------------

	// The share of the shown samples that have a match somewhere in their stack.
	function matchedWidth() {
		let sum = 0;

		for (const box of boxes) {
			if (isOuter(box))
				box.isCounted = box.matches;
			else if (isInner(box))
				box.isCounted = box.matches || (box.parent && box.parent.isCounted);
			else
				continue;
			if (box.isCounted && !(box.parent && box.parent.isCounted))
				sum += Math.min(box.width, zoomed.width);
		}
		return sum;
	}

	function showShare() {
		if (!input.value || input.validationMessage)
			return;
		matched.textContent = "matched " + (100 * matchedWidth() / zoomed.width).toFixed(2) + " %";
	}

	// Case matters if the pattern has capitals.
	function compile(pattern) {
		try {
			input.setCustomValidity("");
			return pattern ? new RegExp(pattern, /[A-Z]/.test(pattern) ? "" : "i") : null;
		} catch (error) {
			input.setCustomValidity(error.message);
			return null;
		}
	}

	function search() {
		const pattern = compile(input.value);

		for (const box of boxes) {
			box.matches = pattern !== null && (pattern.test(box.name) || pattern.test(box.file));
			box.group.classList.toggle("match", box.matches);
		}
		matched.textContent = input.validationMessage ? "not a regular expression" : "";
		showShare();
		noteView();
	}

	// ---- the address -----------------------------------------------------------------------

	// "#box=12&search=vfs_": a link to the picture shows the same part of it.
	function noteView() {
		const view = new URLSearchParams();

		if (zoomed !== boxes[0])
			view.set("box", boxes.indexOf(zoomed));
		if (input.value)
			view.set("search", input.value);
		history.replaceState(null, "", `#${view}`);
	}

	function restoreView() {
		const view = new URLSearchParams(location.hash.slice(1));

		input.value = view.get("search") || "";
		zoom(boxes[view.get("box")] || boxes[0]);
		search();
	}

	// ---- controls --------------------------------------------------------------------------

	// A bar that stays at its place in the window, with a background.
	function makeBar(y, height, contents) {
		const group = document.createElementNS(SVG, "g");
		const ground = document.createElementNS(SVG, "rect");

		ground.setAttribute("y", y);
		ground.setAttribute("width", "100%");
		ground.setAttribute("height", height);
		ground.setAttribute("class", "ground");
		group.append(ground, ...contents);
		svg.append(group);
		return group;
	}

	function element(name, properties, parent) {
		const made = Object.assign(document.createElementNS(XHTML, name), properties);

		parent.append(made);
		return made;
	}

	const controls = document.createElementNS(SVG, "foreignObject");
	controls.setAttribute("x", MARGIN);
	controls.setAttribute("y", "50");
	controls.setAttribute("width", CONTROLS_WIDTH);
	controls.setAttribute("height", "26");
	const header = makeBar(0, TOP, [byId("heading"), byId("details"), controls]);
	const height = Number(svg.getAttribute("height"));
	const footer = makeBar(height - BOTTOM, BOTTOM, [status]);
	const bar = element("div", { id: "controls" }, controls);
	const label = element("label", { textContent: "Search" }, bar);
	const input = element("input", {
		id: "search", type: "search", placeholder: "name or file (Ctrl-F)",
		title: "a regular expression; capitals match exactly",
	}, label);
	const reset = element("button", { id: "reset", textContent: "Reset zoom", hidden: true }, bar);
	const matched = element("span", { id: "matched" }, bar);

	reset.addEventListener("click", () => zoom(boxes[0]));
	input.addEventListener("input", search);

	function moveBars() {
		const below = Math.max(0, height - window.innerHeight - window.scrollY);

		header.setAttribute("transform", `translate(0 ${window.scrollY})`);
		footer.setAttribute("transform", `translate(0 ${-below})`);
	}

	// ---- mouse and keyboard ----------------------------------------------------------------

	function boxAt(event) {
		const group = event.target.closest("#frames > g");

		return group ? group.box : null;
	}

	function showStatus(event) {
		const box = boxAt(event);

		status.textContent = box ? `${box.name}  (${box.file})  ${box.count}` : nothing;
	}

	function widest(boxes) {
		return boxes.reduce((best, box) => best && best.width >= box.width ? best : box, null);
	}

	function sibling(box, distance) {
		const all = box.parent ? box.parent.children : [box];

		return all[all.indexOf(box) + distance];
	}

	const inward = (box) => widest(box.children), outward = (box) => box.parent;
	const moves = {
		ArrowUp: isInverted ? outward : inward,
		ArrowDown: isInverted ? inward : outward,
		ArrowLeft: (box) => sibling(box, -1),
		ArrowRight: (box) => sibling(box, 1),
	};

	function moveFocus(event, box) {
		const next = moves[event.key](box);

		event.preventDefault();
		if (next && (isOuter(next) || isInner(next)))
			next.group.focus();
	}

	function onKey(event) {
		const box = boxAt(event);

		if ((event.ctrlKey || event.metaKey) && event.key === "f") {
			event.preventDefault();
			input.select();
		} else if (event.key === "Escape") {
			input.value = "";
			search();
			zoom(boxes[0]);
		} else if (box && event.key === "Enter") {
			zoom(box);
		} else if (box && event.key in moves) {
			moveFocus(event, box);
		}
	}

	byId("frames").addEventListener("click", (event) => {
		const box = boxAt(event);

		if (box)
			zoom(box);
	});
	svg.addEventListener("mouseover", showStatus);
	svg.addEventListener("focusin", showStatus);
	window.addEventListener("keydown", onKey);
	window.addEventListener("resize", () => { layout(); moveBars(); });
	window.addEventListener("scroll", moveBars);

	// Without a script the picture has a fixed width, with it that of the window.
	svg.removeAttribute("viewBox");
	svg.setAttribute("width", "100%");
	restoreView();
	window.addEventListener("hashchange", restoreView);
	window.scrollTo(0, isInverted ? 0 : height); // where the outermost functions are
	moveBars();
})();
