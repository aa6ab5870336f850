import { randomUUID } from 'node:crypto';
import type { Channel, ChannelModel } from 'amqplib';
import type { Log } from '../../context/index.js';
import type { Broker } from '../broker.js';
import { createLocalHints, type LocalHints } from '../local-hints.js';
import { guardChannel } from './channel-guard.js';
import { openHintReceiver, type HintReceiver, type HintSignal } from './hint-receiver.js';
import type { Names } from './names.js';
import { announceEveryMs, createPeers, type Peers } from './peers.js';

export type Hints = Pick<Broker, 'broadcast' | 'onBroadcast'> & {
  readonly attachSender: (connection: ChannelModel) => Promise<void>;
  readonly attachReceiver: (connection: ChannelModel) => Promise<void>;
  readonly close: () => void;
};

type Sender = { readonly channel: Channel; isFull: boolean };

type State = {
  readonly names: Names;
  readonly log: Log;
  /** Tells this process's own signals from those of others. */
  readonly origin: string;
  readonly local: LocalHints;
  readonly peers: Peers;
  /** What the broker is told at the end of this turn of the event loop. */
  readonly unsent: Map<string, Set<string>>;
  sender: Sender | undefined;
  receiver: HintReceiver | undefined;
};

/**
 * Hints reach listeners of this process at once, and those of others through the broker: only the processes that listen to
 * the topic, those of one turn together, and not at all where this process is known to be the only one that listens.
 */
export function createHints(names: Names, log: Log): Hints {
  const state: State = {
    names,
    log,
    origin: randomUUID(),
    local: createLocalHints(log),
    peers: createPeers(() => performance.now()),
    unsent: new Map(),
    sender: undefined,
    receiver: undefined,
  };
  const announcing = setInterval(() => announceAll(state), announceEveryMs).unref();
  return {
    broadcast: (hint) => {
      state.local.tell(hint);
      if (isUsefulToOthers(state, hint.topic)) sendSoon(state, hint.topic, hint.key);
    },
    onBroadcast: (topics, listener) => {
      const stop = state.local.listen(topics, listener);
      for (const topic of topics) state.receiver?.follow(topic);
      return stop;
    },
    attachSender: (connection) => attachSender(state, connection),
    attachReceiver: (connection) => attachReceiver(state, connection),
    close: () => clearInterval(announcing),
  };
}

/** Whoever does not listen to a topic knows nothing of those who do. */
function isUsefulToOthers({ receiver, peers }: State, topic: string): boolean {
  return receiver?.isFollowing(topic) !== true || peers.has(topic);
}

function sendSoon(state: State, topic: string, key: string): void {
  if (state.unsent.size === 0) setImmediate(() => sendUnsent(state));
  const keys = state.unsent.get(topic);
  if (keys === undefined) state.unsent.set(topic, new Set([key]));
  else keys.add(key);
}

function sendUnsent(state: State): void {
  for (const [topic, keys] of state.unsent) send(state, { topic, keys: [...keys] });
  state.unsent.clear();
}

/** While the broker takes nothing, hints are dropped rather than kept. */
function send({ sender, names, origin }: State, signal: HintSignal): void {
  if (sender === undefined || sender.isFull) return;
  try {
    const content = Buffer.from(JSON.stringify(signal));
    sender.isFull = !sender.channel.publish(names.hints, signal.topic, content, { persistent: false, appId: origin });
  } catch {
    // The channel has just ended. The hint is lost, as hints may be.
  }
}

/** No keys: it only says that somebody listens here. */
function announce(state: State, topic: string): void {
  send(state, { topic, keys: [] });
}

function announceAll(state: State): void {
  for (const topic of state.local.topics()) if (state.receiver?.isFollowing(topic) === true) announce(state, topic);
}

async function attachSender(state: State, connection: ChannelModel): Promise<void> {
  const channel = await connection.createChannel();
  guardChannel(channel, { connection, log: state.log, name: 'sender of hints' });
  const sender: Sender = { channel, isFull: false };
  channel.on('drain', () => {
    sender.isFull = false;
  });
  channel.on('close', () => {
    if (state.sender === sender) state.sender = undefined;
  });
  state.sender = sender;
  announceAll(state);
}

async function attachReceiver(state: State, connection: ChannelModel): Promise<void> {
  const { names, log } = state;
  const receiver = await openHintReceiver(connection, {
    names,
    log,
    onFollowing: (topic) => announce(state, topic),
    onSignal: (origin, signal) => hear(state, origin, signal),
    onEnd: () => {
      if (state.receiver === receiver) state.receiver = undefined;
    },
  });
  state.receiver = receiver;
  for (const topic of state.local.topics()) receiver.follow(topic);
}

/** A newcomer learns of us by the answer. */
function hear(state: State, origin: string, { topic, keys }: HintSignal): void {
  if (origin === state.origin) return;
  if (state.peers.note(topic, origin)) announce(state, topic);
  for (const key of keys) state.local.tell({ topic, key });
}
