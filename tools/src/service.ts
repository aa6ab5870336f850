import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serviceNames } from '@holdfast/contracts/services';

/** `npm run service -- <name>`: a service, the gateway or the sandbox, in its own process. Its settings come from the environment. */
const built = fileURLToPath(new URL('../../dist/', import.meta.url));
const names: readonly string[] = ['gateway', ...serviceNames, 'sandbox'];

const name = process.argv[2];
if (name === undefined || !names.includes(name)) {
  const problem = name === undefined ? 'Which service?' : `There is no service "${name}".`;
  console.error(`${problem} Use: npm run service -- <name>, where <name> is one of ${names.join(', ')}.`);
  process.exitCode = 1;
} else {
  stopWithParent();
  await import(pathToFileURL(mainOf(name)).href);
}

function mainOf(service: string): string {
  const main = path.join(built, `${service}.js`);
  if (!existsSync(main)) throw new Error(`${main} is missing: run "npm run build" first.`);
  return main;
}

/** A parent that forked this process with an IPC channel wants it to stop when the parent ends, however it ends. */
function stopWithParent(): void {
  if (!('connected' in process)) return;
  // It may have ended while this process was loading.
  if (!process.connected) process.kill(process.pid, 'SIGTERM');
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
