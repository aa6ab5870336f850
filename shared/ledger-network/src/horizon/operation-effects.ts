import { z } from 'zod';
import { address } from './addresses.js';
import { isAmount } from '../values/index.js';

const amount = z.string().refine(isAmount);
const assetFields = { asset_type: z.string(), asset_code: z.string().optional(), asset_issuer: z.string().optional() };
const transfer = z.object({ ...assetFields, from: address, to: address, amount });

type TransferFields = z.infer<typeof transfer>;
type ClaimableFields = Omit<TransferFields, 'to'> & { readonly claimants: readonly string[] };

/** What an operation has moved, before it is known which assets and addresses are ours. */
export type OperationEffects = {
  readonly transfers: readonly TransferFields[];
  readonly claimable?: ClaimableFields;
  readonly merge?: { readonly from: string; readonly into: string };
};

/** `isKnownType`: the operation is well known, but its record does not say what it has moved. */
export type NotUnderstood = { readonly reason: string; readonly isKnownType: boolean };

const nobody = '';

const createAccount = z.object({ starting_balance: amount, funder: address, account: address });
const accountMerge = z.object({ account: address, into: address });
const clawback = transfer.omit({ to: true });
const claimableBalance = z.object({
  source_account: address,
  asset: z.string(),
  amount,
  claimants: z.array(z.object({ destination: address })),
});
/** Minted tokens have no sender. Burned tokens, and tokens that were clawed back, have no receiver. */
const balanceChange = z.discriminatedUnion('type', [
  transfer.extend({ type: z.literal('transfer') }),
  transfer.extend({ type: z.literal('mint'), from: address.default(nobody) }),
  transfer.extend({ type: z.literal('burn'), to: address.default(nobody) }),
  transfer.extend({ type: z.literal('clawback'), to: address.default(nobody) }),
]);
const contractCall = z.object({ asset_balance_changes: z.array(balanceChange).nullish() });

const native = { asset_type: 'native' };

/** The sender pays one asset to the market, and the receiver gets another one from there. */
const pathPayment = transfer
  .extend({
    source_amount: amount,
    source_asset_type: z.string(),
    source_asset_code: z.string().optional(),
    source_asset_issuer: z.string().optional(),
  })
  .transform(({ from, to, source_amount, source_asset_type, source_asset_code, source_asset_issuer, ...received }) => ({
    transfers: [
      {
        from,
        to: nobody,
        amount: source_amount,
        asset_type: source_asset_type,
        asset_code: source_asset_code,
        asset_issuer: source_asset_issuer,
      },
      { ...received, from: nobody, to },
    ],
  }));

/** Operation types that move tokens, and how their records say so. */
const movingTypes: Readonly<Record<string, z.ZodType<OperationEffects>>> = {
  create_account: createAccount.transform(({ starting_balance, funder: from, account: to }) => ({
    transfers: [{ ...native, from, to, amount: starting_balance }],
  })),
  payment: transfer.transform((fields) => ({ transfers: [fields] })),
  path_payment_strict_receive: pathPayment,
  path_payment_strict_send: pathPayment,
  account_merge: accountMerge.transform(({ account: from, into }) => ({ transfers: [], merge: { from, into } })),
  clawback: clawback.transform((fields) => ({ transfers: [{ ...fields, to: nobody }] })),
  create_claimable_balance: claimableBalance.transform(({ source_account: from, asset, claimants, ...fields }) => ({
    transfers: [],
    claimable: { ...assetOfName(asset), ...fields, from, claimants: claimants.map(({ destination }) => destination) },
  })),
  invoke_host_function: contractCall.transform(({ asset_balance_changes: changes }) => ({ transfers: changes ?? [] })),
};

const nothing: OperationEffects = { transfers: [] };

/** Operation types that move no tokens. */
const quietTypes: ReadonlySet<string> = new Set([
  'set_options',
  'change_trust',
  'allow_trust',
  'set_trust_line_flags',
  'manage_data',
  'bump_sequence',
  'begin_sponsoring_future_reserves',
  'end_sponsoring_future_reserves',
  'revoke_sponsorship',
  'extend_footprint_ttl',
  'restore_footprint',
]);

/** Operation types that move tokens of their source account, without an amount. This service never signs one. */
const unstatedTypes: ReadonlySet<string> = new Set([
  'manage_sell_offer',
  'manage_buy_offer',
  'create_passive_sell_offer',
  'claim_claimable_balance',
  'clawback_claimable_balance',
  'liquidity_pool_deposit',
  'liquidity_pool_withdraw',
]);

/** What a successful operation has moved, or why its record does not show it. */
export function operationEffects(type: string, record: unknown): OperationEffects | NotUnderstood {
  if (quietTypes.has(type)) return nothing;
  if (unstatedTypes.has(type)) return { reason: `the record of ${type} does not say what was moved`, isKnownType: true };
  const schema = Object.hasOwn(movingTypes, type) ? movingTypes[type] : undefined;
  if (schema === undefined) return { reason: `unknown operation type ${JSON.stringify(type).slice(0, 100)}`, isKnownType: false };
  const parsed = schema.safeParse(record);
  return parsed.success ? parsed.data : { reason: reasonOf(parsed.error), isKnownType: false };
}

export function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return `malformed: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
}

/** `native`, or code and issuer with a colon between them. */
function assetOfName(name: string): Pick<TransferFields, 'asset_type' | 'asset_code' | 'asset_issuer'> {
  if (name === 'native') return native;
  const [code, issuer] = name.split(':');
  return { asset_type: 'credit', asset_code: code, asset_issuer: issuer };
}
