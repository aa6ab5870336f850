import { explain, findApi } from '@holdfast/all-in-one/commands';
import { processEnvironment } from '@holdfast/process/config';
import { onStopSignal } from '@holdfast/process/lifecycle';
import { StreamRefused, followStream } from '@holdfast/http/event-stream';
import { asCalled } from './command/run-command.js';
import { lineOf } from './events-tail/line.js';
import { readOptions, usage } from './events-tail/options.js';

/** `npm run events:tail -- [options]`: prints the events of one marketplace, and reconnects after every interruption. */
const stopping = new AbortController();
onStopSignal(() => stopping.abort());

try {
  process.exitCode = await tail(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof StreamRefused ? error.message : explain(error));
  process.exitCode = 1;
}

async function tail(args: readonly string[]): Promise<number> {
  const { isHelp, url, key, path, headers, lastEventId, isJson } = readOptions(args);
  if (isHelp) {
    console.log(asCalled(usage));
    return 0;
  }
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
    signal: stopping.signal,
  });
  return 0;
}

/** With --json, only events are printed: no gaps and no pings. */
function jsonOf({ id, data }: { readonly id: string | undefined; readonly data: string }): string | undefined {
  return id === undefined ? undefined : data;
}
