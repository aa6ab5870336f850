import { runProgram } from '../run-program.js';
import { startDistributed } from './start-distributed.js';

/** Gateway, services, RabbitMQ and Postgres stop one after the other, and each may take a while. */
const stopTimeoutMs = 40_000;

/** `program` starts one part, whose name is its argument. */
export async function runDistributed(program: string): Promise<void> {
  await runProgram({ mode: 'distributed', stopTimeoutMs, start: (stage) => startDistributed(stage, program) });
}
