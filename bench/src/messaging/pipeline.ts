import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory, type MessageId } from '@holdfast/kernel/ids';
import { latencyOf, startCpuClock } from '../frame/drive.js';
import type { Side } from '../frame/measure.js';
import type { Sample } from '../frame/results.js';

/** A messaging pipeline from sender to receiver. */
export type Pipeline = {
  readonly name: string;
  /** Concurrent sends, and messages in each. */
  readonly senders: number;
  readonly messagesPerSend: number;
  /** Resolves when the messages are stored durably. */
  readonly send: (ids: readonly MessageId[]) => Promise<void>;
  /** Throws when what arrived is not exactly what was sent. */
  readonly audit: (sent: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OnConsumed = (id: string) => void;

/** A pipeline with its own count of what went in and what came out. */
export type Measured = {
  readonly saturated: Side;
  readonly paced: (perSecond: number) => Side;
  /** Throws unless everything that was sent has arrived and nothing was done twice. Returns how many messages that were. */
  readonly audit: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Messages between the two ends; beyond it senders wait, so that no side is measured by how long a queue it can build. */
const underWayMax = 5_000;
const arrivalTimeoutMs = 60_000;
const newId = idFactory(systemClock().epochMs);

type Flow = { readonly pipeline: Pipeline; readonly sentAt: Map<string, number>; latencies: number[]; sent: number };

export async function openMeasured(open: (onConsumed: OnConsumed) => Promise<Pipeline>): Promise<Measured> {
  const sentAt = new Map<string, number>();
  const pipeline = await open((id) => {
    const sentAtMs = sentAt.get(id);
    if (sentAtMs === undefined) return; // delivered again; the audit sees whether it had its effect again
    flow.latencies.push(performance.now() - sentAtMs);
    sentAt.delete(id);
  });
  const flow: Flow = { pipeline, sentAt, latencies: [], sent: 0 };
  const { name } = pipeline;
  return {
    saturated: { name, run: (durationMs) => measureFlow(flow, () => saturate(flow, durationMs)) },
    paced: (perSecond) => ({ name, run: (durationMs) => measureFlow(flow, () => pace(flow, durationMs, perSecond)) }),
    audit: async () => {
      await pipeline.audit(flow.sent);
      return flow.sent;
    },
    close: pipeline.close,
  };
}

/** Measures from the first send to the last arrival. */
async function measureFlow(flow: Flow, run: () => Promise<void>): Promise<Sample> {
  flow.latencies = [];
  const cpuMicros = startCpuClock();
  const begunAt = performance.now();
  await run();
  const deadline = performance.now() + arrivalTimeoutMs;
  while (flow.sentAt.size > 0) {
    if (performance.now() > deadline)
      throw new Error(`${flow.sentAt.size} messages did not arrive within ${arrivalTimeoutMs} ms`);
    await pause(1);
  }
  const seconds = (performance.now() - begunAt) / 1_000;
  const count = flow.latencies.length;
  return { perSecond: count / seconds, ...latencyOf(flow.latencies), cpuMicros: cpuMicros() / count, errors: 0 };
}

async function saturate(flow: Flow, durationMs: number): Promise<void> {
  const endsAt = performance.now() + durationMs;
  const { senders, messagesPerSend } = flow.pipeline;
  const runSender = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      if (flow.sentAt.size < underWayMax) await send(flow, messagesPerSend);
      else await pause(1);
    }
  };
  await Promise.all(Array.from({ length: senders }, runSender));
}

/** One message at a time at even intervals, whether the one before has arrived or not. */
async function pace(flow: Flow, durationMs: number, perSecond: number): Promise<void> {
  const begunAt = performance.now();
  const count = Math.floor((durationMs * perSecond) / 1_000);
  const sending: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const waitMs = begunAt + (index * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    sending.push(send(flow, 1));
  }
  await Promise.all(sending);
}

function send(flow: Flow, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('evt'));
  const now = performance.now();
  for (const id of ids) flow.sentAt.set(id, now);
  flow.sent += count;
  return flow.pipeline.send(ids);
}
