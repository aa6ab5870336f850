export type { Sandbox } from './options.js';
export { startSandbox } from './start-sandbox.js';
