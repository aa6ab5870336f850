import type { Moves } from '@holdfast/kernel/states';

export const webhookEndpointStatuses = ['ENABLED', 'DISABLED'] as const;
export type WebhookEndpointStatus = (typeof webhookEndpointStatuses)[number];

/** `deliver` stands for tests, replays and resends. */
export const webhookEndpointMoves = {
  deliver: { from: ['ENABLED'], to: 'ENABLED' },
  disable: { from: ['ENABLED'], to: 'DISABLED' },
  enable: { from: ['DISABLED'], to: 'ENABLED' },
} as const satisfies Moves<WebhookEndpointStatus, string>;
