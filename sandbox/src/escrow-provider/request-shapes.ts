import { z } from 'zod';
import { accountAddress as address, amountIn, contractAddress as contractId } from '../web/shapes.js';

const textLengthMax = 1_000;
const descriptionLengthMax = 10_000;

const text = z.string().max(textLengthMax);
const description = z.string().max(descriptionLengthMax);

const amount = amountIn(z.number());

const hundred = 100;

/** Percent with at most two decimals, as basis points. */
const percent = z.number().transform((value, context) => {
  const basisPoints = Math.round(value * hundred);
  if (value >= 0 && basisPoints / hundred === value) return BigInt(basisPoints);
  context.addIssue({ code: 'custom', message: 'must be percent with at most two decimals' });
  return z.NEVER;
});

const milestoneIndex = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a string of digits')
  .transform(Number);

const roles = {
  approver: address,
  serviceProvider: address,
  platformAddress: address,
  releaseSigner: address,
  disputeResolver: address,
};

const deployment = {
  signer: address,
  engagementId: text.min(1),
  title: text,
  description,
  platformFee: percent,
  trustline: z.strictObject({ address: z.string(), symbol: z.string() }),
};

const distributions = z.array(z.strictObject({ address, amount }));
const at = { contractId, milestoneIndex };

/** The request body of each writing endpoint. Unknown fields are refused, so that a client sends only what the interface has. */
export const requestShapes = {
  deploySingle: z.strictObject({
    ...deployment,
    roles: z.strictObject({ ...roles, receiver: address }),
    amount,
    milestones: z.array(z.strictObject({ description })),
  }),
  deployMulti: z.strictObject({
    ...deployment,
    roles: z.strictObject(roles),
    milestones: z.array(z.strictObject({ description, amount, receiver: address })),
  }),
  fund: z.strictObject({ contractId, signer: address, amount }),
  changeStatus: z.strictObject({ ...at, newStatus: text, newEvidence: description.optional(), serviceProvider: address }),
  approve: z.strictObject({ ...at, approver: address }),
  release: z.strictObject({ contractId, releaseSigner: address }),
  releaseMilestone: z.strictObject({ ...at, releaseSigner: address }),
  dispute: z.strictObject({ contractId, signer: address }),
  disputeMilestone: z.strictObject({ ...at, signer: address }),
  resolve: z.strictObject({ contractId, disputeResolver: address, distributions }),
  resolveMilestone: z.strictObject({ ...at, disputeResolver: address, distributions }),
  sendTransaction: z.strictObject({ signedXdr: z.string().min(1) }),
} as const;

export type RequestOf<Name extends keyof typeof requestShapes> = z.output<(typeof requestShapes)[Name]>;
