import { once } from 'node:events';
import type { Log } from '@holdfast/kernel/context';
import { createLifecycle } from '../create-lifecycle.js';
import { runUntilSignal } from '../run-until-signal.js';

/** A process for the tests of the lifecycle. Its argument selects how it ends. */
const print = (fact: string): void => void process.stdout.write(`${fact}\n`);
const logLine = (_fields: unknown, fact: string): void => print(fact);
const log: Log = { debug: logLine, info: logLine, warn: logLine, error: logLine, child: () => log };
const mode = process.argv[2];

/** Listens from the start: the kernel may deliver two signals that are sent at once in either order. */
const bothSignals = Promise.all([once(process, 'SIGINT'), once(process, 'SIGTERM')]);

const lifecycle = createLifecycle({ log, stopTimeoutMs: 5_000 });
runUntilSignal({ lifecycle, log, delayMs: mode === 'announcing' ? 300 : 0 });
lifecycle.stopAnnounced.addEventListener('abort', () => print(`announced, aborted: ${lifecycle.signal.aborted}`));
lifecycle.onStop('part', async () => {
  if (mode === 'hanging') await new Promise((resolve) => setTimeout(resolve, 60_000));
  if (mode === 'signalled-again') await bothSignals;
  print('part stopped');
});
setInterval(() => undefined, 60_000);
setTimeout(() => {
  if (mode === 'throws') throw new Error('uncaught');
  // eslint-disable-next-line @typescript-eslint/no-floating-promises -- this process tests unhandled rejections
  if (mode === 'rejects') Promise.reject(new Error('unhandled'));
}, 10);
print('ready');
