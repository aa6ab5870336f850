import { explain } from '@holdfast/all-in-one/commands';
import { onStopSignal } from '@holdfast/process/lifecycle';
import { StreamRefused } from '@holdfast/http/event-stream';
import { asCalled } from './command/run-command.js';
import { followEvents } from './events-tail/follow-events.js';
import { readOptions, usage } from './events-tail/options.js';

/** `npm run events:tail -- [options]`: prints the events of one marketplace, and reconnects after every interruption. */
const stopping = new AbortController();
onStopSignal(() => stopping.abort());

try {
  const { isHelp, ...options } = readOptions(process.argv.slice(2));
  if (isHelp) console.log(asCalled(usage));
  else await followEvents(options, stopping.signal);
} catch (error) {
  console.error(error instanceof StreamRefused ? error.message : explain(error));
  process.exitCode = 1;
}
