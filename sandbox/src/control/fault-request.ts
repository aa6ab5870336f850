import { z } from 'zod';
import { formatUnits } from '../domain/units.js';
import { accountAddress } from '../web/shapes.js';
import { amount, reference } from './bodies.js';
import { faultKindNames, faultTargets, fieldRefusals, pairRefusal, type FaultOperation } from './fault-kinds.js';

const latencyMsMax = 10 * 60_000;
const operations = [...faultTargets['escrow-provider'], ...faultTargets['ledger-network'], ...faultTargets['payment-provider']];

/** The body of `POST /_sandbox/faults`. */
export const faultRequest = z
  .strictObject({
    target: z.enum(['escrow-provider', 'ledger-network', 'payment-provider']),
    /** Absent means every operation of the target. */
    operation: z.enum(operations).optional(),
    kind: z.enum(faultKindNames),
    /** Absent means until the fault is deleted. */
    times: z.number().int().positive().optional(),
    probability: z.number().min(0).max(1).optional(),
    latencyMs: z.number().int().nonnegative().max(latencyMsMax).optional(),
    /** The account that the kind concerns. */
    address: accountAddress.optional(),
    amount: amount.transform(formatUnits).optional(),
    reference,
  })
  .refine(({ target, operation }) => operation === undefined || operationsOf(target).includes(operation), {
    path: ['operation'],
    message: 'the target has no such operation',
  })
  .superRefine((request, context) => {
    const message = pairRefusal(request);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['kind'], message });
    for (const refusal of fieldRefusals(request)) context.addIssue({ code: 'custom', ...refusal });
  });

export type FaultRequest = Readonly<z.output<typeof faultRequest>>;

function operationsOf(target: keyof typeof faultTargets): readonly FaultOperation[] {
  return faultTargets[target];
}
