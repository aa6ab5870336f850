import { runSandboxProcess } from './run-sandbox-process.js';

await runSandboxProcess();
