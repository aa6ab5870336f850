import { z } from 'zod';
import { amountOut, currency, id } from '../shapes/index.js';
import { message } from './message.js';

const topupMessage = { version: 1, aggregateType: 'TopUp', publisher: 'payments' } as const;
const publicMessage = { ...topupMessage, visibility: 'public' } as const;

const money = { userId: id('usr'), amount: amountOut, currency };
const topupId = id('topup');
const providerPayinId = z.string().meta({ description: 'Id of the pay-in at the payment provider', example: 'payin-7' });
const ofTopup = { topupId, userId: id('usr'), amount: amountOut };
const reason = z.string().meta({ example: 'The card was declined.' });

export const topupCreated = message({
  ...publicMessage,
  type: 'topup.created',
  summary: 'A top-up was created.',
  payload: z.strictObject(money),
});

export const topupConfirmationRequired = message({
  ...publicMessage,
  type: 'topup.confirmation_required',
  summary: 'The user must confirm the payment at the payment provider.',
  payload: z.strictObject({
    topupId,
    confirmationUri: z.string().meta({ example: 'https://pay.example/confirm/payin-7' }),
  }),
});

export const topupProcessing = message({
  ...publicMessage,
  type: 'topup.processing',
  summary: 'The payment provider processes the payment.',
  payload: z.strictObject({ topupId, providerPayinId }),
});

export const topupSucceeded = message({
  ...publicMessage,
  type: 'topup.succeeded',
  summary: 'The payment was received and credited.',
  payload: z.strictObject({
    topupId,
    ...money,
    newAvailableBalance: amountOut,
    providerPayinId: providerPayinId.optional(),
  }),
});

export const topupFailed = message({
  ...publicMessage,
  type: 'topup.failed',
  summary: 'The payment failed; nothing was credited.',
  payload: z.strictObject({
    ...ofTopup,
    reason,
    errorCode: z.string().meta({ example: '415034' }).optional(),
    providerPayinId: providerPayinId.optional(),
  }),
});

export const topupCanceled = message({
  ...publicMessage,
  type: 'topup.canceled',
  summary: 'The top-up was canceled; nothing was credited.',
  payload: z.strictObject({ ...ofTopup, canceledBy: z.string().meta({ example: 'system' }), reason: reason.optional() }),
});

export const topupCreditRequested = message({
  ...topupMessage,
  visibility: 'internal',
  type: 'topup.credit_requested',
  summary: 'The payment provider received the payment: credit the user.',
  payload: z.strictObject({ topupId, ...money }),
});

export const topupMessages = [
  topupCreated,
  topupConfirmationRequired,
  topupProcessing,
  topupSucceeded,
  topupFailed,
  topupCanceled,
  topupCreditRequested,
] as const;
