import { z } from 'zod';
import { isAmount } from '@holdfast/kernel/money';
import {
  amountForm,
  amountIn,
  currency,
  freeText,
  id,
  instantIn,
  noBody,
  noQuery,
  opaqueId,
  pageQuery,
  textMax,
} from '../shapes/index.js';
import {
  balance,
  balanceAfterTransfer,
  balanceSyncResult,
  balanceTransaction,
  balanceVerification,
  reservation,
} from './balance-shapes.js';
import { route } from './route.js';

const path = '/users/{userId}/balance';
const params = z.strictObject({ userId: id('usr') });
const inCurrency = z.strictObject({ currency: currency.optional() });
const onUser = { service: 'ledger-balance', family: 'plain', params, malformedParams: 'USER_NOT_FOUND' } as const;
const operation = { ...onUser, method: 'post', auth: 'write', idempotent: true, query: noQuery } as const;

const reference = freeText(textMax.reference).min(1).meta({
  description: 'Your own reference. Credits and debits are idempotent per user and reference',
  example: 'invoice-1042',
});
const description = freeText(textMax.description).meta({
  description: 'Shown in the transaction list',
  example: 'Welcome bonus',
});
const reason = freeText(textMax.reason).meta({ description: 'Recorded in the audit log', example: 'Buyer changed their mind' });

const creditBody = z.strictObject({
  amount: amountIn(2).meta({ example: '500.00' }),
  currency: currency.optional(),
  reference: reference.optional(),
  description: description.optional(),
});

// USDC and XLM have all seven decimal places, so that any on-chain balance can be withdrawn completely.
const debitBody = creditBody
  .extend({
    amount: amountIn(7),
    reference: reference.meta({ example: 'fee-2026-01' }).optional(),
    description: description.meta({ example: 'Monthly fee' }).optional(),
  })
  .refine((body) => body.currency === 'USDC' || body.currency === 'XLM' || isAmount(body.amount, 2), {
    path: ['amount'],
    message: amountForm(7),
    when: (payload) => payload.issues.length === 0,
  });

const reservedBody = z.strictObject({
  amount: amountIn(2),
  orderId: opaqueId('ord').optional(),
  currency: currency.optional(),
  reason: reason.optional(),
});
/** The examples take less than the example of reserve has reserved. */
const releasedBody = reservedBody.extend({ amount: amountIn(2).meta({ example: '5.00' }) });
const deductedBody = reservedBody.extend({ amount: amountIn(2).meta({ example: '2.50' }) });

export const getBalance = route({
  ...onUser,
  name: 'balances.get',
  method: 'get',
  path,
  summary: 'Get a balance',
  description:
    'Available, reserved and total balance in one currency; USD by default. With `at`, the balance at that time. `GET /users/{userId}/balances` lists all currencies.',
  auth: 'read',
  idempotent: false,
  query: inCurrency.extend({
    at: instantIn.optional().meta({
      description: 'Returns the balance at this time instead of the current one',
      example: '2026-01-31T12:00:00Z',
    }),
  }),
  body: noBody,
  success: { status: 200, data: balance },
  errors: ['USER_NOT_FOUND'],
});

export const creditBalance = route({
  ...operation,
  name: 'balances.credit',
  path: `${path}/credit`,
  summary: 'Credit a balance',
  description: 'Adds an amount to the available balance.',
  body: creditBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'REFERENCE_EXISTS', 'LIMIT_EXCEEDED'],
});

export const debitBalance = route({
  ...operation,
  name: 'balances.debit',
  path: `${path}/debit`,
  summary: 'Debit a balance',
  description: 'Removes an amount from the available balance.',
  body: debitBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'REFERENCE_EXISTS', 'INSUFFICIENT_FUNDS'],
});

export const reserveFunds = route({
  ...operation,
  name: 'balances.reserve',
  path: `${path}/reserve`,
  summary: 'Reserve funds',
  description:
    'Moves an amount from the available to the reserved balance. With `orderId`, it is reserved for that order, in addition to what the order has reserved already.',
  body: reservedBody,
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'USER_NOT_ACTIVE', 'INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED'],
});

export const releaseFunds = route({
  ...operation,
  name: 'balances.release',
  path: `${path}/release`,
  summary: 'Release reserved funds',
  description:
    'Moves an amount from the reserved back to the available balance. With `orderId`, the reservations of that order are released, oldest first; without it, only manual reservations.',
  body: releasedBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'RESERVATION_EXCEEDED', 'LIMIT_EXCEEDED'],
});

export const cancelReservation = route({
  ...operation,
  name: 'balances.cancelReservation',
  path: `${path}/cancel-reservation`,
  summary: 'Cancel the reservations of an order',
  description: 'Releases every active reservation of the order.',
  body: z.strictObject({ orderId: opaqueId('ord'), reason: reason.optional() }),
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'RESERVATION_NOT_FOUND', 'LIMIT_EXCEEDED'],
});

export const deductReserved = route({
  ...operation,
  name: 'balances.deductReserved',
  path: `${path}/deduct-reserved`,
  summary: 'Deduct reserved funds',
  description:
    'Removes an amount from the reserved balance permanently. With `orderId`, it is taken from the reservations of that order, oldest first; without it, only from manual reservations.',
  body: deductedBody,
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: balanceAfterTransfer },
  errors: ['USER_NOT_FOUND', 'INVALID_AMOUNT', 'INVALID_RESERVED_DEDUCTION'],
});

export const syncBalance = route({
  ...operation,
  name: 'balances.sync',
  path: `${path}/sync`,
  summary: 'Sync a balance with the providers',
  description:
    "Credits deposits to the user's wallet that have not been credited yet, and refreshes open top-ups and withdrawals. A difference that nothing explains opens a reconciliation case.",
  body: inCurrency,
  success: { status: 200, data: balanceSyncResult },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const verifyBalance = route({
  ...onUser,
  name: 'balances.verify',
  method: 'get',
  path: `${path}/verify`,
  summary: 'Verify a balance against the ledger network',
  description: "Compares the ledger with the user's wallet. Read-only.",
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
  name: 'balances.listTransactions',
  method: 'get',
  path: `${path}/transactions`,
  summary: 'List balance transactions',
  description: 'Newest first.',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({ ...pageQuery, currency: currency.optional() }),
  body: noBody,
  success: { status: 200, data: balanceTransaction, list: true },
  errors: ['USER_NOT_FOUND'],
});

export const listBalances = route({
  ...onUser,
  name: 'balances.list',
  method: 'get',
  path: '/users/{userId}/balances',
  summary: 'List the balances of a user',
  description: 'One per currency that the user has or had, sorted by currency. The cursor is a currency.',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({ limit: pageQuery.limit, cursor: pageQuery.cursor }),
  body: noBody,
  success: { status: 200, data: balance, list: true },
  errors: ['USER_NOT_FOUND'],
});

export const listReservations = route({
  ...onUser,
  name: 'balances.listReservations',
  method: 'get',
  path: '/users/{userId}/reservations',
  summary: 'List the active reservations of a user',
  description: 'The parts of the reserved balances, in all currencies. Newest first.',
  auth: 'read',
  idempotent: false,
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: reservation, list: true },
  errors: ['USER_NOT_FOUND'],
});

/** In the order in which their examples succeed one after the other. */
export const balanceRoutes = {
  getBalance,
  creditBalance,
  debitBalance,
  reserveFunds,
  releaseFunds,
  deductReserved,
  cancelReservation,
  syncBalance,
  verifyBalance,
  listBalanceTransactions,
  listBalances,
  listReservations,
};
