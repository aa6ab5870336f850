import type { Moves } from '@holdfast/kernel/states';

export const withdrawalStatuses = [
  'WITHDRAWAL_CREATED',
  'WITHDRAWAL_COMMITTED',
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_FAILED',
  'WITHDRAWAL_CANCELED',
] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

const sent = ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'] as const;

export const withdrawalMoves = {
  commit: { from: ['WITHDRAWAL_CREATED'], to: 'WITHDRAWAL_COMMITTED' },
  accept: { from: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_PENDING' },
  awaitUser: { from: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING'], to: 'WITHDRAWAL_PENDING_USER_ACTION' },
  complete: { from: sent, to: 'WITHDRAWAL_COMPLETED' },
  fail: { from: sent, to: 'WITHDRAWAL_FAILED' },
  /** From WITHDRAWAL_COMMITTED only while nothing has been sent. */
  cancel: { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED'], to: 'WITHDRAWAL_CANCELED' },
} as const satisfies Moves<WithdrawalStatus, string>;

export type WithdrawalMove = keyof typeof withdrawalMoves;
