import { z } from 'zod';
import { custodyAssets } from '../messages/index.js';
import { amountIn, freeText, id, noParams, noQuery, textMax } from '../shapes/index.js';
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

/** Internal route of the `npm run treasury` command. */
export const withdrawRemainingFunds = route({
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  service: 'escrow-adapter',
  name: 'withdrawRemainingFunds',
  method: 'post',
  path: '/internal/orders/{id}/contract/withdraw-remaining-funds',
  summary: "Pay what a settled contract still holds to the platform's account",
  params: z.object({ id: id('ord') }),
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: z.strictObject({ by: person, reason: freeText(textMax.reason).min(1) }),
  success: {
    status: 200,
    data: z.object({
      status: z.enum(['REQUESTED', 'UNDER_WAY', 'NOTHING_LEFT']),
      amount: z.string(),
      asset: z.enum(custodyAssets),
    }),
  },
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE'],
});
