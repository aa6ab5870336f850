import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, UserId, WalletId } from '@holdfast/kernel/ids';
import type { Currency, CustodyAsset } from '@holdfast/kernel/money';
import { tableOf } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import type { Resolution } from '../use-cases/resolution-ports.js';
import { claims, deposits, expectedTransfers, identities } from './custody-schema.js';

/** A contract with its amount and its addresses in columns. */
export type ContractRow = Omit<Contract, 'type' | 'amount' | 'milestones' | 'addresses' | 'contractId'> & {
  readonly contractType: Contract['type'];
  readonly amountUnits: bigint;
  readonly currency: Currency;
  readonly milestones: readonly { readonly ref: string; readonly title: string; readonly units: string }[];
  readonly buyerAddress: string | null;
  readonly sellerAddress: string | null;
  readonly platformAddress: string | null;
  readonly contractId: string | null;
};

export const contracts = tableOf<ContractRow>('contracts')({
  escrowId: { column: 'escrow_id', type: 'text', isPrimary: true },
  orderId: { column: 'order_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  contractType: { column: 'contract_type', type: 'text' },
  releaseMode: { column: 'release_mode', type: 'text' },
  amountUnits: { column: 'amount_units', type: 'bigint' },
  currency: { column: 'currency', type: 'text' },
  buyerId: { column: 'buyer_id', type: 'text' },
  sellerId: { column: 'seller_id', type: 'text' },
  title: { column: 'title', type: 'text' },
  description: { column: 'description', type: 'text' },
  platformFeeBasisPoints: { column: 'platform_fee_basis_points', type: 'integer' },
  milestones: { column: 'milestones', type: 'jsonb' },
  status: { column: 'status', type: 'text' },
  buyerAddress: { column: 'buyer_address', type: 'text' },
  sellerAddress: { column: 'seller_address', type: 'text' },
  platformAddress: { column: 'platform_address', type: 'text' },
  contractId: { column: 'contract_id', type: 'text' },
  isDisputeKnown: { column: 'is_dispute_known', type: 'boolean' },
  disputesKnown: { column: 'disputes_known', type: 'jsonb' },
  milestonesKnown: { column: 'milestones_known', type: 'jsonb' },
  milestonesSettled: { column: 'milestones_settled', type: 'jsonb' },
  version: { column: 'version', type: 'integer' },
  lastLedger: { column: 'last_ledger', type: 'integer' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

export const transactionStates = ['OPEN', 'LANDED', 'FAILED', 'DEAD', 'MISMATCHED'] as const;
export type TransactionState = (typeof transactionStates)[number];

export type TransactionRow = {
  readonly hash: string;
  readonly intentId: MessageId | null;
  readonly step: string;
  readonly requestHash: string;
  readonly sourceAccount: string;
  readonly sequence: bigint;
  readonly envelope: string;
  readonly validUntil: Instant;
  readonly firstLedger: number;
  readonly transfers: readonly TransferColumn[] | null;
  readonly state: TransactionState;
  readonly ledger: number | null;
};

/** A transfer in JSON. */
export type TransferColumn = { readonly token: string; readonly from: string; readonly to: string; readonly units: string };

export const transactions = tableOf<TransactionRow>('ledger_transactions')({
  hash: { column: 'hash', type: 'text', isPrimary: true },
  intentId: { column: 'intent_id', type: 'text' },
  step: { column: 'step', type: 'text' },
  requestHash: { column: 'request_hash', type: 'text' },
  sourceAccount: { column: 'source_account', type: 'text' },
  sequence: { column: 'sequence', type: 'bigint' },
  envelope: { column: 'envelope', type: 'text' },
  validUntil: { column: 'valid_until', type: 'timestamptz' },
  firstLedger: { column: 'first_ledger', type: 'integer' },
  transfers: { column: 'transfers', type: 'jsonb' },
  state: { column: 'state', type: 'text' },
  ledger: { column: 'ledger', type: 'integer' },
});

export type WalletRow = {
  readonly userId: UserId;
  readonly id: WalletId;
  readonly marketplaceId: MarketplaceId;
  readonly address: string;
  readonly sealedSeed: Buffer;
  readonly wrappedKey: Buffer;
  readonly masterKeyId: string;
  readonly createdAt: Instant;
  /** Null until the account is needed. */
  readonly activationRequestedAt: Instant | null;
  /** Null until the network has the account with its trustline. */
  readonly activatedAt: Instant | null;
};

export const wallets = tableOf<WalletRow>('wallets')({
  userId: { column: 'user_id', type: 'text', isPrimary: true },
  id: { column: 'id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  address: { column: 'address', type: 'text' },
  sealedSeed: { column: 'sealed_seed', type: 'bytea' },
  wrappedKey: { column: 'wrapped_key', type: 'bytea' },
  masterKeyId: { column: 'master_key_id', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  activationRequestedAt: { column: 'activation_requested_at', type: 'timestamptz' },
  activatedAt: { column: 'activated_at', type: 'timestamptz' },
});

export type LinkedWalletRow = {
  readonly id: WalletId;
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly publicKey: string;
  readonly connectedAt: Instant;
  readonly isPrimary: boolean;
};

export const linkedWallets = tableOf<LinkedWalletRow>('linked_wallets')({
  id: { column: 'id', type: 'text', isPrimary: true },
  userId: { column: 'user_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  publicKey: { column: 'public_key', type: 'text' },
  connectedAt: { column: 'connected_at', type: 'timestamptz' },
  isPrimary: { column: 'is_primary', type: 'boolean' },
});

export type HoldingRow = { readonly userId: UserId; readonly asset: CustodyAsset; readonly units: bigint };

export const holdings = tableOf<HoldingRow>('wallet_holdings')({
  userId: { column: 'user_id', type: 'text', isPrimary: true },
  asset: { column: 'asset', type: 'text', isPrimary: true },
  units: { column: 'units', type: 'bigint' },
});

export type QuarantinedRow = {
  readonly id: string;
  readonly record: string;
  readonly reason: string;
  readonly userIds: readonly UserId[];
};

export const quarantined = tableOf<QuarantinedRow>('quarantined_records')({
  id: { column: 'id', type: 'text', isPrimary: true },
  record: { column: 'record', type: 'text' },
  reason: { column: 'reason', type: 'text' },
  userIds: { column: 'user_ids', type: 'text[]' },
});

/** The position in the network's history up to which it was read. */
type CursorRow = { readonly name: string; readonly cursor: string };

export const cursors = tableOf<CursorRow>('feed_cursors')({
  name: { column: 'name', type: 'text', isPrimary: true },
  cursor: { column: 'cursor', type: 'text' },
});

export const resolutions = tableOf<Resolution>('saga_resolutions')({
  sagaRunId: { column: 'saga_run_id', type: 'text', isPrimary: true },
  intentId: { column: 'intent_id', type: 'text' },
  outcome: { column: 'outcome', type: 'text' },
  transactionHash: { column: 'transaction_hash', type: 'text' },
  contractId: { column: 'contract_id', type: 'text' },
  requestedBy: { column: 'requested_by', type: 'text' },
  requestedAt: { column: 'requested_at', type: 'timestamptz' },
  evidence: { column: 'evidence', type: 'text' },
  approvedBy: { column: 'approved_by', type: 'text' },
  approvalEvidence: { column: 'approval_evidence', type: 'text' },
  resolvedAt: { column: 'resolved_at', type: 'timestamptz' },
});

export const entities = [
  ...[contracts, transactions, resolutions],
  ...[wallets, linkedWallets, holdings, quarantined, cursors, identities, claims, deposits, expectedTransfers],
].map(({ entity }) => entity);
