import { isAmount, parseMoney } from '@holdfast/kernel/money';

/** A broken rule and the field that it concerns. */
type BrokenRule = { readonly path: readonly (string | number)[]; readonly message: string };

type MaybeOrder = {
  readonly buyerId?: unknown;
  readonly sellerId?: unknown;
  readonly amount?: unknown;
  readonly milestones?: unknown;
  readonly metadata?: unknown;
  readonly releaseMode?: unknown;
  readonly reviewPeriod?: unknown;
  readonly deliverBy?: unknown;
  readonly onNotDelivered?: unknown;
};

/**
 * Rules of a new order that concern several fields. They are checked together with the schemas of the fields, so that all faults are
 * reported at once; malformed fields are skipped here.
 */
export function brokenRulesOf(given: MaybeOrder): readonly BrokenRule[] {
  return [...partyRules(given), ...milestoneRules(given), ...timeRules(given), ...feeRules(given)];
}

function partyRules({ buyerId, sellerId }: MaybeOrder): readonly BrokenRule[] {
  if (typeof buyerId !== 'string' || buyerId !== sellerId) return [];
  return [{ path: ['sellerId'], message: 'must not be the buyer' }];
}

function milestoneRules({ amount, milestones }: MaybeOrder): readonly BrokenRule[] {
  if (!Array.isArray(milestones) || milestones.length === 0) return [];
  const parts = milestones.map(milestoneFields);
  const seen = new Set<string>();
  const repeated = parts.flatMap(({ ref }, index): readonly BrokenRule[] => {
    if (typeof ref !== 'string') return [];
    if (seen.has(ref)) return [{ path: ['milestones', index, 'ref'], message: 'is used by an earlier milestone' }];
    seen.add(ref);
    return [];
  });
  const sum = sumOf(parts.map((part) => part.amount));
  const whole = sumOf([amount]);
  if (sum === undefined || whole === undefined || sum === whole) return repeated;
  return [...repeated, { path: ['milestones'], message: 'must have amounts that add up to the amount of the order' }];
}

const needingMilestones = ['releaseMode', 'reviewPeriod', 'deliverBy', 'onNotDelivered'] as const;

function timeRules(given: MaybeOrder): readonly BrokenRule[] {
  const hasMilestones = Array.isArray(given.milestones) && given.milestones.length > 0;
  const needless = hasMilestones ? [] : needingMilestones.filter((field) => given[field] !== undefined);
  const faults = needless.map((field) => ({ path: [field], message: 'needs at least one milestone' }));
  const lacksDate = given.onNotDelivered === 'refund' && given.deliverBy === undefined;
  return lacksDate ? [...faults, { path: ['onNotDelivered'], message: 'needs deliverBy' }] : faults;
}

function milestoneFields(given: unknown): { readonly ref?: unknown; readonly amount?: unknown } {
  return typeof given === 'object' && given !== null ? given : {};
}

function sumOf(amounts: readonly unknown[]): bigint | undefined {
  let sum = 0n;
  for (const amount of amounts) {
    if (typeof amount !== 'string' || !isAmount(amount, 2)) return undefined;
    sum += parseMoney(amount, 'USD').units;
  }
  return sum;
}

function feeRules({ metadata }: MaybeOrder): readonly BrokenRule[] {
  if (typeof metadata !== 'object' || metadata === null || !('platformFee' in metadata)) return [];
  if (feeBasisPointsOf(metadata.platformFee) !== undefined) return [];
  return [{ path: ['metadata', 'platformFee'], message: 'must be a percentage from 0 to 50 with at most two decimals' }];
}

const percentage = /^(0|[1-9]\d?)(?:\.(\d{1,2}))?$/;
const feeBasisPointsMax = 5_000n;

/** The basis points of a `platformFee` in per cent; undefined if it is not an allowed percentage. */
export function feeBasisPointsOf(platformFee: unknown): bigint | undefined {
  if (typeof platformFee !== 'string' && typeof platformFee !== 'number') return undefined;
  const match = percentage.exec(String(platformFee));
  if (match === null) return undefined;
  const basisPoints = BigInt(match[1] ?? '0') * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
  return basisPoints <= feeBasisPointsMax ? basisPoints : undefined;
}
