import type { Log } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import type { PlatformKeys } from '../keys/platform-keys.js';
import type { LedgerAccount, LedgerNetwork } from '../ports.js';
import type { SigningRole } from '../signing/signer.js';
import type { TreasuryOperation } from './treasury-operations.js';
import { planTreasury } from './plan-treasury.js';
import type { TreasuryResult, TreasurySubmitter } from './treasury-submitter.js';

/** Test networks only: sends tokens to an address. */
export type Faucet = (address: string, asset: CustodyAsset, amount: string) => Promise<void>;

export type TreasuryDeps = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly submitter: TreasurySubmitter;
  readonly keys: PlatformKeys;
  readonly faucet: Faucet | undefined;
  /** Below this many units of USDC the treasury is low. */
  readonly lowUnits: bigint;
  readonly log: Log;
  /** Called with the balances of the treasury and its channels after each check. */
  readonly onHoldings: (holdings: Readonly<Record<CustodyAsset, bigint>>) => void;
};

const faucetAmounts = { XLM: '100000000', USDC: '100000000' } as const;
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

async function maintainOnce(deps: TreasuryDeps): Promise<TreasuryResult | 'nothing'> {
  const { network, submitter, keys, faucet } = deps;
  if ((await network.account(keys.treasury.address)) === undefined)
    await faucet?.(keys.treasury.address, 'XLM', faucetAmounts.XLM);
  const [treasury, platform, ...channels] = await Promise.all(
    [keys.treasury, keys.platform, ...keys.channels].map(async ({ address }) => ({
      address,
      account: await network.account(address),
    })),
  );
  if (treasury?.account === undefined || platform === undefined) {
    deps.log.error(
      { address: keys.treasury.address },
      'the treasury account does not exist on the ledger network; it must be funded',
    );
    return 'nothing';
  }
  if (await fillFromFaucet(deps, treasury.account, channels)) return 'landed';
  const operations = planTreasury({ treasury: treasury.account, platform, channels });
  if (operations.length === 0) return 'nothing';
  return submitter.execute('treasury', operations, signersOf(operations, keys));
}

/** Reports the balances. Returns true if the faucet has filled the treasury. */
async function fillFromFaucet(
  { keys, faucet, lowUnits, log, onHoldings }: TreasuryDeps,
  treasury: LedgerAccount,
  channels: readonly { readonly account: LedgerAccount | undefined }[],
): Promise<boolean> {
  const totalOf = (asset: CustodyAsset): bigint =>
    channels.reduce((sum, { account }) => sum + (account?.balances[asset] ?? 0n), treasury.balances[asset] ?? 0n);
  const usdc = totalOf('USDC');
  onHoldings({ XLM: totalOf('XLM'), USDC: usdc });
  if (usdc >= lowUnits || treasury.balances.USDC === undefined) return false;
  if (faucet === undefined) {
    log.warn({ usdcUnits: usdc.toString(), lowUnits: lowUnits.toString() }, 'treasury balance is low');
    return false;
  }
  await faucet(keys.treasury.address, 'USDC', faucetAmounts.USDC);
  return true;
}

function signersOf(operations: readonly TreasuryOperation[], { platform, channels }: PlatformKeys): readonly SigningRole[] {
  const acting = new Set(
    operations.flatMap((operation) => ('by' in operation && operation.by !== undefined ? [operation.by] : [])),
  );
  const ofChannels = channels.flatMap(({ address }, channel) => (acting.has(address) ? [{ treasury: channel }] : []));
  return [...(acting.has(platform.address) ? (['platform'] as const) : []), ...ofChannels];
}
