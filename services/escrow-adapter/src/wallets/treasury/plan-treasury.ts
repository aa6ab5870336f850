import type { CustodyAsset } from '@holdfast/contracts/messages';
import type { LedgerAccount } from '../ports.js';
import type { TreasuryOperation } from './treasury-operations.js';

/** The platform's accounts as the network has them; undefined where one does not exist yet. */
export type TreasuryState = {
  readonly treasury: LedgerAccount;
  readonly platform: PlatformAccount;
  readonly channels: readonly PlatformAccount[];
};

type PlatformAccount = { readonly address: string; readonly account: LedgerAccount | undefined };

const unitsPerWhole = 10_000_000n;
/** XLM reserve of the treasury for its own ledger entries and fees. */
const treasuryReserveUnits = 100n * unitsPerWhole;
const platformUnits = 20n * unitsPerWhole;

/** Plans the operations that create missing platform accounts and refill low ones. */
export function planTreasury({ treasury, platform, channels }: TreasuryState): readonly TreasuryOperation[] {
  const shares = { XLM: shareOf('XLM', treasury, channels), USDC: shareOf('USDC', treasury, channels) };
  return [
    ...(treasury.balances.USDC === undefined ? [{ does: 'trust', by: undefined } as const] : []),
    ...refill(platform, { XLM: platformUnits, USDC: 0n }),
    ...channels.flatMap((channel) => refill(channel, shares)),
  ];
}

type Shares = Readonly<Record<CustodyAsset, bigint>>;

/** USDC is shared equally; the treasury keeps half of the XLM, because it activates wallets. */
function shareOf(asset: CustodyAsset, treasury: LedgerAccount, channels: readonly PlatformAccount[]): bigint {
  const reserve = asset === 'XLM' ? treasuryReserveUnits : 0n;
  const own = (treasury.balances[asset] ?? 0n) - reserve;
  const channelUnits = channels.reduce((sum, { account }) => sum + (account?.balances[asset] ?? 0n), 0n);
  const parts = asset === 'XLM' ? 2n * BigInt(channels.length) : BigInt(channels.length) + 1n;
  const total = own + channelUnits;
  return total <= 0n ? 0n : total / parts;
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
  const pays = (['XLM', 'USDC'] as const).flatMap((asset) => {
    const balance = account.balances[asset] ?? 0n;
    return balance * 2n < shares[asset] ? payment(address, asset, shares[asset] - balance) : [];
  });
  return [...trust, ...pays];
}

function payment(to: string, asset: CustodyAsset, units: bigint): readonly TreasuryOperation[] {
  return units < unitsPerWhole ? [] : [{ does: 'pay', to, asset, units }];
}
