// Starts the server, shows what it says. All knowledge is in `pitviper`.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

interface Held {
  location: string;
  value: string | null;
  amount: string;
  quantifier: string;
  when: string;
  contents: Held[];
}

interface StateAt {
  text: string;
  after: boolean;
  start: [number, number];
  store: { name: string; value: string }[];
  heap: Held[];
  oldHeaps: { label: string; heap: Held[] }[];
  conditions: string[];
  facts: string[];
  problems: string[];
  asked: { text: string; value: string | null; permission: string | null } | null;
}

interface StatesAt {
  member: string | null;
  reason: string | null;
  omitted: number;
  states: StateAt[];
}

interface Told {
  uri: string;
  state: string;
  version: number | null;
}

const SIGNS: Record<string, string> = {
  verified: "$(pass-filled) verified",
  refuted: "$(error) failed",
  undecided: "$(question) undecided",
  rejected: "$(error) errors",
  running: "$(sync~spin) verifying",
  stale: "$(circle-outline) not verified",
  cancelled: "$(circle-slash) stopped",
  crashed: "$(warning) crashed",
};

interface Painted {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  colour: string;
  message: string;
}

interface Colours {
  uri: string;
  version: number;
  places: Painted[];
}

interface Examples {
  failed: boolean;
  stopped: string | null;
  results: { title: string; found: boolean; lines: string[]; picture: string | null }[];
}

const PAINT: Record<string, vscode.TextEditorDecorationType> = {};
const INKS: Record<string, string> = {
  green: "rgba(40, 160, 70, 0.22)",
  yellow: "rgba(220, 180, 0, 0.28)",
  red: "rgba(220, 50, 40, 0.28)",
  "not reached": "rgba(128, 128, 128, 0.18)",
};
const colours = new Map<string, Colours>();

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;
/** What the panel shows, and the version of the text that it is about. */
let shown: { uri: string; version: number; title: string; body: string } | undefined;
const states = new Map<string, Told>();

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("pitviper");
}

function command(): string {
  return settings().get<string>("command") || "pitviper";
}

async function start(context: vscode.ExtensionContext, bar: vscode.StatusBarItem): Promise<void> {
  const words = ["lsp", "--pause", settings().get<string>("pause") || "0.6"];
  words.push("--backend", settings().get<string>("backend") || "symbolic");
  const timeout = settings().get<number>("timeout") || 0;
  if (timeout > 0) {
    words.push("--timeout", String(timeout));
  }
  const server: ServerOptions = { command: command(), args: words };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "viper" }, { language: "cool" }],
    initializationOptions: { clientCommands: true },
    middleware: {
      executeCommand: async (name, words, next) => {
        const about = opened(String(words[0]));
        const version = about?.version;
        const answer: unknown = await next(name, words);
        if (name === "pitviper.counterexample" && answer && about && version !== undefined) {
          showPage("Counterexample", examplesPage(answer as Examples), about, version);
        }
        return answer;
      },
    },
  };
  client = new LanguageClient("pitviper", "Pitviper", server, options);
  client.onNotification("pitviper/state", (told: Told) => {
    states.set(told.uri, told);
    show(bar);
  });
  client.onNotification("pitviper/colours", (told: Colours) => {
    colours.set(told.uri, told);
    paint();
  });
  client.onDidChangeState(() => {
    states.clear();
    colours.clear();
    paint();
    show(bar);
  });
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(`Pitviper: cannot start ${command()}: ${String(error)}`);
  }
}

function show(bar: vscode.StatusBarItem): void {
  const editor = vscode.window.activeTextEditor;
  const language = editor?.document.languageId;
  if (!editor || (language !== "viper" && language !== "cool")) {
    bar.hide();
    return;
  }
  const told = states.get(editor.document.uri.toString());
  const current = told !== undefined && told.version === editor.document.version;
  bar.text = current ? (SIGNS[told.state] ?? told.state) : SIGNS.stale;
  bar.show();
}

/** Paints assertions of the versions that colours are about; older ones are gone. */
function paint(): void {
  for (const editor of vscode.window.visibleTextEditors) {
    const told = colours.get(editor.document.uri.toString());
    const current = told !== undefined && told.version === editor.document.version;
    for (const [colour, type] of Object.entries(PAINT)) {
      const places = current ? told.places.filter((place) => place.colour === colour) : [];
      editor.setDecorations(
        type,
        places.map((place) => ({
          range: new vscode.Range(
            place.range.start.line,
            place.range.start.character,
            place.range.end.line,
            place.range.end.character,
          ),
          hoverMessage: place.message,
        })),
      );
    }
  }
}

function examplesPage(found: Examples): string {
  const parts = found.results.map((one) => {
    const lines = `<pre>${escape(one.lines.join("\n"))}</pre>`;
    return `<h2>${escape(one.title)}</h2>${one.picture ?? ""}${lines}`;
  });
  const none = found.failed ? "no counterexample was found" : "nothing failed";
  return parts.join("<hr>") || `<p>${escape(found.stopped ?? none)}</p>`;
}

function document(body: string): string {
  const head = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">';
  const style = "<style>svg { max-width: 100%; height: auto; background: white; } ul { padding-left: 1.4em; }</style>";
  return `<!doctype html><html><head>${head}${style}</head><body>${body}</body></html>`;
}

function opened(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
}

