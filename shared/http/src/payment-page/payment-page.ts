import { createHash } from 'node:crypto';

export type PaymentPage = {
  readonly title: string;
  /** With its currency: `25.00 USD`. */
  readonly amount: string;
  readonly about?: string;
  /** HTML, such as a form with a button. All other texts are escaped. */
  readonly actions?: readonly string[];
  /** What has become of the payment. */
  readonly status: string;
};

const style = `
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c2733; background: #f2f4f7; }
  main { max-width: 26rem; margin: 3rem auto; padding: 1.5rem; background: #fff; border-radius: 12px; box-shadow: 0 1px 4px #0002; }
  h1 { margin: 0; font-size: 1rem; font-weight: 600; color: #5a6b7d; }
  .amount { margin: .5rem 0 0; font-size: 2.25rem; font-weight: 700; }
  .about { margin: 0 0 1.5rem; overflow-wrap: anywhere; }
  button { width: 100%; min-height: 3rem; margin-top: .75rem; font: inherit; font-weight: 600; border: 1px solid #c3ccd6; border-radius: 8px; background: #fff; cursor: pointer; }
  button.primary { color: #fff; background: #17663f; border-color: #17663f; }
  button:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }
  .note { margin: 1.5rem 0 0; font-size: .875rem; color: #5a6b7d; }
  @media (max-width: 30rem) { main { margin: 0; min-height: 100vh; border-radius: 0; box-shadow: none; box-sizing: border-box; } }`;

/** Browsers apply this style and nothing else: no script, no request, no form. */
export const paymentPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** A page of a payment: the sandbox's checkout, and the page that a payer returns to, look the same. */
export function paymentPage({ title, amount, about, actions = [], status }: PaymentPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
${[
  `<h1>${escapeHtml(title)}</h1>`,
  `<p class="amount">${escapeHtml(amount)}</p>`,
  ...(about === undefined ? [] : [`<p class="about">${escapeHtml(about)}</p>`]),
  ...actions,
  `<p class="note" role="status">${escapeHtml(status)}</p>`,
].join('\n')}
</main>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
