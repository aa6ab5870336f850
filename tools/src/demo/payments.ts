import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Json } from './client.js';
import { textOf } from './text-of.js';

const timeoutMs = 10_000;
const attemptsMax = 50;
const pauseMs = 200;

/** Links a payment account, tops up, and pays as the payer does on the checkout page of the sandbox. */
export async function topUp(client: Client, userId: string, amount: string): Promise<Json> {
  await client.post(`/users/${userId}/payment-account/link`, { email: `${userId.toLowerCase()}@example.com` });
  const topup = await client.post('/topups', { userId, amount });
  await control(sandboxOf(topup), `/payins/${textOf(topup, 'providerPayinId')}/confirm`);
  return refreshUntil(client, `/topups/${textOf(topup, 'id')}`, 'TOPUP_SUCCEEDED');
}

/** Withdraws to a bank account, and lets the sandbox complete the payout. */
export async function payOut(client: Client, topup: Json, amount: string): Promise<Json> {
  const withdrawal = await client.post('/withdrawals', {
    userId: textOf(topup, 'userId'),
    amount,
    currency: 'USD',
    destination: { type: 'bank', accountRef: 'account-7' },
    commit: true,
  });
  await control(sandboxOf(topup), `/payouts/${textOf(withdrawal, 'providerPayoutId')}/complete`);
  return refreshUntil(client, `/withdrawals/${textOf(withdrawal, 'id')}`, 'WITHDRAWAL_COMPLETED');
}

/** The checkout page of a top-up is at the sandbox. */
function sandboxOf(topup: Json): string {
  return new URL(textOf(topup, 'confirmationUri')).origin;
}

async function control(sandboxUrl: string, path: string): Promise<void> {
  const response = await fetch(`${sandboxUrl}/_sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`The demo needs the sandbox: ${sandboxUrl} responded with ${response.status}.`);
}

async function refreshUntil(client: Client, path: string, status: string): Promise<Json> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const current = await client.post(`${path}/refresh`);
    if (textOf(current, 'status') === status) return current;
    await pause(pauseMs);
  }
  throw new Error(`${path} is not ${status} after ${attemptsMax} refreshes.`);
}
