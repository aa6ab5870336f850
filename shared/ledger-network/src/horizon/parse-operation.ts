import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toInstant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/kernel/money';
import { address, namedAddresses } from './addresses.js';
import type { HistoryEntry, RejectedRecord } from './ledger-history.js';
import { unitsOfText, type LedgerOperation, type Transfer } from '../values/index.js';
import { operationEffects, reasonOf, type NotUnderstood, type OperationEffects } from './operation-effects.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const position = z.string().regex(/^\d{1,19}$/);

const common = z
  .object({
    id: position,
    paging_token: z.string(),
    type: z.string(),
    transaction_hash: hash,
    transaction_successful: z.boolean(),
    created_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
    /** Lists are read with `join=transactions`. A fee bump has its inner transaction, which is the one that we know. */
    transaction: z.object({
      fee_account: address,
      fee_charged: z.union([z.string().regex(/^\d+$/), z.int().nonnegative()]),
      inner_transaction: z.object({ hash }).optional(),
      memo_type: z.string().optional(),
      /** A hash is base64. */
      memo: z.string().optional(),
    }),
  })
  .refine(({ id, paging_token: token }) => id === token, { path: ['paging_token'] });

/** Reads one record of a list of operations or payments; a record that cannot be understood is rejected with its reason. */
export function parseRecord(record: unknown, usdcIssuer: string): HistoryEntry {
  const fields = common.safeParse(record);
  if (!fields.success) {
    const place = placeOf(record);
    return { ...place, rejected: rejectedOf(record, place, { reason: reasonOf(fields.error), isKnownType: false }) };
  }
  const { id, type, transaction_successful: isSuccessful, transaction } = fields.data;
  const transactionHash = transaction.inner_transaction?.hash ?? fields.data.transaction_hash;
  const entry = { position: id, transactionHash };
  const effects = isSuccessful ? operationEffects(type, record) : { transfers: [] };
  if ('reason' in effects) return { ...entry, rejected: rejectedOf(record, entry, effects) };
  const operation = {
    id,
    type,
    transactionHash,
    isSuccessful,
    at: toInstant(Date.parse(fields.data.created_at)),
    fee: { address: transaction.fee_account, units: BigInt(transaction.fee_charged) },
    ...memoIn(transaction),
    ...ofCustodyAssets(effects, usdcIssuer),
  };
  return { ...entry, operation };
}

const sourceField = z.object({ source_account: z.string() });

function rejectedOf(record: unknown, { position: at }: Pick<HistoryEntry, 'position'>, why: NotUnderstood): RejectedRecord {
  const id = at ?? createHash('sha256').update(JSON.stringify(record)).digest('hex');
  return { id, record, ...why, source: sourceField.safeParse(record).data?.source_account, names: namedAddresses(record) };
}

type MemoFields = { readonly memo_type?: string | undefined; readonly memo?: string | undefined };

/** The memo of a transaction in a list, if it is a hash. */
export function memoIn({ memo_type: type, memo }: MemoFields): Pick<LedgerOperation, 'memoHash'> {
  return type === 'hash' && memo !== undefined ? { memoHash: Buffer.from(memo, 'base64').toString('hex') } : {};
}

/** What can be said about the place of a record that is malformed. */
function placeOf(record: unknown): Pick<HistoryEntry, 'position' | 'transactionHash'> {
  const ofField = (schema: z.ZodString, name: string): string | undefined =>
    z.object({ [name]: schema }).safeParse(record).data?.[name];
  const [id, token] = [ofField(position, 'id'), ofField(position, 'paging_token')];
  return { position: id === token ? id : undefined, transactionHash: ofField(hash, 'transaction_hash') };
}

type AssetFields = {
  readonly asset_type: string;
  readonly asset_code?: string | undefined;
  readonly asset_issuer?: string | undefined;
};

function ofCustodyAssets(
  { transfers, claimable, merge }: OperationEffects,
  usdcIssuer: string,
): Pick<LedgerOperation, 'transfers' | 'claimable' | 'merge'> {
  const claimableAsset = claimable === undefined ? undefined : assetOf(claimable, usdcIssuer);
  return {
    transfers: transfers.flatMap((fields): readonly Transfer[] => {
      const asset = assetOf(fields, usdcIssuer);
      return asset === undefined ? [] : [{ from: fields.from, to: fields.to, asset, units: unitsOfText(fields.amount) }];
    }),
    ...(merge === undefined ? {} : { merge }),
    ...(claimable === undefined || claimableAsset === undefined
      ? {}
      : {
          claimable: {
            from: claimable.from,
            claimants: claimable.claimants,
            asset: claimableAsset,
            units: unitsOfText(claimable.amount),
          },
        }),
  };
}

function assetOf(
  { asset_type: type, asset_code: code, asset_issuer: issuer }: AssetFields,
  usdcIssuer: string,
): CustodyAsset | undefined {
  if (type === 'native') return 'XLM';
  return code === 'USDC' && issuer === usdcIssuer ? 'USDC' : undefined;
}
