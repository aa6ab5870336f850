import type { Currency } from '@holdfast/kernel/money';

/** The parts of an account; only users have a reserved one. */
export const accountParts = ['available', 'reserved'] as const;
export type AccountPart = (typeof accountParts)[number];

/** Platform and external accounts are shared by all users: they are never locked and have no running balance. */
export const accountKinds = ['user', 'escrow', 'platform', 'external'] as const;
export type AccountKind = (typeof accountKinds)[number];

/** Names an account: `user:usr_1:USD`, `escrow:ord_1:USD`, `external:manual:USD`, `platform:fees:USD`. */
export type AccountRef = { readonly kind: AccountKind; readonly owner: string; readonly currency: Currency };

/** An account whose row is locked, with the balances that the next posting sees. */
export type Account = AccountRef & {
  readonly id: bigint;
  readonly availableUnits: bigint;
  readonly reservedUnits: bigint;
  /** Counts the public events about the account. */
  readonly version: number;
  /** True only for user accounts. A suspended user cannot reserve funds. */
  readonly isSuspended: boolean;
};

export function accountKey(ref: { readonly kind: string; readonly owner: string; readonly currency: string }): string {
  return `${ref.kind}:${ref.owner}:${ref.currency}`;
}

/** The name of an account in responses. Their legs name the currency. */
export function accountNameOf({
  kind,
  owner,
  part,
}: {
  readonly kind: string;
  readonly owner: string;
  readonly part: AccountPart;
}): string {
  return kind === 'user' ? `user:${owner}:${part}` : `${kind}:${owner}`;
}

export function isShared(ref: AccountRef): boolean {
  return ref.kind === 'platform' || ref.kind === 'external';
}

export function userAccount(userId: string, currency: Currency): AccountRef {
  return { kind: 'user', owner: userId, currency };
}

export function escrowAccount(orderId: string, currency: Currency): AccountRef {
  return { kind: 'escrow', owner: orderId, currency };
}

const platformOwners = ['fees', 'suspense', 'provider_costs', 'capital'] as const;
type PlatformOwner = (typeof platformOwners)[number];

function platformAccount(owner: PlatformOwner, currency: Currency): AccountRef {
  return { kind: 'platform', owner, currency };
}

export function feeAccount(currency: Currency): AccountRef {
  return platformAccount('fees', currency);
}

/** Holds the money of open reconciliation cases: its balance is the sum of them, which may be negative. */
export function suspenseAccount(currency: Currency): AccountRef {
  return platformAccount('suspense', currency);
}

/** What the payment provider has charged, as a negative balance. Fees on the ledger network are in the accounts of the tokens. */
export function providerCostAccount(currency: Currency): AccountRef {
  return platformAccount('provider_costs', currency);
}

/** What the owners of the platform have put in at the payment provider. Their tokens are in the accounts of the tokens. */
export function capitalAccount(currency: Currency): AccountRef {
  return platformAccount('capital', currency);
}

/**
 * The sources and destinations of money outside the ledger. `provider_account` is the part of the balance at the payment provider that
 * no payment of a user explains.
 */
export const externalOwners = [
  'payins',
  'payouts',
  'deposits',
  'ledger_payouts',
  'manual',
  'adjustments',
  'provider_account',
] as const;
export type ExternalOwner = (typeof externalOwners)[number];

export function externalAccount(owner: ExternalOwner, currency: Currency): AccountRef {
  return { kind: 'external', owner, currency };
}

/** Platform and external accounts never have the same owner. */
export const sharedOwners = [...platformOwners, ...externalOwners] as const;
