import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { TestResponse } from '@holdfast/testing/services';
import type { RunningPayments } from './running-payments.js';

/** A public key without an owner, and one of a contract. */
export const foreignAddress = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
export const contractAddress = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75';

/** A user with a payment account and this much available. */
export async function aPayee(payments: RunningPayments, available = '100.00'): Promise<UserId> {
  const userId = payments.aUser();
  await payments.database.asAdmin(
    `insert into payments.payment_accounts (user_id, marketplace_id, payment_account_user_id, email, linked_at)
     values ($1, $2, $3, $4, now())`,
    [userId, defaultMarketplaceId, `account-${userId}`, `${userId}@example.com`],
  );
  payments.ledger.setAvailable(userId, available);
  return userId;
}

export function bodyOf(userId: string, given: Readonly<Record<string, unknown>> = {}) {
  return { userId, amount: '40.00', currency: 'USD', destination: { type: 'bank', accountRef: 'account-7' }, ...given };
}

/** A withdrawal whose amount is reserved. */
export async function aWithdrawal(payments: RunningPayments, given: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const response = await payments.post('/withdrawals', bodyOf(await aPayee(payments), given));
  expect([response.status, response.code]).toEqual([201, undefined]);
  return (response.data as { readonly id: string }).id;
}

export const commit = (payments: Pick<RunningPayments, 'post'>, id: string): Promise<TestResponse> =>
  payments.post(`/withdrawals/${id}/commit`, {});

export type SandboxPayout = {
  readonly id: string;
  readonly code: string;
  readonly status: string;
  readonly amount: number;
  readonly internalNote?: string;
};

/** The payouts that the payment provider has for a withdrawal. */
export async function payoutsOf(
  { sandbox }: Pick<RunningPayments, 'sandbox'>,
  withdrawalId: string,
): Promise<readonly SandboxPayout[]> {
  const response = await fetch(`${sandbox.controlUrl}/state`);
  const { payouts } = (await response.json()) as { readonly payouts: readonly SandboxPayout[] };
  return payouts.filter(({ code }) => code === withdrawalId);
}

/** Lets the payment provider complete, fail or hold up the payout of a withdrawal. */
export async function movePayout(
  payments: RunningPayments,
  withdrawalId: string,
  move: 'complete' | 'fail' | 'require-action',
  reason?: string,
): Promise<void> {
  const [payout] = await payoutsOf(payments, withdrawalId);
  const response = await payments.control(`/payouts/${payout?.id ?? ''}/${move}`, reason === undefined ? {} : { reason });
  expect(response.status).toBe(200);
}
