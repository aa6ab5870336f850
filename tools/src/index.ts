// What the CLI uses of the operator's commands. Each has its data and its text.
export { onInstallation } from './command/on-installation.js';
export { emergencyStop, textOfStop } from './emergency/emergency-stop.js';
export { parseEmergencyOptions } from './emergency/parse-options.js';
export { followEvents } from './events-tail/follow-events.js';
export {
  listParked,
  listParkedAndPrint,
  redriveAndPrint as redriveParked,
  redriveMessages,
  unknownService,
} from './parked/parked-messages.js';
export { listRuns, redriveAndPrint as redriveSaga, redriveRun, resolveAny, textOfRuns, type OpenRun } from './sagas/runs.js';
export { checkResolveOptions } from './sagas/resolve-options.js';
export { checkChain, verifyChain } from './verify-audit/verify-chain.js';
export { checkBooks, verifyBooks } from './verify-ledger/verify-books.js';
