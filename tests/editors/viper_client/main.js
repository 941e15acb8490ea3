// A client that talks to its server as the Viper extension does: it starts a stand-in for Java, reads
// the port, connects with the same library, sends the same requests, and shows how each run ended.
const vscode = require("vscode");
const { spawn } = require("child_process");
const { appendFileSync } = require("fs");
const { connect } = require("net");
const { createInterface } = require("readline");
const { LanguageClient } = require("vscode-languageclient/node");

const ENDS = ["none", "verified", "parsing failed", "type checking failed", "failed", "aborted", "error", "timeout"];
const ARGS = {
  silicon: '--z3Exe "/usr/bin/z3" --logLevel INFO',
  carbon: '--z3Exe "/usr/bin/z3" --boogieExe "/usr/bin/boogie"',
};
const JAVA = "-Xmx2048m -Xss128m -cp a.jar:b.jar -server viper.server.ViperServerRunner --serverMode LSP --singleClient";

let client, server, bar;
let backend = "silicon";

const log = (text) => appendFileSync(process.env.VIPER_LOG, `${text}\n`);
const active = () => vscode.window.activeTextEditor.document;

function startServer() {
  return new Promise((resolve) => {
    server = spawn(`"${process.env.VIPER_JAVA}" ${JAVA}`, [], { shell: true });
    server.stderr.on("data", (text) => log(`stderr ${text}`));
    server.on("close", () => log("server ended"));
    createInterface({ input: server.stdout }).on("line", (line) => {
      const port = line.match(/<ViperServerPort:(\d+)>/);
      if (port) resolve(Number(port[1]));
    });
  });
}

async function start() {
  const port = await startServer();
  const streams = () =>
    new Promise((resolve) => {
      const socket = connect({ host: "localhost", port }, () => resolve({ reader: socket, writer: socket }));
    });
  const watcher = vscode.workspace.createFileSystemWatcher("**/{*.vpr,*.sil}");
  client = new LanguageClient("viperserver", "Viper", streams, {
    documentSelector: [{ scheme: "file", language: "viper" }],
    synchronize: { configurationSection: "viper", fileEvents: watcher },
  });
  client.onRequest("GetViperFileEndings", () => ({ fileEndings: ["*.vpr", "*.sil"] }));
  client.onRequest("SetupProject", () => null);
  client.onNotification("StateChange", changed);
  client.onNotification("VerificationNotStarted", ({ uri }) => log(`not started ${uri}`));
  await client.start();
  const version = await client.sendRequest("GetVersion", { clientVersion: "5.3.2" });
  log(`version ${version.serverVersion}`);
}

function changed({ newState, success, verificationCompleted, filename }) {
  if (newState === 6 && verificationCompleted === 1) bar.text = `V ${ENDS[success]} ${filename}`;
  else if (newState === 6) bar.text = "V ready";
  else if (newState === 2) bar.text = "V running";
  if (newState === 6) log(bar.text);
}

async function verify(manuallyTriggered) {
  const document = active();
  await client.sendNotification("Verify", {
    uri: document.uri.toString(),
    content: document.getText(),
    manuallyTriggered,
    workspace: vscode.workspace.workspaceFolders[0].uri.fsPath,
    backend,
    customArgs: ARGS[backend],
  });
}

async function asked(request, params) {
  log(`${request} ${JSON.stringify(await client.sendRequest(request, params))}`);
}

exports.activate = async (context) => {
  bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 10);
  bar.text = "V starting";
  bar.show();
  const commands = {
    "viper.verify": () => verify(true),
    "viper.stopVerification": () => asked("StopVerification", { uri: active().uri.toString() }),
    "viper.otherBackend": () => {
      backend = backend === "silicon" ? "carbon" : "silicon";
      return verify(false);
    },
    "viper.flushCache": () => asked("FlushCache", { uri: active().uri.fsPath, backend: "Symbolic Execution (silicon)" }),
    "viper.restart": async () => {
      await client.stop();
      server.kill("SIGTERM");
      await start();
      bar.text = "V restarted";
    },
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(vscode.workspace.onDidSaveTextDocument(() => verify(false)));
  await start();
  if (vscode.window.activeTextEditor) await verify(false);
};

exports.deactivate = () => client && client.stop();
