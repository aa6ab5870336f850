import { randomUUID } from 'node:crypto';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';

/** The context of the calls of one command. */
export const callContext = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
