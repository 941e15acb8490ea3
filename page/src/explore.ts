import type { Bench, Panel } from "./bench";
import { h } from "./dom";

export class ExplorePanel implements Panel {
  readonly element: HTMLElement = h("div", { class: "explore" });
  constructor(_: Bench) {}
  shown(): void {}
  hidden(): void {}
  textChanged(): void {}
}
