import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { stopChild } from '../servers/platform-process.js';
import { receiverPorts, receiverReport, type ReceiverReport, type ReceiverTask } from './tasks.js';

export type Receivers = z.output<typeof receiverPorts> & {
  readonly request: (task: ReceiverTask) => Promise<ReceiverReport>;
  readonly stop: () => Promise<void>;
};

const replyTimeoutMs = 180_000;
const program = fileURLToPath(new URL('../../dist/receive.js', import.meta.url));

export async function startReceivers(): Promise<Receivers> {
  const child = fork(program);
  const reply = async (): Promise<unknown> => (await once(child, 'message', { signal: AbortSignal.timeout(replyTimeoutMs) }))[0];
  const ports = receiverPorts.parse(await reply());
  return {
    ...ports,
    request: async (task) => {
      const replied = reply();
      child.send(task);
      return receiverReport.parse(await replied);
    },
    stop: () => stopChild(child),
  };
}
