import type { Instant } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import type { Login } from '../domain/login.js';

export type LoginClaims = { readonly userId: UserId; readonly expiresAt: Instant };

/** The attempts that were counted for a login or an address. */
export type AttemptCount = { readonly count: number; readonly windowEndsAt: Instant };

export const attemptActions = ['registration', 'login'] as const;
export type AttemptAction = (typeof attemptActions)[number];
export const attemptOutcomes = ['succeeded', 'refused', 'login_limited', 'address_limited'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** What the use cases of the account API need. */
export type LoginDeps = {
  readonly logins: {
    readonly findByEmail: (email: string) => Promise<Login | undefined>;
    readonly findByUser: (userId: UserId) => Promise<Login | undefined>;
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
  readonly loginTokens: {
    readonly sign: (claims: LoginClaims, at: Instant) => string;
    /** Undefined where the signature or the claims are invalid. The expiry is not checked here. */
    readonly verify: (token: string) => LoginClaims | undefined;
  };
  readonly loginTokenSeconds: number;
};
