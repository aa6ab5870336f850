import { z } from 'zod';
import { toInstant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import type { LedgerOperation, Transfer } from './ledger-history.js';
import { unitsOfText } from './units-of-text.js';

const assetFields = { asset_type: z.string(), asset_code: z.string().optional(), asset_issuer: z.string().optional() };
const transferFields = z.object({ ...assetFields, from: z.string(), to: z.string(), amount: z.string() });
type TransferFields = z.infer<typeof transferFields>;

const common = z.object({
  id: z.string(),
  type: z.string(),
  transaction_hash: z.string(),
  transaction_successful: z.boolean(),
  created_at: z.string(),
  /** The SDK replaces the joined `transaction` with a function and puts the record in `transaction_attr`. */
  transaction_attr: z.object({ fee_account: z.string(), fee_charged: z.coerce.bigint() }).optional(),
});

const createAccount = z.object({ starting_balance: z.string(), funder: z.string(), account: z.string() });
const mint = transferFields.partial({ from: true });
const contractCall = z.object({ asset_balance_changes: z.array(mint).nullish() });

/** Parses one record of an operations or payments list. The fee needs a list that joins transactions. */
export function parseOperation(record: unknown, usdcIssuer: string): LedgerOperation {
  const fields = common.parse(record);
  const { id, type, transaction_hash: transactionHash, transaction_successful: isSuccessful, created_at: createdAt } = fields;
  return {
    id,
    type,
    transactionHash,
    isSuccessful,
    at: toInstant(Date.parse(createdAt)),
    transfers: isSuccessful ? transfersOf(type, record, usdcIssuer) : [],
    fee: { address: fields.transaction_attr?.fee_account ?? '', units: fields.transaction_attr?.fee_charged ?? 0n },
  };
}

const native = { asset_type: 'native' };

function transfersOf(type: string, record: unknown, usdcIssuer: string): readonly Transfer[] {
  return transferFieldsOf(type, record).flatMap((fields) => {
    const asset = assetOf(fields, usdcIssuer);
    return asset === undefined ? [] : [{ from: fields.from, to: fields.to, asset, units: unitsOfText(fields.amount) }];
  });
}

/** Operation types that can transfer tokens to or from an account of ours. */
function transferFieldsOf(type: string, record: unknown): readonly TransferFields[] {
  switch (type) {
    case 'create_account': {
      const { starting_balance: amount, funder: from, account: to } = createAccount.parse(record);
      return [{ ...native, from, to, amount }];
    }
    case 'payment':
    case 'path_payment_strict_receive':
    case 'path_payment_strict_send':
      return [transferFields.parse(record)];
    case 'invoke_host_function':
      return (contractCall.parse(record).asset_balance_changes ?? []).map((change) => ({ ...change, from: change.from ?? '' }));
    default:
      return [];
  }
}

function assetOf(
  { asset_type: type, asset_code: code, asset_issuer: issuer }: TransferFields,
  usdcIssuer: string,
): CustodyAsset | undefined {
  if (type === 'native') return 'XLM';
  return code === 'USDC' && issuer === usdcIssuer ? 'USDC' : undefined;
}
