import { startEmbeddedPostgres } from '../index.js';

/** A process to be killed: starts the server on the folder it is given, says where it is, and stays. */
async function holdServer(dataDir: string): Promise<void> {
  const progress: string[] = [];
  try {
    const { url, port } = await startEmbeddedPostgres({ dataDir, onProgress: (fact) => progress.push(fact) });
    process.stdout.write(`${JSON.stringify({ url, port, told: progress })}\n`);
    process.stdin.resume();
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ failure: String(error), told: progress })}\n`);
    process.exitCode = 1;
  }
}

holdServer(process.argv[2] ?? '').catch((error: unknown) => {
  throw error;
});
