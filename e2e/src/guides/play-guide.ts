import { openMarketplace, type Marketplace } from '../testing/shared-platform.js';
import type { PlatformFacts } from '../testing/provide-platform.js';
import { commandsIn, pasteIntoShell, programIn, readPage, replaceIn, type Replacements } from './snippets.js';

/** A guide of docs/guides whose reader has this platform and this key. */
export type Reader = Pick<PlatformFacts, 'baseUrl' | 'masterKey' | 'sandboxUrl' | 'dataDir'> & { readonly key: string };

/** A reader of a guide. Each reader has a separate marketplace, so that they do not meet. */
export async function aReader(platform: PlatformFacts, guide: string): Promise<Reader & { readonly marketplace: Marketplace }> {
  const marketplace = await openMarketplace(platform, guide);
  return { ...platform, key: marketplace.key, marketplace };
}

/** Pastes the commands of a guide and returns what the reader sees. */
export function pasteGuide(guide: string, reader: Reader, replacements: Replacements = {}): Promise<string> {
  const commands = commandsIn(readPage(`docs/guides/${guide}.md`));
  const env = { HOLDFAST_DATA_DIR: reader.dataDir, HOLDFAST_KEY: reader.key };
  return pasteIntoShell(replaceIn(commands, { ...addressesOf(reader), ...replacements }), env);
}

/** The program of a guide as this reader has filled it in. */
export function programOf(guide: string, reader: Reader): string {
  return replaceIn(programIn(readPage(`docs/guides/${guide}.md`)), addressesOf(reader));
}

function addressesOf({ baseUrl, sandboxUrl, masterKey, key }: Reader): Replacements {
  return {
    'http://127.0.0.1:8080': new URL(baseUrl).origin,
    'http://127.0.0.1:8090': sandboxUrl,
    'MASTER_KEY=hk_master_…': `MASTER_KEY=${masterKey}`,
    'hk_master_…': key,
    'hk_…': key,
  };
}
