// What the words of the page mean, for somebody who reads them for the first time.

export const RULES: Record<string, string> = {
  member: "the whole proof of this member",
  produce: "taken as given here: what it says is assumed, the permissions that it names are added",
  consume: "asked for here: what it says is checked, the permissions that it names are given away",
  execute: "a statement is carried out",
  evaluate: "an expression is given its value; reading a field needs permission to it",
  branch: "from here on this way assumes one side of a condition",
  failure: "the check that fails",
  join: "ways that meet again go on as one",
};

export const WORDS: [string, string][] = [
  ["produce, consume", "a precondition is produced (assumed, its permissions come in), a postcondition is consumed (checked, its permissions go)"],
  ["permission", "the right to a field of an object: write is all of it, a part such as 1/2 is enough to read"],
  ["store", "the variables and their values"],
  ["heap", "the fields and predicate instances that permission is held to, with their values"],
  ["predicate instance", "a named bundle of permissions, such as list(x); unfold opens it, fold closes it. Drawn round"],
  ["path conditions", "what is known on this way through the program"],
  ["had, was", "what was held, or what a value was, when the method began"],
  ["old[line 14](x.f)", "the value that line 14 brought for x.f"],
  ["some Int", "a value that only the path conditions say something about"],
  ["counterexample", "values in which the check fails; checked and replayed: an interpreter has run the method on them"],
  ["undecided", "neither proved nor refuted: no success"],
];
