import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import { eventually } from '@holdfast/testing/eventually';
import type { TestDatabase } from '@holdfast/testing/postgres';
import type { Api } from '../testing/api.js';
import { textOf, type Ending, type Order } from './order-life.js';
import type { SandboxControl, SandboxState } from './sandbox-control.js';

/** What buyer and seller have in the end, of the 100.00 the buyer began with; the fee is 5 %. */
export const left: Readonly<Record<Ending, { readonly buyer: string; readonly seller: string }>> = {
  release: { buyer: '0.00', seller: '95.00' },
  refund: { buyer: '100.00', seller: '0.00' },
  'full-release': { buyer: '0.00', seller: '95.00' },
  'full-refund': { buyer: '100.00', seller: '0.00' },
  split: { buyer: '40.00', seller: '57.00' },
  'release-milestone': { buyer: '0.00', seller: '95.00' },
  'refund-milestone': { buyer: '100.00', seller: '0.00' },
  'full-release-milestone': { buyer: '0.00', seller: '95.00' },
  'split-milestone': { buyer: '40.00', seller: '57.00' },
  cancel: { buyer: '100.00', seller: '0.00' },
};

/** No user was paid twice, or too little. */
export async function expectPaidOnce(api: Api, order: Order, ending: Ending): Promise<void> {
  const balanceOf = async (userId: string) => (await api.get(`/users/${userId}/balance`)).data;
  expect(await balanceOf(order.buyerId)).toMatchObject({ available: left[ending].buyer, reserved: '0.00' });
  expect(await balanceOf(order.sellerId)).toMatchObject({ available: left[ending].seller, reserved: '0.00' });
}

type Custody = { readonly owner: string; readonly currency: string; readonly units: string };

const custodyBalances = `
  select accounts.owner, accounts.currency, custody_balances.units::text as units
  from ledger_balance.custody_balances
  join ledger_balance.accounts on accounts.id = custody_balances.account_id`;

const moneyInEscrow = `
  select coalesce(sum(available_units), 0)::text as units
  from ledger_balance.accounts
  where kind = 'escrow'`;

/** Longer than the retry delays of a message that failed while a process was being replaced: 1 s, 5 s, 30 s, 2 min. */
const reconciledTimeoutMs = 200_000;

/** Ledger and ledger network agree to the last unit once every open transaction has landed. */
export async function expectReconciled(
  { database, sandbox, api }: { readonly database: TestDatabase; readonly sandbox: SandboxControl; readonly api: Api },
  orders: readonly Order[],
): Promise<void> {
  await eventually(
    async () => {
      const books = await database.asAdmin<Custody>(custodyBalances);
      const state = await sandbox.state();
      for (const order of orders) {
        expect(contractHolds(state, order.id)).toBe('0.00');
        expect([order.id, booked(books, `contract:${order.id}`, 'USDC')]).toEqual([order.id, '0.00']);
        for (const userId of [order.buyerId, order.sellerId]) await expectWallet(api, { books, state, userId });
      }
      expect(booked(books, 'provider_fees', 'USDC')).toBe(heldBy(state, state.network.providerFeesAddress, 'USDC'));
      expect((await database.asAdmin<{ readonly units: string }>(moneyInEscrow))[0]?.units).toBe('0');
    },
    { timeoutMs: reconciledTimeoutMs },
  );
}

/** What the contracts and wallets of an order and the provider's account for fees hold of the escrowed token. */
export async function chainOf(
  { sandbox, api }: { readonly sandbox: SandboxControl; readonly api: Api },
  { id, buyerId, sellerId }: Order,
): Promise<object> {
  const state = await sandbox.state();
  const walletOf = async (userId: string): Promise<string> =>
    heldBy(state, textOf((await api.get(`/users/${userId}/wallet`)).data, 'publicKey'), 'USDC');
  return {
    contracts: state.contracts.filter(({ engagementId }) => engagementId === id),
    buyer: await walletOf(buyerId),
    seller: await walletOf(sellerId),
    providerFees: heldBy(state, state.network.providerFeesAddress, 'USDC'),
  };
}

type Compared = { readonly books: readonly Custody[]; readonly state: SandboxState; readonly userId: string };

async function expectWallet(api: Api, { books, state, userId }: Compared): Promise<void> {
  const address = textOf((await api.get(`/users/${userId}/wallet`)).data, 'publicKey');
  for (const asset of ['USDC', 'XLM'] as const) {
    expect([userId, asset, booked(books, `wallet:${userId}`, asset)]).toEqual([userId, asset, heldBy(state, address, asset)]);
  }
}

function booked(books: readonly Custody[], owner: string, asset: string): string {
  const row = books.find((candidate) => candidate.owner === owner && candidate.currency === `chain:${asset}`);
  return formatUnits(BigInt(row?.units ?? 0));
}

function heldBy({ accounts }: SandboxState, address: string, asset: string): string {
  const held = accounts.find((account) => account.address === address)?.balances[asset];
  return formatUnits(parseUnits(held ?? '0.00'));
}

function contractHolds({ contracts }: SandboxState, orderId: string): string {
  const held = contracts.filter(({ engagementId }) => engagementId === orderId).map(({ balance }) => parseUnits(balance));
  return formatUnits(held.reduce((sum, units) => sum + units, 0n));
}
