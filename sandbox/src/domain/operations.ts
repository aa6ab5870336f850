import { accountReserves, credit, debit, newAccount, requireReserve, sponsor, sponsoredAccount, withTrust } from './account.js';
import { issuedAsset, nativeAsset, type AssetKey, type Transfer } from './assets.js';
import { applyOffer, type OfferOperation } from './offer-operations.js';
import { OperationFailure } from './operation-failure.js';
import { applySponsoring, type SponsoringOperation } from './sponsoring.js';
import { applyTransferOperation, existing, requireIssuer, type Accounts, type TransferOperation } from './transfer-operations.js';

export type ClassicOperation =
  | { readonly kind: 'create_account'; readonly source: string; readonly destination: string; readonly units: bigint }
  | ({
      readonly kind: 'payment';
      readonly source: string;
      /** The muxed address with which the sender named the account. */
      readonly toMuxed?: string | undefined;
    } & Omit<Transfer, 'from'>)
  | { readonly kind: 'change_trust'; readonly source: string; readonly asset: AssetKey; readonly limitUnits: bigint }
  | SponsoringOperation
  | OfferOperation
  | TransferOperation;

/** Applies an operation that is not a contract call, and returns it with its result. */
export function applyOperation(accounts: Accounts, operation: ClassicOperation, ledger: number): ClassicOperation {
  if (accounts.find(operation.source) === undefined) throw new OperationFailure('op_no_source_account');
  switch (operation.kind) {
    case 'create_account':
      createAccount(accounts, operation, ledger);
      return operation;
    case 'payment':
      pay(accounts, operation);
      return operation;
    case 'change_trust':
      changeTrust(accounts, operation);
      return operation;
    case 'begin_sponsoring':
    case 'end_sponsoring':
      applySponsoring(accounts.sponsorships, operation);
      return operation;
    case 'manage_sell_offer':
    case 'manage_buy_offer':
    case 'create_passive_sell_offer':
      return applyOffer(accounts, operation);
    default:
      return applyTransferOperation(accounts, operation);
  }
}

type CreateAccount = Extract<ClassicOperation, { kind: 'create_account' }>;

function createAccount(accounts: Accounts, { source, destination, units }: CreateAccount, ledger: number): void {
  if (accounts.find(destination) !== undefined) throw new OperationFailure('op_already_exists');
  const created = newAccount(destination, ledger, units);
  const payer = accounts.sponsorships.get(destination);
  if (payer === undefined) requireReserve(created);
  else accounts.put(sponsor(existing(accounts, payer), accountReserves));
  accounts.put(debit(existing(accounts, source), nativeAsset, units));
  accounts.put(payer === undefined ? created : sponsoredAccount(created, payer));
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
  const { source, asset, limitUnits } = operation;
  const { lines } = existing(accounts, source);
  const [line, payer] = [lines[asset], accounts.sponsorships.get(source)];
  if (line === undefined && payer !== undefined) accounts.put(sponsor(existing(accounts, payer), 1));
  accounts.put(withTrust(existing(accounts, source), asset, limitUnits, payer));
  if (limitUnits === 0n && line?.sponsor !== undefined) accounts.put(sponsor(existing(accounts, line.sponsor), -1));
}

function moveBetweenAccounts(accounts: Accounts, { from, to, asset, units }: Transfer): void {
  accounts.put(debit(existing(accounts, from), asset, units));
  accounts.put(credit(existing(accounts, to), asset, units));
}
