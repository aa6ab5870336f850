import type { Instant } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import type { Account } from '../domain/account.js';

export type AccountClaims = { readonly userId: UserId; readonly expiresAt: Instant };

/** The attempts that were counted for an account or an address. */
export type AttemptCount = { readonly count: number; readonly windowEndsAt: Instant };

export const attemptActions = ['registration', 'login'] as const;
export type AttemptAction = (typeof attemptActions)[number];
export const attemptOutcomes = ['succeeded', 'refused', 'account_limited', 'address_limited'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** What the use cases of the account API need. */
export type AccountDeps = {
  readonly accounts: {
    readonly findByEmail: (email: string) => Promise<Account | undefined>;
    readonly findByUser: (userId: UserId) => Promise<Account | undefined>;
  };
  readonly loginAttempts: {
    /** Registrations, and failed logins, that one address may attempt within a window. */
    readonly perAddressMax: number;
    /** Counts an attempt and returns the count. A window that has ended begins anew. */
    readonly count: (subject: string, window: { readonly at: Instant; readonly windowSeconds: number }) => Promise<AttemptCount>;
    readonly forget: (subject: string) => Promise<void>;
    /** Takes one attempt off the count. */
    readonly giveBack: (subject: string) => Promise<void>;
  };
  readonly onAttempt: (action: AttemptAction, outcome: AttemptOutcome) => void;
  readonly passwords: {
    readonly hash: (password: string) => Promise<string>;
    /** False without a hash, after the same work. */
    readonly isRight: (passwordHash: string | undefined, password: string) => Promise<boolean>;
  };
  readonly accountTokens: {
    readonly sign: (claims: AccountClaims, at: Instant) => string;
    /** Undefined where the signature or the claims are invalid. The expiry is not checked here. */
    readonly verify: (token: string) => AccountClaims | undefined;
  };
  readonly accountTokenSeconds: number;
};
