import { nativeAsset, type AssetKey, type BalanceChange } from '../domain/assets.js';
import type { PathPayment } from '../domain/transfer-operations.js';
import { formatUnits } from '../domain/units.js';
import { accountFacts, assetView, canonicalAsset, unconditional } from './field-views.js';
import { entryToken, type HistoryEntry } from './history.js';
import { muxedAddress } from './operation-fields.js';
import { callByKind, type ByKind } from './operation-kinds.js';

const effectTypes = {
  account_created: 0,
  account_removed: 1,
  account_credited: 2,
  account_debited: 3,
  signer_created: 10,
  trustline_created: 20,
  trustline_removed: 21,
  claimable_balance_created: 50,
  claimable_balance_claimant_created: 51,
  contract_credited: 96,
  contract_debited: 97,
} as const;
type EffectType = keyof typeof effectTypes;

type Effect = {
  readonly account: string;
  readonly muxed?: string | undefined;
  readonly type: EffectType;
  readonly type_i: number;
  readonly facts: Readonly<Record<string, unknown>>;
};

const [tokenDigits, numberDigits] = [19, 10];

/** The JSON of an operation's effects in Horizon's API; none where its transaction has failed. */
export function effectViews(entry: HistoryEntry, base: string) {
  const { transaction, index } = entry;
  const operation = transaction.failure === undefined ? transaction.operations[index] : undefined;
  const effects = operation === undefined ? undefined : callByKind(effectsByKind, operation);
  const token = entryToken(entry).toString();
  return (effects ?? []).map(({ account, type, type_i, facts, muxed }, at) => ({
    ...facts,
    _links: { operation: { href: `${base}/operations/${token}` } },
    id: `${token.padStart(tokenDigits, '0')}-${String(at + 1).padStart(numberDigits, '0')}`,
    paging_token: `${token}-${at + 1}`,
    ...accountFacts('account', account, muxed),
    type,
    type_i,
    created_at: transaction.closedAt,
  }));
}

/** What a successful operation has changed, in Horizon's order. */
const effectsByKind: ByKind<readonly Effect[]> = {
  create_account: ({ source, destination, units }) => [
    effect('account_created', destination, { starting_balance: formatUnits(units) }),
    effect('account_debited', source, amountOf(nativeAsset, units)),
    effect('signer_created', destination, { weight: 1, public_key: destination, key: '' }),
  ],
  change_trust: ({ source, asset, limitUnits }) => [
    effect(limitUnits === 0n ? 'trustline_removed' : 'trustline_created', source, {
      ...assetView(asset),
      limit: formatUnits(limitUnits),
    }),
  ],
  contract_call: ({ source, balanceChanges }) => balanceChanges.flatMap((change) => balanceEffects(source, change)),
  payment: ({ source, to, toMuxed, asset, units }) => [
    effect('account_credited', to, amountOf(asset, units), toMuxed),
    effect('account_debited', source, amountOf(asset, units)),
  ],
  path_payment_strict_send: pathPaymentEffects,
  path_payment_strict_receive: pathPaymentEffects,
  account_merge: ({ source, into, intoMuxed, units = 0n }) => [
    effect('account_debited', source, amountOf(nativeAsset, units)),
    effect('account_credited', into, amountOf(nativeAsset, units), intoMuxed),
    effect('account_removed', source, {}),
  ],
  create_claimable_balance: ({ source, asset, units, claimants, balanceId: balance_id }) => {
    const facts = { balance_id, asset: canonicalAsset(asset), amount: formatUnits(units) };
    return [
      effect('claimable_balance_created', source, facts),
      ...claimants.map((claimant) =>
        effect('claimable_balance_claimant_created', claimant, { ...facts, predicate: unconditional }),
      ),
      effect('account_debited', source, amountOf(asset, units)),
    ];
  },
  clawback: ({ source, from, fromMuxed, asset, units }) => [
    effect('account_credited', source, amountOf(asset, units)),
    effect('account_debited', from, amountOf(asset, units), fromMuxed),
  ],
};

/** The exchange with the issuer has no effects of its own. */
function pathPaymentEffects({ source, to, toMuxed, asset, units, sourceAsset, sourceUnits }: PathPayment): readonly Effect[] {
  return [
    effect('account_credited', to, amountOf(asset, units), toMuxed),
    effect('account_debited', source, amountOf(sourceAsset, sourceUnits)),
  ];
}

function amountOf(asset: AssetKey, units: bigint): Effect['facts'] {
  return { ...assetView(asset), amount: formatUnits(units) };
}

/** Effects belong to accounts, so the effects of a contract belong to the account that has called it. */
function balanceEffects(source: string, { from, to, toMuxedId, asset, units }: BalanceChange): readonly Effect[] {
  const facts = amountOf(asset, units);
  const of = (address: string, change: 'credited' | 'debited', muxed?: string): Effect =>
    address.startsWith('G')
      ? effect(`account_${change}`, address, facts, muxed)
      : effect(`contract_${change}`, source, { ...facts, contract: address });
  const muxed = to === undefined || toMuxedId === undefined ? undefined : muxedAddress(to, toMuxedId);
  return [...(from === undefined ? [] : [of(from, 'debited')]), ...(to === undefined ? [] : [of(to, 'credited', muxed)])];
}

function effect(type: EffectType, account: string, facts: Effect['facts'], muxed?: string): Effect {
  return { account, muxed, type, type_i: effectTypes[type], facts };
}
