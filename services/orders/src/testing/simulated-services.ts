import type { Broker } from '@holdfast/messaging/broker';
import type { Clock } from '@holdfast/kernel/context';
import * as message from '@holdfast/contracts/messages';
import { defaultMarketplaceId, type MessageId, type NewId, type SagaRunId } from '@holdfast/kernel/ids';
import { sagaOf } from '@holdfast/testing/sagas';

/** A message of another service before it gets its envelope. */
export type Reply = { readonly declaration: message.MessageDeclaration; readonly payload: unknown };
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each responder knows the payload of the command it replies to
export type Responder = (command: any) => readonly Reply[];

type Fields = {
  readonly aggregateId?: string;
  /** By default the first saga that handles the message. */
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId | undefined;
  readonly aggregateVersion?: number;
  readonly afterEventId?: MessageId;
};

/**
 * ledger-balance and escrow-adapter as orders sees them. Each command gets a successful reply at once, unless a test overrides
 * it.
 */
export type SimulatedServices = {
  readonly onPublished: (command: message.Envelope) => void;
  /** Overrides the replies to the next command of this type about this order or buyer. */
  readonly replyNextWith: (subjectId: string, command: message.MessageDeclaration, responder: Responder) => void;
  /** Publishes a message that is not the automatic reply to a command. */
  readonly publish: <M extends message.MessageDeclaration>(
    declaration: M,
    payload: message.Payload<M>,
    fields?: Fields,
  ) => Promise<message.Envelope>;
  readonly republish: (published: message.Envelope) => Promise<void>;
  /** All messages of the simulated services. */
  readonly published: readonly message.Envelope[];
};

export function reply<M extends message.MessageDeclaration>(declaration: M, payload: message.Payload<M>): Reply {
  return { declaration, payload };
}

const balances = { availableBalance: '400.00', reservedBalance: '100.00' };
export const anInstant = '2026-01-31T12:00:00.123456Z';

const funded: Responder = ({ orderId, amount }) => [
  reply(message.escrowFunded, { orderId, escrowId: escrowIdOf(orderId), providerContractId: 'C1', amount, fundedAt: anInstant }),
];

/** The adapter pays the contract out, and the ledger pays the same shares. */
export const paidOut: Responder = (command) => {
  if (command.milestoneRef !== undefined) return milestonePaidOut(command);
  const { escrowId, orderId, amount, currency, buyerId, sellerId, decision, sellerAmount, buyerAmount, platformFee } = command;
  const of = { escrowId, orderId, amount, currency };
  const net = (Number(sellerAmount) - Number(platformFee)).toFixed(2);
  const split = decision === 'SPLIT' ? { buyerId, refundAmount: buyerAmount } : {};
  const paid =
    decision === 'REFUND'
      ? reply(message.escrowRefunded, { ...of, buyerId, refundedAt: anInstant })
      : reply(message.escrowReleased, { ...of, sellerId, platformFee, netAmount: net, releasedAt: anInstant, ...split });
  const payouts = [
    { userId: sellerId, amount: net, newAvailableBalance: '195.00' },
    { userId: buyerId, amount: buyerAmount, newAvailableBalance: '500.00' },
  ].filter(({ userId, amount: paid }) => paid !== '0.00' || (decision === 'SPLIT' && userId === sellerId));
  return [paid, reply(message.balanceEscrowSettled, { orderId, currency, fee: platformFee, payouts })];
};

/** The same for one milestone. The ledger always names the seller. */
const milestonePaidOut: Responder = (command) => {
  const { decision: _decision, cause: _cause, ...paid } = command;
  const { orderId, milestoneRef, currency, buyerId, sellerId, sellerAmount, buyerAmount, platformFee } = paid;
  const net = (Number(sellerAmount) - Number(platformFee)).toFixed(2);
  const toBuyer = { userId: buyerId, amount: buyerAmount, newAvailableBalance: '500.00' };
  const payouts = [
    { userId: sellerId, amount: net, newAvailableBalance: '195.00' },
    ...(buyerAmount === '0.00' ? [] : [toBuyer]),
  ];
  return [
    reply(message.escrowMilestoneSettled, { ...paid, settledAt: anInstant }),
    reply(message.balanceEscrowSettled, { orderId, milestoneRef, currency, fee: platformFee, payouts }),
  ];
};

