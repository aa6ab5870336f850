import { text } from 'node:stream/consumers';
import { isSecretName, secretNames } from './secrets/kinds.js';
import { provideSecrets, replaceSecret } from './secrets/secret-folder.js';

/** The one-shot container that makes the secrets of docker-compose.yml. It imports nothing but what its image holds. */
const usage = `node dist/secrets.js <folder>                  generates what is missing
node dist/secrets.js <folder> set <name> < file  replaces one; <name> is one of ${secretNames().join(', ')}`;

const [folder, command, name = ''] = process.argv.slice(2);
if (folder === undefined) refuse(usage);
else if (command === undefined) provideSecrets(folder);
else if (command !== 'set' || !isSecretName(name)) refuse(usage);
else await replace(folder, name);

async function replace(into: string, secretName: Parameters<typeof replaceSecret>[1]): Promise<void> {
  const secret = (await text(process.stdin)).trim();
  if (secret === '') {
    refuse(`Write the new ${secretName} to stdin.`);
    return;
  }
  replaceSecret(into, secretName, secret);
  console.log(`${secretName} is replaced; restart the containers that read it.`);
}

function refuse(why: string): void {
  console.error(why);
  process.exitCode = 1;
}
