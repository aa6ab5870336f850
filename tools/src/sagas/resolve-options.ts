import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runOutcomes, type RunOutcome } from '@holdfast/contracts/http';
import { isId, type CaseId, type SagaRunId, type TopupId, type WithdrawalId } from '@holdfast/kernel/ids';

export type PaymentId = TopupId | WithdrawalId | CaseId;

export type ResolveOptions = {
  /** A saga run, or the top-up, withdrawal or case itself: a payment may wait without a run. */
  readonly id: SagaRunId | PaymentId;
  readonly outcome: RunOutcome;
  readonly by: string;
  readonly evidence: string;
  readonly transactionHash?: string;
  readonly contractId?: string;
};

const text = { type: 'string' } as const;
const options = { as: text, by: text, evidence: text, transaction: text, contract: text };

const given = z.object({
  id: z
    .string()
    .refine(
      (value): value is ResolveOptions['id'] => isId(value, 'run') || isPaymentId(value),
      'There is no run with this id; "list" shows them.',
    ),
  outcome: z.enum(runOutcomes, `--as must be ${runOutcomes.join(' or ')}.`),
  by: z.string('--by must name the person who decides.').trim().min(1, '--by must name the person who decides.'),
  evidence: z.string('--evidence is missing.').trim().min(1, '--evidence must say how this person knows the outcome.'),
  transactionHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '--transaction must be 64 hexadecimal digits.')
    .exactOptional(),
  contractId: z
    .string()
    .regex(/^C[A-Z2-7]{55}$/, '--contract must be the address of a contract.')
    .exactOptional(),
});

/** Parses `<run> --as … --by … --evidence …`. Returns what is wrong where it cannot be understood. */
export function parseResolveOptions(args: readonly string[]): ResolveOptions | string {
  const read = tryRead(args);
  return typeof read === 'string' ? read : checkResolveOptions(read);
}

/** Returns what is wrong where the values do not fit. */
export function checkResolveOptions(read: Readonly<Partial<Record<keyof ResolveOptions, unknown>>>): ResolveOptions | string {
  const { success, data, error } = given.safeParse(read);
  if (!success) return error.issues[0]?.message ?? unreadable;
  return data;
}

export function isPaymentId(value: string): value is PaymentId {
  return isId(value, 'topup') || isId(value, 'wd') || isId(value, 'rcc');
}

const unreadable = 'The options cannot be read.';

function tryRead(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { as: outcome, by, evidence, transaction, contract } = values;
    const proof = {
      ...(transaction === undefined ? {} : { transactionHash: transaction }),
      ...(contract === undefined ? {} : { contractId: contract }),
    };
    return { id: positionals.join(' '), outcome, by, evidence, ...proof };
  } catch (error) {
    const isExplained = typeof error === 'object' && error !== null && 'message' in error;
    return isExplained ? String(error.message) : unreadable;
  }
}
