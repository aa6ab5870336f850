import type { Payin } from '../domain/payment.js';
import { formatUnits } from '../domain/units.js';
import type { RouteResponse } from '../web/route.js';

/** Units have seven decimals; the page shows two. */
const hiddenDecimals = 5;

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

const statusTexts: Readonly<Record<Payin['status'], string>> = {
  CREATED: 'waits for you',
  PROCESSING: 'is being processed',
  CONFIRMED: 'was paid',
  CANCELED: 'was canceled',
  FAILED: 'failed',
};

/** The page on which the payer pays, cancels, or lets the payment fail. */
export function checkoutPage(payin: Payin): RouteResponse {
  const buttons = [
    button(payin, 'confirm', 'Pay', 'primary'),
    button(payin, 'fail', 'Let it be declined'),
    button(payin, 'cancel', 'Cancel'),
  ];
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox checkout</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Sandbox checkout</h1>
<p class="amount">${formatUnits(payin.units).slice(0, -hiddenDecimals)} USD</p>
<p class="about">${escapeHtml(payin.description)}</p>
${payin.status === 'CREATED' ? buttons.join('\n') : ''}
<p class="note" role="status">This payment ${statusTexts[payin.status]}. The sandbox moves no real money.</p>
</main>
</body>
</html>`;
  return { status: 200, text, contentType: 'text/html; charset=utf-8' };
}

function button({ id }: Payin, move: string, label: string, kind = 'secondary'): string {
  return `<form method="post" action="/payment-provider/checkout/${id}/${move}"><button class="${kind}">${label}</button></form>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
