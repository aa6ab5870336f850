// The texts of a source file: its comments, and its strings of several words. The title of a test, a log message, a help text and a text of the
// console are such strings.
import ts from 'typescript';
import { textsOfMarkdown } from './documents.mjs';

const comments = /\/\/.*|\/\*[\s\S]*?\*\//g;
const sqlComments = /(?<=^|\s)-- .*/g;
const statement =
  /^[\s(]*(?:--|(?:alter|create|delete|do|drop|grant|insert|select|set|update|with)\b|\w+ as \()[^\n]*\n|\bcase\s+when\b/;
const otherCode = /[{(>]\n|;\n\s*(?:const|export|import|return|\})/;
const withoutProse = /^(?: {3}|\s*@|\s*eslint-|!)/;
const beginsParagraph = /^ ?(?:[-*] |\d+\. )/;
const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };

export function textsOfSource(name, source) {
  const tree = ts.createSourceFile(name, source, options);
  const literals = literalsOf(tree);
  const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const strings = literals.filter(({ text }) => /\S\s+\S/.test(text));
  return [
    ...paragraphsOf(commentLines(source, literals, lineOf)),
    ...strings.flatMap(({ from, text }) => textsOfString(text, lineOf(from))),
  ];
}

export function textsOfSql(source) {
  return paragraphsOf(sqlCommentLines(source));
}

/** Strings, pieces of templates, regular expressions and the texts of JSX, in their order. */
function literalsOf(tree) {
  const literals = [];
  const visit = (node) => {
    if (ts.isTemplateExpression(node))
      literals.push({ from: node.head.getStart(tree), to: node.head.end, text: textOfTemplate(node) });
    else if (ts.isStringLiteralLike(node) || ts.isJsxText(node))
      literals.push({ from: node.getStart(tree), to: node.end, text: node.text });
    else if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node))
      literals.push({ from: node.getStart(tree), to: node.end, text: '' });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return literals;
}

/** A template is read as one text. A value in it counts as code. */
function textOfTemplate({ head, templateSpans }) {
  return head.text + templateSpans.map(({ literal }) => `\`…\`${literal.text}`).join('');
}

/** What looks like a comment outside the literals is one. */
function commentLines(source, literals, lineOf) {
  const gaps = [...literals, { from: source.length }].map(({ from }, index) => [literals[index - 1]?.to ?? 0, from]);
  return gaps.flatMap(([from, to]) =>
    [...source.slice(from, to).matchAll(comments)].flatMap(({ 0: match, index }) =>
      linesOfComment(source, match, from + index, lineOf),
    ),
  );
}

function linesOfComment(source, comment, position, lineOf) {
  const line = lineOf(position);
  const isAlone = /(?:^|\n)[ \t{]*$/.test(source.slice(Math.max(0, position - 200), position));
  return comment
    .replace(/\s*\*\/$/, '')
    .split('\n')
    .map((raw, index) => ({ line: line + index, isAlone, text: raw.replace(/^\s*(?:\/\/|\/\*\*?|\*(?!\*))/, '') }));
}

function sqlCommentLines(source) {
  return source.split('\n').flatMap((text, index) =>
    [...text.matchAll(sqlComments)].map((match) => ({
      line: index + 1,
      isAlone: text.trim() === match[0].trim(),
      text: match[0].slice(2),
    })),
  );
}

/** Lines that follow each other are one paragraph; a comment beside code is a text by itself. Indented examples and directives are left out. */
function paragraphsOf(lines) {
  const blocks = [];
  let next = 0;
  for (const { line, isAlone, text } of lines) {
    const isProse = text.trim() !== '' && !withoutProse.test(text);
    if (isProse && isAlone && line === next && !beginsParagraph.test(text)) blocks.at(-1).text += ` ${text.trim()}`;
    else if (isProse) blocks.push({ line, text: text.trim() });
    next = isProse && isAlone ? line + 1 : 0;
  }
  return blocks;
}

/** Of a statement only the comments are prose, and of other code nothing. */
function textsOfString(text, line) {
  if (otherCode.test(text)) return [];
  const texts = statement.test(text) ? textsOfSql(text) : textsOfMarkdown(text);
  return texts.map((block) => ({ ...block, line: line + block.line - 1 }));
}
