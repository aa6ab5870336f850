import { z } from 'zod';
import { custodyAssets } from '../messages/index.js';
import { amountIn, freeText, noParams, noQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';

const person = freeText(textMax.title).min(1);

/** Internal route of the `npm run treasury` command. */
export const expectTransfer = route({
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  service: 'escrow-adapter',
  name: 'expectTransfer',
  method: 'post',
  path: '/internal/treasury/expected-transfers',
  summary: 'Announce a transfer out of an account of the platform, or confirm what another person has announced',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: z.strictObject({
    to: z.string().max(textMax.reference),
    asset: z.enum(custodyAssets),
    amount: amountIn(7),
    by: person,
    reason: freeText(textMax.reason).min(1),
  }),
  success: { status: 200, data: z.object({ status: z.enum(['EXPECTED', 'PENDING_APPROVAL']), announcedBy: z.string() }) },
  errors: [],
});
