import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createBatcher } from '@holdfast/messaging/batching';
import type { Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { NewId } from '@holdfast/kernel/ids';
import type { MasterKeys } from './keys/master-keys.js';
import { makeWalletKey } from './keys/wallet-keys.js';
import type { WalletOwner } from './ports.js';
import type { Wallet, WalletStore } from './store/wallet-store.js';
import type { Activation } from './treasury/activation.js';

/** The wallets of all users; a wallet is created when it is first needed. */
export type WalletDirectory = {
  /** Creates the wallet if it is missing; concurrent calls for a user return the same wallet. */
  readonly walletOf: (user: WalletOwner) => Promise<Wallet>;
  /** Resolves when the network has the account. Throws WalletNotActive; see `Activation`. */
  readonly activeAddressOf: (user: WalletOwner, waitMsMax: number) => Promise<string>;
  /** Creates the wallets of stored users that have none, which a process that died may have left. */
  readonly makeMissing: (signal: AbortSignal) => Promise<void>;
  readonly drain: () => Promise<void>;
};

export type WalletDirectoryDeps = {
  readonly store: WalletStore;
  readonly keys: MasterKeys;
  readonly activation: Pick<Activation, 'whenActive'>;
  readonly clock: Clock;
  readonly newId: NewId;
};

const batchLimits = { sizeMax: 100, batchDelayMs: 2, inFlightMax: 2, waitingMax: 10_000 };
const activeAddressesMax = 20_000;
const missingPerRound = 500;

export function walletDirectory(deps: WalletDirectoryDeps): WalletDirectory {
  const { store, activation } = deps;
  const active = new LRUCache<string, string>({ max: activeAddressesMax });
  const batcher = createBatcher<WalletOwner, Wallet>({
    ...batchLimits,
    run: (users) => findOrMake(deps, users),
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
  });
  const keyOf = ({ userId, marketplaceId }: WalletOwner): string => `${marketplaceId} ${userId}`;
  return {
    walletOf: batcher.submit,
    activeAddressOf: async (user, waitMsMax) => {
      const known = active.get(keyOf(user));
      if (known !== undefined) return known;
      const wallet = await batcher.submit(user);
      if (wallet.activatedAt === null) await activation.whenActive(wallet, waitMsMax);
      active.set(keyOf(wallet), wallet.address);
      return wallet.address;
    },
    makeMissing: async (signal) => {
      for (let users = await store.usersWithout(missingPerRound); users.length > 0 && !signal.aborted;) {
        await Promise.all(users.map(batcher.submit));
        users = users.length < missingPerRound ? [] : await store.usersWithout(missingPerRound);
      }
    },
    drain: batcher.drain,
  };
}

async function findOrMake(
  deps: WalletDirectoryDeps,
  users: readonly WalletOwner[],
): Promise<readonly PromiseSettledResult<Wallet>[]> {
  const { store, keys, clock, newId } = deps;
  const find = async (): Promise<ReadonlyMap<string, Wallet>> =>
    new Map((await store.find(users.map(({ userId }) => userId))).map((wallet) => [wallet.userId, wallet]));
  let found = await find();
  const missing = [...new Map(users.filter(({ userId }) => !found.has(userId)).map((user) => [user.userId, user])).values()];
  if (missing.length > 0) {
    const createdAt = clock.now();
    const made = missing.map((user) => ({ ...user, ...makeWalletKey(keys, user.userId), id: newId('wal'), createdAt }));
    await store.make(made, randomUUID());
    found = await find();
  }
  return users.map((user) => toResult(found.get(user.userId), user));
}

/** A user of another marketplace is reported as not found. */
function toResult(wallet: Wallet | undefined, { userId, marketplaceId }: WalletOwner): PromiseSettledResult<Wallet> {
  if (wallet?.marketplaceId === marketplaceId) return { status: 'fulfilled', value: wallet };
  return { status: 'rejected', reason: new AppError('WALLET_NOT_FOUND', { userId }) };
}
