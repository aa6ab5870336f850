import type { DeployedContract } from './contract.js';
import type { ContractState, MilestoneState } from './contract-state.js';

/** The terms that a contract on the network stores. In a multi-release contract, each milestone has its own amount and receiver. */
export type StoredTerms = {
  readonly engagementId: string;
  readonly title: string;
  readonly description: string;
  readonly platformFeeBasisPoints: number;
  readonly receiverMemo: number;
  /** The contract of the escrowed token. */
  readonly token: string;
  readonly approver: string;
  readonly serviceProvider: string;
  readonly releaseSigner: string;
  readonly disputeResolver: string;
  readonly platform: string;
  readonly receiver?: string | undefined;
  readonly units?: bigint | undefined;
  readonly milestones: readonly StoredMilestone[];
};

type StoredMilestone = {
  readonly description: string;
  readonly receiver?: string | undefined;
  readonly units?: bigint | undefined;
};

/** What a contract on the network stores: its terms, and what has happened to it. */
export type StoredEscrow = {
  readonly terms: StoredTerms;
  readonly state: Omit<ContractState, 'balanceUnits'>;
};

/** Statuses of a milestone before it is delivered. */
const notDelivered: ReadonlySet<string> = new Set(['', 'pending']);

export function isDelivered(status: string): boolean {
  return !notDelivered.has(status.toLowerCase());
}

export const noFlags = { isDisputed: false, isReleased: false, isResolved: false } as const satisfies Partial<MilestoneState>;

/** The first term in which a contract on the network differs from the one that was requested; undefined if there is none. */
export function differingTerm(contract: DeployedContract, token: string, found: StoredTerms): string | undefined {
  const expected = termsOf(contract, token);
  const { milestones, ...terms } = expected;
  const name = firstDifference(terms, found);
  if (name !== undefined) return name;
  if (milestones.length !== found.milestones.length) return 'the number of milestones';
  for (const [index, milestone] of milestones.entries()) {
    const differing = firstDifference(milestone, found.milestones[index] ?? {});
    if (differing !== undefined) return `${differing} of milestone ${index}`;
  }
  return undefined;
}

function termsOf(contract: DeployedContract, token: string): StoredTerms {
  const { orderId, title, description, platformFeeBasisPoints, type, amount } = contract;
  const { buyer, seller, platform } = contract.addresses;
  const common = {
    engagementId: orderId,
    title,
    description,
    platformFeeBasisPoints,
    receiverMemo: 0,
    token,
    approver: buyer,
    serviceProvider: seller,
    releaseSigner: buyer,
    disputeResolver: platform,
    platform,
  };
  const descriptions = contract.milestones.map((milestone) => ({ description: milestone.title }));
  if (type === 'single-release') return { ...common, receiver: seller, units: amount.units, milestones: descriptions };
  const milestones = contract.milestones.map((milestone) => ({
    description: milestone.title,
    receiver: seller,
    units: milestone.units,
  }));
  return { ...common, milestones };
}

function firstDifference(expected: object, found: object): string | undefined {
  const values = new Map<string, unknown>(Object.entries(found));
  return Object.entries(expected).find(([name, value]) => values.get(name) !== value)?.[0];
}
