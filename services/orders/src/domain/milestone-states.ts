import type { Moves } from '@holdfast/kernel/states';

export const milestoneStatuses = ['OPEN', 'COMPLETED'] as const;
export type MilestoneStatus = (typeof milestoneStatuses)[number];

export const milestoneMoves = {
  complete: { from: ['OPEN'], to: 'COMPLETED' },
} as const satisfies Moves<MilestoneStatus, string>;
