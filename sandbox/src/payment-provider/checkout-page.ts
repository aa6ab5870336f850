import type { Payin } from '../domain/payment.js';
import { formatUnits } from '../domain/units.js';
import type { RouteResponse } from '../web/route.js';

/** The page on which the payer confirms or cancels. */
export function checkoutPage(payin: Payin): RouteResponse {
  const isOpen = payin.status === 'CREATED';
  const form = (move: string, label: string): string =>
    `<form method="post" action="/payment-provider/checkout/${payin.id}/${move}"><button>${label}</button></form>`;
  const body = `<h1>Sandbox checkout</h1>
<p>${escapeHtml(payin.description)}</p>
<p><strong>${formatUnits(payin.units).slice(0, -5)} USD</strong> (${payin.status})</p>
${isOpen ? form('confirm', 'Confirm') + form('cancel', 'Cancel') : '<p>This payment has been decided.</p>'}`;
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sandbox checkout</title></head><body>${body}</body></html>`;
  return { status: 200, text, contentType: 'text/html; charset=utf-8' };
}

/** Redirects to the URI of the request that created the payin, or to the checkout page. */
export function afterCheckout(payin: Payin, uri: string | undefined): RouteResponse {
  return { status: 303, headers: { Location: uri ?? `/payment-provider/checkout/${payin.id}` } };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
