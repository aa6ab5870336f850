import type { TreasuryOperation } from '@holdfast/ledger-network/values';

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
