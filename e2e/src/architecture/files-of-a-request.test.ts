import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { watchRunningFiles, type RunningFiles } from './files-that-run.js';
import { startGatewayAndOrders, type GatewayAndOrders } from './gateway-and-orders.js';
import { repository } from './planted-tree.js';

const filesMax = 60;
/** Jobs run in the background, but hardly the same one during each of so many requests. */
const requestsMax = 12;

let running: GatewayAndOrders;
let files: RunningFiles;
let onFundRequested: () => void = () => undefined;
/** The files that ran for every funding, sorted. */
let ran: readonly string[];

beforeAll(async () => {
  running = await startGatewayAndOrders(() => onFundRequested());
  files = watchRunningFiles();
  await filesOfFunding(); // opens the connections
  ran = [...(await filesOfFunding())].sort();
  for (let request = 1; request < requestsMax && ran.length > filesMax; request += 1) {
    const now = await filesOfFunding();
    ran = ran.filter((file) => now.has(file));
  }
}, serverStartTimeoutMs);
afterAll(async () => {
  files.stop();
  await running.stop();
});

it(`the funding of an escrow runs at most ${filesMax} files from the socket to the first publish`, () => {
  expect(ran.length > filesMax ? ran : []).toEqual([]);
});

it('the files of this part in the table of ARCHITECTURE.md run', () => {
  const shown = filesInTable();
  expect(shown).toContain('gateway/src/app.ts');
  expect(shown.filter((file) => !ran.includes(file))).toEqual([]);
});

/** The files with a function that ran between the request and the first message that orders published. */
async function filesOfFunding(): Promise<ReadonlySet<string>> {
  const orderId = await running.anOrderToFund();
  await running.idle();
  let found: ReadonlySet<string> | undefined;
  onFundRequested = () => (found ??= files.take());
  files.reset();
  await running.post(`/orders/${orderId}/escrow/fund`);
  onFundRequested = () => undefined;
  return found ?? new Set();
}

/** The files of gateway and orders until the broker has the message. Its driver comes after that. */
function filesInTable(): readonly string[] {
  const page = readFileSync(path.join(repository, 'ARCHITECTURE.md'), 'utf8');
  const [, table = ''] = /\| \*\*gateway\*\*([\s\S]*?)\| \*\*ledger-balance\*\*/.exec(page) ?? [];
  const paths = [...table.matchAll(/`([\w/-]+\/src\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file);
  return paths.filter((file) => !/^shared\/(contracts|messaging\/src\/broker)\//.test(file));
}
