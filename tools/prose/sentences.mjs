// The rules for one sentence.
const wordsMax = 30;

const nameTheActor = 'name the actor: the caller, the operator, you';

/** Each pattern says what a reader stumbles over, and how to write it instead. */
const patterns = [
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|later\b|less\b)/gi,
    advice: 'say what it is, or "is not a"',
  },
  { pattern: /\b(?:that|those) which\b/gi, advice: 'name the thing' },
  { pattern: /\bof (?:which|whom)\b/gi, advice: 'make two sentences' },
  { pattern: /(?<!")\b(?:nobody|no one|somebody|anybody|whoever|whosoever)\b/gi, advice: nameTheActor },
  { pattern: /\b(?:for|to|by|from|of) who\b|^Who\b(?=[^?]*[.;]$)/gi, advice: nameTheActor },
  { pattern: /\b(?:that|those|what) of\b|\bof (?:ours|theirs)\b/gi, advice: 'name the thing' },
  { pattern: /\ban? [\w-]+ of (?:its|their) own\b/gi, advice: '"its own …"' },
  { pattern: /\bgo(?:es)? on\b/gi, advice: 'continues, or resumes' },
  { pattern: /\bwhich is (?:what|how|where|why)\b/gi, advice: 'make two sentences, or name the thing' },
  { pattern: /^(?:By|For|From|In|On|To|With) which\b(?![^?]*\?$)/g, advice: 'begin with the thing: "The key that …"' },
  { pattern: /^Of (?:the|every|each|all|a|an)\b(?![^.;]*,)/g, advice: 'write a whole sentence' },
  { pattern: /\b(?:is|are|was|were|been|be) (?:told|asked)\b/gi, advice: 'request, call, inform, or a verb for what happens' },
  { pattern: /(?<!, )\bbut for (?!\w+ (?:seconds|minutes|hours|days)\b)/gi, advice: 'except, or except for' },
  { pattern: /\ball the same\b/gi, advice: 'still, even so, or anyway' },
  { pattern: /\bthis very\b/gi, advice: 'exactly this' },
  { pattern: /\bwhere there (?:is|are) (?:one|none|any)\b/gi, advice: 'if there is one' },
  { pattern: /\bof\b(?: [\w'’-]+){1,4} of\b(?: [\w'’-]+){1,4} of\b/gi, advice: 'break the chain: use a possessive or a verb' },
];

/** The faults of a text, each with the sentence that it is in. */
export function faultsOf(text) {
  return sentencesOf(text).flatMap((sentence) => adviceOn(sentence).map((advice) => `${advice}\n  ${sentence}`));
}

/** Code counts as one word, and so does a list of code; a link counts as its text. A sentence ends with a full stop or a semicolon before a space, or with the block. */
function sentencesOf(text) {
  return text
    .replace(/^(?:[-*+] |\d+\. |#+ |> )+/, '')
    .replace(/`[^`]*`/g, '`…`')
    .replace(/`…`(?:(?:,|,? (?:and|or)) `…`)+/g, '`…`')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*/g, '')
    .replace(/\b(e\.g|i\.e|etc)\./g, '$1')
    .split(/(?<=[.!?;][)"’]?)\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function adviceOn(sentence) {
  const words = sentence.split(/\s+/).filter((word) => /[a-z…]/i.test(word)).length;
  const found = patterns.flatMap(({ pattern, advice }) =>
    [...sentence.matchAll(pattern)].map(([match]) => `"${match.trim()}": ${advice}`),
  );
  return words > wordsMax ? [`${words} words: at most ${wordsMax}`, ...found] : found;
}
