// A heap graph: drawn by the server, moved, zoomed, dragged and asked about here.
import type { Bench } from "./bench";
import { copyButton, download, fill, h } from "./dom";
import type { GraphNode, Instance, InstanceAnswer } from "./types";

const SVG = "http://www.w3.org/2000/svg";
const FORBIDDEN = new Set(["script", "foreignobject", "a", "style", "image", "use"]);

export type Target = { member: string; step?: number; failure?: number };

// Only shapes and texts come in, whatever the names in the program are.
export function svgOf(text: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.namespaceURI !== SVG || root.localName !== "svg") return null;
  const svg = document.importNode(root, true) as unknown as SVGSVGElement;
  for (const element of [...svg.querySelectorAll("*")]) {
    if (FORBIDDEN.has(element.localName.toLowerCase())) element.remove();
    for (const attribute of [...element.attributes]) {
      if (/^on|href$/i.test(attribute.name)) element.removeAttribute(attribute.name);
    }
  }
  return svg;
}

type Point = { x: number; y: number };

class Canvas {
  readonly element: HTMLElement;
  private svg: SVGSVGElement | null = null;
  private box = { x: 0, y: 0, w: 100, h: 100 };
  private whole = this.box;
  private moved = new Map<string, Point>();

  constructor(private readonly clicked: (name: string) => void) {
    this.element = h("div", { class: "canvas" });
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("pointerdown", (event) => this.grab(event));
  }

  show(text: string, label: string): void {
    const svg = svgOf(text);
    if (!svg) return;
    const box = svg.viewBox.baseVal;
    this.whole = { x: box.x, y: box.y, w: box.width, h: box.height };
    this.box = { ...this.whole };
    this.moved.clear();
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", label);
    svg.querySelector("g.graph > polygon")?.setAttribute("fill", "none"); // the ground of the page is behind it
    this.svg = svg;
    for (const group of svg.querySelectorAll<SVGGElement>("g.node")) this.prepare(group);
    for (const title of [...svg.querySelectorAll("title")]) {
      title.parentElement?.setAttribute("data-name", title.textContent ?? "");
      title.remove();
    }
    this.element.replaceChildren(svg);
    // Small pictures are not blown up: at most a little more than their own size.
    const scale = Math.min(1.3, this.element.clientWidth / this.whole.w);
    this.element.style.height = `${Math.round(Math.min(520, Math.max(170, this.whole.h * scale)))}px`;
    this.fit();
  }

  private prepare(group: SVGGElement): void {
    const name = group.querySelector("title")?.textContent ?? "";
    if (!name.startsWith("o_") && !/^i\d+$/.test(name)) return;
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-description", name.startsWith("o_") ? "an object: lists its fields" : "folds or unfolds");
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.clicked(name);
      }
    });
  }

  fit(): void {
    this.box = { ...this.whole };
    this.apply();
  }

  zoom(factor: number, at?: Point): void {
    const { x, y, w, h: height } = this.box;
    const px = at ? at.x : x + w / 2;
    const py = at ? at.y : y + height / 2;
    const scale = Math.min(Math.max(w / factor, this.whole.w / 12), this.whole.w * 3) / w;
    this.box = { x: px - (px - x) * scale, y: py - (py - y) * scale, w: w * scale, h: height * scale };
    this.apply();
  }

  private apply(): void {
    const { x, y, w, h: height } = this.box;
    this.svg?.setAttribute("viewBox", `${x} ${y} ${w} ${height}`);
  }

  private point(event: MouseEvent): Point {
    const matrix = this.svg?.getScreenCTM()?.inverse();
    const found = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x: found.x, y: found.y };
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return; // plain wheels move the panel
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.point(event));
  }

  private grab(event: PointerEvent): void {
    if (!this.svg || event.button !== 0) return;
    const group = (event.target as Element).closest<SVGGElement>("g.node");
    const start = this.point(event);
    const box = { ...this.box };
    const name = group?.dataset.name ?? "";
    const before = this.moved.get(name) ?? { x: 0, y: 0 };
    let far = false;
    const move = (later: PointerEvent): void => {
      far ||= Math.hypot(later.clientX - event.clientX, later.clientY - event.clientY) > 4;
      if (!far) return;
      const here = this.point(later);
      if (group) this.drag(name, { x: before.x + here.x - start.x, y: before.y + here.y - start.y });
      else {
        this.box = { ...this.box, x: this.box.x + start.x - here.x, y: this.box.y + start.y - here.y };
        this.apply();
      }
    };
    const up = (): void => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      if (!far) this.box = box;
      if (!far && group?.getAttribute("role") === "button") this.clicked(name);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
  }

  // Edges follow: each point of a line moves as far as the end that it is nearer to.
  private drag(name: string, to: Point): void {
    this.moved.set(name, to);
    for (const group of this.svg?.querySelectorAll<SVGGElement>("g.node") ?? []) {
      if (group.dataset.name === name) group.setAttribute("transform", `translate(${to.x} ${to.y})`);
    }
    for (const edge of this.svg?.querySelectorAll<SVGGElement>("g.edge") ?? []) {
      const ends = (edge.dataset.name ?? "").split("->").map((end) => end.split(":")[0]);
      if (ends.includes(name)) this.bend(edge, ends);
    }
  }

  private bend(edge: SVGGElement, [tail, head]: string[]): void {
    const none = { x: 0, y: 0 };
    const a = this.moved.get(tail) ?? none;
    const b = this.moved.get(head) ?? none;
    for (const path of edge.querySelectorAll("path")) {
      const own = (path.dataset.own ??= path.getAttribute("d") ?? "");
      const numbers = own.match(/-?[\d.]+/g)?.map(Number) ?? [];
      const last = Math.max(1, numbers.length / 2 - 1);
      let at = 0;
      path.setAttribute(
        "d",
        own.replaceAll(/-?[\d.]+/g, (text) => {
          const t = Math.floor(at / 2) / last;
          const shift = at++ % 2 ? (1 - t) * a.y + t * b.y : (1 - t) * a.x + t * b.x;
          return (Number(text) + shift).toFixed(2);
        }),
      );
    }
    for (const arrow of edge.querySelectorAll("polygon, polyline")) arrow.setAttribute("transform", `translate(${b.x} ${b.y})`);
    for (const text of edge.querySelectorAll("text")) {
      text.setAttribute("transform", `translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2})`);
    }
  }
}