const defaultResponders: Readonly<Record<string, Responder>> = {
  [message.orderReserveRequested.type]: (command) => [reply(message.balanceReservationMade, { ...command, ...balances })],
  [message.orderCancelRequested.type]: ({ reason: _, ...command }) => [
    reply(message.balanceReservationFreed, { ...command, ...balances }),
  ],
  [message.orderFundRequested.type]: funded,
  [message.escrowDeployRequested.type]: ({ escrowId, orderId, amount, currency }) => [
    reply(message.escrowCreated, { escrowId, orderId, amount, currency, providerContractId: 'C1' }),
  ],
  [message.escrowSettlementRequested.type]: paidOut,
};

/** The escrow of each order: the one of its last deploy command. */
const escrowIds = new Map<string, `esc_${string}`>();

export function escrowIdOf(orderId: string): `esc_${string}` {
  return escrowIds.get(orderId) ?? 'esc_none';
}

type CommandPayload = {
  readonly orderId: string;
  readonly escrowId?: `esc_${string}`;
  readonly userId?: string;
  readonly buyerId?: string;
};

export function simulateServices(publish: Broker['publish'], clock: Clock, newId: NewId): SimulatedServices {
  const nextResponders = new Map<string, Responder>();
  const published: message.Envelope[] = [];
  const publishReply = async ({ declaration, payload }: Reply, command: Partial<message.Envelope>): Promise<message.Envelope> => {
    const { type, version, aggregateType } = declaration;
    const about = { aggregateId: 'usr_1', aggregateVersion: 1, marketplaceId: defaultMarketplaceId, correlationId: 'test' };
    const envelope = { ...about, ...command, id: newId('evt'), type, version, aggregateType, occurredAt: clock.now(), payload };
    published.push(envelope);
    await publish([envelope]);
    return envelope;
  };
  const takeNext = (key: string): Responder | undefined => {
    const responder = nextResponders.get(key);
    nextResponders.delete(key);
    return responder;
  };
  const responderFor = (type: string, { orderId, userId, buyerId = userId }: CommandPayload): Responder | undefined =>
    takeNext(`${orderId} ${type}`) ?? takeNext(`${buyerId} ${type}`) ?? defaultResponders[type];
  const respond = async (command: message.Envelope): Promise<void> => {
    const { type, payload, saga, sagaRunId, marketplaceId, correlationId, id } = command;
    const about = payload as CommandPayload;
    if (about.escrowId !== undefined) escrowIds.set(about.orderId, about.escrowId);
    const responder = responderFor(type, about);
    const afterEventId = message.predecessorEventId(command);
    const run = { ...(saga === undefined ? {} : { saga }), ...(sagaRunId === undefined ? {} : { sagaRunId }) };
    const ordering = { ...run, ...(afterEventId === undefined ? {} : { afterEventId }) };
    for (const each of responder?.(payload) ?? [])
      await publishReply(each, { marketplaceId, correlationId, causationId: id, ...ordering });
  };
  return {
    published,
    // A reply after the end of the test finds the broker closed.
    onPublished: (command) => {
      respond(command).catch(() => undefined);
    },
    replyNextWith: (subjectId, { type }, responder) => void nextResponders.set(`${subjectId} ${type}`, responder),
    publish: (declaration, payload, { sagaRunId, aggregateVersion = 1, ...rest } = {}) =>
      publishReply(
        { declaration, payload },
        { ...sagaOf(declaration), aggregateVersion, ...rest, ...(sagaRunId === undefined ? {} : { sagaRunId }) },
      ),
    republish: (envelope) => publish([envelope]),
  };
}
