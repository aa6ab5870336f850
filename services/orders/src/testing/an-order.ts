import { money } from '@holdfast/kernel/money';
import {
  newMilestone,
  newOrder,
  type ActiveRun,
  type Dispute,
  type Escrow,
  type Milestone,
  type Order,
} from '../domain/order.js';

const at = '2026-01-31T12:00:00.000000Z';

/** An order of 100.00 USD with the given overrides. */
export function anOrder(overrides: Partial<Order> = {}): Order {
  const given = {
    id: 'ord_1',
    marketplaceId: 'mkt_default',
    clientOrderRef: null,
    buyerId: 'usr_buyer',
    sellerId: 'usr_seller',
    amount: usd(100),
    title: 'Logo design',
    description: null,
    metadata: {},
    feeBasisPoints: 500n,
    releaseMode: 'order',
    reviewPeriod: null,
    deliverBy: null,
    onNotDelivered: 'none',
    milestones: [],
  } as const;
  return { ...newOrder(given, at), version: 1, ...overrides };
}

export function anEscrow(overrides: Partial<Escrow> = {}): Escrow {
  return {
    id: 'esc_1',
    status: 'FUNDED',
    contractType: 'single-release',
    providerContractId: 'C1',
    isDisputedByAttempt: false,
    fundedAt: at,
    releasedAt: null,
    refundedAt: null,
    version: 1,
    ...overrides,
  };
}

export function aDispute(overrides: Partial<Dispute> = {}): Dispute {
  return {
    id: 'dsp_1',
    openedBy: 'BUYER',
    reason: 'OTHER',
    evidence: null,
    status: 'UNDER_REVIEW',
    assignedTo: 'agent-1',
    resolution: null,
    resolvedBy: null,
    version: 2,
    createdAt: at,
    resolvedAt: null,
    milestoneRef: null,
    respondBy: null,
    decideBy: null,
    onNoResponse: 'none',
    evidenceEntries: [],
    respondedAt: null,
    responseNoticedAt: null,
    decisionNoticedAt: null,
    overdueAt: null,
    ...overrides,
  };
}

export function anActiveRun(overrides: Partial<ActiveRun> = {}): ActiveRun {
  const actor = { type: 'api_key', id: 'key_1' } as const;
  return {
    runId: 'run_1',
    saga: 'release',
    actor,
    startedAt: at,
    requestedBy: 'key_1',
    reason: null,
    resolution: null,
    cause: null,
    fee: null,
    partOf: null,
    ...overrides,
  };
}

export function aMilestone(ref: string, overrides: Partial<Milestone> = {}): Milestone {
  return { ...newMilestone({ ref, title: ref, amount: usd(50) }), ...overrides };
}

export function usd(dollars: number): Order['amount'] {
  return money(BigInt(Math.round(dollars * 100)) * 100_000n, 'USD');
}
