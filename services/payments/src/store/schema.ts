import { tableOf } from '@holdfast/postgres';
import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import type { Instant } from '@holdfast/kernel/context';
import type { ReportId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import { users } from '@holdfast/service-kit/known-users';
import type { Case } from '../domain/case.js';
import type { PaymentAccount } from '../domain/payment-account.js';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { PaymentResolution } from '../use-cases/resolution-ports.js';

/** An amount is two columns. */
type WithAmountColumns<Item extends { readonly amount: unknown }> = Omit<Item, 'amount'> & {
  readonly amountUnits: bigint;
  readonly currency: Currency;
};

const aggregate = {
  activeRun: { column: 'active_run', type: 'json' },
  version: { column: 'version', type: 'integer' },
  lastEventId: { column: 'last_event_id', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
} as const;

const money = {
  amountUnits: { column: 'amount_units', type: 'bigint' },
  currency: { column: 'currency', type: 'text' },
} as const;

export type TopupRow = WithAmountColumns<Topup>;

export const topups = tableOf<TopupRow>('topups')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  userId: { column: 'user_id', type: 'text' },
  ...money,
  status: { column: 'status', type: 'text' },
  description: { column: 'description', type: 'text' },
  returnUrl: { column: 'return_url', type: 'text' },
  cancelUrl: { column: 'cancel_url', type: 'text' },
  metadata: { column: 'metadata', type: 'json' },
  providerPayinId: { column: 'provider_payin_id', type: 'text' },
  confirmationUri: { column: 'confirmation_uri', type: 'text' },
  expiresAt: { column: 'expires_at', type: 'timestamptz' },
  failureReason: { column: 'failure_reason', type: 'text' },
  errorCode: { column: 'error_code', type: 'text' },
  cancelRequest: { column: 'cancel_request', type: 'json' },
  isInCase: { column: 'is_in_case', type: 'boolean' },
  nextPollAt: { column: 'next_poll_at', type: 'timestamptz' },
  polls: { column: 'polls', type: 'integer' },
  unconfirmedSince: { column: 'unconfirmed_since', type: 'timestamptz' },
  nextConfirmationAt: { column: 'next_confirmation_at', type: 'timestamptz' },
  ...aggregate,
});

export type WithdrawalRow = WithAmountColumns<Withdrawal>;

export const withdrawals = tableOf<WithdrawalRow>('withdrawals')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  userId: { column: 'user_id', type: 'text' },
  ...money,
  status: { column: 'status', type: 'text' },
  destinationType: { column: 'destination_type', type: 'text' },
  destinationRef: { column: 'destination_ref', type: 'text' },
  description: { column: 'description', type: 'text' },
  commitsAtOnce: { column: 'commits_at_once', type: 'boolean' },
  providerPayoutId: { column: 'provider_payout_id', type: 'text' },
  failureReason: { column: 'failure_reason', type: 'text' },
  errorCode: { column: 'error_code', type: 'text' },
  outcome: { column: 'outcome', type: 'json' },
  cancelRequest: { column: 'cancel_request', type: 'json' },
  reservedAt: { column: 'reserved_at', type: 'timestamptz' },
  committedAt: { column: 'committed_at', type: 'timestamptz' },
  completedAt: { column: 'completed_at', type: 'timestamptz' },
  nextPollAt: { column: 'next_poll_at', type: 'timestamptz' },
  polls: { column: 'polls', type: 'integer' },
  ...aggregate,
});

export type CaseRow = WithAmountColumns<Case>;

export const cases = tableOf<CaseRow>('reconciliation_cases')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  kind: { column: 'kind', type: 'text' },
  status: { column: 'status', type: 'text' },
  userId: { column: 'user_id', type: 'text' },
  ...money,
  origin: { column: 'origin', type: 'text' },
  source: { column: 'source', type: 'text' },
  sourceId: { column: 'source_id', type: 'text' },
  reason: { column: 'reason', type: 'text' },
  relatedId: { column: 'related_id', type: 'text' },
  outflows: { column: 'outflows', type: 'json' },
  resolution: { column: 'resolution', type: 'json' },
  providerPayoutId: { column: 'provider_payout_id', type: 'text' },
  returns: { column: 'returns', type: 'integer' },
  bookedAt: { column: 'booked_at', type: 'timestamptz' },
  ...aggregate,
});

export type ReportRow = {
  readonly id: ReportId;
  readonly currency: Currency;
  readonly journalUnits: bigint;
  readonly paymentProviderUnits: bigint;
  readonly ledgerNetworkUnits: bigint;
  readonly liabilitiesUnits: bigint | null;
  readonly assetsUnits: bigint | null;
  readonly ownMoneyUnits: bigint | null;
  readonly unexplainedUnits: bigint | null;
  readonly inFlight: ReconciliationReportRecord['inFlight'];
  readonly ledger: number | null;
  readonly unavailable: ReconciliationReportRecord['unavailable'];
  /** Whether the totals are known. */
  readonly isCompared: boolean;
  readonly openCases: ReconciliationReportRecord['openCases'];
  readonly createdAt: Instant;
};

export const reports = tableOf<ReportRow>('reconciliation_reports')({
  id: { column: 'id', type: 'text', isPrimary: true },
  currency: { column: 'currency', type: 'text' },
  journalUnits: { column: 'journal_units', type: 'bigint' },
  paymentProviderUnits: { column: 'payment_provider_units', type: 'bigint' },
  ledgerNetworkUnits: { column: 'ledger_network_units', type: 'bigint' },
  liabilitiesUnits: { column: 'liabilities_units', type: 'bigint' },
  assetsUnits: { column: 'assets_units', type: 'bigint' },
  ownMoneyUnits: { column: 'own_money_units', type: 'bigint' },
  unexplainedUnits: { column: 'unexplained_units', type: 'bigint' },
  inFlight: { column: 'in_flight', type: 'json' },
  ledger: { column: 'ledger', type: 'integer' },
  unavailable: { column: 'unavailable', type: 'json' },
  isCompared: { column: 'is_compared', type: 'boolean' },
  openCases: { column: 'open_cases', type: 'integer' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

export const accounts = tableOf<PaymentAccount>('payment_accounts')({
  userId: { column: 'user_id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  paymentAccountUserId: { column: 'payment_account_user_id', type: 'text' },
  email: { column: 'email', type: 'text' },
  linkedAt: { column: 'linked_at', type: 'timestamptz' },
});

export const resolutions = tableOf<PaymentResolution>('payment_resolutions')({
  paymentId: { column: 'payment_id', type: 'text', isPrimary: true },
  outcome: { column: 'outcome', type: 'text' },
  transactionHash: { column: 'transaction_hash', type: 'text' },
  requestedBy: { column: 'requested_by', type: 'text' },
  requestedKey: { column: 'requested_key', type: 'text' },
  requestedAt: { column: 'requested_at', type: 'timestamptz' },
  evidence: { column: 'evidence', type: 'text' },
  approvedBy: { column: 'approved_by', type: 'text' },
  approvedKey: { column: 'approved_key', type: 'text' },
  approvalEvidence: { column: 'approval_evidence', type: 'text' },
  resolvedAt: { column: 'resolved_at', type: 'timestamptz' },
});

export const entities = [topups, withdrawals, cases, reports, accounts, resolutions, users].map(({ entity }) => entity);
