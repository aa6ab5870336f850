import type { BrowserResponse, TopupStatus } from '@holdfast/contracts/http';
import { paymentPage } from '@holdfast/http/payment-page';
import { formatMoney } from '@holdfast/kernel/money';
import type { BrowserReturn } from '../use-cases/return-from-topup.js';

type Text = { readonly title: string; readonly status: string };

const received: Text = { title: 'Payment received', status: 'The payment is being credited. You can close this page.' };
const texts: Readonly<Record<TopupStatus, Text>> = {
  TOPUP_CREATED: { title: 'Payment not confirmed', status: 'The payment is being prepared.' },
  TOPUP_AWAITING_USER_CONFIRMATION: {
    title: 'Payment not confirmed yet',
    status: 'The payment provider has not confirmed the payment yet. The balance is credited as soon as it does.',
  },
  TOPUP_PROCESSING: received,
  TOPUP_SUCCEEDED: { title: 'Thank you', status: 'The payment was credited. You can close this page.' },
  TOPUP_FAILED: { title: 'Payment failed', status: 'Nothing was credited.' },
  TOPUP_CANCELED: { title: 'Payment canceled', status: 'Nothing was charged.' },
};

/** The page contains no text of the request or of the marketplace. */
export function pageOfReturn({ topup, redirectTo }: BrowserReturn): BrowserResponse {
  const amount = `${formatMoney(topup.amount)} ${topup.amount.currency}`;
  return { redirectTo, html: paymentPage({ ...texts[topup.status], amount }) };
}
