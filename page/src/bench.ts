// What the parts of the page share.
import type { Editor } from "./editor";
import type { Link } from "./link";
import type { Problem, RecordedMember } from "./types";

export interface Bench {
  readonly link: Link;
  readonly editor: Editor;
  text(): string;
  path(): string;
  theme(): "light" | "dark";
  themed(redraw: () => void): void;
  problems(): Problem[];
  declared(): string[]; // members of the text, in its order
  record(): Promise<RecordedMember[]>;
  tab(name: string): void;
  say(text: string): void;
}

export interface Panel {
  readonly element: HTMLElement;
  shown(): void;
  hidden(): void;
  textChanged(): void;
  forget?(): void; // what the server knew of the text is gone with it
}
