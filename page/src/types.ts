// What server and page say to each other. Places count lines and UTF-16 units from 0.

export type Place = { file: string; from: [number, number]; to: [number, number] };
export type Noted = { place: Place | null; text: string };

export type Condition = {
  text: string;
  holds: string;
  taken: boolean;
  place: Place | null;
  used: Place | null;
};

export type Problem = {
  id: string;
  severity: "error" | "warning" | "info" | string;
  title: string;
  message: string;
  help: string | null;
  member: string | null;
  place: Place | null;
  related: Noted[];
  conditions: Condition[];
  other_paths: number;
  history: Noted[];
  held: string[];
  notes: string[];
  cures?: Cure[];
};

// A change of the text that does what the help says.
export type Cure = { title: string; edits: { place: Place | null; text: string }[] };

export type Declared = { name: string; kind: string; place: Place | null };
export type Checked = { accepted: boolean; problems: Problem[]; members: Declared[] };

export type Verdict = "verified" | "refuted" | "undecided" | "rejected";
export type MemberVerdict = {
  member: string;
  declared: string;
  verdict: Verdict;
  seconds: number;
  problems: Problem[];
  undecided: Noted[];
  crash: string | null;
};
export type Verified = { verdict: Verdict; seconds: number; problems: Problem[] };

export type Hello = {
  version: string;
  folder: string;
  files: string[];
  writable: boolean;
  examples: { name: string; title: string }[];
  seconds: number;
};
export type Opened = { path: string; text: string; version: string };

export type ErrorView = {
  number: number;
  id: string;
  message: string;
  member: string;
  span: Place | null;
  offending: Place | null;
  branch: string[];
  chosen: boolean;
};
export type RecordedMember = {
  name: string;
  kind: string;
  span: Place | null;
  steps: number;
  failures: { error: ErrorView; step: number }[];
  crash: string | null;
};
export type Step = {
  n: number;
  in: number | null;
  rule: string;
  text: string;
  place: Place | null;
  ended: string;
  wrong: boolean;
  state: boolean;
  sides: [number | null, number | null];
  way: string;
};
export type Held = { location: string; value: string | null; amount: string; quantifier: string };
// `contents` is what is inside of a predicate instance, under the condition `when`.
export type HeldAt = Held & { when: string; contents: HeldAt[] };
export type Fact = {
  id: number;
  description: string | null;
  original: string | null;
  final: string | null;
  span: Place | null;
  children: Fact[];
  internal: boolean;
  removed: boolean;
  added: boolean;
};
export type SymbolicState = {
  step: number;
  previous: number | null;
  store: { name: string; value: string; before: string | null; is_new: boolean }[];
  heap: { view: HeldAt; is_new: boolean }[];
  gone: HeldAt[];
  old_heaps: [string, HeldAt[]][];
  facts: Fact[];
  new_facts: number[];
};
export type PathPoint = {
  step: number;
  span: Place | null;
  text: string;
  taken: boolean | null;
  changes: [string, string][];
};

export type Row = {
  field: string;
  value: string;
  amount: string;
  target: string | null;
  before: string | null;
  before_target: string | null;
  ghost: boolean;
  focus: boolean;
  had: string | null;
  since: string;
};
export type GraphNode = { name: string; rows: Row[]; sets: string[]; focus: boolean };
export type GraphFrame = {
  text: string;
  amount: string;
  targets: string[];
  kind: string;
  ghost: boolean;
  owns: Row[];
  inside: string[];
  had: string | null;
};
export type HeapGraph = {
  caption: string;
  note: string;
  nodes: GraphNode[];
  frames: GraphFrame[];
  variables: { name: string; value: string; focus: boolean; pinned: boolean }[];
  functions: { name: string; value: string }[];
};
export type Moment = { span: Place | null; values: [string, string][] };
export type Instance = {
  found: true;
  result: {
    member: string;
    finding: string | null;
    caption: string;
    standing: string;
    confirmed: string[];
    doubts: string[];
    number: number;
    variables: { name: string; type: string; value: { text: string } }[];
    trail: Moment[];
  };
  graph: HeapGraph;
  dot: string;
  svg: { light: string; dark: string; titled: string };
  last?: boolean;
};
export type NoInstance = {
  found: false;
  result: {
    absence: string;
    message: string;
    because: { text: string; span: Place | null }[];
    advice: string[];
  };
  last?: boolean;
};
export type InstanceAnswer = Instance | NoInstance;

export type Reply = { answer: string } & Record<string, unknown>;

export type Coloured = {
  shown: boolean; // the worst that is said about its text, which has that colour
  span: Place | null;
  text: string;
  member: string;
  error: string;
  colour: "green" | "yellow" | "red" | "not reached";
  why: string;
  ways: number;
  left: number;
  test: number | null;
};
export type TestView = { number: number; method: string; status: string; finding: string; line: number; inputs: string[] };
export type ExploredMethod = { method: string; claim: string; runs: number; covered: [number, number]; open: string[]; svg: string | null; own: boolean };
export type Explored = {
  places: Coloured[];
  tests: TestView[];
  lines: [number, number][];
  methods: ExploredMethod[];
  skipped: [string, string][];
};
export type ReplayStep = {
  method: string;
  span: Place | null;
  depth: number;
  values: [string, string][];
  cells: [string, string, string][];
};
export type Replay = { steps: ReplayStep[]; ending: string; fails: boolean };
