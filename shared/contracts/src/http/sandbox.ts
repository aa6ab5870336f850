import { z } from 'zod';
import { custodyAssets } from '../messages/index.js';
import { amountIn, email, freeText, id, noBody, noParams, noQuery, opaqueId, textMax } from '../shapes/index.js';
import { topup, withdrawal } from './payment-shapes.js';
import { route } from './route.js';

/** What a developer does to the simulated systems outside. With real providers these routes do not exist. See ADR 0111. */
const ofSandbox = {
  auth: 'write',
  family: 'plain',
  onlyWith: 'sandbox',
  method: 'post',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
} as const;

const only = 'Only with the sandbox, else 404.';

const onTopup = {
  ...ofSandbox,
  service: 'payments',
  idempotent: true,
  params: z.strictObject({ id: id('topup') }),
  malformedParams: 'TOPUP_NOT_FOUND',
  success: { status: 200, data: topup },
  waitsFor: 'saga',
  errors: ['TOPUP_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
} as const;

const onWithdrawal = {
  ...ofSandbox,
  service: 'payments',
  idempotent: true,
  params: z.strictObject({ id: id('wd') }),
  malformedParams: 'WITHDRAWAL_NOT_FOUND',
  success: { status: 200, data: withdrawal },
  waitsFor: 'saga',
  errors: ['WITHDRAWAL_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
} as const;

const failure = z.strictObject({
  reason: freeText(textMax.reason)
    .min(1)
    .optional()
    .meta({ description: 'What the provider gives as the reason', example: 'card declined' }),
});

export const confirmSandboxTopup = route({
  ...onTopup,
  name: 'sandbox.confirmTopup',
  path: '/sandbox/topups/{id}/confirm',
  summary: 'Pay a top-up as its payer does',
  description: `The response has the top-up after its credit. Also possible late, after it has failed or was canceled. ${only}`,
  body: z.strictObject({
    amount: amountIn(2).optional().meta({ description: 'Another amount than the top-up asks for', example: '50.00' }),
    payerEmail: email
      .nullable()
      .optional()
      .meta({ description: 'Another payer; null: one who is not named', example: 'ada@example.com' }),
  }),
});

export const failSandboxTopup = route({
  ...onTopup,
  name: 'sandbox.failTopup',
  path: '/sandbox/topups/{id}/fail',
  summary: 'Let a top-up fail at the provider',
  description: only,
  body: failure,
});

export const cancelSandboxTopup = route({
  ...onTopup,
  name: 'sandbox.cancelTopup',
  path: '/sandbox/topups/{id}/cancel',
  summary: 'Cancel a top-up as its payer does',
  description: only,
  body: failure,
});

export const completeSandboxWithdrawal = route({
  ...onWithdrawal,
  name: 'sandbox.completeWithdrawal',
  path: '/sandbox/withdrawals/{id}/complete',
  summary: 'Complete the payout of a withdrawal',
  description: `For a withdrawal to a bank or a payment account. ${only}`,
});

export const failSandboxWithdrawal = route({
  ...onWithdrawal,
  name: 'sandbox.failWithdrawal',
  path: '/sandbox/withdrawals/{id}/fail',
  summary: 'Let the payout of a withdrawal fail',
  description: only,
  body: failure,
});

export const holdSandboxWithdrawal = route({
  ...onWithdrawal,
  name: 'sandbox.requireAction',
  path: '/sandbox/withdrawals/{id}/require-action',
  summary: 'Let the payout of a withdrawal wait for its user',
  description: only,
  body: failure,
});

export const resumeSandboxWithdrawal = route({
  ...onWithdrawal,
  name: 'sandbox.resumeWithdrawal',
  path: '/sandbox/withdrawals/{id}/resume',
  summary: 'Do what the payout of a withdrawal waits for',
  description: only,
});

const ofSystems = { ...ofSandbox, service: 'escrow-adapter' } as const;

/** More is never needed, and the accounts that the sandbox pays from stay filled. */
const faucetMax = 10_000;

export const dropSandboxCoins = route({
  ...ofSystems,
  name: 'sandbox.dropCoins',
  path: '/sandbox/faucet',
  summary: "Send assets of the simulated network to a user's wallet",
  description: `The user's balance is credited as for every deposit. ${only}`,
  idempotent: true,
  body: z.strictObject({
    userId: opaqueId('usr'),
    asset: z.enum(custodyAssets).default('USDC').meta({ example: 'USDC' }),
    amount: amountIn(7)
      .refine((text) => Number(text) <= faucetMax, `must be at most ${faucetMax}`)
      .meta({ example: '10.00' }),
  }),
  success: {
    status: 200,
    data: z.object({
      userId: id('usr'),
      address: z.string().meta({ example: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' }),
      asset: z.enum(custodyAssets).meta({ example: 'USDC' }),
      amount: z.string().meta({ example: '10.00' }),
    }),
  },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

/** A developer can set the faults that any outside system may have; the others, which falsify, are for the platform's own tests. */
export const sandboxFaultKinds = [
  'latency',
  'error-before-effect',
  'rate-limited',
  'malformed',
  'error-after-effect',
  'timeout-after-effect',
] as const;
export const sandboxFaultTargets = ['escrow-provider', 'ledger-network', 'payment-provider'] as const;
const sandboxOperations = [
  ...['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve'],
  ...['submit', 'history', 'root'],
  ...['create-payin', 'create-payout', 'commit', 'read'],
] as const;

const faultTimesMax = 20;
const faultLatencyMsMax = 60_000;

const sandboxFault = z.object({
  id: z.string().meta({ example: '6f1c1a8e-3a52-4f0e-9a53-0a5a4fd1b3a1' }),
  target: z.string().meta({ example: 'payment-provider' }),
  operation: z.string().nullable().meta({ description: 'Null: every operation', example: 'create-payin' }),
  kind: z.string().meta({ example: 'error-before-effect' }),
  times: z.int().nullable().meta({ description: 'Null: until it is deleted', example: 1 }),
  strikes: z.int().meta({ description: 'How often it has struck', example: 0 }),
});
const sandboxFaults = z.object({ faults: z.array(sandboxFault) }).meta({ id: 'SandboxFaults' });
export type SandboxFaults = z.infer<typeof sandboxFaults>;

const ofFaults = {
  ...ofSystems,
  path: '/sandbox/faults',
  success: { status: 200, data: sandboxFaults },
  errors: [],
} as const;

export const listSandboxFaults = route({
  ...ofFaults,
  name: 'sandbox.listFaults',
  method: 'get',
  summary: 'List the faults of the simulated systems',
  description: `They are the same for all marketplaces. ${only}`,
  idempotent: false,
});

export const addSandboxFault = route({
  ...ofFaults,
  name: 'sandbox.addFault',
  summary: 'Let a simulated system fail',
  description: `A fault strikes the next calls of all marketplaces, and then is used up. ${only}`,
  idempotent: true,
  body: z.strictObject({
    target: z.enum(sandboxFaultTargets).meta({ example: 'payment-provider' }),
    operation: z.enum(sandboxOperations).optional().meta({ description: 'Left out: every operation', example: 'create-payin' }),
    kind: z.enum(sandboxFaultKinds).meta({ example: 'error-before-effect' }),
    times: z.int().min(1).max(faultTimesMax).default(1).meta({ description: 'How often it strikes', example: 1 }),
    latencyMs: z
      .int()
      .min(0)
      .max(faultLatencyMsMax)
      .optional()
      .meta({ description: 'How long a kind that waits does so', example: 2_000 }),
  }),
});

export const clearSandboxFaults = route({
  ...ofFaults,
  name: 'sandbox.clearFaults',
  method: 'delete',
  summary: 'Delete the faults of the simulated systems',
  description: `Faults are shared by all marketplaces. ${only}`,
  idempotent: true,
});

/** In the order in which their examples succeed one after the other. */
export const sandboxRoutes = {
  confirmSandboxTopup,
  failSandboxTopup,
  cancelSandboxTopup,
  completeSandboxWithdrawal,
  failSandboxWithdrawal,
  holdSandboxWithdrawal,
  resumeSandboxWithdrawal,
  dropSandboxCoins,
  listSandboxFaults,
  addSandboxFault,
  clearSandboxFaults,
};
