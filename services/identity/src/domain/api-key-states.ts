import type { Moves } from '@holdfast/kernel/states';

export const apiKeyStatuses = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** `expire` has no use case: the status follows from `expiresAt` and the current time. */
export const apiKeyMoves = {
  rotate: { from: ['ACTIVE'], to: 'ACTIVE' },
  issueToken: { from: ['ACTIVE'], to: 'ACTIVE' },
  expire: { from: ['ACTIVE'], to: 'EXPIRED' },
  revoke: { from: ['ACTIVE', 'EXPIRED'], to: 'REVOKED' },
} as const satisfies Moves<ApiKeyStatus, string>;
