import { runProgram } from '../run-program.js';
import { startDistributed } from './start-distributed.js';

/** Gateway, services, RabbitMQ and Postgres stop one after the other, and each needs time to drain. */
const stopTimeoutMs = 40_000;

/** `program` starts the part that its argument names. */
export async function runDistributed(program: string): Promise<void> {
  await runProgram({ mode: 'distributed', stopTimeoutMs, start: (context) => startDistributed(context, program) });
}
