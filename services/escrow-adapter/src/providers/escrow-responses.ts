import { z } from 'zod';
import { contractTypes } from '../domain/contract.js';
import type { MilestoneState } from '../domain/contract-state.js';
import type { ContractAtProvider } from '../use-cases/ports.js';

export const builtResponse = z.object({ status: z.literal('SUCCESS'), unsignedTransaction: z.string().min(1) });

export const submittedResponse = z.object({ status: z.literal('SUCCESS'), contractId: z.string().min(1).optional() });

const milestoneFlags = z.object({
  approved: z.boolean().default(false),
  disputed: z.boolean().default(false),
  released: z.boolean().default(false),
  resolved: z.boolean().default(false),
});

const milestone = z.object({
  status: z.string().default(''),
  approved: z.boolean().default(false),
  flags: milestoneFlags.optional(),
});

const contractFlags = milestoneFlags.omit({ approved: true });

const contractResponse = z.object({
  contractId: z.string(),
  engagementId: z.string(),
  type: z.enum(contractTypes),
  signer: z.string().optional(),
  balance: z.number().min(0),
  milestones: z.array(milestone),
  flags: contractFlags.default({ disputed: false, released: false, resolved: false }),
});
export const contractsResponse = z.array(contractResponse);

export function toContract(response: z.output<typeof contractResponse>): ContractAtProvider {
  const { contractId, engagementId, type, signer, balance, flags, milestones } = response;
  return {
    contractId,
    engagementId,
    type,
    signer,
    state: {
      balanceUnits: unitsOf(balance),
      isDisputed: flags.disputed,
      isReleased: flags.released,
      isResolved: flags.resolved,
      milestones: milestones.map(toMilestone),
    },
  };
}

/** Statuses of a milestone before it is delivered. */
const notDelivered: ReadonlySet<string> = new Set(['', 'pending']);

function toMilestone({ status, approved, flags }: z.output<typeof milestone>): MilestoneState {
  return {
    isCompleted: !notDelivered.has(status.toLowerCase()),
    isApproved: flags?.approved ?? approved,
    isDisputed: flags?.disputed ?? false,
    isReleased: flags?.released ?? false,
    isResolved: flags?.resolved ?? false,
  };
}

const unitsPerToken = 10_000_000;

/** The provider writes amounts as numbers; up to 900 million tokens they are exact to the last unit. */
function unitsOf(amount: number): bigint {
  return BigInt(Math.round(amount * unitsPerToken));
}

const refusal = z.object({ message: z.string() });
const messageLengthMax = 300;

/** The message of a refusal, for the log and for the reason of a failure. */
export function messageOf(body: unknown): string | undefined {
  const parsed = refusal.safeParse(body);
  return parsed.success ? parsed.data.message.slice(0, messageLengthMax) : undefined;
}
