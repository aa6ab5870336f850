import type { Context } from '@holdfast/shared/context';
import type { CustodyAsset } from '@holdfast/shared/contracts/messages';
import { AppError } from '@holdfast/shared/errors';
import { assetOf } from '../domain/custody.js';
import { askedBy } from './asked-by.js';
import { getBalance, type GetBalance } from './get-balance.js';
import type { Balance, Deps } from './ports.js';

export type Verification = {
  readonly balance: Balance;
  readonly address: string;
  readonly asset: CustodyAsset;
  readonly onNetworkUnits: bigint;
  /** What the wallet holds beyond what the books say it does. */
  readonly differenceUnits: bigint;
};

/** Compares a user's wallet on the ledger network with the books of custody. Changes nothing. */
export async function verifyBalance(deps: Deps, asked: GetBalance, ctx: Context): Promise<Verification> {
  const balance = await getBalance(deps, asked, ctx);
  const asset = assetOf(asked.currency);
  const { address, units } = await deps.wallets.onNetwork(askedBy(ctx, asked.userId), asset).catch((cause: unknown) => {
    throw new AppError('VERIFICATION_FAILED', { reason: 'The ledger network could not be asked.' }, { cause });
  });
  const bookedUnits = await deps.wallets.booked(asked.userId, asset);
  return { balance, address, asset, onNetworkUnits: units, differenceUnits: units - bookedUnits };
}
