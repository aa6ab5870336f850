import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { userMoves, type UserStatus } from './user-states.js';

export const userTypes = ['BUYER', 'SELLER', 'BOTH'] as const;
export type UserType = (typeof userTypes)[number];

export type Metadata = Readonly<Record<string, unknown>>;

export type User = {
  readonly id: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly externalUserId: string;
  readonly email: string | null;
  readonly type: UserType;
  readonly status: UserStatus;
  readonly metadata: Metadata;
  /** Counts the published changes of the user. */
  readonly version: number;
  /** The user's account on the ledger network; null until user.ledger_linked was consumed. */
  readonly ledgerAddress: string | null;
  readonly ledgerLinkedAt: Instant | null;
  /** The user's account at the payment provider; null until user.payment_account_linked was consumed. */
  readonly paymentAccountUserId: string | null;
  readonly paymentAccountLinkedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type NewUser = Pick<User, 'id' | 'marketplaceId' | 'externalUserId' | 'email' | 'type' | 'metadata'>;

export type UserPatch = {
  readonly status?: UserStatus | undefined;
  readonly email?: string | null | undefined;
  readonly metadata?: Metadata | undefined;
};

export function newUser(given: NewUser, at: Instant): User {
  const unlinked = { ledgerAddress: null, ledgerLinkedAt: null, paymentAccountUserId: null, paymentAccountLinkedAt: null };
  return { ...given, ...unlinked, status: 'ACTIVE', version: 1, createdAt: at, updatedAt: at };
}

/** The user after a patch; the same object where the patch changes nothing. */
export function patchUser(user: User, patch: UserPatch, at: Instant): User {
  const patched = {
    status: patch.status === undefined ? user.status : withStatus(user.status, patch.status),
    email: patch.email === undefined ? user.email : patch.email,
    metadata: patch.metadata === undefined ? user.metadata : mergeMetadata(user.metadata, patch.metadata),
  };
  const isSame = patched.status === user.status && patched.email === user.email && isEqual(patched.metadata, user.metadata);
  if (isSame) return user;
  return { ...user, ...patched, version: user.version + 1, updatedAt: at > user.updatedAt ? at : user.updatedAt };
}

/** Setting the current status again is not a state move. */
function withStatus(current: UserStatus, wanted: UserStatus): UserStatus {
  if (current === wanted) return current;
  return moved(userMoves, wanted === 'SUSPENDED' ? 'suspend' : 'reinstate', current);
}

/** Merges by key: keys that the patch does not name stay, and keys that it sets to null are removed. */
export function mergeMetadata(current: Metadata, patch: Metadata): Metadata {
  return Object.fromEntries(Object.entries({ ...current, ...patch }).filter(([key, value]) => value !== null || !(key in patch)));
}

function isEqual(one: Metadata, other: Metadata): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
