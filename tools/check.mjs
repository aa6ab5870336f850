// Runs every check that needs no server, two at a time, and reports all of them: name, result, time, and what failed.
import './require-node.cjs';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const atOnceMax = 2;
// The checks make many short-lived objects; more room for them than Node's 16 MB saves processor time on garbage collection.
const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` };

/** The slowest first, so that the last one to finish is a short one. Each is an npm script of its own; `shows` prints what it found. */
const steps = [
  { name: 'lint', script: ['lint'] },
  { name: 'types', script: ['typecheck'] },
  { name: 'format', script: ['format:check'] },
  { name: 'dependency rules', script: ['boundaries'] },
  { name: 'unused members', script: ['unused:members'] },
  { name: 'unused code', script: ['unused'] },
  { name: 'prose', script: ['prose'] },
  { name: 'one of each', script: ['one-of-each'], shows: true },
  { name: 'generated docs', script: ['generate', '--', '--check'] },
];

const waiting = [...steps];
const failed = [];
await Promise.all(Array.from({ length: atOnceMax }, runWaiting));
console.log(failed.length === 0 ? 'all checks passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runWaiting() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await runStep(step);
}

async function runStep({ name, script, shows = false }) {
  const begun = performance.now();
  const { exitCode, output } = await runScript(script);
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (exitCode !== 0) failed.push(name);
  if (exitCode !== 0 || shows) console.log(output.trimEnd());
}

function runScript(script) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', ...script], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8') }));
  });
}
