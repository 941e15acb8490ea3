// The way to answers: a socket to the server, or what was put into a report.

type Data = Record<string, unknown>;
export type Asked<T> = { id: number; answer: Promise<T>; cancel: () => void };

export class Failed extends Error {}

export interface Link {
  readonly live: boolean;
  ask<T>(kind: string, data?: Data, event?: (event: Data) => void): Asked<T>;
}

type Waiting = {
  done: (data: Data) => void;
  failed: (error: Error) => void;
  event?: (event: Data) => void;
};

const PAUSES = [300, 800, 2000, 4000];

export class SocketLink implements Link {
  readonly live = true;
  private socket: WebSocket | null = null;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private tries = 0;
  private queue: string[] = [];

  constructor(
    private readonly address: string,
    private readonly changed: (state: "open" | "lost") => void,
    private readonly stale: (of: number) => void,
  ) {
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.changed("open");
      for (const text of this.queue.splice(0)) socket.send(text);
    };
    socket.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as Data);
    socket.onclose = () => {
      for (const waiting of this.waiting.values()) waiting.failed(new Failed("the server is gone"));
      this.waiting.clear();
      this.queue = [];
      this.changed("lost");
      const pause = PAUSES[Math.min(this.tries++, PAUSES.length - 1)];
      setTimeout(() => this.connect(), pause);
    };
  }

  private hear(data: Data): void {
    const id = Number(data.id);
    if (data.kind === "stale") this.stale(id);
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    if (data.kind === "done") {
      this.waiting.delete(id);
      waiting.done(data);
    } else if (data.kind === "failed") {
      this.waiting.delete(id);
      waiting.failed(new Failed(String(data.message)));
    } else waiting.event?.(data);
  }

  ask<T>(kind: string, data: Data = {}, event?: (event: Data) => void): Asked<T> {
    const id = this.next++;
    const text = JSON.stringify({ id, kind, ...data });
    const answer = new Promise<T>((done, failed) => {
      this.waiting.set(id, { done: done as (data: Data) => void, failed, event });
    });
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.queue.push(text);
    const cancel = () => {
      if (this.waiting.has(id)) void this.ask("cancel", { of: id }).answer.catch(() => {});
    };
    return { id, answer, cancel };
  }
}

export type Recorded = { answers: Record<string, Data>; events: Record<string, Data[]> };

// A report holds the answers to all questions that it can be asked.
export class OfflineLink implements Link {
  readonly live = false;
  constructor(private readonly recorded: Recorded) {}

  ask<T>(kind: string, data: Data = {}, event?: (event: Data) => void): Asked<T> {
    const key = keyOf(kind, data);
    const found = this.recorded.answers[key];
    const answer = Promise.resolve().then(() => {
      if (!found) throw new Failed("this report does not hold that: open the program in the workbench");
      for (const one of this.recorded.events[key] ?? []) event?.(one);
      return found as T;
    });
    return { id: 0, answer, cancel: () => {} };
  }
}

// The text is the same for all questions of a report.
function keyOf(kind: string, data: Data): string {
  const parts = Object.entries(data)
    .filter(([name, value]) => name !== "text" && name !== "path" && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .sort();
  return [kind, ...parts].join(" ");
}
