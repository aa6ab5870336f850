import type { Moves } from '@holdfast/kernel/states';

export const userStatuses = ['ACTIVE', 'SUSPENDED'] as const;
export type UserStatus = (typeof userStatuses)[number];

export const userMoves = {
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
  reinstate: { from: ['SUSPENDED'], to: 'ACTIVE' },
} as const satisfies Moves<UserStatus, string>;
