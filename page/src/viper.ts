// Colours for Viper while nothing is known about the text but its letters.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const KEYWORDS = new Set(
  ("import field method function predicate domain axiom define adt derives interpretation requires ensures " +
    "invariant decreases returns var new if elseif else while goto label fold unfold inhale exhale assert assume " +
    "refute quasihavoc quasihavocall package apply applying unfolding in let forall exists forperm asserting " +
    "old acc perm union intersection setminus subset unique unreachable class extends return this").split(" "),
);
const TYPES = new Set("Int Bool Ref Perm Rational Seq Set Multiset Map".split(" "));
const ATOMS = new Set("true false null none write wildcard epsilon result".split(" "));

export const viper = StreamLanguage.define<{ comment: boolean }>({
  name: "viper",
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      while (!stream.eol()) {
        if (stream.match("*/")) {
          state.comment = false;
          return "comment";
        }
        stream.next();
      }
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.comment = true;
      return "comment";
    }
    if (stream.match(/^"[^"]*"/)) return "string";
    if (stream.match(/^[0-9]+/)) return "number";
    const word = stream.match(/^[A-Za-z_$][A-Za-z0-9_$']*/) as RegExpMatchArray | null;
    if (word) {
      if (KEYWORDS.has(word[0])) return "keyword";
      if (TYPES.has(word[0])) return "typeName";
      if (ATOMS.has(word[0])) return "atom";
      return "variableName";
    }
    if (stream.match(/^(==>|<==>|--\*|:=|==|!=|<=|>=|&&|\|\||::|\+\+)/)) return "operator";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{"] } },
});

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, class: "t-keyword" },
    { tag: tags.typeName, class: "t-type" },
    { tag: tags.atom, class: "t-atom" },
    { tag: tags.number, class: "t-number" },
    { tag: tags.string, class: "t-string" },
    { tag: tags.comment, class: "t-comment" },
    { tag: tags.operator, class: "t-operator" },
  ]),
);
