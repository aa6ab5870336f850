export type TestServer = 'postgres' | 'rabbitmq';

/** For `beforeAll` hooks that are the first to ask for a server, which may then have to be fetched and installed. */
export const serverStartTimeoutMs = 300_000;

/** Asks the run's global setup for the server, which starts it if nobody has asked before. The hook that asks has the time limit. */
export async function testServerUrl(server: TestServer): Promise<string> {
  const registryUrl = process.env['HOLDFAST_TEST_SERVERS']; // eslint-disable-line holdfast/no-process-env -- the only way from jest's setup to its workers
  if (registryUrl === undefined) throw new Error('Test servers are started by jest-global-setup.cjs: run this through jest.');
  const response = await fetch(`${registryUrl}/${server}`);
  if (!response.ok) throw new Error(`The ${server} for tests did not start: ${await response.text()}`);
  const { url } = (await response.json()) as { readonly url: string };
  return url;
}
