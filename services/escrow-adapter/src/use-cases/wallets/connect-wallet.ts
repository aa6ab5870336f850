import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { NewId, UserId } from '@holdfast/kernel/ids';
import type { KnownUsers } from '@holdfast/service-kit/known-users';
import type { LinkedWallet, LinkedWallets, Wallets } from './ports.js';

export type ConnectWalletDeps = {
  readonly users: Pick<KnownUsers, 'require'>;
  readonly isOwnAddress: Wallets['isOwnAddress'];
  readonly links: LinkedWallets;
  readonly newId: NewId;
};

export type ConnectWallet = { readonly userId: UserId; readonly publicKey: string };

/**
 * Links a wallet to a user, once per key, and makes it the primary one. Users do not prove that the key is theirs, because money can only
 * be sent to it. So several users may link the same key: a refusal would let any user block another person's key, and customers of
 * an exchange share its account.
 */
export async function connectWallet(
  { users, isOwnAddress, links, newId }: ConnectWalletDeps,
  { userId, publicKey }: ConnectWallet,
  ctx: Context,
): Promise<LinkedWallet> {
  if (await isOwnAddress(publicKey)) throw ownAddress();
  const { marketplaceId } = ctx.caller;
  await users.require({ marketplaceId, userId, requestId: ctx.requestId });
  return links.connect({ id: newId('wal'), userId, marketplaceId, publicKey, connectedAt: ctx.at }, ctx);
}

/** Withdrawals refuse these addresses, too. */
function ownAddress(): AppError {
  return new AppError('VALIDATION_ERROR', { validationErrors: ['public_key must not be an address of the platform'] });
}
