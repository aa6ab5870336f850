/** The further RabbitMQ servers are for `lockDefaultNamespace`; the platform is for the e2e suites. */
export type TestServer = 'postgres' | 'rabbitmq' | 'rabbitmq-2' | 'rabbitmq-3' | 'platform';

/** The timeout of `beforeAll` hooks that may be the first to use a server, which may then have to be installed. */
export const serverStartTimeoutMs = 300_000;

/** Requests the URL of the server from the global setup of the run, which starts it on the first request. The hook's time limit applies. */
export async function testServerUrl(server: TestServer): Promise<string> {
  const { url } = (await testServerFacts(server)) as { readonly url: string };
  return url;
}

/** Everything that the provider of the server returns about it, as far as JSON has it. */
export async function testServerFacts(server: TestServer): Promise<unknown> {
  const registryUrl = process.env['HOLDFAST_TEST_SERVERS']; // eslint-disable-line holdfast/no-process-env -- the only way from jest's setup to its workers
  if (registryUrl === undefined) throw new Error('Test servers are started by jest-global-setup.cjs: run this through jest.');
  const response = await fetch(`${registryUrl}/${server}`);
  if (!response.ok) throw new Error(`The ${server} for tests did not start: ${await response.text()}`);
  return response.json();
}
