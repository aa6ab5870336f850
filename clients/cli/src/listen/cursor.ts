import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

/** Where a listener continues after it was stopped: the id of the last message that its receiver has accepted. */
export type Cursor = {
  readonly read: () => string | undefined;
  readonly write: (lastEventId: string) => void;
};

const stored = z.object({ lastEventId: z.string().min(1) });

/** One file for each listener in the user's state folder. Its name reveals no key. */
export function openCursor(listener: readonly string[], stateHome: string | undefined): Cursor {
  const folder = path.join(stateHome ?? path.join(homedir(), '.local', 'state'), 'holdfast');
  const name = createHash('sha256').update(JSON.stringify(listener)).digest('hex').slice(0, 32);
  const file = path.join(folder, `listen-${name}.json`);
  return {
    read: () => {
      try {
        return stored.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data?.lastEventId;
      } catch {
        return undefined; // none yet, or not whole
      }
    },
    write: (lastEventId) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, JSON.stringify({ lastEventId }), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}
