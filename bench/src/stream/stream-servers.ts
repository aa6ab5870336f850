import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, systemClock } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { stopChild } from '../servers/platform-process.js';
import { subscriberReport, type PublishTask, type SubscriberReport, type SubscriberTask } from './tasks.js';

/** Something that events are published to and read from. Topics share nothing. */
export type StreamServer = {
  readonly name: string;
  readonly pid: number;
  /** Where to subscribe: to what comes, or to everything from the first event on. */
  readonly subscription: (
    topic: string,
    from: 'now' | 'beginning',
  ) => Pick<Extract<SubscriberTask, { kind: 'open' }>, 'url' | 'headers'>;
  readonly publish: (topic: string, count: number, perSecond: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type SubscriberProcess = {
  readonly request: (task: SubscriberTask) => Promise<SubscriberReport>;
  readonly stop: () => Promise<void>;
};

const replyTimeoutMs = 180_000;
const programIn = (file: string): string => fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));

export function startSubscribers(): SubscriberProcess {
  const child = fork(programIn('subscribe.js'));
  return { request: async (task) => subscriberReport.parse(await requestChild(child, task)), stop: () => stopChild(child) };
}

async function requestChild(child: ChildProcess, message: SubscriberTask | PublishTask): Promise<unknown> {
  const reply = once(child, 'message', { signal: AbortSignal.timeout(replyTimeoutMs) });
  child.send(message);
  return (await reply)[0];
}

const internalSecret = 'bench-only-internal-secret-of-enough-length';

/** notifications in its own process, to which events are published as an outbox relay would. */
export type NotificationsProcess = {
  readonly url: string;
  readonly pid: number;
  readonly headersFor: (marketplaceId: MarketplaceId) => Readonly<Record<string, string>>;
  readonly publish: (task: PublishTask) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startNotificationsProcess(
  adminUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<NotificationsProcess> {
  const child = fork(programIn('serve-stream.js'), [adminUrl, internalSecret, JSON.stringify(settings)]);
  const ready = await once(child, 'message', { signal: AbortSignal.timeout(replyTimeoutMs) });
  const signer = callerSigner({ secret: internalSecret, clock: systemClock() });
  return {
    url: `http://127.0.0.1:${z.int().parse(ready[0])}/api/v1`,
    pid: child.pid ?? 0,
    headersFor: (marketplaceId) => {
      const caller = { type: 'api_key', id: 'key_bench', marketplaceId, scopes } as const;
      return { [callerHeader]: signer.sign({ caller }, 'notifications') };
    },
    publish: async (task) => {
      await requestChild(child, task);
    },
    stop: () => stopChild(child),
  };
}

export async function startHoldfast(adminUrl: string): Promise<StreamServer> {
  const { url, pid, headersFor, publish, stop } = await startNotificationsProcess(adminUrl, {});
  return {
    name: 'Holdfast',
    pid,
    subscription: (topic, from) => ({
      url: `${url}/events${from === 'now' ? '' : '?since=2020-01-01T00:00:00Z'}`,
      headers: headersFor(`mkt_${topic}`),
    }),
    publish: (topic, count, perSecond) => publish({ marketplaceId: `mkt_${topic}`, count, perSecond }),
    stop,
  };
}

const residentLine = /^VmRSS:\s+(\d+) kB$/m;

/** What a process holds in memory, in kilobytes. */
export function memoryKbOf(pid: number): number {
  return Number(residentLine.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN);
}
