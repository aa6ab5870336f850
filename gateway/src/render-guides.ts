import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import MarkdownParser, { type MarkdownIt, type StateCore, type Token } from 'markdown-it';
import { compress, type Content } from './page-content.js';

/** The file that is the index. Its page has no name of its own. */
const indexFile = 'README.md';
/** Where the guides are in the repository; their links to other documents begin here. */
const folderInRepository = 'docs/guides';

/** Reads and renders every guide of a folder. The key is the last part of its address, which is empty for the index. */
export function renderGuides(folder: string): ReadonlyMap<string, Content> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return new Map(
    files.map((file) => {
      const html = renderGuide(readFileSync(path.join(folder, file), 'utf8'));
      return [file === indexFile ? '' : path.basename(file, '.md'), compress(html)];
    }),
  );
}

/** A whole page. HTML in the Markdown is shown as text, and links to unsafe protocols stay text. */
export function renderGuide(markdown: string): string {
  const renderer = createRenderer();
  const tokens = renderer.parse(markdown, {});
  const title = tokens[tokens.findIndex(({ tag }) => tag === 'h1') + 1]?.content ?? 'Guides';
  return page(renderer.utils.escapeHtml(title), renderer.renderer.render(tokens, renderer.options, {}));
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Holdfast</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/guides.css" />
  </head>
  <body>
    <nav><a href="/docs/guides">Guides</a> <a href="/docs">API reference</a></nav>
    <main>
${body}    </main>
  </body>
</html>
`;
}

function createRenderer(): MarkdownIt {
  const renderer = new MarkdownParser({ html: false, linkify: false });
  renderer.core.ruler.push('addresses', (state) => {
    state.tokens.forEach((token, index) => {
      if (token.type === 'heading_open') token.attrSet('id', slugOf(state.tokens[index + 1]?.content ?? ''));
      if (token.children !== null) token.children = withAddresses(token.children, state);
    });
  });
  return renderer;
}

/** A link to another guide gets its address. A link to another document becomes its text and the file, because only guides are served. */
function withAddresses(tokens: readonly Token[], state: StateCore): Token[] {
  let file: string | undefined;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href') ?? '');
      file = fileOutside(href);
      token.attrSet('href', addressOf(href));
    }
    if (file === undefined || !token.type.startsWith('link_')) return [token];
    return token.type === 'link_open' ? [] : namedFile(file, state);
  });
}

const guideLink = /^([\w-]+)\.md(#.*)?$/;

/** The path in the repository, if the link leads to a file that is not a guide. */
function fileOutside(href: string): string | undefined {
  if (/^(#|[a-z]+:)/i.test(href) || guideLink.test(href)) return undefined;
  return path.posix.join(folderInRepository, href.replace(/#.*/, ''));
}

function addressOf(href: string): string {
  return href.replace(guideLink, (_href, name: string, anchor = '') =>
    `${name}.md` === indexFile ? `/docs/guides${anchor}` : `/docs/guides/${name}${anchor}`,
  );
}

function namedFile(file: string, { Token }: StateCore): Token[] {
  const part = (type: string, content: string): Token => Object.assign(new Token(type, 'code', 0), { content });
  return [part('text', ' ('), part('code_inline', file), part('text', ')')];
}

/** As GitHub makes them, so that the anchors of links work on both. */
function slugOf(heading: string): string {
  const text = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return text.trim().replaceAll(' ', '-');
}
