import { Session, type Profiler } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from './planted-tree.js';

/** Which files of this repository have run in this process, by V8's precise coverage. */
export type ExecutedFiles = {
  readonly begin: () => void;
  /** The files in which a function has run since `begin`. */
  readonly end: () => readonly string[];
  readonly close: () => void;
};

export function watchExecutedFiles(): ExecutedFiles {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = (): readonly string[] => {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    // Within one process the callback is called before `post` returns. Taking the counts resets them.
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => (taken = result));
    return taken.filter(({ functions }) => functions.some(hasRun)).flatMap(({ url }) => fileOf(url) ?? []);
  };
  const close = (): void => {
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  };
  return { begin: () => void take(), end: take, close };
}

/** The loader of the tests adds a getter for each export (`() => name`, `() => from[key]`) and `__name`. Those are not functions of the file. */
function hasRun({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  if (functionName === '__name') return false;
  const getter = functionName === 'get' ? '() => from[key]' : `() => ${functionName}`;
  return range !== undefined && range.count > 0 && range.endOffset - range.startOffset > getter.length;
}

function fileOf(url: string): string | undefined {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return undefined;
  const file = path.relative(repository, fileURLToPath(url.split('?')[0] ?? url));
  return file.startsWith('..') ? undefined : file;
}
