import type { CustodyAsset } from '@holdfast/kernel/money';
import { spendableUnits, type Holder, type TreasuryOperation } from '@holdfast/ledger-network/values';

/** The platform's accounts as the network has them; undefined where one does not exist yet. */
export type TreasuryState = {
  readonly treasury: Holder & { readonly address: string };
  readonly platform: PlatformAccount;
  readonly channels: readonly ChannelAccount[];
};

type PlatformAccount = { readonly address: string; readonly account: Holder | undefined };

/** A channel that is paying right now is not free: nothing is taken from it. */
export type ChannelAccount = PlatformAccount & { readonly isFree: boolean };

const unitsPerWhole = 10_000_000n;
/** XLM that stays in the treasury for fees and for the reserves of the wallets that it sponsors next. */
const treasuryReserveUnits = 100n * unitsPerWhole;
const platformUnits = 20n * unitsPerWhole;
const assets = ['XLM', 'USDC'] as const;

type Shares = Readonly<Record<CustodyAsset, bigint>>;

/**
 * Plans the operations that create missing platform accounts, collect from channels with much more than their share, and refill
 * those with much less. The treasury pays no more than it has.
 */
export function planTreasury({ treasury, platform, channels }: TreasuryState): readonly TreasuryOperation[] {
  const shares = { XLM: shareOf('XLM', treasury, channels), USDC: shareOf('USDC', treasury, channels) };
  const collected = assets.flatMap((asset) => collect(asset, { treasury, channels, share: shares[asset] }));
  const budget = {
    XLM: ownUnits(treasury, 'XLM') + sumOf(collected, 'XLM'),
    USDC: ownUnits(treasury, 'USDC') + sumOf(collected, 'USDC'),
  };
  const refills = [
    ...refill(platform, { XLM: platformUnits, USDC: 0n }),
    ...channels.flatMap((channel) => refill(channel, shares)),
  ];
  return [
    ...(treasury.balances.USDC === undefined ? [{ does: 'trust', by: undefined } as const] : []),
    ...collected,
    ...affordable(refills, budget),
  ];
}

function ownUnits(treasury: Holder, asset: CustodyAsset): bigint {
  return spendableUnits(treasury, asset) - (asset === 'XLM' ? treasuryReserveUnits : 0n);
}

/** USDC is shared equally; the treasury keeps half of the XLM, because it sponsors wallets and pays all fees. */
function shareOf(asset: CustodyAsset, treasury: Holder, channels: readonly PlatformAccount[]): bigint {
  const channelUnits = channels.reduce((sum, { account }) => sum + (account?.balances[asset] ?? 0n), 0n);
  const parts = asset === 'XLM' ? 2n * BigInt(channels.length) : BigInt(channels.length) + 1n;
  const total = ownUnits(treasury, asset) + channelUnits;
  return total <= 0n ? 0n : total / parts;
}

type Collecting = Pick<TreasuryState, 'treasury' | 'channels'> & { readonly share: bigint };

/** A channel that was refilled for a large payment may keep the rest of it; it is collected above twice its share. */
function collect(asset: CustodyAsset, { treasury, channels, share }: Collecting): readonly TreasuryOperation[] {
  return channels.flatMap(({ address, account, isFree }) => {
    const units = (account === undefined ? 0n : spendableUnits(account, asset)) - share;
    return isFree && units > share && units >= unitsPerWhole
      ? [{ does: 'pay', by: address, to: treasury.address, asset, units }]
      : [];
  });
}

/** Refills an account to its share when less than half is left, so that refills are rare. */
function refill({ address, account }: PlatformAccount, shares: Shares): readonly TreasuryOperation[] {
  if (account === undefined) {
    const create: readonly TreasuryOperation[] = [
      { does: 'create', address, units: shares.XLM },
      { does: 'trust', by: address },
    ];
    return [...create, ...payment(address, 'USDC', shares.USDC)];
  }
  const trust: readonly TreasuryOperation[] = account.balances.USDC === undefined ? [{ does: 'trust', by: address }] : [];
  const pays = assets.flatMap((asset) => {
    const balance = account.balances[asset] ?? 0n;
    return balance * 2n < shares[asset] ? payment(address, asset, shares[asset] - balance) : [];
  });
  return [...trust, ...pays];
}

function payment(to: string, asset: CustodyAsset, units: bigint): readonly TreasuryOperation[] {
  return units < unitsPerWhole ? [] : [{ does: 'pay', to, asset, units }];
}

function sumOf(operations: readonly TreasuryOperation[], asset: CustodyAsset): bigint {
  return operations.reduce((sum, each) => (each.does === 'pay' && each.asset === asset ? sum + each.units : sum), 0n);
}

/** Leaves out payments that the treasury cannot cover: one of them would let the whole transaction fail. */
function affordable(operations: readonly TreasuryOperation[], budget: Shares): readonly TreasuryOperation[] {
  const left = { ...budget };
  return operations.filter((each) => {
    if (each.does !== 'pay' && each.does !== 'create') return true;
    const asset = each.does === 'pay' ? each.asset : 'XLM';
    if (each.does === 'pay' && each.units > left[asset]) return false;
    left[asset] -= each.units;
    return true;
  });
}

type Accounts = { readonly platform: string; readonly channels: readonly string[] };

/** The accounts of the platform, except the treasury, that sign these operations. */
export function signersOf(
  operations: readonly TreasuryOperation[],
  { platform, channels }: Accounts,
): readonly ('platform' | { readonly treasury: number })[] {
  const acting = new Set(
    operations.flatMap((operation) => ('by' in operation && operation.by !== undefined ? [operation.by] : [])),
  );
  const ofChannels = channels.flatMap((address, channel) => (acting.has(address) ? [{ treasury: channel }] : []));
  return [...(acting.has(platform) ? (['platform'] as const) : []), ...ofChannels];
}
