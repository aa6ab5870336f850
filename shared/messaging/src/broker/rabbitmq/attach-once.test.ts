import { silentLog } from '@holdfast/testing/log';
import { attachOnce } from './attach-once.js';
import type { Connection } from './connection-manager.js';

type TestConnection = Connection & { readonly aborted: readonly string[] };

function aConnection(): TestConnection {
  const aborted: string[] = [];
  return { model: {} as Connection['model'], abort: (reason) => void aborted.push(reason), aborted };
}

const common = { name: 'consumer of orders', log: silentLog };

it('starts once on each connection', async () => {
  const started: Connection[] = [];
  const start = (connection: Connection): Promise<void> => Promise.resolve(void started.push(connection));
  const { attach, attached } = attachOnce({ ...common, isStopping: () => false, start });
  const [first, second] = [aConnection(), aConnection()];
  await Promise.all([attach(first), attach(first), attach(second), attach(second)]);
  await attached();
  expect(started).toEqual([first, second]);
});

it('aborts the connection on which it could not start, and does not reject', async () => {
  const start = (): Promise<void> => Promise.reject(new Error('no channel'));
  const { attach } = attachOnce({ ...common, isStopping: () => false, start });
  const connection = aConnection();
  await attach(connection);
  expect(connection.aborted).toEqual(['the consumer of orders could not be started']);
});

it('starts on no connection while it stops', async () => {
  const { attach } = attachOnce({ ...common, isStopping: () => true, start: () => Promise.reject(new Error('started')) });
  const connection = aConnection();
  await attach(connection);
  expect(connection.aborted).toEqual([]);
});
