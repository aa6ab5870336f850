import { services } from '../services.js';
import { productVersion } from '../product.js';
import { printLine } from '../progress.js';
import { runProgram } from '../run-program.js';
import { startDistributed } from './start-distributed.js';

/** Gateway, services, RabbitMQ and Postgres stop one after the other, and each needs time to drain. */
const stopTimeoutMs = 40_000;
const gateways = 1;

/** `program` runs the service, or the gateway, that its argument names. */
export async function runDistributed(program: string): Promise<void> {
  printLine(`Holdfast ${productVersion}`);
  await runProgram({
    mode: 'distributed',
    // The processes stop one after the other, each with its own delay.
    stopTimes: ({ shutdownDelayMs, replicas }) => ({
      delayMs: 0,
      stopTimeoutMs: stopTimeoutMs + replicas * (gateways + services.length) * shutdownDelayMs,
    }),
    start: (context) => startDistributed(context, program),
  });
}
