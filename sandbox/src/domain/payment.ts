import type { Moves } from '@holdfast/kernel/states';

export const payinStatuses = ['CREATED', 'PROCESSING', 'CONFIRMED', 'CANCELED', 'FAILED'] as const;
export type PayinStatus = (typeof payinStatuses)[number];

export const payinMoves = {
  confirm: { from: ['CREATED', 'PROCESSING'], to: 'CONFIRMED' },
  fail: { from: ['CREATED', 'PROCESSING'], to: 'FAILED' },
  cancel: { from: ['CREATED'], to: 'CANCELED' },
} as const satisfies Moves<PayinStatus, string>;
export type PayinMove = keyof typeof payinMoves;

export const payoutStatuses = [
  'CREATED',
  'COMMITTED',
  'PENDING',
  'PENDING_USER_ACTION',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

const committedStatuses = ['COMMITTED', 'PENDING', 'PENDING_USER_ACTION', 'PROCESSING'] as const;

export const payoutMoves = {
  commit: { from: ['CREATED'], to: 'COMMITTED' },
  cancel: { from: ['CREATED', 'PENDING', 'PENDING_USER_ACTION'], to: 'CANCELED' },
  'require-action': { from: ['COMMITTED', 'PENDING', 'PROCESSING'], to: 'PENDING_USER_ACTION' },
  resume: { from: ['PENDING_USER_ACTION'], to: 'PENDING' },
  complete: { from: committedStatuses, to: 'COMPLETED' },
  fail: { from: committedStatuses, to: 'FAILED' },
} as const satisfies Moves<PayoutStatus, string>;
export type PayoutMove = keyof typeof payoutMoves;

export type PaymentItem = { readonly description: string; readonly amount: number; readonly quantity: number };

export type Payin = {
  readonly id: string;
  readonly code: string;
  readonly status: PayinStatus;
  readonly units: bigint;
  /** What the provider keeps of it. */
  readonly feeUnits: bigint;
  readonly description: string;
  readonly items: readonly PaymentItem[];
  /** Where the payer is sent after the checkout page. */
  readonly returnUri: string;
  readonly cancelUri: string;
  readonly failureReason: string | undefined;
  /** The e-mail address of the account that has paid, once it is confirmed. */
  readonly payerEmail?: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type Payout = {
  readonly id: string;
  readonly code: string | undefined;
  readonly status: PayoutStatus;
  readonly units: bigint;
  /** What the provider charges beside it. */
  readonly feeUnits: bigint;
  readonly email: string;
  readonly notes: string;
  readonly internalNote: string | undefined;
  readonly reasonCode: string | undefined;
  readonly reasonDescription: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Statuses whose amounts are deducted from the float. */
const spendingStatuses: readonly PayoutStatus[] = [...committedStatuses, 'COMPLETED'];

const basisPoints = 10_000n;
const unitsPerCent = 100_000n;

/** The fee of a payment, rounded down to cents. */
export function feeUnitsOf(units: bigint, feeBasisPoints: number): bigint {
  const fee = (units * BigInt(feeBasisPoints)) / basisPoints;
  return fee - (fee % unitsPerCent);
}

/** What a payout takes from the platform's balance. */
export function spentUnitsOf({ units, feeUnits }: Pick<Payout, 'units' | 'feeUnits'>): bigint {
  return units + feeUnits;
}

/** The platform's balance at the provider: the start amount plus confirmed payins, minus committed and completed payouts, and fees. */
export function floatUnits(startUnits: bigint, payins: Iterable<Payin>, payouts: Iterable<Payout>): bigint {
  let units = startUnits;
  for (const payin of payins) if (payin.status === 'CONFIRMED') units += payin.units - payin.feeUnits;
  for (const payout of payouts) if (spendingStatuses.includes(payout.status)) units -= spentUnitsOf(payout);
  return units;
}
