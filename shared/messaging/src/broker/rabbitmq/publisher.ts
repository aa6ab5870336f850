import { IllegalOperationError, type ConfirmChannel, type Message } from 'amqplib';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { guardChannel } from './channel-guard.js';
import type { Connection } from './connection-manager.js';
import type { Headers } from './headers.js';

/** A message to one queue, published through the default exchange. */
export type OutgoingMessage = {
  readonly queue: string;
  readonly content: Buffer;
  readonly messageId: string;
  readonly type: string;
  readonly headers: Headers;
};

export type PublisherOptions = {
  /** The maximum number of unconfirmed messages; further ones wait. */
  readonly windowMax: number;
  readonly windowBytesMax: number;
  /** The maximum number of messages that wait for the window or for a connection; further ones fail. */
  readonly waitingMax: number;
  /** From the call to the confirm, including the wait for the window. */
  readonly publishTimeoutMs: number;
  readonly log: Log;
};

export type Publisher = {
  /** One result per message, in order: an error if the message is unconfirmed. Never rejects. */
  readonly send: (messages: readonly OutgoingMessage[]) => Promise<readonly (Error | undefined)[]>;
  /** Publishes on this connection from now on. */
  readonly attach: (connection: Connection) => Promise<void>;
  readonly isReady: () => boolean;
  /** Accepts no more messages and waits, up to the time limit, for unconfirmed ones; those that still wait then fail. */
  readonly finish: (timeoutMs: number) => Promise<void>;
};

/** One call of `send`. It resolves when each of its messages is settled. */
type Call = {
  readonly outcomes: (Error | undefined)[];
  unsettled: number;
  readonly resolve: (outcomes: readonly (Error | undefined)[]) => void;
};

type Job = {
  readonly outgoing: OutgoingMessage;
  readonly call: Call;
  readonly index: number;
  isReturned: boolean;
  isSettled: boolean;
};

/** The state of one channel. */
type Session = {
  readonly connection: Connection;
  readonly channel: ConfirmChannel;
  readonly sent: Map<number, Job>;
  bytes: number;
  serial: number;
  /** The time of the last confirm, or of the first publish since the window was empty. */
  lastConfirmAt: number;
};

type State = {
  readonly options: PublisherOptions;
  session: Session | undefined;
  isBlocked: boolean;
  isFinished: boolean;
  readonly waiting: Set<Job>;
  /** Calls of `send` that have not resolved. */
  readonly calls: Set<Promise<unknown>>;
};

export function createPublisher(options: PublisherOptions): Publisher {
  const state: State = { options, session: undefined, isBlocked: false, isFinished: false, waiting: new Set(), calls: new Set() };
  return {
    send: (messages) => send(state, messages),
    attach: (connection) => attach(state, connection),
    isReady: () => state.session !== undefined && !state.isBlocked,
    finish: async (timeoutMs) => {
      state.isFinished = true;
      await settlesWithin(Promise.all(state.calls), timeoutMs);
      for (const job of state.waiting) settle(state, job, new Error('the publisher is closed'));
    },
  };
}

async function send(state: State, messages: readonly OutgoingMessage[]): Promise<readonly (Error | undefined)[]> {
  if (state.isFinished) return messages.map(() => new Error('the publisher is closed'));
  if (messages.length === 0) return [];
  let timer: NodeJS.Timeout | undefined;
  const settled = new Promise<readonly (Error | undefined)[]>((resolve) => {
    const call: Call = { outcomes: [], unsettled: messages.length, resolve };
    const jobs = messages.map((outgoing, index) => ({ outgoing, call, index, isReturned: false, isSettled: false }));
    timer = setTimeout(() => giveUp(state, jobs), state.options.publishTimeoutMs);
    for (const job of jobs) enqueue(state, job);
  });
  state.calls.add(settled);
  try {
    return await settled;
  } finally {
    clearTimeout(timer);
    state.calls.delete(settled);
  }
}

function enqueue(state: State, job: Job): void {
  if (state.waiting.size >= state.options.waitingMax) {
    settle(state, job, new Error(`more than ${state.options.waitingMax} messages wait to be published already`));
    return;
  }
  state.waiting.add(job);
  sendWaiting(state);
}

