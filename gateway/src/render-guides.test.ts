import { renderGuide } from './render-guides.js';

describe('a rendered guide', () => {
  it('has the title of its first heading, and headings with the anchors that GitHub gives them', () => {
    const html = renderGuide('# Money & time\n\n## What `deliverBy` does, or not\n');
    expect(html).toContain('<title>Money &amp; time · Holdfast</title>');
    expect(html).toContain('<h2 id="what-deliverby-does-or-not">');
  });

  it('shows HTML as text, in code, titles and addresses too', () => {
    const html = renderGuide(
      '# <b>\n\n<script>alert(1)</script>\n\n`<i>`\n\n```sh"><img>\n</pre>\n```\n\n[x](webhooks.md "<u>")',
    );
    expect(html).not.toMatch(/<(b|script|i|img|u)>|<\/pre>\n<\/code>/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x'])('does not link to %s', (address) => {
    expect(renderGuide(`[x](${address})`)).not.toMatch(/<main>[^]*href/);
  });

  it('links to other guides by their addresses, to the index, and to its own headings', () => {
    const html = renderGuide('[a](money.md) [b](going-live.md#keys) [c](README.md) [d](#here) [e](https://stripe.com/connect)');
    expect([...html.matchAll(/<a href="([^"]*)">[a-e]</g)].map(([, href]) => href)).toEqual([
      '/docs/guides/money',
      '/docs/guides/going-live#keys',
      '/docs/guides',
      '#here',
      'https://stripe.com/connect',
    ]);
  });

  it('names the file instead of linking to a document that is not served', () => {
    const html = renderGuide('See [the **settings**](../generated/settings.md#orders), then [go](money.md).');
    const expected =
      'See the <strong>settings</strong> (<code>docs/generated/settings.md</code>), then <a href="/docs/guides/money">go</a>.';
    expect(html).toContain(`<p>${expected}</p>`);
  });
});
