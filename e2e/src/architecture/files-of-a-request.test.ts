import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { watchRunningFiles, type RunningFiles } from './files-that-run.js';
import { startGatewayAndOrders, type GatewayAndOrders } from './gateway-and-orders.js';

/** ARCHITECTURE.md, "One request, file by file". */
const filesMax = 86;
/** A job in the background may run during one request, but hardly during each of them. */
const requests = 3;

let running: GatewayAndOrders;
let files: RunningFiles;
let onPublish: () => void = () => undefined;

beforeAll(async () => {
  running = await startGatewayAndOrders(() => onPublish());
  files = watchRunningFiles();
}, serverStartTimeoutMs);
afterAll(async () => {
  files.stop();
  await running.stop();
});

it(`the funding of an escrow runs at most ${filesMax} files from the socket to the first publish`, async () => {
  await filesOfFunding(); // opens the connections
  let common = [...(await filesOfFunding())].sort();
  for (let request = 1; request < requests; request += 1) {
    const now = await filesOfFunding();
    common = common.filter((file) => now.has(file));
  }
  expect(common).toEqual(expect.arrayContaining(['gateway/src/proxy.ts', 'services/orders/src/use-cases/request-funding.ts']));
  expect(common.length > filesMax ? common : []).toEqual([]);
});

/** The files with a function that ran between the request and the first message that orders published. */
async function filesOfFunding(): Promise<ReadonlySet<string>> {
  const orderId = await running.anOrderToFund();
  await running.idle();
  let ran: ReadonlySet<string> | undefined;
  onPublish = () => (ran ??= files.take());
  files.reset();
  await running.post(`/orders/${orderId}/escrow/fund`);
  onPublish = () => undefined;
  return ran ?? new Set();
}
