import { startEmbeddedPostgres } from '../index.js';

/** Starts a server on the given folder, prints its URL and runs until it is killed. */
async function holdServer(dataDir: string): Promise<void> {
  const progress: string[] = [];
  try {
    const { url, port } = await startEmbeddedPostgres({ dataDir, onProgress: (fact) => progress.push(fact) });
    process.stdout.write(`${JSON.stringify({ url, port, progress })}\n`);
    process.stdin.resume();
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ failure: String(error), progress })}\n`);
    process.exitCode = 1;
  }
}

holdServer(process.argv[2] ?? '').catch((error: unknown) => {
  throw error;
});
