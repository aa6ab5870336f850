/** Runs work that prints for people while stdout is for JSON: what it prints goes to stderr. */
export async function onStderr<Result>(work: () => Promise<Result>): Promise<Result> {
  const { log } = console;
  console.log = (...values: readonly unknown[]) => console.error(...values);
  try {
    return await work();
  } finally {
    console.log = log;
  }
}
