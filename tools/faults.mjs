// Plays the whole fault matrices, or the named parts of them: `npm run faults`, `npm run faults -- payments kills`. Everything from the first
// word with a dash on goes to jest: `npm run faults -- orders -t fund`.
import './require-node.cjs';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** As many as the tests have servers of RabbitMQ, so that no platform waits for one. */
const platformsAtOnce = 3;

/** Where the tests of each part are. */
const parts = {
  orders: ['e2e/src/faults/orders'],
  payments: ['e2e/src/faults/payments'],
  accounts: ['e2e/src/faults/accounts'],
  'lost-messages': ['e2e/src/faults/lost-messages'],
  timers: ['e2e/src/faults/timers'],
  kills: ['e2e/src/faults/kills'],
  'roll-out': ['e2e/src/roll-out'],
  'public-network': ['e2e/src/public-network'],
  reports: ['e2e/src/reports'],
  notifications: ['services/notifications/src/http/reconnects'],
  adapter: ['services/escrow-adapter/src/faults', 'services/escrow-adapter/src/falsified-transactions'],
  browser: ['e2e/src/browser'],
};

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith('-'));
const named = firstOption === -1 ? words : words.slice(0, firstOption);
const options = words.slice(named.length);

const unknown = named.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')} of the fault matrices. There are: ${Object.keys(parts).join(', ')}.`);
  process.exitCode = 1;
} else {
  play(named.length === 0 ? Object.keys(parts) : named);
}

/** Most cases wait: for a call to give up, for a retry, for a process to start. So several platforms run at once. */
function play(names) {
  const jest = createRequire(path.join(root, 'package.json')).resolve('jest/bin/jest');
  const args = [jest, `--maxWorkers=${platformsAtOnce.toString()}`, ...names.flatMap((name) => parts[name]), ...options];
  const environment = { ...process.env, HOLDFAST_FAULTS: 'all' };
  const { status } = spawnSync(process.execPath, args, { cwd: root, env: environment, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
