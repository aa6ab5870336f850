import path from 'node:path';
import { connect } from 'amqplib';
import { findRabbitmq, installRabbitmq, startPrivateRabbitmq } from '@holdfast/dev-servers/rabbitmq';

export type OwnRabbitmq = { readonly url: string; readonly version: string; readonly stop: () => Promise<void> };

/** A broker for this run alone; installed first where that is possible, else a failure that says what to do. */
export async function startOwnRabbitmq(folder: string, onProgress: (fact: string) => void): Promise<OwnRabbitmq> {
  if (findRabbitmq() === undefined) await installRabbitmq(onProgress);
  const server = await startPrivateRabbitmq({ dataDir: path.join(folder, 'rabbitmq'), onProgress });
  const { url, stop } = server;
  return { url, version: await readVersion(url), stop };
}

async function readVersion(url: string): Promise<string> {
  const model = await connect(url);
  const { version } = model.connection.serverProperties;
  await model.close();
  return version;
}
