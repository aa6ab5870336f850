export { sandboxVariables } from './sandbox-variables.js';