function savePng(name: string, text: string): void {
  const svg = svgOf(text);
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("width", String(width * 2));
  svg.setAttribute("height", String(height * 2));
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = width * 2;
    canvas.height = height * 2;
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    canvas.toBlob((blob) => blob && download(name, blob));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
}

export class GraphView {
  readonly element: HTMLElement;
  private readonly canvas = new Canvas((name) => this.touched(name));
  private readonly details = h("div", { class: "details", "aria-live": "polite" });
  private readonly note = h("p", { class: "caption" });
  private readonly next = h("button", { type: "button", click: () => this.ask(this.number + 1) }, "Next instance");
  private readonly first = h("button", { type: "button", class: "small", hidden: true, click: () => this.ask(0) }, "First");
  private readonly where = h("input", {
    type: "text",
    class: "where",
    placeholder: "constraint: x != null",
    "aria-label": "Constraint on the instance",
    spellcheck: "false",
  });
  private readonly objects = h("input", { type: "number", min: "1", max: "12", value: "6", "aria-label": "At most this many objects" });
  private readonly more = h("div", { class: "exports" });
  private readonly table = h("div", { class: "as-table" });
  private target: Target | null = null;
  private number = 0;
  private answer: InstanceAnswer | null = null;
  private folded = new Set<string>();
  private turn = 0;
  drawn: (answer: InstanceAnswer | null) => void = () => {};

  constructor(private readonly bench: Bench) {
    const again = (event: Event): void => {
      event.preventDefault();
      this.ask(0);
    };
    const tools = h(
      "form",
      { class: "graph-tools", submit: again },
      this.next,
      this.first,
      this.where,
      h("button", { type: "submit" }, "Apply"),
      h("label", { class: "count" }, "objects ≤ ", this.objects),
    );
    const zoom = h(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      h("button", { type: "button", "aria-label": "Zoom in", click: () => this.canvas.zoom(1.3) }, "+"),
      h("button", { type: "button", "aria-label": "Zoom out", click: () => this.canvas.zoom(1 / 1.3) }, "−"),
      h("button", { type: "button", "aria-label": "Fit", click: () => this.canvas.fit() }, "⤢"),
    );
    const body = h("div", { class: "graph-body" }, this.canvas.element, zoom);
    this.element = h("section", { class: "graph", "aria-label": "Heap graph" }, this.note, bench.link.live && tools, body, this.details, this.table, this.more);
    bench.themed(() => this.draw());
  }

  async ask(number: number): Promise<void> {
    if (!this.target) return;
    const turn = ++this.turn;
    const where = this.where.value.split(";").map((line) => line.trim()).filter(Boolean);
    this.note.textContent = "looking for an instance …";
    this.note.className = "caption waiting";
    const question = {
      ...this.target,
      number,
      objects: Number(this.objects.value) || 6,
      where,
      folded: [...this.folded],
    };
    try {
      const answer = await this.bench.link.ask<InstanceAnswer>("instance", question).answer;
      if (turn !== this.turn) return;
      this.number = answer.last ? Math.max(0, number - 1) : number;
      this.answer = answer;
      this.draw();
      if (answer.last && number > 0) this.note.append(h("span", { class: "hint" }, " There is no instance of another shape."));
      this.next.disabled = Boolean(answer.last && number > 0) || !answer.found;
      this.first.hidden = this.number === 0;
    } catch (error) {
      if (turn !== this.turn) return;
      this.answer = null;
      this.draw();
      this.note.textContent = String((error as Error).message);
      this.note.className = "caption bad";
    }
  }

  show(target: Target): Promise<void> {
    this.target = target;
    this.folded.clear();
    this.number = 0;
    return this.ask(0);
  }

