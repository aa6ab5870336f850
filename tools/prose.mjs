// Reads the documents and the generated reference like an editor: finds long sentences and turns of phrase that a reader stumbles over.
// The reference holds the texts of routes, errors, settings and metrics, so that these are checked too; correct them in the code.
import './require-node.cjs';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(process.argv[2] ?? path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const wordsMax = 30;
const beginsBlock = /^(?:$|[-*+] |\d+\. |[#|>])/;
const skippedFolders = new Set(['node_modules', 'dist', 'coverage', '.git', '.holdfast']);

/** Pages that stay as they are, with the reason. */
const leftOut = [
  { pages: /^docs\/adr\//, reason: 'a decision is never edited after it was made' },
  { pages: /^docs\/benchmarks\.md$/, reason: 'a benchmark writes it, with the numbers and the text of its run' },
];

/** Each pattern says what a reader stumbles over, and how to write it instead. */
const patterns = [
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|later\b|less\b)/gi,
    advice: 'say what it is, or "is not a"',
  },
  { pattern: /\b(?:that|those) which\b/gi, advice: 'name the thing' },
  { pattern: /\bof (?:which|whom)\b/gi, advice: 'make two sentences' },
  {
    pattern: /\b(?:nobody|no one|somebody|anybody|whoever|whosoever)\b/gi,
    advice: 'name the actor: the caller, the operator, you',
  },
  { pattern: /\b(?:for|to|by|from|of) who\b|^Who\b(?=[^?]*[.;]$)/gi, advice: 'name the actor: the caller, the operator, you' },
  { pattern: /\b(?:that|those|what) of\b|\bof (?:ours|theirs)\b/gi, advice: 'name the thing' },
  { pattern: /\ban? [\w-]+ of (?:its|their) own\b/gi, advice: '"its own …"' },
  { pattern: /\bgo(?:es)? on\b/gi, advice: 'continues, or resumes' },
  { pattern: /\bof\b(?: [\w'’-]+){1,4} of\b(?: [\w'’-]+){1,4} of\b/gi, advice: 'break the chain: use a possessive or a verb' },
];

const faults = listPages().flatMap((page) => faultsIn(page, readBlocks(page)));
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'the prose is plain' : `${faults.length} sentences to rewrite`);
process.exitCode = faults.length === 0 ? 0 : 1;

function listPages(folder = '') {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skippedFolders.has(name))
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return listPages(name);
      return name.endsWith('.md') || name === 'docs/generated/openapi.json' ? [name] : [];
    })
    .filter((name) => !leftOut.some(({ pages }) => pages.test(name)))
    .sort();
}

function readBlocks(page) {
  const text = readFileSync(path.join(root, page), 'utf8');
  return page.endsWith('.json') ? blocksOfJson(text) : blocksOfMarkdown(text);
}

/** Summaries and descriptions of the OpenAPI document, each with the line that it stands on. */
function blocksOfJson(text) {
  return text.split('\n').flatMap((line, index) => {
    const [, value] = /^\s*"(?:summary|description)": ("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    return value === undefined ? [] : [{ line: index + 1, text: JSON.parse(value) }];
  });
}

/** Paragraphs, headings, list items and cells of tables. What stands in a code block is left out. */
function blocksOfMarkdown(page) {
  const blocks = [];
  let isOpen = false;
  for (const { line, text } of linesWithoutCode(page)) {
    if (text.startsWith('|')) blocks.push(...text.split(/(?<!\\)\|/).map((cell) => ({ line, text: cell })));
    else if (isOpen && !beginsBlock.test(text)) blocks.at(-1).text += ` ${text}`;
    else if (text !== '') blocks.push({ line, text });
    isOpen = text !== '' && !/^[#|]/.test(text);
  }
  return blocks;
}

/** A code block becomes an empty line, so that the paragraph before it ends there. */
function linesWithoutCode(text) {
  let isCode = false;
  return text.split('\n').map((raw, index) => {
    const line = raw.trim();
    const isFence = /^(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return { line: index + 1, text: isCode || isFence ? '' : line };
  });
}

function faultsIn(page, blocks) {
  return blocks.flatMap(({ line, text }) =>
    sentencesOf(text).flatMap((sentence) => adviceOn(sentence).map((advice) => `${page}:${line} ${advice}\n  ${sentence}`)),
  );
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
