import type { Moves } from '@holdfast/kernel/states';

export const topupStatuses = [
  'TOPUP_CREATED',
  'TOPUP_AWAITING_USER_CONFIRMATION',
  'TOPUP_PROCESSING',
  'TOPUP_SUCCEEDED',
  'TOPUP_FAILED',
  'TOPUP_CANCELED',
] as const;
export type TopupStatus = (typeof topupStatuses)[number];

export const topupMoves = {
  awaitConfirmation: { from: ['TOPUP_CREATED'], to: 'TOPUP_AWAITING_USER_CONFIRMATION' },
  process: { from: ['TOPUP_AWAITING_USER_CONFIRMATION'], to: 'TOPUP_PROCESSING' },
  succeed: { from: ['TOPUP_PROCESSING', 'TOPUP_AWAITING_USER_CONFIRMATION'], to: 'TOPUP_SUCCEEDED' },
  fail: { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'], to: 'TOPUP_FAILED' },
  cancel: { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION'], to: 'TOPUP_CANCELED' },
} as const satisfies Moves<TopupStatus, string>;

export type TopupMove = keyof typeof topupMoves;
