import { eventually } from '@holdfast/testing/eventually';
import { aCreatedContract, requestFunding } from './testing/orders.js';
import { startResolving, type Resolving } from './testing/resolving.js';

let resolving: Resolving;

beforeAll(async () => {
  resolving = await startResolving();
});

afterAll(async () => {
  resolving.outage.end();
  await resolving.adapter.stop();
});

it('a funding whose transaction no node remembers fails by the word of an operator, and frees the source account', async () => {
  const { adapter, outage, resolve } = resolving;
  const order = await aCreatedContract(adapter);
  Object.assign(outage.now, { losesSubmissions: true, forgets: true });
  const command = await requestFunding(adapter, order);
  const states = () =>
    adapter.database.asAdmin(`select step, state from escrow_adapter.ledger_transactions where intent_id = $1`, [command.id]);
  await eventually(async () => expect(await states()).toEqual([{ step: 'fund', state: 'OPEN' }]));
  await adapter.database.asAdmin(
    `update escrow_adapter.ledger_transactions set valid_until = now() - interval '2 days' where intent_id = $1`,
    [command.id],
  );
  expect((await resolve(command, { outcome: 'failed' })).status).toBe(200);
  await adapter.waitForReply(order.orderId, 'escrow.funding_failed');
  expect(await states()).toEqual([{ step: 'fund', state: 'DEAD' }]);
});
