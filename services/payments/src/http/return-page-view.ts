import type { BrowserResponse, TopupStatus } from '@holdfast/contracts/http';
import { formatMoney } from '@holdfast/kernel/money';
import type { BrowserReturn } from '../use-cases/return-from-topup.js';

type Text = { readonly title: string; readonly text: string };

const received: Text = { title: 'Payment received', text: 'The payment is being credited. You can close this page.' };
const texts: Readonly<Record<TopupStatus, Text>> = {
  TOPUP_CREATED: { title: 'Payment not confirmed', text: 'The payment is being prepared.' },
  TOPUP_AWAITING_USER_CONFIRMATION: {
    title: 'Payment not confirmed yet',
    text: 'The payment provider has not confirmed the payment yet. The balance is credited as soon as it does.',
  },
  TOPUP_PROCESSING: received,
  TOPUP_SUCCEEDED: { title: 'Thank you', text: 'The payment was credited. You can close this page.' },
  TOPUP_FAILED: { title: 'Payment failed', text: 'Nothing was credited.' },
  TOPUP_CANCELED: { title: 'Payment canceled', text: 'Nothing was charged.' },
};

/**
 * The page contains no text of the request or of the marketplace, so there is nothing to escape. It has no style, because the content
 * security policy of the API allows none.
 */
export function pageOfReturn({ topup, redirectTo }: BrowserReturn): BrowserResponse {
  const { title, text } = texts[topup.status];
  const amount = `${formatMoney(topup.amount)} ${topup.amount.currency}`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${amount}</p>
<p role="status">${text}</p>
</main>
</body>
</html>`;
  return { redirectTo, html };
}
