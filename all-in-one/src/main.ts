import { runProgram } from './run-program.js';
import { startAllInOne } from './start-all-in-one.js';

/** With the way out of the process, everything has ended within ten seconds. */
const stopTimeoutMs = 9_500;

await runProgram({ mode: 'all-in-one', stopTimeoutMs, start: startAllInOne });
