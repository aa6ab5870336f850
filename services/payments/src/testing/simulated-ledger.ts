import * as message from '@holdfast/contracts/messages';
import type { Clock } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import type { Broker } from '@holdfast/messaging/broker';

type Reply = { readonly declaration: message.MessageDeclaration; readonly payload: unknown };
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each responder knows the payload of the command it replies to
type Responder = (command: any) => Reply | undefined;

type Balance = { available: bigint; reserved: bigint };

/**
 * ledger-balance and escrow-adapter as payments sees them, with balances in memory. Each command has its effect once; a resent
 * command gets the same reply again.
 */
export type SimulatedLedger = {
  readonly onPublished: (command: message.Envelope) => void;
  readonly setAvailable: (userId: string, amount: string) => void;
  readonly balanceOf: (userId: string) => { readonly available: string; readonly reserved: string };
  /** Overrides the reply to the next command of this type. Undefined: no reply. */
  readonly replyNextWith: (command: message.MessageDeclaration, responder: Responder) => void;
  /** The next command of this type has its effect, but its first reply is lost. */
  readonly loseNextReply: (command: message.MessageDeclaration) => void;
  /** What the suspense account holds. */
  readonly suspense: () => string;
  readonly addSuspense: (amount: string) => void;
  /** All commands, repeats included. */
  readonly commands: readonly message.Envelope[];
};

export function reply<M extends message.MessageDeclaration>(declaration: M, payload: message.Payload<M>): Reply {
  return { declaration, payload };
}

export function simulateLedger(publish: Broker['publish'], clock: Clock, newId: NewId): SimulatedLedger {
  const balances = new Map<string, Balance>();
  const replies = new Map<string, message.Envelope | undefined>();
  const nextResponders = new Map<string, Responder>();
  const lostReplies = new Set<string>();
  const commands: message.Envelope[] = [];
  const books = { suspense: 0n };
  const balanceOf = (userId: string): Balance => {
    const balance = balances.get(userId) ?? { available: 0n, reserved: 0n };
    balances.set(userId, balance);
    return balance;
  };
  const responders = respondersOf(balanceOf, books);
  const respond = async (command: message.Envelope): Promise<void> => {
    const responder = nextResponders.get(command.type) ?? responders[command.type];
    if (responder === undefined) return;
    commands.push(command);
    if (!replies.has(command.id)) {
      nextResponders.delete(command.type);
      const decided = responder(command.payload);
      replies.set(command.id, decided === undefined ? undefined : toEnvelope(command, decided, clock, newId));
    }
    const envelope = replies.get(command.id);
    if (lostReplies.delete(command.type)) return;
    if (envelope !== undefined) await publish([envelope]);
  };
  return {
    commands,
    // A reply after the end of the test finds the broker closed.
    onPublished: (command) => {
      respond(command).catch(() => undefined);
    },
    setAvailable: (userId, amount) => {
      balanceOf(userId).available = parseUnits(amount);
    },
    balanceOf: (userId) => {
      const { available, reserved } = balanceOf(userId);
      return { available: formatUnits(available), reserved: formatUnits(reserved) };
    },
    replyNextWith: ({ type }, responder) => void nextResponders.set(type, responder),
    loseNextReply: ({ type }) => void lostReplies.add(type),
    suspense: () => formatUnits(books.suspense),
    addSuspense: (amount) => {
      books.suspense += parseUnits(amount);
    },
  };
}

function toEnvelope(command: message.Envelope, { declaration, payload }: Reply, clock: Clock, newId: NewId): message.Envelope {
  const { type, version, aggregateType } = declaration;
  const { marketplaceId, correlationId, saga, sagaRunId } = command;
  const afterEventId = message.predecessorEventId(command);
  return {
    id: newId('evt'),
    type,
    version,
    aggregateType,
    aggregateId: command.aggregateId,
    aggregateVersion: 1,
    occurredAt: clock.now(),
    marketplaceId,
    correlationId,
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
    ...(afterEventId === undefined ? {} : { afterEventId }),
    payload,
  };
}

const transactionHash = '3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889';

function respondersOf(balanceOf: (userId: string) => Balance, books: { suspense: bigint }): Readonly<Record<string, Responder>> {
  const now = ({ available, reserved }: Balance) => ({
    availableBalance: formatUnits(available),
    reservedBalance: formatUnits(reserved),
  });
  return {
    [message.topupCreditRequested.type]: (command) => {
      const balance = balanceOf(command.userId);
      balance.available += parseUnits(command.amount);
      return reply(message.balanceTopupCredited, { ...command, newAvailableBalance: formatUnits(balance.available) });
    },
    [message.withdrawalReserveRequested.type]: (command) => {
      const balance = balanceOf(command.userId);
      const units = parseUnits(command.amount);
      if (units > balance.available)
        return reply(message.balanceWithdrawalRefused, { ...command, code: 'INSUFFICIENT_FUNDS', details: {} });
      balance.available -= units;
      balance.reserved += units;
      return reply(message.balanceWithdrawalReserved, { ...command, ...now(balance) });
    },
    [message.withdrawalDeductRequested.type]: ({ method: _method, ...command }) => {
      const balance = balanceOf(command.userId);
      balance.reserved -= parseUnits(command.amount);
      return reply(message.balanceWithdrawalDeducted, { ...command, ...now(balance) });
    },
    [message.withdrawalFreeRequested.type]: (command) => {
      const balance = balanceOf(command.userId);
      balance.reserved -= parseUnits(command.amount);
      balance.available += parseUnits(command.amount);
      return reply(message.balanceWithdrawalFreed, { ...command, ...now(balance) });
    },
    [message.withdrawalLedgerPayoutRequested.type]: (command) =>
      reply(message.withdrawalLedgerPayoutLanded, { ...command, transactionHash }),
    [message.caseBookingRequested.type]: ({ kind: _kind, origin: _origin, ...command }) => {
      books.suspense += parseUnits(command.amount);
      return reply(message.balanceCaseBooked, command);
    },
    [message.caseResolutionRequested.type]: ({ action, userId, origin: _origin, ...command }) => {
      books.suspense -= parseUnits(command.amount);
      if (action === 'credit') balanceOf(userId).available += parseUnits(command.amount);
      return reply(message.balanceCaseCleared, command);
    },
  };
}
