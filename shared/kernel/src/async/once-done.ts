/** Calls `run` until it has succeeded once; from then on its result stays. Concurrent calls share one attempt. */
export function onceDone<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let attempt: Promise<Result> | undefined;
  return () => {
    attempt ??= run().catch((error: unknown) => {
      attempt = undefined;
      throw error;
    });
    return attempt;
  };
}
