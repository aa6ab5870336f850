import { credit, debit, newAccount, newAccountReserve, withTrust, type Account } from './account.js';
import { issuedAsset, nativeAsset, type AssetKey, type Transfer } from './assets.js';
import { OperationFailure } from './operation-failure.js';

/** The accounts that an operation reads and writes. */
export type Accounts = {
  readonly find: (id: string) => Account | undefined;
  readonly put: (account: Account) => void;
};

export type ClassicOperation =
  | { readonly kind: 'create_account'; readonly source: string; readonly destination: string; readonly units: bigint }
  | ({ readonly kind: 'payment'; readonly source: string } & Omit<Transfer, 'from'>)
  | { readonly kind: 'change_trust'; readonly source: string; readonly asset: AssetKey; readonly limitUnits: bigint };

/** Applies an operation that is no contract call. */
export function applyOperation(accounts: Accounts, operation: ClassicOperation, ledger: number): void {
  if (accounts.find(operation.source) === undefined) throw new OperationFailure('op_no_source_account');
  switch (operation.kind) {
    case 'create_account':
      createAccount(accounts, operation, ledger);
      return;
    case 'payment':
      pay(accounts, operation);
      return;
    case 'change_trust':
      changeTrust(accounts, operation);
  }
}

type CreateAccount = Extract<ClassicOperation, { kind: 'create_account' }>;

function createAccount(accounts: Accounts, { source, destination, units }: CreateAccount, ledger: number): void {
  if (accounts.find(destination) !== undefined) throw new OperationFailure('op_already_exists');
  if (units < newAccountReserve) throw new OperationFailure('op_low_reserve');
  accounts.put(debit(existing(accounts, source), nativeAsset, units));
  accounts.put(newAccount(destination, ledger, units));
}

function pay(accounts: Accounts, { source, to, asset, units }: Extract<ClassicOperation, { kind: 'payment' }>): void {
  if (units <= 0n) throw new OperationFailure('op_malformed');
  if (accounts.find(to) === undefined) throw new OperationFailure('op_no_destination');
  if (issuedAsset(asset) !== undefined) requireIssuer(accounts, asset);
  moveBetweenAccounts(accounts, { from: source, to, asset, units });
}

function changeTrust(accounts: Accounts, operation: Extract<ClassicOperation, { kind: 'change_trust' }>): void {
  if (operation.asset === nativeAsset || operation.limitUnits < 0n) throw new OperationFailure('op_malformed');
  if (operation.limitUnits > 0n) requireIssuer(accounts, operation.asset);
  accounts.put(withTrust(existing(accounts, operation.source), operation.asset, operation.limitUnits));
}

function requireIssuer(accounts: Accounts, asset: AssetKey): void {
  const issuer = issuedAsset(asset)?.issuer;
  if (issuer === undefined || accounts.find(issuer) === undefined) throw new OperationFailure('op_no_issuer');
}

function moveBetweenAccounts(accounts: Accounts, { from, to, asset, units }: Transfer): void {
  accounts.put(debit(existing(accounts, from), asset, units));
  accounts.put(credit(existing(accounts, to), asset, units));
}

function existing(accounts: Accounts, id: string): Account {
  const account = accounts.find(id);
  if (account === undefined) throw new OperationFailure('op_no_source_account');
  return account;
}