  clear(): void {
    this.turn++;
    this.target = null;
    this.answer = null;
    this.draw();
    this.note.textContent = "";
  }

  private draw(): void {
    const answer = this.answer;
    this.element.dataset.step = answer ? String(this.target?.step ?? "") : "";
    this.drawn(answer);
    fill(this.details);
    fill(this.table);
    fill(this.more);
    this.canvas.element.hidden = !answer?.found;
    if (!answer) return;
    if (!answer.found) {
      this.note.className = "caption";
      const { message, because, advice } = answer.result;
      fill(
        this.note,
        h("strong", {}, `No instance: ${message}`),
        because.length > 0 && h("ul", {}, ...because.map((one) => h("li", {}, `because: ${one.text}`))),
        advice.length > 0 && h("ul", {}, ...advice.map((one) => h("li", {}, one))),
      );
      return;
    }
    const { result, graph } = answer;
    this.note.className = "caption";
    fill(this.note, h("strong", {}, result.caption), " ", h("span", { class: `standing ${result.standing}`, title: [...result.confirmed, ...result.doubts].join("\n") }, graph.note));
    this.canvas.show(answer.svg[this.bench.theme()], `Heap graph: ${result.caption}`);
    this.tabulate(answer);
    this.exports(answer);
  }

  private tabulate({ graph, result }: Instance): void {
    const objects = graph.nodes.map((node) => h("li", {}, `${node.name}: ${rowsOf(node).join(", ") || "no fields held"}`));
    const variables = result.variables.map((v) => h("li", {}, `${v.name} = ${v.value.text}`));
    const frames = graph.frames.map((frame) => h("li", {}, frame.amount === "missing" ? `missing: ${frame.kind} ${frame.text}` : `${frame.ghost ? "was held: " : ""}${frame.kind} ${frame.text}, ${frame.amount}${was(frame.had, "")}${frame.inside.length > 0 ? `, inside: ${frame.inside.join(", ")}` : ""}`));
    fill(this.table, h("details", {}, h("summary", {}, "The same as text"), h("ul", {}, ...variables, ...objects, ...frames)));
  }

  private exports(answer: Instance): void {
    const name = answer.result.member;
    const svg = answer.svg.titled;
    fill(
      this.more,
      h("span", { class: "hint" }, "Export "),
      h("button", { type: "button", class: "small", click: () => download(`${name}.svg`, svg, "image/svg+xml") }, "SVG"),
      h("button", { type: "button", class: "small", click: () => savePng(`${name}.png`, svg) }, "PNG"),
      h("button", { type: "button", class: "small", click: () => download(`${name}.dot`, answer.dot) }, "DOT"),
      this.bench.link.live && h("button", { type: "button", class: "small", click: () => this.alloy(name) }, "Alloy"),
      copyButton(() => answer.dot, "Copy DOT"),
    );
  }

  private async alloy(name: string): Promise<void> {
    const { member, step, failure } = this.target ?? { member: name };
    try {
      const { text } = await this.bench.link.ask<{ text: string }>("alloy", { member, step, failure }).answer;
      download(`${name}.als`, text);
    } catch (error) {
      this.bench.say(String((error as Error).message));
    }
  }

  private touched(name: string): void {
    const answer = this.answer;
    if (!answer?.found) return;
    if (name.startsWith("o_")) {
      const node = answer.graph.nodes.find((one) => one.name === name.slice(2));
      if (node) this.describe(node);
      return;
    }
    const frame = answer.graph.frames[Number(name.slice(1))];
    if (!frame || !this.bench.link.live) return;
    if (this.folded.has(frame.text)) this.folded.delete(frame.text);
    else this.folded.add(frame.text);
    void this.ask(this.number);
  }

  private describe(node: GraphNode): void {
    const sets = node.sets.length > 0 ? ` in ${node.sets.join(", ")}` : "";
    const rows = node.rows.map((row) =>
      h(
        "tr",
        { class: row.focus ? "focus" : row.ghost ? "ghost" : null },
        h("th", { scope: "row" }, row.field),
        h("td", {}, row.value),
        h("td", {}, row.before === null ? "" : `${row.before}${row.since && ` at ${row.since}`}`),
        h("td", {}, row.ghost ? `had ${row.amount}` : `${row.amount}${was(row.had, row.since)}`),
      ),
    );
    const head = h("tr", {}, ...["field", "value", "was", "held"].map((text) => h("th", { scope: "col" }, text)));
    fill(
      this.details,
      h("h4", {}, `${node.name}${sets}`),
      rows.length > 0 ? h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)) : h("p", {}, "No field of it is held."),
    );
  }
}

function rowsOf(node: GraphNode): string[] {
  return node.rows.map((row) => `${row.field} ${row.ghost ? "was" : "="} ${row.value}${was(row.before, row.since)} (${row.ghost ? "had " : ""}${row.amount}${was(row.had, row.since)})`);
}

// What something was in an earlier state, where that differs.
function was(before: string | null, since: string): string {
  return before === null ? "" : `, was ${before}${since && ` at ${since}`}`;
}
