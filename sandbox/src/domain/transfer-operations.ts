import { accountReserves, credit, debit, sponsor, subEntriesOf, type Account } from './account.js';
import { isIssuer, issuedAsset, nativeAsset, type AssetKey } from './assets.js';
import { OperationFailure } from './operation-failure.js';
import type { Sponsorships } from './sponsoring.js';

/** The accounts that an operation reads and writes. */
export type Accounts = {
  readonly find: (id: string) => Account | undefined;
  readonly put: (account: Account) => void;
  readonly remove: (id: string) => void;
  readonly putClaimable: (balance: ClaimableBalance) => void;
  readonly nextOfferId: () => bigint;
  /** The sponsorings that the transaction has begun and not ended. */
  readonly sponsorships: Sponsorships;
};

/** Tokens that one of the claimants can take. They belong to no account until then; the sender pays a reserve per claimant. */
export type ClaimableBalance = {
  readonly id: string;
  readonly asset: AssetKey;
  readonly units: bigint;
  readonly claimants: readonly string[];
};

export type PathPayment = {
  readonly kind: 'path_payment_strict_send' | 'path_payment_strict_receive';
  readonly source: string;
  readonly to: string;
  /** The muxed address with which the sender named the account. */
  readonly toMuxed?: string | undefined;
  /** What arrives. */
  readonly asset: AssetKey;
  readonly units: bigint;
  readonly sourceAsset: AssetKey;
  readonly sourceUnits: bigint;
  /** The least that has to arrive, or the most that may be sent. */
  readonly limitUnits: bigint;
};

/** The operations, other than payments, with which tokens leave an account or arrive in one. */
export type TransferOperation =
  | PathPayment
  | {
      readonly kind: 'account_merge';
      readonly source: string;
      readonly into: string;
      readonly intoMuxed?: string | undefined;
      /** The whole balance of the merged account. Absent unless the operation has succeeded. */
      readonly units?: bigint | undefined;
    }
  | {
      readonly kind: 'create_claimable_balance';
      readonly source: string;
      readonly asset: AssetKey;
      readonly units: bigint;
      readonly claimants: readonly string[];
      readonly balanceId: string;
    }
  | {
      readonly kind: 'clawback';
      readonly source: string;
      readonly from: string;
      readonly fromMuxed?: string | undefined;
      readonly asset: AssetKey;
      readonly units: bigint;
    };

/** Applies the operation, and returns it with what it has moved. */
export function applyTransferOperation(accounts: Accounts, operation: TransferOperation): TransferOperation {
  switch (operation.kind) {
    case 'path_payment_strict_send':
    case 'path_payment_strict_receive':
      payByPath(accounts, operation);
      return operation;
    case 'account_merge':
      return { ...operation, units: merge(accounts, operation) };
    case 'create_claimable_balance':
      createClaimable(accounts, operation);
      return operation;
    case 'clawback':
      clawBack(accounts, operation);
      return operation;
  }
}

/** Each issuer exchanges its asset for the native one, one to one, out of its own account. */
function payByPath(accounts: Accounts, operation: PathPayment): void {
  const { source, to, asset, units, sourceAsset, sourceUnits, limitUnits } = operation;
  if (units <= 0n || limitUnits <= 0n) throw new OperationFailure('op_malformed');
  if (accounts.find(to) === undefined) throw new OperationFailure('op_no_destination');
  for (const each of [sourceAsset, asset]) if (each !== nativeAsset) requireIssuer(accounts, each);
  requireLimit(operation);
  change(accounts, source, (account) => debit(account, sourceAsset, sourceUnits));
  if (sourceAsset !== asset) exchange(accounts, operation);
  change(accounts, to, (account) => credit(account, asset, units));
}

function requireLimit({ kind, units, sourceUnits, limitUnits }: PathPayment): void {
  if (kind === 'path_payment_strict_send' && units < limitUnits) throw new OperationFailure('op_under_dest_min');
  if (kind === 'path_payment_strict_receive' && sourceUnits > limitUnits) throw new OperationFailure('op_over_source_max');
}

function exchange(accounts: Accounts, { asset, units, sourceAsset, sourceUnits }: PathPayment): void {
  const isExchanged = sourceAsset === nativeAsset || asset === nativeAsset;
  const issuer = issuedAsset(asset)?.issuer ?? issuedAsset(sourceAsset)?.issuer;
  if (!isExchanged || issuer === undefined) throw new OperationFailure('op_too_few_offers');
  change(accounts, issuer, (account) => credit(account, sourceAsset, sourceUnits));
  try {
    change(accounts, issuer, (account) => debit(account, asset, units));
  } catch (error) {
    throw error instanceof OperationFailure ? new OperationFailure('op_too_few_offers') : error;
  }
}

function merge(accounts: Accounts, { source, into }: Extract<TransferOperation, { kind: 'account_merge' }>): bigint {
  if (source === into) throw new OperationFailure('op_malformed');
  if (accounts.find(into) === undefined) throw new OperationFailure('op_no_account');
  const merged = existing(accounts, source);
  const { nativeUnits, sponsoring = 0, sponsor: payer } = merged;
  if (subEntriesOf(merged) > 0) throw new OperationFailure('op_has_sub_entries');
  if (sponsoring > 0) throw new OperationFailure('op_is_sponsor');
  accounts.remove(source);
  if (payer !== undefined) change(accounts, payer, (account) => sponsor(account, -accountReserves));
  change(accounts, into, (account) => credit(account, nativeAsset, nativeUnits));
  return nativeUnits;
}

function createClaimable(accounts: Accounts, operation: Extract<TransferOperation, { kind: 'create_claimable_balance' }>): void {
  const { source, asset, units, claimants, balanceId: id } = operation;
  const isRepeated = new Set(claimants).size < claimants.length;
  if (units <= 0n || claimants.length === 0 || isRepeated) throw new OperationFailure('op_malformed');
  const { lines } = existing(accounts, source);
  const isHeld = asset === nativeAsset || isIssuer(source, asset) || lines[asset] !== undefined;
  if (!isHeld) throw new OperationFailure('op_no_trust');
  change(accounts, source, (account) => debit(account, asset, units));
  change(accounts, accounts.sponsorships.get(source) ?? source, (account) => sponsor(account, claimants.length));
  accounts.putClaimable({ id, asset, units, claimants });
}

/** The sandbox's issuer can claw back from every account. */
function clawBack(accounts: Accounts, operation: Extract<TransferOperation, { kind: 'clawback' }>): void {
  const { source, from, asset, units } = operation;
  if (units <= 0n || from === source || !isIssuer(source, asset)) throw new OperationFailure('op_malformed');
  const account = accounts.find(from);
  if (account?.lines[asset] === undefined) throw new OperationFailure('op_no_trust');
  accounts.put(debit(account, asset, units));
}

export function requireIssuer(accounts: Pick<Accounts, 'find'>, asset: AssetKey): void {
  const issuer = issuedAsset(asset)?.issuer;
  if (issuer === undefined || accounts.find(issuer) === undefined) throw new OperationFailure('op_no_issuer');
}

export function existing(accounts: Pick<Accounts, 'find'>, id: string): Account {
  const account = accounts.find(id);
  if (account === undefined) throw new OperationFailure('op_no_source_account');
  return account;
}

function change(accounts: Accounts, id: string, changed: (account: Account) => Account): void {
  accounts.put(changed(existing(accounts, id)));
}
