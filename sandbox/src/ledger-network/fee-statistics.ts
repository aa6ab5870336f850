import type { LandedTransaction, Records, TableName } from '../store/records.js';

/** What was charged and what was offered per operation, without the fees of resources, in units. */
type Inclusion = { readonly ledger: number; readonly isContractCall: boolean; readonly charged: bigint; readonly max: bigint };

/** The fees have the names that both interfaces use: `max`, `min`, `mode`, `p10` to `p99`. */
export type FeeDistribution = { readonly fees: Readonly<Record<string, string>>; readonly transactions: number };

/** The inclusion fees of the last ledgers. An in-memory index that is rebuilt from the store at each start. */
export type FeeStatistics = {
  readonly add: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  /** At the given ledger. Undefined where no such transaction is in the last ledgers. */
  readonly of: (ledger: number, fee: 'charged' | 'max', chosen?: 'contract-calls' | 'others') => FeeDistribution | undefined;
};

export const feeLedgers = 50;
const percents = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99];
const feeFields = ['max', 'min', 'mode', ...percents.map((percent) => `p${percent}`)];

export function createFeeStatistics(): FeeStatistics {
  let inclusions: Inclusion[] = [];
  return {
    add: (table, value) => {
      if (table !== 'transactions' || !('envelopeXdr' in value)) return;
      const oldest = inclusions[0]?.ledger ?? value.ledger;
      // Twice the window is kept, so that old ones are dropped seldom and a lagging node still has its whole window.
      if (value.ledger - oldest > 2 * feeLedgers)
        inclusions = inclusions.filter(({ ledger }) => ledger >= value.ledger - feeLedgers);
      inclusions.push(inclusionOf(value));
    },
    of: (ledger, fee, chosen) => {
      const isChosen = (each: Inclusion): boolean =>
        each.ledger <= ledger &&
        each.ledger > ledger - feeLedgers &&
        (chosen === undefined || each.isContractCall === (chosen === 'contract-calls'));
      return distributionOf(inclusions.filter(isChosen).map((each) => each[fee]));
    },
  };
}

/** A fee bump counts as one more operation. */
function inclusionOf(landed: LandedTransaction): Inclusion {
  const { ledger, resourceFeeUnits, feeChargedUnits, feeMaxUnits, feeBump, operations } = landed;
  const perOperation = (units: bigint): bigint =>
    (units - (resourceFeeUnits ?? 0n)) / BigInt(operations.length + (feeBump === undefined ? 0 : 1));
  return {
    ledger,
    isContractCall: resourceFeeUnits !== undefined,
    charged: perOperation(feeChargedUnits),
    max: perOperation(feeBump?.feeMaxUnits ?? feeMaxUnits),
  };
}

function distributionOf(fees: readonly bigint[]): FeeDistribution | undefined {
  const sorted = fees.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const at = (index: number): string => String(sorted[index] ?? 0n);
  if (sorted.length === 0) return undefined;
  const rankOf = (percent: number): number => Math.ceil((percent * sorted.length) / 100) - 1;
  const percentiles = Object.fromEntries(percents.map((percent) => [`p${percent}`, at(rankOf(percent))] as const));
  return { fees: { max: at(sorted.length - 1), min: at(0), mode: modeOf(sorted), ...percentiles }, transactions: sorted.length };
}

/** A distribution in which every fee is the same. */
export function sameFees(fee: string): FeeDistribution {
  return { fees: Object.fromEntries(feeFields.map((field) => [field, fee])), transactions: 0 };
}

function modeOf(fees: readonly bigint[]): string {
  const counts = new Map<bigint, number>();
  for (const fee of fees) counts.set(fee, (counts.get(fee) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return String(fees.find((fee) => counts.get(fee) === most) ?? 0n);
}
