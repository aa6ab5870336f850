import { paymentPage } from '@holdfast/http/payment-page';
import type { Payin } from '../domain/payment.js';
import { formatUnits } from '../domain/units.js';
import type { RouteResponse } from '../web/route.js';

/** Units have seven decimals; the page shows two. */
const hiddenDecimals = 5;

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
  const text = paymentPage({
    title: 'Sandbox checkout',
    amount: `${formatUnits(payin.units).slice(0, -hiddenDecimals)} USD`,
    about: payin.description,
    actions: payin.status === 'CREATED' ? buttons : [],
    status: `This payment ${statusTexts[payin.status]}. The sandbox moves no real money.`,
  });
  return { status: 200, text, contentType: 'text/html; charset=utf-8' };
}

function button({ id }: Payin, move: string, label: string, kind = 'secondary'): string {
  return `<form method="post" action="/payment-provider/checkout/${id}/${move}"><button class="${kind}">${label}</button></form>`;
}
