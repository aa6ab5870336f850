import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { formatMoney, isAmount, isLess, parseMoney, subtract, type Money } from '@holdfast/kernel/money';
import { completePayout, confirmPayin } from '../sandbox/add-sandbox.js';
import type { Flow, Stage } from './flow.js';

const amountDefault = '100.00';
const placesMax = 2;
const waitMs = 250;
const readsMax = 120;

export const topupSucceeded: Flow = {
  description: 'a user tops up and pays',
  params: ['user', 'amount'],
  play: async (stage) => topUp(stage, await userOf(stage, 'user'), amountOf(stage)),
};

export const withdrawalCompleted: Flow = {
  description: 'a user withdraws to a bank account, and the payout is completed',
  params: ['user', 'amount', 'account'],
  play: async (stage) => {
    const { client, sandbox, params, step } = stage;
    const [userId, amount] = [await userOf(stage, 'user'), amountOf(stage)];
    await ensureBalance(stage, userId, amount);
    const destination = { type: 'bank', accountRef: params['account'] ?? 'account-7' } as const;
    const created = await client.withdrawals.create({ userId, amount, currency: 'USD', destination, commit: true });
    step('withdrawal', created.id, created.status);
    const known = await untilKnown(
      () => client.withdrawals.get(created.id),
      (found) => found.providerPayoutId !== null,
    );
    await completePayout(sandbox, known.providerPayoutId);
    return untilKnown(
      () => client.withdrawals.refresh(created.id),
      (found) => found.status === 'WITHDRAWAL_COMPLETED',
    );
  },
};

export const deposit: Flow = {
  description: 'assets of the ledger network arrive in the wallet of a user',
  params: ['user', 'asset', 'amount'],
  play: async (stage) => {
    const { client, sandbox, params, step } = stage;
    const userId = await userOf(stage, 'user');
    const { asset = 'XLM', amount = '10' } = params;
    const { publicKey } = await client.wallets.get(userId);
    await sandbox('POST', '/faucet', { address: publicKey, asset, amount });
    step('faucet', publicKey, `${amount} ${asset}`);
    return client.balances.sync(userId, { currency: asset === 'USDC' ? 'USDC' : 'XLM' });
  },
};

/** The named user, or a new one with a linked payment account. */
export async function userOf({ client, params, step }: Stage, role: 'user' | 'buyer' | 'seller'): Promise<string> {
  const named = params[role];
  const name = `trigger-${role}-${crypto.randomUUID()}`;
  const user = named === undefined ? await client.users.create({ externalUserId: name }) : await client.users.get(named);
  step(role, user.id, user.status);
  if (named === undefined) await client.users.linkPaymentAccount(user.id, { email: `${name}@example.com` });
  return user.id;
}

export function amountOf({ params: { amount = amountDefault } }: Stage): string {
  if (!isAmount(amount, placesMax)) throw new InvalidArgumentError(`"${amount}" is not an amount such as ${amountDefault}.`);
  return amount;
}

/** Tops up what is missing. */
export async function ensureBalance(stage: Stage, userId: string, amount: string): Promise<void> {
  const { available } = await stage.client.balances.get(userId);
  const [has, needs] = [parseMoney(available, 'USD'), parseMoney(amount, 'USD')];
  if (isLess(has, needs)) await topUp(stage, userId, formatMoney(atLeastOne(subtract(needs, has))));
}

async function topUp(stage: Stage, userId: string, amount: string) {
  const { client, sandbox, step } = stage;
  const created = await client.topups.create({ userId, amount });
  step('top-up', created.id, created.status);
  await confirmPayin(sandbox, created.providerPayinId);
  const paid = await untilKnown(
    () => client.topups.refresh(created.id),
    ({ status }) => status === 'TOPUP_SUCCEEDED',
  );
  step('top-up', paid.id, paid.status);
  return paid;
}

/** The least that can be topped up is 1.00. */
function atLeastOne(amount: Money): Money {
  const least = parseMoney('1.00', 'USD');
  return isLess(amount, least) ? least : amount;
}

async function untilKnown<Found>(read: () => Promise<Found>, isReached: (found: Found) => boolean): Promise<Found> {
  for (let reads = 0; reads < readsMax; reads += 1) {
    const found = await read();
    if (isReached(found)) return found;
    await pause(waitMs);
  }
  throw new CannotStart('It has not happened within 30 seconds: "holdfast doctor" says whether something is wrong.');
}
