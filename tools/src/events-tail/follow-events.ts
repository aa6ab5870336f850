import { findApi } from '@holdfast/all-in-one/commands';
import { followStream } from '@holdfast/http/event-stream';
import { processEnvironment } from '@holdfast/process/config';
import { lineOf } from './line.js';
import type { TailOptions } from './options.js';

/** Prints the events of one marketplace until the signal, and reconnects after every interruption. */
export async function followEvents(options: Omit<TailOptions, 'isHelp'>, signal: AbortSignal): Promise<void> {
  const { url, key, path, headers, lastEventId, isJson } = options;
  const env = processEnvironment();
  const api = findApi({
    ...env,
    ...(url === undefined ? {} : { HOLDFAST_URL: url }),
    ...(key === undefined ? {} : { HOLDFAST_KEY: key }),
  });
  const isPretty = process.stdout.isTTY && !isJson;
  await followStream({
    url: `${api.baseUrl}${path}`,
    headers: () => ({ ...headers, authorization: `Bearer ${api.key}` }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
    onOpen: () => console.error(`following ${api.baseUrl}${path}`),
    onBreak: (reason, delayMs) => console.error(`${reason}; again in ${(delayMs / 1_000).toFixed(1)} s`),
    onMessage: (message) => {
      const line = isJson ? jsonOf(message) : lineOf(message, isPretty);
      if (line !== undefined) console.log(line);
    },
    signal,
  });
}

/** With --json, only events are printed: no gaps and no pings. */
function jsonOf({ id, data }: { readonly id: string | undefined; readonly data: string }): string | undefined {
  return id === undefined ? undefined : data;
}
