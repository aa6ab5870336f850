import {
  balanceReservedDeducted,
  escrowDeployRequested,
  escrowSettlementRequested,
  type Envelope,
  type Payload,
} from '@holdfast/contracts/messages';
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import { feeOf, formatMoney, formatUnits, parseMoney, subtract, type Currency } from '@holdfast/kernel/money';
import type { RunningAdapter } from './running-adapter.js';

type Terms = Payload<typeof escrowDeployRequested>;
export type TestOrder = Terms & { readonly command: Envelope };

const feePercent = '5';

/**
 * Publishes `escrow.deploy_requested` as orders does: single-release for one milestone, multi-release for several and for every order
 * that is paid milestone by milestone.
 */
export async function requestContract(
  adapter: RunningAdapter,
  {
    parts = ['100.00'],
    currency = 'USD',
    ...more
  }: { readonly parts?: readonly string[]; readonly currency?: Currency } & Partial<Terms> = {},
): Promise<TestOrder> {
  const { newId, publish } = adapter;
  const escrowId: EscrowId = newId('esc');
  const orderId: OrderId = newId('ord');
  const units = parts.reduce((sum, part) => sum + parseMoney(part, currency).units, 0n);
  const terms: Terms = {
    escrowId,
    orderId,
    amount: formatUnits(units),
    currency,
    buyerId: newId('usr'),
    sellerId: newId('usr'),
    contractType: parts.length > 1 || more.releaseMode === 'milestone' ? 'multi-release' : 'single-release',
    releaseMode: 'order',
    title: 'A logo',
    description: 'In three colours',
    platformFeePercent: feePercent,
    milestones: parts.map((amount, index) => ({ ref: `part-${index}`, title: `Part ${index}`, amount })),
    ...more,
  };
  return { ...terms, command: await publish(escrowDeployRequested, escrowId, terms) };
}

export async function aCreatedContract(
  adapter: RunningAdapter,
  given: Parameters<typeof requestContract>[1] = {},
): Promise<TestOrder> {
  const order = await requestContract(adapter, given);
  await adapter.waitForReply(order.orderId, 'escrow.created');
  return order;
}

export function requestFunding(
  { publish }: RunningAdapter,
  { orderId, buyerId, amount, currency }: TestOrder,
): Promise<Envelope> {
  const balances = { availableBalance: '0.00', reservedBalance: '0.00' };
  return publish(balanceReservedDeducted, buyerId, { orderId, userId: buyerId, amount, currency, ...balances });
}

export async function aFundedContract(
  adapter: RunningAdapter,
  given: Parameters<typeof requestContract>[1] = {},
): Promise<TestOrder> {
  const order = await aCreatedContract(adapter, given);
  await requestFunding(adapter, order);
  await adapter.waitForReply(order.orderId, 'escrow.funded');
  return order;
}

export type SettlementChoice = {
  readonly decision: 'RELEASE' | 'REFUND' | 'SPLIT';
  readonly sellerAmount?: string;
  /** What is left of an order, if milestones of it were paid before. */
  readonly amount?: string;
};

export function requestSettlement(adapter: RunningAdapter, order: TestOrder, choice: SettlementChoice): Promise<Envelope> {
  const saga = sagaOfDecision[choice.decision];
  return adapter.publish(escrowSettlementRequested, order.escrowId, settlementOf(order, choice), { saga });
}

export type MilestoneChoice = Omit<SettlementChoice, 'amount'> & {
  readonly ref: string;
  readonly cause?: 'review_period' | 'dispute';
};

/** Requests the payout of one milestone, as orders does. */
export function requestMilestone(
  adapter: RunningAdapter,
  order: TestOrder,
  { ref, cause, ...choice }: MilestoneChoice,
): Promise<Envelope> {
  const { amount = '0.00' } = order.milestones.find((milestone) => milestone.ref === ref) ?? {};
  const payload = { ...settlementOf(order, { ...choice, amount }), milestoneRef: ref, ...(cause === undefined ? {} : { cause }) };
  const saga = sagaOfMilestone[choice.decision];
  return adapter.publish(escrowSettlementRequested, order.escrowId, payload, { saga });
}

function settlementOf(order: TestOrder, { decision, sellerAmount, amount = order.amount }: SettlementChoice) {
  const { escrowId, orderId, currency, buyerId, sellerId } = order;
  const toSeller = sellerAmount ?? (decision === 'REFUND' ? '0.00' : amount);
  const [all, part] = [parseMoney(amount, currency), parseMoney(toSeller, currency)];
  return {
    escrowId,
    orderId,
    amount,
    currency,
    buyerId,
    sellerId,
    decision,
    sellerAmount: formatMoney(part),
    buyerAmount: formatMoney(subtract(all, part)),
    platformFee: formatMoney(feeOf(part, BigInt(feePercent) * 100n)),
  };
}

const sagaOfDecision = { RELEASE: 'release', REFUND: 'refund', SPLIT: 'resolve-dispute' } as const;
const sagaOfMilestone = {
  RELEASE: 'release-milestone',
  REFUND: 'refund-milestone',
  SPLIT: 'resolve-milestone-dispute',
} as const;

export const settlementReplies = ['escrow.released', 'escrow.refunded', 'escrow.settlement_failed'] as const;
