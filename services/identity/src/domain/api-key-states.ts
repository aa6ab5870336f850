import type { Moves } from '@holdfast/kernel/states';

export const apiKeyStatuses = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** Expiring is not done by anybody: it is what the clock makes of an active key. */
export const apiKeyMoves = {
  rotate: { from: ['ACTIVE'], to: 'ACTIVE' },
  issueToken: { from: ['ACTIVE'], to: 'ACTIVE' },
  expire: { from: ['ACTIVE'], to: 'EXPIRED' },
  revoke: { from: ['ACTIVE', 'EXPIRED'], to: 'REVOKED' },
} as const satisfies Moves<ApiKeyStatus, string>;
