import { z } from 'zod';
import { amountIn, freeText, id, metadata, noBody, noParams, noQuery, opaqueId, pageQuery, textMax } from '../shapes/index.js';
import { browserResponse } from './browser-response.js';
import { topup, topupStatuses } from './payment-shapes.js';
import { route } from './route.js';

const path = '/topups';
const ofTopups = { service: 'payments', family: 'plain', malformedParams: 'TOPUP_NOT_FOUND' } as const;
const onTopups = { ...ofTopups, path, params: noParams } as const;
const onTopup = { ...ofTopups, params: z.strictObject({ id: id('topup') }) } as const;
const operation = {
  ...onTopup,
  method: 'post',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  success: { status: 200, data: topup },
} as const;

const urlLengthMax = 2_048;
const userId = opaqueId('usr').meta({ description: 'User whose balance is credited' });
const browserUrl = z.url({ protocol: /^https?$/ }).max(urlLengthMax);

export const createTopup = route({
  ...onTopups,
  name: 'topups.create',
  method: 'post',
  summary: 'Create a top-up',
  description:
    'Redirect the user to the `confirmationUri` of the response. The balance is credited when the provider has received the payment. If the provider does not respond in time, `details.topupId` of the 504 response names the top-up, which continues by itself. If it refuses the payment, the response is 422 PAYMENT_REFUSED with its reason, and the top-up is TOPUP_FAILED.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    userId,
    amount: amountIn(2).meta({ example: '50.00' }),
    currency: z.enum(['USD']).default('USD').meta({ description: 'Only USD is supported' }),
    description: freeText(textMax.description).optional(),
    returnUrl: browserUrl.optional().meta({ description: 'Redirect after the payment', example: 'https://shop.example/paid' }),
    cancelUrl: browserUrl.optional().meta({ description: 'Redirect after a cancellation', example: 'https://shop.example/cart' }),
    metadata: metadata.optional(),
  }),
  success: { status: 201, data: topup },
  waitsFor: 'provider',
  errors: [
    'USER_NOT_FOUND',
    'USER_NOT_ACTIVE',
    'PAYMENT_ACCOUNT_NOT_LINKED',
    'LIMIT_EXCEEDED',
    'PAYMENT_REFUSED',
    'PROVIDER_TIMEOUT',
  ],
});

export const listTopups = route({
  ...onTopups,
  name: 'topups.list',
  method: 'get',
  summary: 'List top-ups',
  description: 'Newest first.',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({ ...pageQuery, userId: userId.optional(), status: z.enum(topupStatuses).optional() }),
  body: noBody,
  success: { status: 200, data: topup, list: true },
  errors: [],
});

export const getTopup = route({
  ...onTopup,
  name: 'topups.get',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'Get a top-up',
  auth: 'read',
  idempotent: false,
  query: noQuery,
  body: noBody,
  success: { status: 200, data: topup },
  errors: ['TOPUP_NOT_FOUND'],
});

export const refreshTopup = route({
  ...operation,
  name: 'topups.refresh',
  path: `${path}/{id}/refresh`,
  summary: 'Refresh a top-up',
  description: 'Fetches the current status from the payment provider.',
  body: noBody,
  waitsFor: 'provider',
  errors: ['TOPUP_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const cancelTopup = route({
  ...operation,
  name: 'topups.cancel',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel a top-up',
  description:
    'The top-up must be TOPUP_CREATED or TOPUP_AWAITING_USER_CONFIRMATION. A payment that arrives later opens a reconciliation case.',
  body: z.strictObject({
    reason: freeText(textMax.reason)
      .optional()
      .meta({ description: 'Recorded in the audit log', example: 'Buyer changed their mind' }),
    canceledBy: freeText(textMax.reference).min(1).optional().meta({ description: 'Defaults to the credential of the request' }),
  }),
  waitsFor: 'provider',
  errors: ['TOPUP_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const returnFromTopup = route({
  ...onTopup,
  name: 'topups.handleReturn',
  method: 'get',
  path: `${path}/{id}/callback`,
  summary: 'Return from the payment provider',
  description:
    "The payment provider redirects the user's browser here. Refreshes the top-up and redirects to its `returnUrl` or `cancelUrl`; if it has neither, a page with the result is shown.",
  auth: 'public',
  idempotent: false,
  // Providers append parameters of their own to the return URL.
  query: z.object({
    status: freeText(textMax.reference).optional().meta({ description: 'Status according to the provider; informational' }),
  }),
  body: noBody,
  success: { status: 200, form: 'page', data: browserResponse },
  waitsFor: 'provider',
  errors: ['TOPUP_NOT_FOUND'],
});

export const topupRoutes = { createTopup, listTopups, getTopup, refreshTopup, cancelTopup, returnFromTopup };
