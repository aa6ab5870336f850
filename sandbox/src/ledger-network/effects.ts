import { nativeAsset, type BalanceChange } from '../domain/assets.js';
import type { PathPayment, TransferOperation } from '../domain/transfer-operations.js';
import { formatUnits } from '../domain/units.js';
import type { LandedOperation } from '../store/records.js';
import { assetView, canonicalAsset, unconditional } from './field-views.js';
import { muxedAddress } from './operation-fields.js';
import { isTransfer } from './transfer-results.js';

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

export type Effect = {
  readonly account: string;
  readonly muxed?: string | undefined;
  readonly type: EffectType;
  readonly type_i: number;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** What a successful operation has changed, in Horizon's order. */
export function effectsOf(operation: LandedOperation): readonly Effect[] {
  if (isTransfer(operation)) return transferEffects(operation);
  switch (operation.kind) {
    case 'create_account': {
      const { source, destination, units } = operation;
      return [
        effect('account_created', destination, { starting_balance: formatUnits(units) }),
        effect('account_debited', source, { ...assetView(nativeAsset), amount: formatUnits(units) }),
        effect('signer_created', destination, { weight: 1, public_key: destination, key: '' }),
      ];
    }
    case 'change_trust': {
      const { source, asset, limitUnits } = operation;
      const type = limitUnits === 0n ? 'trustline_removed' : 'trustline_created';
      return [effect(type, source, { ...assetView(asset), limit: formatUnits(limitUnits) })];
    }
    case 'contract_call':
      return operation.balanceChanges.flatMap((change) => balanceEffects(operation.source, change));
    case 'payment': {
      const { source, to, toMuxed, asset, units } = operation;
      const facts = { ...assetView(asset), amount: formatUnits(units) };
      return [effect('account_credited', to, facts, toMuxed), effect('account_debited', source, facts)];
    }
    default:
      return [];
  }
}

function transferEffects(operation: TransferOperation): readonly Effect[] {
  switch (operation.kind) {
    case 'path_payment_strict_send':
    case 'path_payment_strict_receive':
      return pathPaymentEffects(operation);
    case 'account_merge': {
      const { source, into, intoMuxed, units = 0n } = operation;
      const facts = { ...assetView(nativeAsset), amount: formatUnits(units) };
      return [
        effect('account_debited', source, facts),
        effect('account_credited', into, facts, intoMuxed),
        effect('account_removed', source, {}),
      ];
    }
    case 'create_claimable_balance':
      return claimableEffects(operation);
    case 'clawback': {
      const { source, from, fromMuxed, asset, units } = operation;
      const facts = { ...assetView(asset), amount: formatUnits(units) };
      return [effect('account_credited', source, facts), effect('account_debited', from, facts, fromMuxed)];
    }
  }
}

/** The exchange with the issuer has no effects of its own. */
function pathPaymentEffects({ source, to, toMuxed, asset, units, sourceAsset, sourceUnits }: PathPayment): readonly Effect[] {
  return [
    effect('account_credited', to, { ...assetView(asset), amount: formatUnits(units) }, toMuxed),
    effect('account_debited', source, { ...assetView(sourceAsset), amount: formatUnits(sourceUnits) }),
  ];
}

function claimableEffects(operation: Extract<TransferOperation, { kind: 'create_claimable_balance' }>): readonly Effect[] {
  const { source, asset, claimants, balanceId: balance_id } = operation;
  const amount = formatUnits(operation.units);
  const facts = { balance_id, asset: canonicalAsset(asset), amount };
  return [
    effect('claimable_balance_created', source, facts),
    ...claimants.map((claimant) =>
      effect('claimable_balance_claimant_created', claimant, { ...facts, predicate: unconditional }),
    ),
    effect('account_debited', source, { ...assetView(asset), amount }),
  ];
}

/** Effects belong to accounts, so those of a contract belong to the one that has called it. */
function balanceEffects(source: string, { from, to, toMuxedId, asset, units }: BalanceChange): readonly Effect[] {
  const facts = { ...assetView(asset), amount: formatUnits(units) };
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
