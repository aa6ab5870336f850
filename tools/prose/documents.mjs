// The texts of a document: Markdown and the OpenAPI description.
const beginsBlock = /^(?:$|[-*+] |\d+\. |[#|>])/;

/** Summaries and descriptions of the OpenAPI document, each with the line that it stands on. */
export function textsOfJson(text) {
  return text.split('\n').flatMap((line, index) => {
    const [, value] = /^\s*"(?:summary|description)": ("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    return value === undefined ? [] : [{ line: index + 1, text: JSON.parse(value) }];
  });
}

/** Paragraphs, headings, list items and cells of tables. What stands in a code block is left out. */
export function textsOfMarkdown(page) {
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
