import { parseArgs } from 'node:util';

export type RestoreOptions =
  { readonly command: 'restore'; readonly folder: string } | { readonly command: 'accept'; readonly by: string };

/** Returns what is wrong as a text. */
export function parseRestoreOptions(args: readonly string[]): RestoreOptions | string {
  const parsed = parse(args);
  if (parsed === undefined) return 'Only --accept and --by <name> are understood.';
  const { values, positionals } = parsed;
  if (values.accept === true) {
    if (positionals.length > 0) return '--accept takes no folder: it accepts what was restored into the data folder.';
    const by = values.by?.trim() ?? '';
    return by === '' ? '--by is missing: the audit log names the person.' : { command: 'accept', by };
  }
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0 || values.by !== undefined) return 'Name one backup folder.';
  return { command: 'restore', folder };
}

function parse(args: readonly string[]) {
  try {
    const options = { accept: { type: 'boolean' }, by: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}
