import { IntentPaused } from '@holdfast/intents';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';
import { spendingKeysOf, type LedgerRpc } from '@holdfast/ledger-network/rpc';
import { signersOf } from '../../domain/plan-treasury.js';
import type { PlatformAccounts } from '@holdfast/ledger-network/signing';
import type { Spendable } from '../../use-cases/entry-ports.js';
import type { TreasuryPayer, Wallets } from '../../use-cases/wallets/ports.js';
import { planRefill } from '../../domain/plan-refill.js';
import { spendableUnits, type Spent, type TreasuryOperation } from '@holdfast/ledger-network/values';
import type { FreeChannels, PlannedOperations, TakeFree, TreasurySubmitter } from '../../use-cases/treasury/ports.js';

export type TreasuryPayersDeps = {
  readonly rpc: Pick<LedgerRpc, 'accountBalances'>;
  readonly submitter: Pick<TreasurySubmitter, 'execute'>;
  readonly accounts: PlatformAccounts;
  readonly freeChannels: FreeChannels;
  readonly background: (name: string, work: Promise<unknown>) => void;
  /** The treasury as a whole does not hold the amount. */
  readonly onShort: (amount: Amount) => void;
  readonly log: Log;
};

type Amount = Spent;

const refillWaitMs = 1_000;
const retryMs = 1_000;

/**
 * Finds the channels that hold an amount. All balances are read from one ledger by one request: what this service has published lags
 * behind the network and knows the treasury only as a whole.
 */
export function treasuryPayers(deps: TreasuryPayersDeps): Wallets['treasuryPayers'] {
  let refilling: Promise<void> | undefined;
  /** One at a time. Another process may refill as well, but its plan is made when its turn has come. */
  const refill = (amount: Amount): Promise<void> => {
    if (refilling === undefined) {
      refilling = refillChannel(deps, amount)
        .catch((error: unknown) => deps.log.warn({ error }, 'refill of a channel failed; it is retried'))
        .finally(() => {
          refilling = undefined;
        });
      deps.background('refill of a channel', refilling);
    }
    return refilling;
  };
  return async (amount, justRead) => {
    const before = payersIn(deps, justRead ?? (await spendableOf(deps, amount)), amount);
    if (before.able.length > 0) return before.able;
    if (before.totalUnits < amount.units) {
      deps.onShort(amount);
      return [];
    }
    await settlesWithin(refill(amount), refillWaitMs);
    const { able } = payersIn(deps, await spendableOf(deps, amount), amount);
    if (able.length === 0) throw new IntentPaused('a channel of the treasury is being refilled', retryMs);
    return able;
  };
}

const heldRetryMs = 500;

/** Other payments may have used a channel since its balance was read. Nothing has moved then, and the next run chooses again. */
export function channelCheck(payersOf: Wallets['treasuryPayers']): Wallets['assertHeld'] {
  return async (amount, payers) => {
    const able = (await payersOf(amount)).map(({ address }) => address);
    if (payers.some(({ address }) => !able.includes(address)))
      throw new IntentPaused('another payment has used the channel of the treasury', heldRetryMs);
  };
}

type Payers = { readonly able: readonly TreasuryPayer[]; readonly totalUnits: bigint };

function payersIn({ accounts: { treasury, channels } }: TreasuryPayersDeps, spendable: Spendable, { units }: Amount): Payers {
  const heldBy = (address: string): bigint => spendable.get(address) ?? 0n;
  return {
    able: channels.flatMap((address, channel) => (heldBy(address) >= units ? [{ role: { treasury: channel }, address }] : [])),
    totalUnits: [treasury, ...channels].reduce((sum, address) => sum + heldBy(address), 0n),
  };
}

async function spendableOf({ rpc, accounts }: TreasuryPayersDeps, { asset }: Pick<Amount, 'asset'>): Promise<Spendable> {
  const read = await rpc.accountBalances(treasuryAddresses(accounts));
  return new Map([...read].map(([address, balances]) => [address, spendableUnits(balances, asset)]));
}

export function treasuryAddresses({ treasury, channels }: PlatformAccounts): readonly string[] {
  return [treasury, ...channels];
}

export function treasuryKeys(addresses: readonly string[], usdcIssuer: string): Wallets['treasuryKeys'] {
  return { USDC: spendingKeysOf(addresses, 'USDC', usdcIssuer), XLM: spendingKeysOf(addresses, 'XLM', usdcIssuer) };
}

/** Collects the amount in one channel, from the treasury and from idle channels. */
async function refillChannel(deps: TreasuryPayersDeps, amount: Amount): Promise<void> {
  const result = await deps.freeChannels((takeFree) => deps.submitter.execute('treasury', () => plan(deps, amount, takeFree)));
  deps.log.info({ asset: amount.asset, units: amount.units.toString(), result }, 'channel refilled');
}

/** Planned twice: the first plan says which channels are needed, the second one is made when they are leased. */
async function plan(deps: TreasuryPayersDeps, amount: Amount, takeFree: TakeFree): Promise<PlannedOperations | undefined> {
  const { treasury, channels } = deps.accounts;
  const planWith = async (free: readonly string[]): Promise<readonly TreasuryOperation[]> => {
    const held = await spendableOf(deps, amount);
    const isHeld = channels.some((address) => (held.get(address) ?? 0n) >= amount.units);
    return isHeld ? [] : planRefill(amount, { treasury, free, held });
  };
  const needed = accountsIn(await planWith(channels));
  const operations = needed.length === 0 ? [] : await planWith(await takeFree(needed));
  return operations.length === 0 ? undefined : { operations, signers: signersOf(operations, deps.accounts) };
}

/** The channels that pay or are paid. */
function accountsIn(operations: readonly TreasuryOperation[]): readonly string[] {
  return [...new Set(operations.flatMap((each) => (each.does === 'pay' ? [each.to, each.by ?? each.to] : [])))];
}

/** Of an account with one trustline, and a part of the fee. */
const sponsoredUnits = 15_000_000n + 100_000n;

/** Whether the treasury has the reserves of this many wallets. */
export function canSponsor({
  network,
  accounts,
  onShort,
}: Pick<TreasuryPayersDeps, 'accounts' | 'onShort'> & { readonly network: Pick<LedgerNetwork, 'account'> }): (
  wallets: number,
) => Promise<boolean> {
  return async (wallets) => {
    const treasury = await network.account(accounts.treasury);
    const units = BigInt(wallets) * sponsoredUnits;
    const isEnough = treasury !== undefined && spendableUnits(treasury, 'XLM') >= units;
    if (!isEnough) onShort({ asset: 'XLM', units });
    return isEnough;
  };
}
