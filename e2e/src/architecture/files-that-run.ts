import { Session, type Profiler } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from './planted-tree.js';

export type RunningFiles = {
  /** Forgets what has run so far. */
  readonly reset: () => void;
  /** The files of the platform with a function that was called since then. */
  readonly take: () => ReadonlySet<string>;
  readonly stop: () => void;
};

/** Contracts are declarations, and the test's own code is not a part of the platform. */
const counted = /^(gateway|services\/[^/]+|shared\/(?!contracts\/|testing\/)[^/]+)\/src\/(?!testing\/)/;

/** Counts calls with the profiler of V8. The inspector session of a process calls back before `post` returns. */
export function watchRunningFiles(): RunningFiles {
  const session = new Session();
  session.connect();
  session.post('Debugger.enable');
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const sourceOf = (scriptId: string): string => {
    let source = '';
    session.post('Debugger.getScriptSource', { scriptId }, (_error, { scriptSource }) => (source = scriptSource));
    return source;
  };
  const take = (): ReadonlySet<string> => {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result));
    const ours = scripts.filter((script) => counted.test(fileOf(script)));
    return new Set(ours.filter((script) => hasRun(script, sourceOf(script.scriptId))).map(fileOf));
  };
  return { take, reset: () => void take(), stop: () => session.disconnect() };
}

/** The loader of the tests makes each export a getter, which runs when another file reads the export. */
const getter = /^(get)?\s*(\(\)\s*=>|\w*\(\)\s*\{\s*return)\s*[\w$.[\]]+[;\s}]*$/;

/** A function from the first character on is the module as a whole, which runs when it is loaded. */
function hasRun({ functions }: Profiler.ScriptCoverage, source: string): boolean {
  return functions.some(({ ranges: [whole] }) => {
    if (whole === undefined || whole.count === 0 || whole.startOffset === 0) return false;
    return !getter.test(source.slice(whole.startOffset, whole.endOffset));
  });
}

function fileOf({ url }: Profiler.ScriptCoverage): string {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  return path.relative(repository, file).split('?')[0] ?? '';
}
