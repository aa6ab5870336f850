import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const operations = 'clients/sdk/src/generated/operations.ts';

/** Whether the generated sources of the SDK were written from this OpenAPI document. Their generator is not part of the installation. */
export async function isSdkFresh(root: string, openApi: string): Promise<boolean> {
  const text = await readFile(path.join(root, operations), 'utf8').catch(() => '');
  const [, written] = /openApiSha256 = '([0-9a-f]{64})'/.exec(text) ?? [];
  return written === createHash('sha256').update(openApi).digest('hex');
}
