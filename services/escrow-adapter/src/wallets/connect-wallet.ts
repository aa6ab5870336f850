import { StrKey } from '@stellar/stellar-sdk';
import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { NewId, UserId, WalletId } from '@holdfast/kernel/ids';
import type { KnownUsers } from '@holdfast/service-kit/known-users';
import type { Wallets } from './ports.js';
import type { LinkedWalletStore } from './store/linked-wallet-store.js';

/** A wallet whose key is held by the user. */
export type LinkedWallet = { readonly id: WalletId; readonly publicKey: string; readonly connectedAt: Instant };

export type ConnectWalletDeps = {
  readonly users: Pick<KnownUsers, 'require'>;
  readonly isOwnAddress: Wallets['isOwnAddress'];
  readonly links: LinkedWalletStore;
  readonly newId: NewId;
};

export type ConnectWallet = { readonly userId: UserId; readonly publicKey: string };

/**
 * Links a wallet to a user, once per key, and makes it the primary one. Nobody proves that the key is theirs, because money can only
 * be sent to it. So several users may link the same key: a refusal would let anybody block the key of somebody else, and customers of
 * an exchange share its account.
 */
export async function connectWallet(
  { users, isOwnAddress, links, newId }: ConnectWalletDeps,
  { userId, publicKey }: ConnectWallet,
  ctx: Context,
): Promise<LinkedWallet> {
  // The details do not name the key: it may be a secret one, sent by mistake.
  if (!StrKey.isValidEd25519PublicKey(publicKey)) throw new AppError('INVALID_PUBLIC_KEY');
  if (await isOwnAddress(publicKey)) throw ownAddress();
  const { marketplaceId } = ctx.caller;
  await users.require({ marketplaceId, userId, requestId: ctx.requestId });
  return links.connect({ id: newId('wal'), userId, marketplaceId, publicKey, connectedAt: ctx.at }, ctx);
}

/** Withdrawals refuse these addresses, too. */
function ownAddress(): AppError {
  return new AppError('VALIDATION_ERROR', { validationErrors: ['public_key must not be an address of the platform'] });
}