/** Settles a message once. A confirm that arrives after the time limit is ignored. */
function settle(state: State, job: Job, error: Error | undefined): void {
  if (job.isSettled) return;
  job.isSettled = true;
  state.waiting.delete(job);
  const { call, index } = job;
  call.outcomes[index] = error;
  call.unsettled -= 1;
  if (call.unsettled === 0) call.resolve(call.outcomes);
}

/** Sends waiting messages until the window is full. */
function sendWaiting(state: State): void {
  for (const job of state.waiting) {
    const { session, options } = state;
    if (session === undefined || state.isBlocked) return;
    if (session.sent.size >= options.windowMax || session.bytes >= options.windowBytesMax) return;
    state.waiting.delete(job);
    transmit(state, session, job);
  }
}

function transmit(state: State, session: Session, job: Job): void {
  const { queue, content, messageId, type, headers } = job.outgoing;
  session.serial += 1;
  const { serial } = session;
  // The correlation id identifies this publish when the message is returned, because a retry has the same message id.
  const options = { mandatory: true, persistent: true, messageId, type, headers, correlationId: serial.toString() };
  if (session.sent.size === 0) session.lastConfirmAt = performance.now();
  session.sent.set(serial, job);
  session.bytes += content.length;
  try {
    session.channel.sendToQueue(queue, content, options, (error: Error | null) => {
      handleConfirm(state, session, serial, error);
      sendWaiting(state);
    });
  } catch (error) {
    // The channel is closing. The message waits for the next channel, within its time limit.
    if (error instanceof IllegalOperationError) loseSession(state, session, serial);
    else handleConfirm(state, session, serial, error);
  }
}

function loseSession(state: State, session: Session, serial: number): void {
  const job = take(session, serial);
  if (job?.isSettled === false) state.waiting.add(job);
  if (state.session === session) state.session = undefined;
}

/** Handles the ack or nack of one message, or the loss of its channel. */
function handleConfirm(state: State, session: Session, serial: number, error: unknown): void {
  const job = take(session, serial);
  session.lastConfirmAt = performance.now();
  if (job === undefined) return;
  if (error instanceof Error) settle(state, job, error);
  else if (job.isReturned) settle(state, job, new Error(`no queue takes messages of type ${job.outgoing.type}`));
  else settle(state, job, undefined);
}

function take(session: Session, serial: number): Job | undefined {
  const job = session.sent.get(serial);
  if (job === undefined) return undefined;
  session.sent.delete(serial);
  session.bytes -= job.outgoing.content.length;
  return job;
}

/** Messages that were sent stay in the window until the broker confirms them or the channel is closed. */
function giveUp(state: State, jobs: readonly Job[]): void {
  const { session, options } = state;
  for (const job of jobs) settle(state, job, new Error(`not confirmed within ${options.publishTimeoutMs} ms`));
  if (session === undefined || state.isBlocked || session.sent.size === 0) return;
  if (performance.now() - session.lastConfirmAt < options.publishTimeoutMs) return;
  session.connection.abort(`nothing was confirmed for ${options.publishTimeoutMs} ms`);
}

async function attach(state: State, connection: Connection): Promise<void> {
  const channel = await connection.model.createConfirmChannel();
  guardChannel(channel, { connection, log: state.options.log, name: 'publisher' });
  const session: Session = { connection, channel, sent: new Map(), bytes: 0, serial: 0, lastConfirmAt: 0 };
  channel.on('return', (message) => handleReturn(session, message));
  channel.on('close', () => {
    if (state.session === session) state.session = undefined;
  });
  connection.model.on('blocked', (reason) => {
    state.options.log.warn({ reason }, 'RabbitMQ has blocked the connection');
    if (state.session === session) state.isBlocked = true;
  });
  connection.model.on('unblocked', () => {
    if (state.session !== session) return;
    state.isBlocked = false;
    session.lastConfirmAt = performance.now();
    sendWaiting(state);
  });
  state.session = session;
  state.isBlocked = false;
  sendWaiting(state);
}

/** RabbitMQ sends `basic.return` before the confirm of the same message. */
function handleReturn(session: Session, message: Message): void {
  const job = session.sent.get(Number(message.properties.correlationId));
  if (job !== undefined) job.isReturned = true;
}
