import { z } from 'zod';
import { message } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { NewMessage } from '../../broker/index.js';

/** A message that only tests send. */
export const noticePosted = message({
  type: 'notice.posted',
  version: 1,
  visibility: 'internal',
  aggregateType: 'Order',
  summary: 'A message of the tests.',
  publisher: 'orders',
  payload: z.strictObject({ text: z.string().min(1) }),
});

export type Notice = z.infer<(typeof noticePosted)['payload']>;

export function aNotice(text: string, overrides: Partial<NewMessage<Notice>> = {}): NewMessage<Notice> {
  return {
    aggregateId: 'ord_1',
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'req-1',
    payload: { text },
    ...overrides,
  };
}
