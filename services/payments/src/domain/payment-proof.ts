import type { Money } from '@holdfast/kernel/money';

/** The payment provider's own record of a pay-in or payout; undefined where it has none. */
type ProviderRecord = { readonly outcome: string; readonly amount: Money | undefined } | undefined;

/**
 * Whether the record proves an outcome. `apply`: the record is final and says it. `call-off`: nothing was paid, and nothing can be once
 * it was canceled at the provider.
 */
export type Verdict = 'apply' | 'call-off' | { readonly objection: string };

const words = {
  payin: { paid: 'succeeded', unpaid: 'open' },
  payout: { paid: 'completed', unpaid: 'created' },
} as const;

const ended: readonly string[] = ['failed', 'canceled'];

type Proof = { readonly record: ProviderRecord; readonly units: bigint };

/** A success needs a record that everything was paid, a failure one that nothing was and nothing can be any more. */
export function verdictOn(wanted: 'succeeded' | 'failed', kind: keyof typeof words, proof: Proof): Verdict {
  return wanted === 'succeeded' ? verdictOnSuccess(kind, proof) : verdictOnFailure(kind, proof);
}

function verdictOnSuccess(kind: keyof typeof words, { record, units }: Proof): Verdict {
  if (record?.outcome !== words[kind].paid)
    return { objection: `the payment provider says that the ${kind} is ${stateOf(record)}` };
  return record.amount?.units === units ? 'apply' : { objection: `the ${kind} at the payment provider has another amount` };
}

function verdictOnFailure(kind: keyof typeof words, { record }: Proof): Verdict {
  if (record === undefined || record.outcome === words[kind].unpaid) return 'call-off';
  if (ended.includes(record.outcome)) return 'apply';
  return { objection: `the payment provider says that the ${kind} is ${stateOf(record)}, so it was paid or may still be` };
}

/** A status that is unknown to us counts as pending or open. */
function stateOf(record: ProviderRecord): string {
  return record?.outcome ?? 'unknown there';
}
