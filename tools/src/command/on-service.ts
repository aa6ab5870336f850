import { randomUUID } from 'node:crypto';
import { findService } from '@holdfast/all-in-one/commands';
import type { ServiceName } from '@holdfast/contracts/services';
import { callerSigner } from '@holdfast/http/caller';
import { createServiceClient, type ServiceClient } from '@holdfast/http/service-client';
import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { processEnvironment } from '@holdfast/process/config';

/** The context of the calls of one command. */
export const callContext = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };

/** A person waits, and commands are used when the platform is in trouble: longer than services wait for each other. */
const timeoutMs = 15_000;

/** Calls a running service in the name of a command, and closes the connection in any case. */
export async function onService<T>(command: string, to: ServiceName, work: (client: ServiceClient) => Promise<T>): Promise<T> {
  const { url, internalSecret } = findService(processEnvironment(), to);
  const signer = callerSigner({ secret: internalSecret, clock: systemClock() });
  const client = createServiceClient({ from: command, to, baseUrl: url, signer, timeoutMs });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
