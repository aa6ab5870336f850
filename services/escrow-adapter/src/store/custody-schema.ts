import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, UserId } from '@holdfast/kernel/ids';
import type { Currency, CustodyAsset } from '@holdfast/kernel/money';
import { tableOf } from '@holdfast/postgres';

type IdentityRow = {
  readonly isOnlyRow: boolean;
  readonly treasuryAddress: string;
  readonly platformAddress: string;
  readonly usdcIssuer: string;
  readonly networkPassphrase: string;
  readonly masterKeyIds: readonly string[];
};

export const identities = tableOf<IdentityRow>('installation_identity')({
  isOnlyRow: { column: 'is_only_row', type: 'boolean', isPrimary: true },
  treasuryAddress: { column: 'treasury_address', type: 'text' },
  platformAddress: { column: 'platform_address', type: 'text' },
  usdcIssuer: { column: 'usdc_issuer', type: 'text' },
  networkPassphrase: { column: 'network_passphrase', type: 'text' },
  masterKeyIds: { column: 'master_key_ids', type: 'text[]' },
});

type ClaimRow = {
  readonly hash: string;
  readonly ledger: number;
  readonly content: string;
  readonly userIds: readonly string[];
  readonly givenUpAt: Instant | null;
};

export const claims = tableOf<ClaimRow>('claimed_transactions')({
  hash: { column: 'hash', type: 'text', isPrimary: true },
  ledger: { column: 'ledger', type: 'integer' },
  content: { column: 'content', type: 'text' },
  userIds: { column: 'user_ids', type: 'text[]' },
  givenUpAt: { column: 'given_up_at', type: 'timestamptz' },
});

type DepositRow = {
  readonly operationId: string;
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly asset: CustodyAsset;
  readonly units: bigint;
  readonly currency: Currency;
  readonly transactionHash: string;
  readonly landedAt: Instant;
  readonly messageId: MessageId | null;
};

export const deposits = tableOf<DepositRow>('deposits')({
  operationId: { column: 'operation_id', type: 'text', isPrimary: true },
  userId: { column: 'user_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  asset: { column: 'asset', type: 'text' },
  units: { column: 'units', type: 'bigint' },
  currency: { column: 'currency', type: 'text' },
  transactionHash: { column: 'transaction_hash', type: 'text' },
  landedAt: { column: 'landed_at', type: 'timestamptz' },
  messageId: { column: 'message_id', type: 'text' },
});

export type ExpectedTransferRow = {
  readonly id: bigint;
  readonly receiver: string;
  readonly asset: CustodyAsset;
  readonly units: bigint;
  readonly reason: string;
  readonly announcedBy: string;
  readonly announcedAt: Instant;
  readonly confirmedBy: string | null;
};

export const expectedTransfers = tableOf<ExpectedTransferRow>('expected_transfers')({
  id: { column: 'id', type: 'bigint', isPrimary: true },
  receiver: { column: 'receiver', type: 'text' },
  asset: { column: 'asset', type: 'text' },
  units: { column: 'units', type: 'bigint' },
  reason: { column: 'reason', type: 'text' },
  announcedBy: { column: 'announced_by', type: 'text' },
  announcedAt: { column: 'announced_at', type: 'timestamptz' },
  confirmedBy: { column: 'confirmed_by', type: 'text' },
});
