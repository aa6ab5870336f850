import type { Log } from '@holdfast/shared/context';
import type { CustodyAsset } from '@holdfast/shared/contracts/messages';
import type { PlatformKeys } from '../keys/platform-keys.js';
import type { LedgerAccount, LedgerNetwork } from '../ports.js';
import type { SigningRole } from '../signing/signer.js';
import type { Move } from './moves.js';
import { planTreasury } from './plan-treasury.js';
import type { MovesOutcome, TreasuryLane } from './treasury-lane.js';

/** Test networks only: gives tokens to whoever asks. */
export type Faucet = (address: string, asset: CustodyAsset, amount: string) => Promise<void>;

export type TreasuryDeps = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly lane: TreasuryLane;
  readonly keys: PlatformKeys;
  readonly faucet: Faucet | undefined;
  /** Below this many units of USDC the treasury is low. */
  readonly lowUnits: bigint;
  readonly log: Log;
  /** Told of everything the treasury and its channels hold, whenever it was looked at. */
  readonly onHoldings: (held: Readonly<Record<CustodyAsset, bigint>>) => void;
};

const faucetAmounts = { XLM: '100000000', USDC: '100000000' } as const;
const roundsMax = 4;

/**
 * Sees to it that the treasury, its channels and the platform exist, trust USDC and have what they need. Nothing happens
 * where nothing is missing, so it runs at the start and again and again.
 */
export async function keepTreasury(deps: TreasuryDeps): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const outcome = await keepOnce(deps);
    if (outcome === 'landed') continue;
    if (outcome !== 'nothing') deps.log.warn({ outcome }, 'the treasury could not be put in order yet');
    return;
  }
}

async function keepOnce(deps: TreasuryDeps): Promise<MovesOutcome | 'nothing'> {
  const { network, lane, keys, faucet } = deps;
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
      'the treasury has no account on the ledger network: somebody must pay into it',
    );
    return 'nothing';
  }
  if (await fillUp(deps, treasury.account, channels)) return 'landed';
  const moves = planTreasury({ treasury: treasury.account, platform, channels });
  if (moves.length === 0) return 'nothing';
  return lane.carryOut('treasury', moves, signersOf(moves, keys));
}

/** True where the faucet has just given something. */
async function fillUp(
  { keys, faucet, lowUnits, log, onHoldings }: TreasuryDeps,
  treasury: LedgerAccount,
  channels: readonly { readonly account: LedgerAccount | undefined }[],
): Promise<boolean> {
  const held = (asset: CustodyAsset): bigint =>
    channels.reduce((sum, { account }) => sum + (account?.balances[asset] ?? 0n), treasury.balances[asset] ?? 0n);
  const usdc = held('USDC');
  onHoldings({ XLM: held('XLM'), USDC: usdc });
  if (usdc >= lowUnits || treasury.balances.USDC === undefined) return false;
  if (faucet === undefined) {
    log.warn({ usdcUnits: usdc.toString(), lowUnits: lowUnits.toString() }, 'the treasury runs low');
    return false;
  }
  await faucet(keys.treasury.address, 'USDC', faucetAmounts.USDC);
  return true;
}

function signersOf(moves: readonly Move[], { platform, channels }: PlatformKeys): readonly SigningRole[] {
  const acting = new Set(moves.flatMap((move) => ('by' in move && move.by !== undefined ? [move.by] : [])));
  const ofChannels = channels.flatMap(({ address }, channel) => (acting.has(address) ? [{ treasury: channel }] : []));
  return [...(acting.has(platform.address) ? (['platform'] as const) : []), ...ofChannels];
}
