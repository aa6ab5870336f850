import { createHash } from 'node:crypto';
import { paymentPage, paymentPagePolicy } from './index.js';

const page = { title: 'Thank <you>', amount: '25.00 USD', about: '<script>', status: '"done" & dusted' };

describe('the page of a payment', () => {
  it('escapes every text, and keeps the actions as they are', () => {
    const html = paymentPage({ ...page, actions: ['<form><button>Pay</button></form>'] });
    expect(html).toContain('<h1>Thank &#60;you&#62;</h1>');
    expect(html).toContain('&#34;done&#34; &#38; dusted');
    expect(html).toContain('<form><button>Pay</button></form>');
    expect(html).not.toMatch(/<script>|<you>/);
  });

  it('has a policy that allows its style, and no other', () => {
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(paymentPage(page)) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(paymentPagePolicy).toContain(`style-src 'sha256-${digest}';`);
    expect(paymentPagePolicy).not.toContain('unsafe');
  });
});
