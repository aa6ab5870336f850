import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { compress, type Content } from './page-content.js';

/** The file that is the index. Its page has no name of its own. */
const indexFile = 'README.md';
/** Where the guides are in the repository; their links to other documents begin here. */
const folderInRepository = 'docs/guides';

/** Reads and renders every guide of a folder. The key is the last part of its address; that of the index is empty. */
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
  const renderer = new MarkdownIt({ html: false, linkify: false });
  renderer.core.ruler.push('addresses', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'heading_open') token.attrSet('id', slugOf(tokens[index + 1]?.content ?? ''));
      resolveLinks(token.children ?? []);
    });
  });
  renderer.renderer.rules['link_open'] = (tokens, index, options, _env, self) =>
    fileOf(tokens[index]) === undefined ? self.renderToken(tokens, index, options) : '';
  renderer.renderer.rules['link_close'] = (tokens, index, options, _env, self) => {
    const file = fileOf(tokens[index]);
    if (file === undefined) return self.renderToken(tokens, index, options);
    return ` (<code>${renderer.utils.escapeHtml(file)}</code>)`;
  };
  return renderer;
}

/** A link to another guide becomes its address. One to another document names the file, because only guides are served. */
function resolveLinks(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
    if (href === '' || href.startsWith('#') || /^[a-z]+:/i.test(href)) return;
    const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    if (name === undefined) {
      const file = path.posix.join(folderInRepository, href.replace(/#.*/, ''));
      const close = tokens.slice(index).find(({ type }) => type === 'link_close');
      for (const each of [token, close]) if (each !== undefined) each.meta = { file };
    } else token.attrSet('href', `${`${name}.md` === indexFile ? '/docs/guides' : `/docs/guides/${name}`}${anchor}`);
  });
}

function fileOf(token: Token | undefined): string | undefined {
  return token?.meta?.file;
}

/** As GitHub makes them, so that the anchors of links work on both. */
function slugOf(heading: string): string {
  const text = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return text.trim().replaceAll(' ', '-');
}
