// The text: CodeMirror with what is known about places of it drawn in.
import { autocompletion, snippetCompletion, type Completion, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField, type Extension, type Range, type Text } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  WidgetType,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type DecorationSet,
  type KeyBinding,
} from "@codemirror/view";
import type { Place, Problem } from "./types";
import { colours, viper } from "./viper";

export type Mark = { place: Place | null; look: string; title?: string };
export type LineMark = { line: number; look: string; note?: string; title?: string };
type Drawn = { layer: string; marks: Mark[]; lines: LineMark[] };

const draw = StateEffect.define<Drawn>();

export function offsetsOf(doc: Text, place: Place): { from: number; to: number } {
  const at = ([line, unit]: [number, number]): number => {
    if (line >= doc.lines) return doc.length;
    const found = doc.line(line + 1);
    return Math.min(found.from + unit, found.to);
  };
  const from = at(place.from);
  return { from, to: Math.max(from, at(place.to)) };
}

class Note extends WidgetType {
  constructor(
    readonly text: string,
    readonly look: string,
  ) {
    super();
  }
  override eq(other: Note): boolean {
    return other.text === this.text && other.look === this.look;
  }
  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = `note note-${this.look}`;
    element.textContent = this.text;
    return element;
  }
}

/** The lines of a place without the spaces in front of them and behind. */
function written(doc: Text, from: number, to: number): { from: number; to: number }[] {
  const found = [];
  for (let at = from; at < to; ) {
    const line = doc.lineAt(at);
    const end = Math.min(line.to, to);
    const text = doc.sliceString(at, end);
    const words = text.trim();
    const start = at + text.indexOf(words);
    if (words) found.push({ from: start, to: start + words.length });
    at = line.to + 1;
  }
  return found;
}

function decorations(doc: Text, drawn: Drawn): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { place, look, title } of drawn.marks) {
    if (!place || place.file !== "") continue;
    const { from, to } = offsetsOf(doc, place);
    const attributes = title ? { title } : undefined;
    const mark = Decoration.mark({ class: `mark-${look}`, attributes });
    for (const part of written(doc, from, to)) found.push(mark.range(part.from, part.to));
  }
  for (const { line, look, note, title } of drawn.lines) {
    if (line >= doc.lines) continue;
    const at = doc.line(line + 1);
    const attributes = title ? { title } : undefined;
    found.push(Decoration.line({ class: `line-${look}`, attributes }).range(at.from));
    if (note) found.push(Decoration.widget({ widget: new Note(note, look), side: 1 }).range(at.to));
  }
  return Decoration.set(found, true);
}

// One field holds all layers; a text that changes moves them along.
const layers = StateField.define<Map<string, DecorationSet>>({
  create: () => new Map(),
  update(value, transaction) {
    let next = value;
    if (transaction.docChanged) {
      next = new Map([...value].map(([name, set]) => [name, set.map(transaction.changes)]));
    }
    for (const effect of transaction.effects) {
      if (effect.is(draw)) {
        next = new Map(next);
        next.set(effect.value.layer, decorations(transaction.newDoc, effect.value));
      }
    }
    return next;
  },
  provide: (field) =>
    EditorView.decorations.computeN([field], (state) => [...state.field(field).values()]),
});

export type Helpers = {
  changed: (text: string) => void;
  hover: (line: number, character: number) => Promise<string | null>;
  complete: (line: number, character: number) => Promise<Completion[]>;
  clicked: (offset: number, event: MouseEvent) => void;
  keys: KeyBinding[];
};

export class Editor {
  readonly view: EditorView;
  private readonly writable = new Compartment();

  constructor(parent: HTMLElement, nonce: string, helpers: Helpers) {
    const place = (offset: number): [number, number] => {
      const line = this.view.state.doc.lineAt(offset);
      return [line.number - 1, offset - line.from];
    };
    const hover = hoverTooltip(async (_, offset) => {
      const text = await helpers.hover(...place(offset));
      if (!text) return null;
      return {
        pos: offset,
        create: () => {
          const dom = document.createElement("pre");
          dom.className = "hover";
          dom.textContent = text;
          return { dom };
        },
      };
    });
    const complete = async (context: CompletionContext) => {
      const word = context.matchBefore(/[A-Za-z0-9_$]*/);
      const dot = context.pos > 0 && context.state.sliceDoc(context.pos - 1, context.pos) === ".";
      if (!context.explicit && !dot && (!word || word.from === word.to)) return null;
      const options = await helpers.complete(...place(context.pos));
      return { from: word ? word.from : context.pos, options, validFor: /^[A-Za-z0-9_$]*$/ };
    };
    const extensions: Extension[] = [
      nonce ? EditorView.cspNonce.of(nonce) : [],
      lineNumbers(),
      lintGutter(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      indentOnInput(),
      bracketMatching(),
      highlightSelectionMatches(),
      search({ top: true }),
      autocompletion({ override: [complete] }),
      viper,
      colours,
      hover,
      layers,
      EditorState.tabSize.of(2),
      this.writable.of(EditorState.readOnly.of(false)),
      keymap.of([...helpers.keys, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) helpers.changed(update.state.doc.toString());
      }),
      EditorView.domEventHandlers({
        click: (event, view) => {
          const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (offset !== null) helpers.clicked(offset, event);
        },
      }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ doc: "", extensions }) });
    this.view.scrollDOM.tabIndex = 0;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
  }

  get isReadOnly(): boolean {
    return this.view.state.readOnly;
  }

  // Writes changes into the text, all at once: one step back takes them away.
  write(edits: { place: Place | null; text: string }[]): void {
    const changes = edits.flatMap(({ place, text }) => (place ? [{ ...offsetsOf(this.view.state.doc, place), insert: text }] : []));
    this.view.dispatch({ changes, scrollIntoView: true });
    this.view.focus();
  }

  readOnly(): void {
    this.view.dispatch({ effects: this.writable.reconfigure(EditorState.readOnly.of(true)) });
  }

  draw(layer: string, marks: Mark[], lines: LineMark[] = []): void {
    this.view.dispatch({ effects: draw.of({ layer, marks, lines }) });
  }

  diagnose(problems: Problem[]): void {
    const doc = this.view.state.doc;
    const found: Diagnostic[] = problems.map((problem) => {
      const inside = problem.place && problem.place.file === "" ? offsetsOf(doc, problem.place) : { from: 0, to: 0 };
      const severity = problem.severity === "error" ? "error" : problem.severity === "warning" ? "warning" : "info";
      const message = problem.help ? `${problem.title}\n${problem.help}` : problem.title;
      return { ...inside, severity, message, source: problem.id };
    });
    found.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  show(place: Place | null, focus = false): void {
    if (!place || place.file !== "") return;
    const { from, to } = offsetsOf(this.view.state.doc, place);
    const effects = EditorView.scrollIntoView(from, { y: "center" });
    if (focus) {
      this.view.dispatch({ selection: { anchor: from, head: to }, effects });
      this.view.focus();
    } else this.view.dispatch({ effects });
  }

  offsets(place: Place): { from: number; to: number } {
    return offsetsOf(this.view.state.doc, place);
  }
}

export function completion(label: string, detail: string, kind: string, insert: string | null): Completion {
  const plain: Completion = { label, detail, type: kind };
  return insert ? snippetCompletion(insert.replaceAll(/\$(\d+)/g, "${$1}"), plain) : plain;
}
