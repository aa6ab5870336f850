import { runProgram } from './run-program.js';
import { startAllInOne } from './start-all-in-one.js';

/** With the time that the process needs to exit, everything ends within ten seconds. */
const stopTimeoutMs = 9_500;

await runProgram({ mode: 'all-in-one', stopTimeoutMs, start: startAllInOne });
