import type { Context } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import { assetOf } from '../domain/custody.js';
import { userLookup } from './user-lookup.js';
import { getBalance } from './get-balance.js';
import type { Balance, Deps, WantedBalance } from './ports.js';

export type Verification = {
  readonly balance: Balance;
  readonly address: string;
  readonly asset: CustodyAsset;
  readonly onNetworkUnits: bigint;
  /** What the wallet holds on the network minus what it holds in the journal. */
  readonly differenceUnits: bigint;
};

/** Compares a user's wallet on the ledger network with the journal. Changes nothing. */
export async function verifyBalance(deps: Deps, input: WantedBalance, ctx: Context): Promise<Verification> {
  const balance = await getBalance(deps, input, ctx);
  const asset = assetOf(input.currency);
  const { address, units } = await deps.wallets.networkHoldings(userLookup(ctx, input.userId), asset).catch((cause: unknown) => {
    throw new AppError('VERIFICATION_FAILED', { reason: 'The ledger network could not be reached.' }, { cause });
  });
  const journalUnits = await deps.wallets.ledgerHoldings(input.userId, asset);
  return { balance, address, asset, onNetworkUnits: units, differenceUnits: units - journalUnits };
}
