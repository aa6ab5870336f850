import type { Moves } from '@holdfast/kernel/states';

export const webhookDeliveryStatuses = ['PENDING', 'RETRYING', 'DELIVERED', 'EXHAUSTED', 'CANCELED'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/**
 * A delivery that was canceled during its last attempt is DELIVERED if the attempt succeeds. `resend` leaves the delivery as it is and
 * creates another one.
 */
export const webhookDeliveryMoves = {
  retry: { from: ['PENDING', 'RETRYING'], to: 'RETRYING' },
  deliver: { from: ['PENDING', 'RETRYING', 'CANCELED'], to: 'DELIVERED' },
  exhaust: { from: ['PENDING', 'RETRYING'], to: 'EXHAUSTED' },
  cancel: { from: ['PENDING', 'RETRYING'], to: 'CANCELED' },
  resend: { from: ['DELIVERED', 'EXHAUSTED', 'CANCELED'], to: 'PENDING' },
} as const satisfies Moves<WebhookDeliveryStatus, string>;
