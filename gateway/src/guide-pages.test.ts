import { readdirSync } from 'node:fs';
import { aGateway } from './testing/running-gateway.js';

const folder = new URL('../../docs/guides/', import.meta.url);
const names = readdirSync(folder).map((file) => file.replace('.md', ''));
const guides = names.filter((name) => name !== 'README').map((name) => `/docs/guides/${name}`);

let gateway: Awaited<ReturnType<typeof aGateway>>;
const get = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);
const textOf = async (path: string) => (await get(path)).text();
const hrefsIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);

beforeAll(async () => void (gateway = await aGateway({ rateLimitMax: 1_000 })));
afterAll(() => gateway.stop());

describe('GET /docs/guides', () => {
  it('is linked from the API reference', async () => {
    const { info } = (await (await get('/openapi.json')).json()) as { readonly info: { readonly description: string } };
    expect(info.description).toContain('](/docs/guides)');
  });

  it('200 with a page that links to every guide', async () => {
    const index = await textOf('/docs/guides');
    expect(guides.filter((guide) => !hrefsIn(index).includes(guide))).toEqual([]);
    expect(await textOf('/docs/guides/')).toBe(index);
  });
});

describe('GET /docs/guides/{name}', () => {
  it('200 for every guide, with a policy that allows no script and no other host', async () => {
    for (const guide of guides) {
      const response = await get(guide);
      expect([guide, response.status, response.headers.get('content-type')]).toEqual([guide, 200, 'text/html; charset=utf-8']);
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none';style-src 'self';img-src 'self' data:;base-uri 'none';form-action 'none';frame-ancestors 'none'",
      );
      expect(await response.text()).not.toMatch(/<script|<style|style=|src="|\son\w+=/);
    }
  });

  it('links only to pages and headings that exist, and to other hosts over https', async () => {
    const pages = new Map<string, string>();
    for (const path of ['/docs', '/docs/guides', '/docs/guides.css', ...guides]) pages.set(path, await textOf(path));
    const isDead = (from: string, href: string): boolean => {
      if (/^(https:|data:,$)/.test(href)) return false;
      const { pathname, hash } = new URL(href, `http://gateway${from}`);
      const target = pages.get(pathname);
      return target === undefined || (hash !== '' && !target.includes(`id="${hash.slice(1)}"`));
    };
    const dead = [...pages]
      .filter(([path]) => path !== '/docs')
      .flatMap(([from, html]) => hrefsIn(html).filter((href) => isDead(from, href)));
    expect(dead).toEqual([]);
  });

  it('304 for a browser that has it, compressed where it may be', async () => {
    const plain = await get('/docs/guides/webhooks', { headers: { 'accept-encoding': 'identity' } });
    const compressed = await get('/docs/guides/webhooks', { headers: { 'accept-encoding': 'gzip' } });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(await compressed.text()).toBe(await plain.text());
    const known = { 'if-none-match': plain.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    expect((await get('/docs/guides/webhooks', { headers: known })).status).toBe(304);
  });

  it.each([
    'nothing',
    'README',
    'webhooks.md',
    'webhooks/x',
    'Webhooks',
    '__proto__',
    '..%2Fadr%2F0002-ulid-ids',
    '..%2F..%2FREADME',
    '%2e%2e/glossary',
    '%00',
    '%E0%A4%A',
  ])('4xx at /docs/guides/%s', async (name) => {
    const { status } = await get(`/docs/guides/${name}`);
    expect([400, 404]).toContain(status);
  });
});