function showPage(title: string, body: string, about: vscode.TextDocument, version: number): void {
  if (!panel) {
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    panel = vscode.window.createWebviewPanel("pitviper.state", title, place, {});
    panel.onDidDispose(() => (panel = shown = undefined));
  }
  shown = { uri: about.uri.toString(), version, title, body };
  drawPanel();
}

/** Draws the panel; what is about an earlier version of its text says so. */
function drawPanel(): void {
  if (!panel || !shown) {
    return;
  }
  const isOld = opened(shown.uri)?.version !== shown.version;
  const words = "<p><b>This is about an earlier text: the program has changed since.</b></p>";
  const html = document(isOld ? `${words}<div style="opacity: 0.5">${shown.body}</div>` : shown.body);
  panel.title = isOld ? `${shown.title} (earlier text)` : shown.title;
  if (panel.webview.html !== html) {
    panel.webview.html = html;
  }
}

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function heap(held: Held[]): string {
  const lines = held.map((one) => {
    const value = one.value === null ? "" : ` = ${escape(one.value)}`;
    const when = one.when ? ` <i>if ${escape(one.when)}</i>` : "";
    const place = escape(`${one.quantifier} ${one.location}`.trim());
    return `<li><code>${place}${value}</code> (${escape(one.amount)})${when}${heap(one.contents)}</li>`;
  });
  return lines.length ? `<ul>${lines.join("")}</ul>` : "";
}

function list(title: string, items: string[]): string {
  const lines = items.map((item) => `<li><code>${escape(item)}</code></li>`).join("");
  return lines ? `<h3>${title}</h3><ul>${lines}</ul>` : "";
}

function page(found: StatesAt): string {
  const parts = found.states.map((state) => {
    const where = `line ${state.start[0]}${state.after ? ", behind" : ""}: ${state.text}`;
    const asked = state.asked;
    const under = asked === null ? [] : [
      `${asked.text}${asked.value === null ? "" : ` = ${asked.value}`}` +
        (asked.permission === null ? "" : ` (permission ${asked.permission})`),
    ];
    const olds = state.oldHeaps
      .map((old) => `<h3>${escape(old.label)}</h3>${heap(old.heap)}`)
      .join("");
    return (
      `<h2>${escape(where)}</h2>` +
      list("fails", state.problems) +
      list("under the cursor", under) +
      list("path", state.conditions) +
      list("store", state.store.map((one) => `${one.name} = ${one.value}`)) +
      `<h3>heap</h3>${heap(state.heap)}` +
      olds +
      list("known", state.facts)
    );
  });
  const reason = found.reason === null ? "" : `<p>${escape(found.reason)}</p>`;
  return `<h1>${escape(found.member ?? "")}</h1>${reason}${parts.join("<hr>")}`;
}

async function showState(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor) {
    return;
  }
  const version = editor.document.version;
  const found = await client.sendRequest<StatesAt | null>("pitviper/stateAt", {
    textDocument: { uri: editor.document.uri.toString() },
    position: editor.selection.active,
  });
  if (found === null) {
    void vscode.window.setStatusBarMessage("Pitviper: the text changed meanwhile", 3000);
    return;
  }
  showPage("State", page(found), editor.document, version);
}

async function run(name: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (client && editor) {
    await client.sendRequest("workspace/executeCommand", {
      command: name,
      arguments: [editor.document.uri.toString()],
    });
  }
}

async function launch(uri: vscode.Uri, more: Record<string, unknown>): Promise<void> {
  await opened(uri.toString())?.save();
  await vscode.debug.startDebugging(undefined, {
    type: "pitviper",
    request: "launch",
    name: "Proof",
    program: uri.fsPath,
    ...more,
  });
}

async function debugMember(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    await launch(editor.document.uri, { line: editor.selection.active.line + 1 });
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  for (const [colour, ink] of Object.entries(INKS)) {
    PAINT[colour] = vscode.window.createTextEditorDecorationType({ backgroundColor: ink });
    context.subscriptions.push(PAINT[colour]);
  }
  bar.command = "pitviper.verifyFile";
  context.subscriptions.push(
    bar,
    vscode.window.onDidChangeActiveTextEditor(() => show(bar)),
    vscode.window.onDidChangeVisibleTextEditors(paint),
    vscode.workspace.onDidChangeTextDocument(() => {
      show(bar);
      paint();
      drawPanel();
    }),
    vscode.commands.registerCommand("pitviper.colourFile", () => run("pitviper.wizard")),
    vscode.commands.registerCommand("pitviper.debug", (uri: string, member: string) =>
      launch(vscode.Uri.parse(uri), { member })),
    vscode.commands.registerCommand("pitviper.replay", (uri: string, method: string) =>
      launch(vscode.Uri.parse(uri), { method })),
    vscode.commands.registerCommand("pitviper.verifyFile", () => run("pitviper.verify")),
    vscode.commands.registerCommand("pitviper.stopFile", () => run("pitviper.stop")),
    vscode.commands.registerCommand("pitviper.showState", showState),
    vscode.commands.registerCommand("pitviper.debugMember", debugMember),
    vscode.commands.registerCommand("pitviper.restart", async () => {
      await client?.stop();
      await start(context, bar);
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory("pitviper", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(command(), ["dap"]),
    }),
  );
  await start(context, bar);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
