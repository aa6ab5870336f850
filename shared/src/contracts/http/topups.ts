import { z } from 'zod';
import { amountIn, freeText, id, metadata, noBody, noParams, noQuery, opaqueId, pageQuery, textMax } from '../shapes/index.js';
import { browserAnswer } from './browser-answer.js';
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
const userId = opaqueId.meta({ description: 'Whose balance it is', example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y' });
const browserUrl = z.url({ protocol: /^https?$/ }).max(urlLengthMax);

export const createTopup = route({
  ...onTopups,
  name: 'createTopup',
  method: 'post',
  summary: 'Create a top-up',
  description: 'Send the user to `confirmationUri` where there is one. The balance grows once the provider has the money.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    userId,
    amount: amountIn(2).meta({ example: '50.00' }),
    currency: z.enum(['USD']).default('USD').meta({ description: 'Top-ups are made in USD' }),
    description: freeText(textMax.description).optional(),
    returnUrl: browserUrl
      .optional()
      .meta({ description: 'Where the user goes afterwards', example: 'https://shop.example/paid' }),
    cancelUrl: browserUrl
      .optional()
      .meta({ description: 'Where the user goes who did not pay', example: 'https://shop.example/cart' }),
    metadata: metadata.optional(),
  }),
  success: { status: 201, data: topup },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'USER_NOT_ACTIVE', 'LIMIT_EXCEEDED', 'PROVIDER_TIMEOUT'],
});

export const listTopups = route({
  ...onTopups,
  name: 'listTopups',
  method: 'get',
  summary: 'List top-ups, newest first',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({ ...pageQuery, userId: userId.optional(), status: z.enum(topupStatuses).optional() }),
  body: noBody,
  success: { status: 200, data: topup, list: true },
  errors: [],
});

export const getTopup = route({
  ...onTopup,
  name: 'getTopup',
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
  name: 'refreshTopup',
  path: `${path}/{id}/refresh`,
  summary: 'Ask the payment provider how a top-up is',
  body: noBody,
  waitsFor: 'provider',
  errors: ['TOPUP_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const cancelTopup = route({
  ...operation,
  name: 'cancelTopup',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel a top-up',
  description:
    'While it is TOPUP_CREATED or TOPUP_AWAITING_USER_CONFIRMATION. Money that arrives later becomes a reconciliation case.',
  body: z.strictObject({
    reason: freeText(textMax.reason).optional().meta({ example: 'Buyer changed their mind' }),
    canceledBy: freeText(textMax.reference).min(1).optional().meta({ description: 'Left out: the credential' }),
  }),
  waitsFor: 'provider',
  errors: ['TOPUP_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const returnFromTopup = route({
  ...onTopup,
  name: 'returnFromTopup',
  method: 'get',
  path: `${path}/{id}/callback`,
  summary: 'Come back from the payment provider',
  description:
    'For the browser of a user. Refreshes the top-up, then leads to its `returnUrl` or `cancelUrl`; where it has neither, a small page tells what happened.',
  auth: 'public',
  idempotent: false,
  // Providers add parameters of their own to the address that a user comes back to.
  query: z.object({
    status: freeText(textMax.reference).optional().meta({ description: 'What the provider says; a hint only' }),
  }),
  body: noBody,
  success: { status: 200, form: 'page', data: browserAnswer },
  waitsFor: 'provider',
  errors: ['TOPUP_NOT_FOUND'],
});

export const topupRoutes = [createTopup, listTopups, getTopup, refreshTopup, cancelTopup, returnFromTopup] as const;
