// Writes ../src/generated from docs/generated/openapi.json: the types with @hey-api/openapi-ts, and beside them the table of operations and the
// types of the resources. `npm run generate:sdk` installs this folder and runs it; `npm run check` compares the hash that it leaves.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { operationsOf, plainDocument } from './operations.mjs';
import { errorCodesOf, writeOperations, writeResources } from './write-sources.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(here, '../../../docs/generated/openapi.json');
const target = path.join(here, '../src/generated');
const notice = '// Written by `npm run generate:sdk` from docs/generated/openapi.json. Do not edit.\n';

const text = readFileSync(source, 'utf8');
const document = JSON.parse(text);
const operations = operationsOf(document);
const sha256 = createHash('sha256').update(text).digest('hex');

write('types.ts', await typesOf(plainDocument(document, operations)));
write('operations.ts', writeOperations(operations, sha256));
write('resources.ts', writeResources(operations, { errorCodes: errorCodesOf(document), events: Object.keys(document.webhooks) }));

async function typesOf(input) {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-sdk-types-'));
  await createClient({ input, output: { path: folder }, plugins: ['@hey-api/typescript'], logs: { level: 'silent' } });
  const types = readFileSync(path.join(folder, 'types.gen.ts'), 'utf8');
  rmSync(folder, { recursive: true });
  return types.replace(/^\/\/.*\n+/, '');
}

function write(name, content) {
  writeFileSync(path.join(target, name), `${notice}\n${content}`);
}
