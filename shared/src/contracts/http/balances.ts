import { z } from 'zod';
import { isAmount } from '../../money/index.js';
import { amountIn, currency, freeText, id, noBody, noQuery, opaqueId, pageQuery, textMax } from '../shapes/index.js';
import { balance, balanceAfterTransfer, balanceSyncResult, balanceTransaction, balanceVerification } from './balance-shapes.js';
import { route } from './route.js';

const path = '/users/{userId}/balance';
const params = z.strictObject({ userId: id('usr') });
const inCurrency = z.strictObject({ currency: currency.optional() });
const onUser = { service: 'ledger-balance', family: 'plain', params, malformedParams: 'USER_NOT_FOUND' } as const;
const operation = { ...onUser, method: 'post', auth: 'write', idempotent: true, query: noQuery } as const;

const reference = freeText(textMax.reference).min(1).meta({
  description: 'Your own reference. Credits and debits are idempotent per user and reference.',
  example: 'invoice-1042',
});
const description = freeText(textMax.description).meta({ example: 'Welcome bonus' });
const reason = freeText(textMax.reason).meta({ example: 'Buyer changed their mind' });

const creditBody = z.strictObject({
  amount: amountIn(2),
  currency: currency.optional(),
  reference: reference.optional(),
  description: description.optional(),
});

// USDC and XLM may leave with all seven places, so that on-chain dust is never stuck.
const debitBody = creditBody
  .extend({ amount: amountIn(7) })
  .refine((body) => body.currency === 'USDC' || body.currency === 'XLM' || isAmount(body.amount, 2), {
    path: ['amount'],
    message: 'must be a decimal string with at most two places',
    when: (payload) => payload.issues.length === 0,
  });

const reservedBody = z.strictObject({
  amount: amountIn(2),
  orderId: opaqueId.optional(),
  currency: currency.optional(),
  reason: reason.optional(),
});

export const getBalance = route({
  ...onUser,
  name: 'getBalance',
  method: 'get',
  path,
  summary: 'Get a balance',
  auth: 'read',
  idempotent: false,
  query: inCurrency,
  body: noBody,
  success: { status: 200, data: balance },
  errors: ['USER_NOT_FOUND'],
});

export const creditBalance = route({
  ...operation,
  name: 'creditBalance',
  path: `${path}/credit`,
  summary: 'Credit the available balance',
  body: creditBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'REFERENCE_EXISTS', 'LIMIT_EXCEEDED'],
});

export const debitBalance = route({
  ...operation,
  name: 'debitBalance',
  path: `${path}/debit`,
  summary: 'Debit the available balance',
  body: debitBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'REFERENCE_EXISTS', 'INSUFFICIENT_FUNDS'],
});

export const reserveFunds = route({
  ...operation,
  name: 'reserveFunds',
  path: `${path}/reserve`,
  summary: 'Move available funds to reserved',
  body: reservedBody,
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'USER_NOT_ACTIVE', 'INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED'],
});

export const releaseFunds = route({
  ...operation,
  name: 'releaseFunds',
  path: `${path}/release`,
  summary: 'Move reserved funds back to available',
  description: "With an orderId it frees that order's reservations, oldest first; without one, manual reservations only.",
  body: reservedBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'RESERVATION_EXCEEDED', 'LIMIT_EXCEEDED'],
});

export const cancelReservation = route({
  ...operation,
  name: 'cancelReservation',
  path: `${path}/cancel-reservation`,
  summary: 'Give back every active reservation of an order',
  body: z.strictObject({ orderId: opaqueId, reason: reason.optional() }),
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'RESERVATION_NOT_FOUND', 'LIMIT_EXCEEDED'],
});

export const deductReserved = route({
  ...operation,
  name: 'deductReserved',
  path: `${path}/deduct-reserved`,
  summary: 'Consume reserved funds for good',
  description: "With an orderId it consumes that order's reservations, oldest first; without one, manual reservations only.",
  body: reservedBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'INVALID_RESERVED_DEDUCTION'],
});

export const syncBalance = route({
  ...operation,
  name: 'syncBalance',
  path: `${path}/sync`,
  summary: 'Reconcile with the providers',
  body: inCurrency,
  success: { status: 200, data: balanceSyncResult },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const verifyBalance = route({
  ...onUser,
  name: 'verifyBalance',
  method: 'get',
  path: `${path}/verify`,
  summary: 'Compare with the ledger network, changing nothing',
  auth: 'read',
  idempotent: false,
  query: inCurrency,
  body: noBody,
  success: { status: 200, data: balanceVerification },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'VERIFICATION_FAILED'],
});

export const listBalanceTransactions = route({
  ...onUser,
  name: 'listBalanceTransactions',
  method: 'get',
  path: `${path}/transactions`,
  summary: 'List what changed a balance, newest first',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({ ...pageQuery, currency: currency.optional() }),
  body: noBody,
  success: { status: 200, data: balanceTransaction, list: true },
  errors: ['USER_NOT_FOUND'],
});

export const balanceRoutes = [
  getBalance,
  creditBalance,
  debitBalance,
  reserveFunds,
  releaseFunds,
  cancelReservation,
  deductReserved,
  syncBalance,
  verifyBalance,
  listBalanceTransactions,
] as const;
