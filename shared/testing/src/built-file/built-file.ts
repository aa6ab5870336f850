import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The built output of a program, by its source file. The global setup builds what is stale. Programs of tests are in folders `testing`. */
export function builtFile(source: URL): string {
  const [folder, program = ''] = fileURLToPath(source).split(/\/src\/(?!.*\/src\/)/);
  const name = program === 'main.ts' ? path.basename(folder ?? '') : path.basename(program, '.ts');
  return path.join(root, program.includes('testing/') ? 'e2e/dist' : 'dist', `${name}.js`);
}
