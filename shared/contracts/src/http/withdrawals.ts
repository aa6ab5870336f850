import { z } from 'zod';
import { freeText, id, noBody, noParams, noQuery, opaqueId, pageQuery, textMax } from '../shapes/index.js';
import { withdrawal, withdrawalStatuses } from './payment-shapes.js';
import { route } from './route.js';
import { withdrawalBody } from './withdrawal-body.js';

const path = '/withdrawals';
const ofWithdrawals = { service: 'payments', family: 'plain', malformedParams: 'WITHDRAWAL_NOT_FOUND' } as const;
const onWithdrawals = { ...ofWithdrawals, path, params: noParams } as const;
const onWithdrawal = { ...ofWithdrawals, params: z.strictObject({ id: id('wd') }), query: noQuery } as const;
const operation = {
  ...onWithdrawal,
  method: 'post',
  auth: 'write',
  idempotent: true,
  success: { status: 200, data: withdrawal },
} as const;

export const createWithdrawal = route({
  ...onWithdrawals,
  name: 'withdrawals.create',
  method: 'post',
  summary: 'Create a withdrawal',
  description:
    'Reserves the amount. The money is sent when the withdrawal is committed; with `commit`, that happens immediately. The destination `ledger` supports USDC, XLM, and USD paid out as USDC; `bank` and `payment_account` support USD and require a linked payment account.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: withdrawalBody,
  success: { status: 201, data: withdrawal },
  waitsFor: 'saga',
  errors: [
    'USER_NOT_FOUND',
    'USER_NOT_ACTIVE',
    'INVALID_STATE',
    'PAYMENT_ACCOUNT_NOT_LINKED',
    'INSUFFICIENT_FUNDS',
    'LIMIT_EXCEEDED',
    'PLATFORM_STOPPED',
    'PROVIDER_TIMEOUT',
  ],
});

export const listWithdrawals = route({
  ...onWithdrawals,
  name: 'withdrawals.list',
  method: 'get',
  summary: 'List withdrawals',
  description: 'Newest first.',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({
    ...pageQuery,
    userId: opaqueId('usr').optional(),
    status: z.enum(withdrawalStatuses).optional(),
  }),
  body: noBody,
  success: { status: 200, data: withdrawal, list: true },
  errors: [],
});

export const getWithdrawal = route({
  ...onWithdrawal,
  name: 'withdrawals.get',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'Get a withdrawal',
  auth: 'read',
  idempotent: false,
  body: noBody,
  success: { status: 200, data: withdrawal },
  errors: ['WITHDRAWAL_NOT_FOUND'],
});

export const commitWithdrawal = route({
  ...operation,
  name: 'withdrawals.commit',
  path: `${path}/{id}/commit`,
  summary: 'Commit a withdrawal',
  description: 'Sends the money. The withdrawal must be WITHDRAWAL_CREATED and can no longer be canceled afterwards.',
  body: noBody,
  waitsFor: 'saga',
  errors: ['WITHDRAWAL_NOT_FOUND', 'INVALID_STATE', 'USER_NOT_ACTIVE', 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

export const refreshWithdrawal = route({
  ...operation,
  name: 'withdrawals.refresh',
  path: `${path}/{id}/refresh`,
  summary: 'Refresh a withdrawal',
  description: 'Fetches the current status from the payment provider.',
  body: noBody,
  waitsFor: 'provider',
  errors: ['WITHDRAWAL_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const cancelWithdrawal = route({
  ...operation,
  name: 'withdrawals.cancel',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel a withdrawal',
  description:
    'The withdrawal must be WITHDRAWAL_CREATED, or WITHDRAWAL_COMMITTED while nothing of it has been sent. Its amount becomes available again. If the payout is faster, the response is INVALID_STATE.',
  body: z.strictObject({
    reason: freeText(textMax.reason).optional().meta({ description: 'Recorded in the audit log', example: 'Wrong account' }),
    canceledBy: freeText(textMax.reference).min(1).optional().meta({ description: 'Defaults to the credential of the request' }),
  }),
  waitsFor: 'saga',
  errors: ['WITHDRAWAL_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const withdrawalRoutes = {
  createWithdrawal,
  listWithdrawals,
  getWithdrawal,
  commitWithdrawal,
  refreshWithdrawal,
  cancelWithdrawal,
};
