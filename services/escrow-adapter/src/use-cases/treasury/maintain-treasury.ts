import type { Log } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { TreasuryOperation } from '@holdfast/ledger-network/values';
import { planTreasury, signersOf, type TreasuryState } from '../../domain/plan-treasury.js';
import type { PlatformAccounts } from '@holdfast/ledger-network/signing';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';
import type {
  Faucet,
  FaucetPayment,
  FreeChannels,
  OnHoldings,
  PlannedOperations,
  TreasuryResult,
  TreasurySubmitter,
} from './ports.js';

export type TreasuryDeps = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly submitter: TreasurySubmitter;
  readonly accounts: PlatformAccounts;
  readonly freeChannels: FreeChannels;
  readonly faucet: Faucet | undefined;
  /** Below this many units of USDC the treasury is low. */
  readonly lowUnits: bigint;
  readonly log: Log;
  /** Called after each check with the balances of the treasury and its channels together, and with the balances of each channel. */
  readonly onHoldings: OnHoldings;
};

const faucetAmounts = { XLM: '100000000', USDC: '100000000' } as const;
/** On a test network the treasury always covers many orders of the largest size. */
const faucetBelowUnits = 100_000_000_000_000n;
const roundsMax = 4;

/** Ensures that the accounts of treasury, channels and platform exist, with a USDC trustline and enough balance. */
export async function maintainTreasury(deps: TreasuryDeps): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const result = await maintainOnce(deps);
    if (result === 'landed') continue;
    if (result !== 'nothing') deps.log.warn({ result }, 'treasury maintenance incomplete');
    return;
  }
}

async function maintainOnce(deps: TreasuryDeps): Promise<TreasuryResult> {
  const { network, submitter, accounts, faucet } = deps;
  if ((await network.account(accounts.treasury)) === undefined) await faucet?.(faucetPayment(accounts.treasury, 'XLM', 'create'));
  const state = await readState(deps, accounts.channels);
  if (state === undefined) {
    deps.log.error(
      { address: accounts.treasury },
      'the treasury account does not exist on the ledger network; it must be funded',
    );
    return 'nothing';
  }
  if (await fillFromFaucet(deps, state)) return 'landed';
  const operations = planTreasury(state);
  if (operations.length === 0) return 'nothing';
  return deps.freeChannels((takeFree) =>
    submitter.execute('treasury', async () => plan(deps, await takeFree(payersIn(operations)))),
  );
}

/** Replicas that see the same balances ask with the same reference, so that only one of them is paid. */
function faucetPayment(address: string, asset: CustodyAsset, seen: string): FaucetPayment {
  return { address, asset, amount: faucetAmounts[asset], reference: `${address} ${asset} ${seen}` };
}

type ReadState = TreasuryState & { readonly treasury: { readonly sequence: bigint } };

/** Undefined while the treasury has no account. */
async function readState({ network, accounts }: TreasuryDeps, free: readonly string[]): Promise<ReadState | undefined> {
  const [treasury, platform, ...channels] = await Promise.all(
    [accounts.treasury, accounts.platform, ...accounts.channels].map(async (address) => ({
      address,
      account: await network.account(address),
      isFree: free.includes(address),
    })),
  );
  if (treasury?.account === undefined || platform === undefined) return undefined;
  return { treasury: { ...treasury.account, address: treasury.address }, platform, channels };
}

async function plan(deps: TreasuryDeps, free: readonly string[]): Promise<PlannedOperations | undefined> {
  const state = await readState(deps, free);
  const operations = state === undefined ? [] : planTreasury(state);
  return operations.length === 0 ? undefined : { operations, signers: signersOf(operations, deps.accounts) };
}

/** Reports the balances. Returns true if the faucet has filled the treasury. */
async function fillFromFaucet(
  { accounts, faucet, lowUnits, log, onHoldings }: TreasuryDeps,
  { treasury, channels }: ReadState,
): Promise<boolean> {
  const totalOf = (asset: CustodyAsset): bigint =>
    channels.reduce((sum, { account }) => sum + (account?.balances[asset] ?? 0n), treasury.balances[asset] ?? 0n);
  const totals = { XLM: totalOf('XLM'), USDC: totalOf('USDC') };
  onHoldings(
    totals,
    channels.map(({ account }) => account?.balances),
  );
  if (faucet === undefined) {
    if (totals.USDC < lowUnits)
      log.warn({ usdcUnits: totals.USDC.toString(), lowUnits: lowUnits.toString() }, 'treasury balance is low');
    return false;
  }
  const low = (['XLM', 'USDC'] as const).filter(
    (asset) => treasury.balances[asset] !== undefined && totals[asset] < faucetBelowUnits,
  );
  for (const asset of low)
    await faucet(faucetPayment(accounts.treasury, asset, `${totals[asset].toString()} at ${treasury.sequence.toString()}`));
  return low.length > 0;
}

/** The accounts, except the treasury, that pay in these operations. */
function payersIn(operations: readonly TreasuryOperation[]): readonly string[] {
  const payers = operations.flatMap((each) => (each.does === 'pay' && each.by !== undefined ? [each.by] : []));
  return [...new Set(payers)];
}
