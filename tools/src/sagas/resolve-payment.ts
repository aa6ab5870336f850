import { setTimeout as pause } from 'node:timers/promises';
import { resolvePayment as route } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { isAppError } from '@holdfast/kernel/errors';
import { onInstallation } from '../command/on-installation.js';
import { callContext } from '../command/on-service.js';
import { printError } from '../command/run-command.js';
import { verifyBooks } from '../verify-ledger/verify-books.js';
import { textOf } from './resolve.js';
import type { PaymentId, ResolveOptions } from './resolve-options.js';

export type PaymentOptions = Omit<ResolveOptions, 'id' | 'contractId'> & { readonly id: PaymentId };

/** Where the API key of the operator is read from: never from the command line, which other users of the machine can see. */
export const keyVariable = 'HOLDFAST_API_KEY';

/**
 * Ends a top-up, a withdrawal or the return of a case, if its provider or the network proves the outcome. The books are checked before
 * and after. A repeated command finds what was decided.
 */
export async function resolvePayment(
  payments: ServiceClient,
  options: PaymentOptions,
  credential: string | undefined,
): Promise<number> {
  if (credential === undefined) return printError(`${keyVariable} must hold an API key with the scope support.`);
  if ((await onInstallation(verifyBooks)) !== 0) {
    return printError('Nothing was resolved: the books must be sound before a person moves money by a decision.');
  }
  const resolved = await request(payments, options, credential);
  if (resolved === undefined) return 1;
  if (resolved.status === 'PENDING_APPROVAL') {
    console.log(
      'PENDING_APPROVAL: stored. Another person must now repeat the command with the same values and their own API key.',
    );
    return 0;
  }
  const ended = await untilEnded(payments, options, credential);
  if (ended === undefined) return printError(`${options.id} is resolved, but has not ended yet; repeat the command.`);
  console.log(`${options.id} has ended with ${ended}.`);
  return onInstallation(verifyBooks);
}

async function request(payments: ServiceClient, { id, ...body }: PaymentOptions, credential: string) {
  try {
    return await payments.call(route, { params: { id }, body: { ...body, credential } }, callContext);
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND')) printError(`Nothing was resolved: the marketplace of the API key has no ${id}.`);
    else if (isAppError(error, 'INVALID_STATE')) printError(`Nothing was resolved: ${textOf(error.details['reason'])}`);
    else throw error;
    return undefined;
  }
}

const pollMs = 500;
const endTimeoutMs = 60_000;

/** The worker ends the payment, and the ledger books it. Repeating the request changes nothing. */
async function untilEnded(payments: ServiceClient, options: PaymentOptions, credential: string): Promise<string | undefined> {
  const deadline = performance.now() + endTimeoutMs;
  while (performance.now() < deadline) {
    const current = await request(payments, options, credential);
    if (current === undefined || current.isEnded) return current?.paymentStatus;
    await pause(pollMs);
  }
  return undefined;
}
