import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { IntentPaused } from '@holdfast/intents';
import type { Clock, Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { NewId } from '@holdfast/kernel/ids';
import type { WalletKeys } from '@holdfast/ledger-network/signing';
import {
  WalletNotActive,
  type Wallet,
  type WalletDirectory,
  type WalletOwner,
  type Wallets,
} from '../use-cases/wallets/ports.js';
import type { walletStore } from './wallet-store.js';

export type WalletDirectoryDeps = {
  readonly store: Pick<ReturnType<typeof walletStore>, 'find' | 'make' | 'usersWithout'>;
  readonly keys: Pick<WalletKeys, 'make'>;
  /** See `Activation`. */
  readonly whenActive: (wallet: Wallet, waitMsMax: number) => Promise<void>;
  readonly clock: Clock;
  readonly newId: NewId;
};

const activeAddressesMax = 20_000;
const missingPerRound = 500;

export function walletDirectory(deps: WalletDirectoryDeps): WalletDirectory {
  const { store, whenActive } = deps;
  const active = new LRUCache<string, string>({ max: activeAddressesMax });
  const walletOf = async (user: WalletOwner): Promise<Wallet> => {
    const [wallet] = await findOrMake(deps, [user]);
    // A user of another marketplace is reported as not found.
    if (wallet?.marketplaceId !== user.marketplaceId) throw new AppError('WALLET_NOT_FOUND', { userId: user.userId });
    return wallet;
  };
  const keyOf = ({ userId, marketplaceId }: WalletOwner): string => `${marketplaceId} ${userId}`;
  return {
    walletOf,
    activeAddressOf: async (user, waitMsMax) => {
      const known = active.get(keyOf(user));
      if (known !== undefined) return known;
      const wallet = await walletOf(user);
      if (wallet.activatedAt === null) await whenActive(wallet, waitMsMax);
      active.set(keyOf(wallet), wallet.address);
      return wallet.address;
    },
    makeMissing: async (signal) => {
      for (let users = await store.usersWithout(missingPerRound); users.length > 0 && !signal.aborted;) {
        await findOrMake(deps, users);
        users = users.length < missingPerRound ? [] : await store.usersWithout(missingPerRound);
      }
    },
  };
}

async function findOrMake(
  { store, keys, clock, newId }: WalletDirectoryDeps,
  users: readonly WalletOwner[],
): Promise<readonly Wallet[]> {
  const userIds = users.map(({ userId }) => userId);
  const found = await store.find(userIds);
  const isFound = new Set(found.map(({ userId }) => userId));
  const missing = users.filter(({ userId }) => !isFound.has(userId));
  if (missing.length === 0) return found;
  const createdAt = clock.now();
  const made = missing.map((user) => ({ ...user, ...keys.make(user.userId), id: newId('wal'), createdAt }));
  await store.make(made, randomUUID());
  return store.find(userIds);
}

/** A run waits this long for a wallet. Then it pauses: running intents are limited, and others could use its slot. */
const intentWaitMs = 1_000;

/** The address of an active wallet, for intents. */
export function addressForIntents({ activeAddressOf }: Pick<WalletDirectory, 'activeAddressOf'>): Wallets['addressOf'] {
  return (userId, marketplaceId) =>
    activeAddressOf({ userId, marketplaceId }, intentWaitMs).catch((error: unknown) => {
      if (error instanceof WalletNotActive) throw new IntentPaused(error.message, intentWaitMs);
      throw error;
    });
}

/** Creates wallets in the background. */
export function walletPreparation(
  { walletOf }: Pick<WalletDirectory, 'walletOf'>,
  { background, log }: { readonly background: (name: string, work: Promise<unknown>) => void; readonly log: Log },
): (user: WalletOwner) => void {
  return (user) => {
    const postponed = (error: unknown): void => log.warn({ userId: user.userId, error }, 'wallet creation postponed');
    background('wallet creation', walletOf(user).catch(postponed));
  };
}
